// Deutsch: Personen, Betrüger, Gruppen, Beobachtungslisten und ihre Stimmabdrücke.
import type { text as en } from '../en/people.js';
import { many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Personen und Beobachtungslisten',
  about:
    'Wessen Stimmen hier bekannt sind, in welchen Gruppen und auf welchen Beobachtungslisten sie stehen und was mit ihnen geschehen darf.',
  lists: 'Listen',
  consent: {
    CONSENT_STATUS_UNSPECIFIED: 'Nicht gefragt',
    CONSENT_STATUS_OPTED_IN: 'Eingewilligt',
    CONSENT_STATUS_OPTED_OUT: 'Widersprochen',
  },
  states: {
    VOICEPRINT_PROFILE_STATUS_UNSPECIFIED: '–',
    VOICEPRINT_PROFILE_STATUS_NOT_TRAINED: 'Noch nicht trainiert',
    VOICEPRINT_PROFILE_STATUS_BASIC_TRAINED: 'Trainiert',
    VOICEPRINT_PROFILE_STATUS_OPTIMAL_TRAINED: 'Mit reichlich Sprache trainiert',
  },
  lockReasons: {
    LOCK_REASON_UNSPECIFIED: '',
    LOCK_REASON_CONSECUTIVE_MISMATCHES: 'Zu viele Fehlversuche in Folge',
    LOCK_REASON_OTHER: 'Manuell gesperrt',
  },
  person: {
    title: 'Personen',
    add: 'Person hinzufügen',
    find: 'Person suchen',
    findHint: 'Kennung, Name oder Telefonnummer.',
    loading: 'Personen werden geladen',
    none: 'Noch keine Personen',
    noneText: 'Personen erscheinen hier, wenn Ihre Anwendungen oder das Stimmlabor sie registrieren.',
    recordFirst: 'Die erste Stimme aufnehmen',
    noMatch: 'Keine passenden Personen',
    noMatchText:
      'Versuchen Sie es mit einem kürzeren Teil der Kennung oder des Namens oder mit weniger Filtern.',
    about: 'Eine Person, deren Stimme verifiziert werden kann.',
    missing: 'Diese Person gibt es in diesem Mandanten nicht',
    delete: 'Person löschen',
    deleteSelected: 'Personen löschen',
    addTo: 'Zu Gruppe hinzufügen',
    addToMember: 'Zu einer Gruppe hinzufügen',
    collection: 'Gruppe',
    noCollection: 'Es gibt noch keine Gruppe.',
    firstCollection: 'Es gibt noch keine Gruppe. Geben Sie der ersten einen Namen.',
    createAndAdd: 'Gruppe anlegen und hinzufügen',
    identifierOf: 'Person',
    deleteText: (prints) =>
      `Die Person und ${many(prints, '# Stimmabdruck', '# Stimmabdrücke')} werden gelöscht. Sitzungen und Audit-Einträge bleiben, aber die Sitzungen nennen die Person nicht mehr. Das kann nicht rückgängig gemacht werden.`,
    deleteManyText: (count) =>
      `${many(count, '# Person und ihre Stimmabdrücke', '# Personen und ihre Stimmabdrücke')} werden gelöscht. Sitzungen und Audit-Einträge bleiben, aber die Sitzungen nennen sie nicht mehr. Das kann nicht rückgängig gemacht werden.`,
    count: (count) => many(count, '# Person', '# Personen'),
  },
  fraudster: {
    title: 'Betrüger',
    add: 'Betrüger hinzufügen',
    find: 'Betrüger suchen',
    findHint: 'Kennung oder Name.',
    loading: 'Betrüger werden geladen',
    none: 'Noch keine Betrüger',
    noneText:
      'Fügen Sie bekannte Betrüger und ihre Stimmen hinzu, und setzen Sie sie dann auf eine Beobachtungsliste.',
    recordFirst: '',
    noMatch: 'Keine passenden Betrüger',
    noMatchText: 'Versuchen Sie es mit einem kürzeren Teil der Kennung oder des Namens.',
    about: 'Ein bekannter Betrüger.',
    withVoice:
      'Anrufe, die gegen seine Beobachtungslisten geprüft werden, werden mit dieser Stimme verglichen.',
    unlisted:
      'Der Stimmabdruck ist trainiert, aber der Betrüger steht auf keiner Beobachtungsliste: Noch wird kein Anruf mit dieser Stimme verglichen.',
    withoutVoice:
      'Es gibt noch keinen trainierten Stimmabdruck: Kein Anruf kann mit dieser Stimme verglichen werden.',
    missing: 'Diesen Betrüger gibt es in diesem Mandanten nicht',
    delete: 'Betrüger löschen',
    deleteSelected: 'Betrüger löschen',
    addTo: 'Zu Beobachtungsliste hinzufügen',
    addToMember: 'Zu einer Beobachtungsliste hinzufügen',
    collection: 'Beobachtungsliste',
    noCollection: 'Es gibt noch keine Beobachtungsliste.',
    firstCollection: 'Es gibt noch keine Beobachtungsliste. Geben Sie der ersten einen Namen.',
    createAndAdd: 'Beobachtungsliste anlegen und hinzufügen',
    identifierOf: 'Betrüger',
    deleteText: (prints) =>
      `Der Betrüger und ${many(prints, '# Stimmabdruck', '# Stimmabdrücke')} werden gelöscht, und diese Stimme löst keine Alarme mehr aus. Frühere Anrufe nennen den Betrüger weiterhin. Das kann nicht rückgängig gemacht werden.`,
    deleteManyText: (count) =>
      `${many(count, '# Betrüger samt Stimmabdrücken wird', '# Betrüger samt Stimmabdrücken werden')} gelöscht, und diese Stimmen lösen keine Alarme mehr aus. Frühere Anrufe nennen sie weiterhin. Das kann nicht rückgängig gemacht werden.`,
    count: (count) => many(count, '# Betrüger', '# Betrüger'),
  },
  group: {
    title: 'Gruppen',
    add: 'Gruppe hinzufügen',
    find: 'Gruppe suchen',
    findHint: 'Kennung.',
    loading: 'Gruppen werden geladen',
    none: 'Noch keine Gruppen',
    noMatch: 'Keine passenden Gruppen',
    about: 'Die Personen, mit denen eine Stimme verglichen wird, wenn Sie fragen, wer spricht.',
    delete: 'Gruppe löschen',
    deleteText: 'Die Gruppe wird gelöscht. Ihre Mitglieder und deren Stimmabdrücke bleiben.',
    comparesNobody: 'Eine Stimme, die in ihr gesucht wird, wird mit niemandem verglichen.',
    removeText: (id, from) =>
      `Stimmen werden nicht mehr mit ${id} verglichen, wenn sie in ${from} gesucht werden. Die Person und ihre Stimmabdrücke bleiben.`,
    removeLast: (from) =>
      `Sonst hat niemand in ${from} einen trainierten Stimmabdruck: Eine Stimme, die in ihr gesucht wird, wird dann mit niemandem verglichen.`,
    addMember: 'Person hinzufügen',
    members: (count) => many(count, '# Person', '# Personen'),
    count: (count) => many(count, '# Gruppe', '# Gruppen'),
  },
  watchlist: {
    title: 'Beobachtungslisten',
    add: 'Beobachtungsliste hinzufügen',
    find: 'Beobachtungsliste suchen',
    findHint: 'Kennung.',
    loading: 'Beobachtungslisten werden geladen',
    none: 'Noch keine Beobachtungslisten',
    noMatch: 'Keine passenden Beobachtungslisten',
    about:
      'Stimmen bekannter Betrüger. Ein Anruf wird mit ihnen verglichen, wenn seine Anwendung die Liste nennt.',
    delete: 'Beobachtungsliste löschen',
    deleteText:
      'Anrufe werden nicht mehr mit ihr verglichen. Ihre Mitglieder und deren Stimmabdrücke bleiben, und frühere Anrufe nennen sie weiterhin.',
    comparesNobody: 'Anrufe, die gegen sie geprüft werden, werden mit niemandem verglichen.',
    removeText: (id, from) =>
      `Anrufe werden nicht mehr mit ${id} verglichen, wenn sie gegen ${from} geprüft werden. Der Betrüger, die Stimmabdrücke und frühere Funde bleiben.`,
    removeLast: (from) =>
      `Sonst hat niemand auf ${from} einen trainierten Stimmabdruck: Anrufe, die gegen sie geprüft werden, werden dann mit niemandem verglichen.`,
    addMember: 'Betrüger hinzufügen',
    members: (count) => many(count, '# Betrüger', '# Betrüger'),
    count: (count) => many(count, '# Beobachtungsliste', '# Beobachtungslisten'),
  },
  columns: {
    identifier: 'Kennung',
    name: 'Name',
    voiceprints: 'Stimmabdrücke',
    consent: 'Einwilligung',
    added: 'Hinzugefügt',
    members: 'Mitglieder',
    voice: 'Stimme',
  },
  erased: '(gelöscht)',
  missingText: 'Der Eintrag wurde vielleicht gelöscht, oder der Link gehört zu einem anderen Mandanten.',
  order: 'Sortieren nach',
  orders: {
    newest: 'Neueste zuerst',
    oldest: 'Älteste zuerst',
    identifier: 'Kennung, A bis Z',
    identifierDown: 'Kennung, Z bis A',
  },
  anyVoiceprint: 'Mit oder ohne',
  withVoiceprint: 'Mit trainiertem Stimmabdruck',
  withoutVoiceprint: 'Ohne trainierten Stimmabdruck',
  prints: {
    none: 'keine',
    trained: (count) => many(count, '# trainiert', '# trainiert'),
    notTrained: 'nicht trainiert',
    locked: 'gesperrt',
  },
  trained: 'Trainiert',
  noTrained: 'Kein trainierter Stimmabdruck',
  identifierHint: 'Von Ihnen gewählt. Anwendungen verweisen damit auf diesen Eintrag.',
  addButton: 'Hinzufügen',
  added: (id) => `${id} hinzugefügt.`,
  removed: (id, from) => `${id} aus ${from} entfernt.`,
  deleted: (id) => `${id} gelöscht.`,
  deletedMany: (count) => many(count, '# Eintrag gelöscht.', '# Einträge gelöscht.'),
  addedMany: (count, to) =>
    many(count, `# Eintrag zu ${to} hinzugefügt.`, `# Einträge zu ${to} hinzugefügt.`),
  alreadyIn: (count) => many(count, '# war schon darin.', '# waren schon darin.'),
  bulkConfirm: 'löschen',
  andMore: (count) => `und ${many(count, '# weiterer', '# weitere')}`,
  notInSight: (count) =>
    many(
      count,
      '# davon ist mit der aktuellen Suche und den Filtern nicht zu sehen.',
      '# davon sind mit der aktuellen Suche und den Filtern nicht zu sehen.',
    ),
  csvFile: 'personen',
  collection: {
    members: 'Mitglieder',
    membersOf: (id) => `Mitglieder von ${id}`,
    none: 'Noch keine Mitglieder',
    noneText: 'Fügen Sie mit der Schaltfläche oben das erste hinzu.',
    try: 'Im Stimmlabor ausprobieren',
    remove: 'Entfernen',
    removeOne: (id) => `${id} entfernen`,
    removeFrom: (id, from) => `${id} aus ${from} entfernen?`,
    loading: 'Mitglieder werden geladen',
    addTitle: (what, to) => `${what} (${to})`,
  },
  party: {
    untrainedAbout:
      'Eine Person, deren Stimme noch nicht verifiziert werden kann: Dazu braucht es einen trainierten Stimmabdruck.',
    optedOutAbout:
      'Eine Person, die widersprochen hat: Ihre Stimme darf weder registriert noch verifiziert werden.',
    aboutTitle: 'Angaben',
    identifier: 'Kennung',
    systemIdentifier: 'Systemkennung',
    name: 'Name',
    phone: 'Telefonnummern',
    added: 'Hinzugefügt',
    consentTitle: 'Einwilligung',
    since: (time) => `seit ${time}`,
    reason: (reason) => `Grund: ${reason}`,
    askAgain: (time) => `Darf ab ${time} wieder gefragt werden`,
    optIn: 'Einwilligung eintragen',
    optOut: 'Widerspruch eintragen',
    erase: 'Personenbezogene Daten löschen',
    voiceprints: 'Stimmabdrücke',
    loadingVoiceprints: 'Stimmabdrücke werden geladen',
    noVoiceprint: 'Noch kein Stimmabdruck',
    noVoiceprintText: 'Ein Stimmabdruck entsteht aus einigen Sprachaufnahmen.',
    optedOutText: 'Diese Person hat widersprochen: Bis sie einwilligt, kann keiner angelegt werden.',
    begin: 'Stimmabdruck anlegen',
    verify: 'Im Stimmlabor verifizieren',
    sessions: 'Letzte Sitzungen',
  },
  optIn: {
    title: (id) => `Einwilligung von ${id} eintragen`,
    intro: 'Mit der Einwilligung erlaubt die Person dieser Organisation,',
    items: [
      'ihre Stimme aufzunehmen und daraus einen Stimmabdruck zu erstellen;',
      'ihre Stimme mit diesem Stimmabdruck zu vergleichen, um zu prüfen, wer anruft;',
      'Aufnahmen auf synthetische Sprache, abgespielte Aufnahmen und bekannte Betrüger zu prüfen;',
      'den Stimmabdruck zu behalten, bis sie widerspricht oder ihre Daten gelöscht werden.',
    ],
    objected: (time, reason) =>
      `Diese Person hat am ${time} widersprochen${reason ? `, aus diesem Grund: ${reason}` : ''}.`,
    notBefore: (time) =>
      `Sie darf erst ab ${time} wieder gefragt werden. Tragen Sie vorher nur dann eine Einwilligung ein, wenn sie selbst darum gebeten hat.`,
    confirm: 'Die Person wurde darüber informiert und hat eingewilligt',
    done: (id) => `Einwilligung von ${id} eingetragen.`,
  },
  optOut: {
    title: (id) => `Widerspruch von ${id} eintragen`,
    losesAll: (prints, recordings) =>
      `Jetzt ${many(prints, 'wird # Stimmabdruck', 'werden # Stimmabdrücke')} dieser Person gelöscht, entstanden aus ${many(recordings, '# Aufnahme', '# Aufnahmen')}. Das kann nicht rückgängig gemacht werden.`,
    losesNothing: 'Diese Person hat keinen Stimmabdruck; es wird also nichts gelöscht.',
    text: 'Stimmbiometrie wird für diese Person nicht mehr verwendet. Registrierung und Verifizierung werden abgelehnt, bis sie wieder einwilligt.',
    reason: 'Grund',
    days: 'Tage, bis sie wieder gefragt werden darf',
    daysRange: (most) => `Geben Sie eine ganze Zahl von 1 bis ${num(most)} ein, oder nichts.`,
    done: (id) => `Widerspruch von ${id} eingetragen.`,
    already: (time, reason) =>
      `Diese Person hat schon widersprochen, am ${time}${reason ? `, aus diesem Grund: ${reason}` : ', ohne Angabe eines Grundes'}. Das gilt weiterhin; die Stimmabdrücke wurden damals gelöscht. Jetzt wurde nichts geändert.`,
  },
  erase: {
    title: (id) => `Personenbezogene Daten von ${id} löschen`,
    text: 'Stimmabdrücke, Namen und alles andere, was diese Person erkennbar macht, wird vernichtet, auch in alten Einträgen. Das kann nicht rückgängig gemacht werden.',
    counting: 'Es wird gezählt, was gelöscht wird und was bleibt',
    goes: (count, kept) =>
      `${many(count, '# Aufnahme wird', '# Aufnahmen werden')} gelöscht, ${num(kept)} behalten.`,
    kept: {
      asFraud: (count) =>
        `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')} als Beweis für Betrug, bis sich der Ausgang ändert.`,
      sessions: (count) =>
        `${many(count, '# Sitzung mit dem Ausgang Betrug bleibt', '# Sitzungen mit dem Ausgang Betrug bleiben')} mit Entscheidungen und Werten.`,
      onHold: (count) =>
        `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')} bis zum Ende der Löschsperre.`,
      withFraudster: (count) =>
        `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')} wegen eines bekannten Betrügers, bis der Ausgang Echt festgehalten oder der Stimmabdruck daraus gelöscht wird.`,
      forOthers: (count) =>
        `${many(count, '# Aufnahme bleibt', '# Aufnahmen bleiben')}, weil auch jemand anderes zu hören ist oder sein kann, ohne Namen und Werte dieser Person.`,
    },
    texts: (count) =>
      `${many(count, '# Sitzung, die bleibt, hat', '# Sitzungen, die bleiben, haben')} Notizen, Begründungen oder Zusatzdaten. Lesen Sie diese und entfernen Sie alles, was auf die Person hinweist: {sessions}`,
    done: (id) => `Die personenbezogenen Daten von ${id} wurden gelöscht.`,
    begun: (id) =>
      `Die personenbezogenen Daten von ${id} werden gelöscht; im Audit steht, wann das abgeschlossen ist.`,
    erased: 'Die personenbezogenen Daten dieser Person wurden gelöscht',
    erasedOn: (time) => `Gelöscht ${time}.`,
    running: 'Die Löschung läuft noch.',
  },
  stay: {
    text: (days) =>
      days > 0
        ? `Aufnahmen dieser Stimme bleiben in ihren Sitzungen, bis sie ${many(days, '# Tag', '# Tage')} alt sind, mit Löschsperre länger.`
        : 'Aufnahmen dieser Stimme bleiben in ihren Sitzungen, bis ihre Aufbewahrungsfrist abgelaufen ist.',
    erase:
      '„Personenbezogene Daten löschen“ löscht sie jetzt, mit allem anderen, was die Person erkennbar macht. Das geht auch, nachdem die Person gelöscht wurde.',
    eraseInstead: 'Stattdessen personenbezogene Daten löschen',
    keptForPrint:
      'Die Aufnahme einer gelöschten Person, die nur für diesen Stimmabdruck blieb, wird sofort gelöscht.',
  },
  rest: {
    text: 'Aufnahmen einer Person, die gelöscht wurde, bleiben in ihren Sitzungen, bis ihre Aufbewahrungsfrist abgelaufen ist. Sie können schon vorher gelöscht werden.',
    action: 'Verbliebene Daten löschen',
    title: 'Verbliebene Daten dieser Person löschen',
    word: 'löschen',
    nothing: 'Von dieser Person ist hier nichts geblieben: Es gibt nichts zu löschen.',
    done: 'Was von dieser Person geblieben war, wurde gelöscht.',
    begun: 'Was von dieser Person geblieben ist, wird gelöscht; im Audit steht, wann das abgeschlossen ist.',
  },
  profile: {
    title: (tag) => `Stimmabdruck „${tag}“`,
    titlePlain: 'Stimmabdruck',
    loading: 'Der Stimmabdruck wird geladen',
    addRecording: 'Aufnahme hinzufügen',
    record: 'Aufnehmen',
    train: 'Trainieren',
    lock: 'Sperren',
    unlock: 'Entsperren',
    keepLocked: 'Gesperrt lassen',
    delete: 'Stimmabdruck löschen',
    deleteText: (owner, tag, recordings) =>
      `Der Stimmabdruck „${tag}“ von ${owner}, entstanden aus ${many(recordings, '# Aufnahme', '# Aufnahmen')}, wird gelöscht. Das kann nicht rückgängig gemacht werden.`,
    deleteLast: (owner) => `${owner} kann dann nicht mehr an der Stimme erkannt werden.`,
    deleteOthers: (owner, others) =>
      many(
        others,
        `# anderer Stimmabdruck von ${owner} bleibt; Anrufe können weiter mit ihm verglichen werden.`,
        `# andere Stimmabdrücke von ${owner} bleiben; Anrufe können weiter mit ihnen verglichen werden.`,
      ),
    deleteFindings:
      'Anrufe, in denen diese Stimme erkannt wurde, nennen den Betrüger weiterhin, auch wenn das erst später gefunden wurde.',
    deleted: 'Stimmabdruck gelöscht; seine Aufnahmen bleiben in ihren Sitzungen.',
    deletedOfFraudster:
      'Stimmabdruck gelöscht; seine Aufnahmen bleiben in ihren Sitzungen, außer denen von Personen, deren Daten gelöscht wurden, wenn sie nur für ihn erhalten blieben.',
    unlocked: 'Stimmabdruck entsperrt.',
    locked: 'Stimmabdruck gesperrt.',
    state: 'Status',
    lockLabel: 'Sperre',
    lockedBadge: 'Gesperrt',
    open: 'Nicht gesperrt',
    opensAt: (time) => `, wird am ${time} entsperrt`,
    mismatches: (count) => many(count, ', # Fehlversuch', ', # Fehlversuche in Folge'),
    canTrain: 'Der Stimmabdruck kann jetzt trainiert werden. Mehr Aufnahmen machen ihn besser.',
    needs: (wanted, there) =>
      `Ein Stimmabdruck wird aus mindestens ${many(wanted, '# Aufnahme', '# Aufnahmen')} trainiert: bisher ${num(there)}.`,
    trainedAt: 'Trainiert',
    calibration: 'Kalibrierung',
    lockTitle: 'Stimmabdruck sperren',
    lockText:
      'Die Verifizierung mit dem Stimmabdruck „{tag}“ von {owner} wird abgelehnt, bis er entsperrt wird. Es wird nichts gelöscht.',
    lockOthers:
      'Nur dieser wird gesperrt: Mit anderen Stimmabdrücken derselben Person können Anrufe weiter verglichen werden.',
    lockReason: 'Grund',
  },
  segments: {
    caption: 'Aufnahmen dieses Stimmabdrucks',
    loading: 'Aufnahmen werden geladen',
    none: 'Noch keine Aufnahmen.',
    recording: 'Aufnahme',
    nth: (number) => `Aufnahme ${num(number)}`,
    source: 'aus Sitzung {session}',
    speech: 'Sprache',
    seconds: (value) => `${num(value, 1)} s`,
    snr: 'Signal-Rausch-Abstand',
    consistent: 'Klingt wie die anderen',
    used: 'Im Training verwendet',
    remove: 'Entfernen',
    removeOne: (which) => `${which} entfernen`,
    removeTitle: (which) => `${which} entfernen?`,
    removeText:
      'Die Aufnahme gehört dann nicht mehr zum Stimmabdruck. Trainieren Sie den Stimmabdruck danach neu. Das kann nicht rückgängig gemacht werden.',
    removeAction: 'Aufnahme entfernen',
    removed: 'Aufnahme entfernt.',
    word: 'entfernen',
  },
  fraudsterCalls: {
    title: 'Anrufe, in denen diese Stimme gefunden wurde',
    none: 'Noch keine Prüfung hat diese Stimme in einem Anruf gefunden.',
  },
  listedVoice: {
    title: 'Diese Stimme steht bereits als {fraudster} auf der Liste.',
    hint: 'Fügen Sie die Aufnahmen dem vorhandenen Eintrag hinzu, oder legen Sie einen zweiten an, wenn es zwei Personen sind.',
    addTo: (name) => `Aufnahmen zu ${name} hinzufügen`,
    addAnyway: 'Als zweiten Eintrag hinzufügen',
  },
  watchlistField: {
    label: 'Beobachtungsliste',
    choose: 'Bitte wählen …',
    none: 'Es gibt noch keine Beobachtungsliste. Geben Sie der ersten einen Namen.',
    create: 'Beobachtungsliste anlegen',
  },
};
