// Deutsch: Sitzungen, ihr Verlauf und das Audit.
import type { text as en } from '../en/sessions.js';
import { many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Sitzungen und Audit',
  about: 'Jede Interaktion und jede Entscheidung in diesem Mandanten, während sie geschieht.',
  tabs: { label: 'Ansicht', sessions: 'Sitzungen', audit: 'Audit', system: 'Audit der Installation' },
  list: {
    caption: 'Sitzungen',
    find: 'Sitzung suchen',
    findHint:
      'Referenz, Telefonnummer, Person, Fall oder Wörter einer Notiz. Eine Systemkennung öffnen Sie mit der Eingabetaste.',
    caseNumber: 'Fallnummer',
    ofCase: (number) => `Alle Sitzungen zum Fall ${number}`,
    ofFraudster: 'Nur Sitzungen, in denen {fraudster} gefunden wurde.',
    state: 'Status',
    open: 'Offen',
    over: 'Beendet',
    decision: 'Entscheidung',
    loading: 'Sitzungen werden geladen',
    none: 'Noch keine Sitzungen',
    noneText: 'Eine Sitzung ist eine Interaktion mit einem Anrufer. Sie erscheint hier, sobald sie beginnt.',
    start: 'Im Stimmlabor eine beginnen',
    noMatch: 'Keine passenden Sitzungen',
    noMatchText: 'Versuchen Sie es mit weniger Filtern.',
    session: 'Sitzung',
    started: 'Begonnen',
    channel: 'Kanal',
    person: 'Person',
    role: 'Bekannt woher',
    gonePerson: 'Eine Person, die gelöscht wurde',
    roles: {
      claimed: 'angegeben',
      SESSION_PERSON_ROLE_UNSPECIFIED: '',
      SESSION_PERSON_ROLE_VERIFIED: 'mit dem Stimmabdruck verglichen',
      SESSION_PERSON_ROLE_RECOGNIZED: 'erkannt',
      SESSION_PERSON_ROLE_ENROLLED: 'registriert',
    },
    show: 'Anzeigen',
    calls: 'Anrufe und Versuche',
    callsOnly: 'Nur Anrufe',
    trials: 'Nur Versuche',
    consoleWork: 'Arbeit in der Konsole',
    everything: 'Alles',
    from: 'Anruf von',
    checks: 'Prüfungen',
    recognizedFraudster: 'erkannter Betrüger',
    enrolledFraudster: 'registrierter Betrüger',
    foundAfter: 'nach dem Anruf gefunden',
    sameVoice: 'Betrüger mit dieser Stimme',
    findings: 'Befunde',
    isTrial: 'ja',
    outcome: 'Ausgang und Fall',
    refreshed: (seconds) => `Wird alle ${num(seconds)} s aktualisiert`,
    held: 'Wird nicht aktualisiert, solange Sitzungen ausgewählt sind',
    exportSelected: 'Auswahl als CSV exportieren',
    count: (count) => many(count, '# Sitzung', '# Sitzungen'),
  },
  session: {
    title: (id) => `Sitzung ${id}`,
    about: 'Wer angerufen hat, wessen Stimme passt, was zu hören war und was zu tun ist.',
    result: 'Ergebnis',
    nothingDecided: 'Es ist noch nichts entschieden',
    person: 'Person',
    fraudster: 'Erkannter Betrüger',
    trial: 'Dies ist ein Versuch aus dem Stimmlabor oder von der Kommandozeile. Er geht in keine Rate ein.',
    verdict: {
      refused: {
        title: 'Die Verifizierung wurde abgelehnt, weil der Stimmabdruck gesperrt ist',
        next: 'Die Stimme wurde nicht verglichen. Hören Sie die Aufnahme an, und entsperren Sie den Stimmabdruck erst, wenn sein Inhaber den Anruf bestätigt hat.',
        nextUnheard:
          'Die Stimme wurde nicht verglichen. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören: Der Stimmabdruck sollte erst entsperrt werden, wenn sein Inhaber den Anruf bestätigt hat.',
      },
      erased: {
        title: 'Die personenbezogenen Daten dieses Anrufs wurden gelöscht',
        next: 'Wer angerufen hat und welche Werte die Prüfungen ergeben haben, ist nicht mehr bekannt. Die Entscheidungen unten bleiben nur als Nachweis erhalten.',
      },
      notChecked: {
        title: 'Die Stimme passt, aber auf Angriffe wurde nicht geprüft',
        next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Prüfen Sie die Aufnahme auf Angriffe, bevor Sie sich auf die Übereinstimmung verlassen.',
        nextUnkept:
          'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
      },
      clearNotChecked: {
        title: 'Kein bekannter Betrüger wurde erkannt, aber auf Angriffe wurde nicht geprüft',
        next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Prüfen Sie die Aufnahme auf Angriffe, bevor Sie sich darauf verlassen.',
        nextUnkept:
          'Ob ein Mensch live gesprochen hat, ist nicht bekannt, und es gibt keine Aufnahme, die man prüfen könnte. Stellen Sie auf anderem Weg fest, wer es war.',
      },
      checkUncertain: {
        title: 'Die Stimme passt, aber eine Prüfung auf Angriffe konnte nicht entscheiden',
        next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
        nextUnkept:
          'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
      },
      mismatch: {
        inRecordings: (recordings: string) => `Die Stimme passt, aber nicht in ${recordings}`,
        sinceThen: 'Die Stimme passte anfangs und passt nicht mehr',
        otherPrint:
          'Die Stimme passt zu einem Stimmabdruck, zu einem anderen, mit dem sie verglichen wurde, nicht',
        next: 'Vielleicht hat mehr als eine Person gesprochen. Hören Sie die Aufnahmen an, und stellen Sie auf anderem Weg fest, wer es ist.',
        nextUnkept:
          'Vielleicht hat mehr als eine Person gesprochen. Stellen Sie auf anderem Weg fest, wer es ist.',
      },
      listUncertain: {
        title: 'Die Stimme passt, aber eine Prüfung gegen eine Beobachtungsliste konnte nicht entscheiden',
        next: 'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und prüfen Sie sie erneut gegen die Beobachtungsliste.',
        nextUnheard:
          'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Bitten Sie einen Betrugsanalysten, den Anruf erneut gegen die Beobachtungsliste zu prüfen.',
        nextUnkept:
          'Ob ein bekannter Betrüger gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
      },
      matchCutOff: {
        title: 'Die Stimme passte, bis das Mithören abbrach',
        next: 'Was danach gesagt wurde, ist nicht geprüft. Läuft der Anruf weiter, verifizieren Sie den Anrufer erneut.',
      },
      notListed: {
        title: (checks: string) =>
          `Kein bekannter Betrüger, aber eine Prüfung auf Angriffe konnte nicht entscheiden: ${checks}`,
        next: 'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
        nextUnkept:
          'Ob ein Mensch live gesprochen hat, ist nicht bekannt. Stellen Sie auf anderem Weg fest, wer es ist.',
      },
      clearInPart: {
        title: (checks: string) =>
          `Nichts Verdächtiges gefunden, aber nicht jede Prüfung konnte entscheiden: ${checks}`,
        next: 'Behandeln Sie den Anruf als darauf nicht geprüft. Hören Sie die Aufnahme an, und stellen Sie auf anderem Weg fest, wer es ist.',
        nextUnkept:
          'Behandeln Sie den Anruf als darauf nicht geprüft, und stellen Sie auf anderem Weg fest, wer es ist.',
      },
      clearCutOff: {
        title: 'Nichts Verdächtiges gefunden, bis das Mithören abbrach',
        next: 'Was nach dem Abbruch des Mithörens gesagt wurde, ist nicht geprüft. Läuft der Anruf weiter, prüfen Sie ihn erneut.',
      },
      listCheck: 'Bekannte Betrüger',
      comparison: 'Stimmvergleich',
      fraudster: { title: 'Die Stimme eines bekannten Betrügers wurde erkannt' },
      otherVoice: { title: 'Die Stimme ist eindeutig nicht die der angegebenen Person' },
      fraudsterLater: {
        title: 'In diesem Anruf wurde später ein bekannter Betrüger gefunden',
        next: 'Die Sitzung wurde vorher entschieden. Hören Sie die Aufnahme an, und halten Sie den Ausgang fest.',
        nextUnheard:
          'Die Sitzung wurde vorher entschieden. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören und den Ausgang festzuhalten.',
      },
      attackLater: {
        title: (attacks: string) =>
          `In diesem Anruf wurden später Anzeichen eines Angriffs gefunden: ${attacks}`,
        next: 'Die Sitzung wurde vorher entschieden. Hören Sie die Aufnahme an, und halten Sie den Ausgang fest.',
        nextUnheard:
          'Die Sitzung wurde vorher entschieden. Bitten Sie einen Betrugsanalysten, die Aufnahme anzuhören und den Ausgang festzuhalten.',
      },
    },
    decidedBy: {
      comparison: (seconds) =>
        `Entschieden hat der Stimmvergleich: Verglichen wurden ${num(seconds, 1)} s Sprache.`,
      mostSpeech: (count, seconds, where, next) =>
        `Von ${num(count)} Stimmvergleichen entscheidet der, in dem die meiste Sprache verglichen wurde: ${num(seconds, 1)} s${where ? ` in ${where}` : ''}; in keinem anderen waren es mehr als ${num(next, 1)} s.`,
      latest: (count, seconds, where) =>
        `Von ${num(count)} Stimmvergleichen entscheidet der letzte${where ? `, in ${where}` : ''}, weil in keinem mehr Sprache verglichen wurde als die ${num(seconds, 1)} s in ihm.`,
      matchEndsEarly:
        'Ein Vergleich endet, sobald die Stimme eindeutig passt. Deshalb zählt auch eine lange Aufnahme manchmal nur mit wenigen Sekunden.',
      alarm: (check, seconds) =>
        `Entschieden hat ein Alarm, der schwerer wiegt als jede Übereinstimmung: ${check}, ${num(seconds, 1)} s Sprache geprüft.`,
      clear: (check, seconds) =>
        `Entschieden hat von den Prüfungen ohne Befund die mit dem höchsten Risiko: ${check}, ${num(seconds, 1)} s Sprache geprüft.`,
      open: (check, seconds) =>
        `Offen gelassen hat es eine Prüfung, die diese Aufnahme nicht beurteilen konnte: ${check}, ${num(seconds, 1)} s Sprache geprüft.`,
      earlier: 'Entschieden hat eine Prüfung in einer früheren Sitzung desselben Engagements.',
    },
    foundLater: 'Später gefunden',
    putOnList: 'Auf Beobachtungsliste gesetzt',
    caller: 'Anrufer',
    later: 'später geprüft',
    foundOn: (time: string) => `{fraudster}, am ${time}, Beobachtungsliste {watchlist}`,
    foundBySearch: (time) => `{fraudster}, am ${time}, bei einer {search}; auf Beobachtungsliste {watchlist}`,
    foundBySearchUnlisted: (time) =>
      `{fraudster}, am ${time}, bei einer {search}; zurzeit auf keiner Beobachtungsliste`,
    search: 'Suche in gespeicherten Anrufen',
    addedOn: 'Als {fraudster} auf Beobachtungsliste {watchlist} gesetzt',
    addedAlone: 'Aufnahmen zu {fraudster} hinzugefügt',
    doneLater: 'später erledigt',
    foundAlone: (time: string) => `{fraudster}, am ${time}`,
    foundAttack: (attack: string, time: string) => `${attack}, am ${time}`,
    madeIn: 'In Sitzung {session}',
    caseNumber: 'Fallnummer',
    note: 'Notiz',
    loading: 'Sitzung wird geladen',
    record: 'Ausgang festhalten',
    outcome: 'Ausgang',
    risk: 'Risiko',
    state: 'Status',
    open: 'Offen',
    over: (time) => `Beendet am ${time}`,
    cutOff: (time, why) => `Seit ${time} nicht mehr mitgehört: ${why}`,
    cutOffBadge: 'Abgebrochen',
    erased: 'Daten gelöscht',
    alsoNoMatch: 'Auch keine Übereinstimmung',
    notCheckedForAttacks: 'Nicht auf Angriffe geprüft',
    circumstances: 'Angaben zum Anruf',
    channel: 'Kanal',
    purpose: 'Zweck',
    started: 'Begonnen',
    from: 'Anruf von',
    claims: 'Gibt an zu sein',
    verified: 'Verglichen mit',
    recognized: 'Erkannt als',
    enrolled: 'Stimme registriert für',
    enrolledFraudster: 'Stimme registriert für Betrüger',
    identifier: 'Kennung',
    why: 'Grund des Ausgangs',
    timeline: 'Verlauf',
    timelineHint: 'Ausgefüllte Punkte sind Prüfungen, die für die Entscheidung zählen.',
    nothing: 'Bisher ist nichts geschehen',
    nothingText: 'Ereignisse erscheinen hier, sobald sie eintreten.',
    by: (who) => (who === 'das System' ? 'Vom System' : `Von ${who === 'Sie' ? 'Ihnen' : who}`),
    speech: (seconds) => `${num(seconds, 1)} s Sprache`,
    score: (score, words) => `Wert ${score}: ${words}`,
    counts: 'zählt für die Entscheidung',
    details: 'Einzelheiten',
    voiceprint: 'Stimmabdruck',
    recording: 'Aufnahme',
    configset: 'Revision der Konfiguration',
    calibration: 'Revision der Kalibrierung',
    request: 'Anfrage',
  },
  heard: {
    title: 'Was zu hören war',
    recording: (number) => `Aufnahme ${num(number)}`,
    hint: 'Hören Sie sie an, und sehen Sie, was jede Prüfung ergab.',
    hintUnheard: 'Sehen Sie, was jede Prüfung ergab.',
    none: 'Es wurde noch nichts geprüft',
    noneText: 'Aufnahmen und ihre Prüfungen erscheinen hier, sobald eine Stimme geprüft wird.',
    noRecording:
      'Es gibt keine Aufnahme: Live mitgehörte Anrufe werden nicht aufbewahrt, andere können gelöscht worden sein.',
    enrolledFor: 'Gehört zum Stimmabdruck von',
    speech: 'Sprache',
    seconds: (seconds) => `${num(seconds, 1)} s`,
    attacks: 'Angriffsprüfungen',
    notChecked: 'Nicht geprüft',
    notCheckedText:
      'Die Anwendung hat nur die Stimme verglichen. Auch computergenerierte Sprache und Aufnahmen können dabei durchgehen.',
    notCheckedNext:
      'Prüfen Sie diese Aufnahme jetzt. Damit jeder Anruf geprüft wird, sollte die Anwendung AnalyzeAudio verwenden, oder DetectAudioSpoofing neben Verify.',
    notCheckedOther:
      'Verlassen Sie sich nicht allein auf den Vergleich. Damit jeder Anruf geprüft wird, sollte die Anwendung AnalyzeAudio verwenden, oder DetectAudioSpoofing neben Verify.',
    checkNow: 'Auf Angriffe prüfen',
    checkedBadge: 'Jetzt geprüft',
    checkedNow: 'Eben geprüft, siehe oben. Die Entscheidung der Sitzung bleibt, wie sie ist.',
    doNotRely: 'Verlassen Sie sich nicht darauf: siehe das Ergebnis oben.',
    comparedWith: 'Verglichen mit',
    matched: 'Übereinstimmung',
    nearest: 'Größte Ähnlichkeit',
    watchlist: 'Beobachtungsliste',
    group: 'Gruppe',
    evidence: 'Beweiskraft',
  },
  next: {
    title: 'Nächste Schritte',
    hint: 'Jeder Schritt wird unter Ihrem Namen im Audit festgehalten.',
    watchlist: 'Anrufer auf eine Beobachtungsliste setzen',
    watchlistText:
      'Der Anrufer wird als neuer Betrüger angelegt, mit einem Stimmabdruck, mit dem Anrufe verglichen werden können. Reichen die Aufnahmen dafür nicht aus, wird nichts angelegt.',
    recordings: 'Aufnahmen des Anrufers',
    recordingsHint: (seconds) =>
      `Wählen Sie die, in denen der Betrüger spricht; anhören können Sie sie unter „Was zu hören war“. Zusammen brauchen sie etwa ${num(seconds)} s Sprache.`,
    choice: (number, time, seconds, decisions) =>
      `Aufnahme ${num(number)}, ${time}, mindestens ${num(seconds, 1)} s Sprache: ${decisions}`,
    fraudster: 'Name des Betrügers',
    fraudsterHint: 'Etwa die Fallnummer. Es muss ein neuer Name sein.',
    add: 'Auf die Beobachtungsliste setzen',
    added: (id, used, leftOut) =>
      `${id} steht auf der Beobachtungsliste, mit einem Stimmabdruck aus ${many(used, '# Aufnahme', '# Aufnahmen')}.${
        leftOut === 0 ? '' : ` ${many(leftOut, '# Aufnahme war', '# Aufnahmen waren')} nicht gut genug.`
      }`,
    toKnown: 'Bekanntem Betrüger hinzufügen',
    toKnownText:
      'Die Aufnahmen werden Teil des Stimmabdrucks des Betrügers, der die Stimme dann besser erkennt. Klingen sie nicht nach derselben Stimme, ändert sich nichts.',
    recordingsHintKnown: (seconds) =>
      `Wählen Sie die, in denen der Betrüger spricht; anhören können Sie sie unter „Was zu hören war“. Jede braucht mindestens ${num(seconds)} s Sprache.`,
    addToKnown: 'Aufnahmen hinzufügen',
    addedToKnown: (id, used, leftOut) =>
      `Der Stimmabdruck von ${id} hat jetzt ${many(used, '# Aufnahme', '# Aufnahmen')}.${
        leftOut === 0 ? '' : ` ${many(leftOut, '# Aufnahme war', '# Aufnahmen waren')} nicht gut genug.`
      }`,
    unusable: (recording, why) => `${recording}: ${why}. Es wurde nichts geändert.`,
    noPrint: (why) => `${why}. Es wurde nichts geändert.`,
    noRecording:
      'Es gibt keine Aufnahme, die sich gegen eine Beobachtungsliste prüfen oder zum Stimmabdruck eines Betrügers machen ließe.',
    goneVoiceprint: 'Der Stimmabdruck wurde gelöscht, es gibt also nichts zu sperren.',
    noVoiceprint: 'Hier wurde keine Stimme verifiziert, also gibt es keinen Stimmabdruck zu sperren.',
    lock: 'Stimmabdruck sperren',
    note: 'Notiz und Fallnummer',
    noteLabel: 'Notiz',
    caseNumber: 'Fallnummer',
    save: 'Speichern',
    noteSaved: 'Notiz gespeichert.',
    lockAgain: 'Grund der Sperre ändern',
    isLocked: 'Der Stimmabdruck von {owner} ist gesperrt',
    lockedBecause: (reason, time) => `${reason}. Gesperrt ${time}`,
    opensBy: (time) => `Er wird ${time} entsperrt, wenn Sie ihn nicht selbst sperren.`,
    isAdded: 'Als {fraudster} auf die Beobachtungsliste gesetzt.',
  },
  check: {
    title: 'Gegen eine Beobachtungsliste prüfen',
    action: 'Jetzt prüfen',
    openText:
      'Ist das die Stimme eines bekannten Betrügers? Der Anruf ist noch offen: Die Antwort zählt für seine Entscheidung.',
    overText:
      'Ist das die Stimme eines bekannten Betrügers? Der Anruf ist beendet: Seine Entscheidung bleibt, wie sie ist. Die Antwort steht danach auf der Seite des Anrufs und im Audit, und der Anruf erscheint beim Betrüger, der gefunden wird.',
    recording: 'Aufnahme',
    recordingHint: (seconds) => `Eine Prüfung braucht mindestens ${num(seconds, 1)} s Sprache.`,
    answer: 'Antwort',
    addTo: (id) => `Aufnahme zu ${id} hinzufügen`,
    onlyList:
      'Hier wurde nur mit der Beobachtungsliste verglichen. Was alle Prüfungen zusammen ergeben, steht auf der Seite der Sitzung.',
  },
  history: {
    person: (id) => `Andere Sitzungen von ${id}`,
    number: (ani) => `Andere Anrufe von ${ani}`,
    ofCase: (number) => `Andere Sitzungen zum Fall ${number}`,
    fraudster: (id) => `Weitere Anrufe von ${id}`,
    none: 'Keine.',
    all: 'Alle anzeigen',
    withTrials: 'Auch Versuche anzeigen',
    callsOnly: 'Versuche ausblenden',
  },
  outcome: {
    title: 'Ausgang dieses Engagements festhalten',
    titleMany: (count) =>
      many(count, 'Ausgang von # Sitzung festhalten', 'Einen Ausgang für # Sitzungen festhalten'),
    replaces: (count) =>
      many(
        count,
        '# davon hat schon einen Ausgang. Er wird mit seiner Begründung ersetzt.',
        '# davon haben schon einen Ausgang. Sie werden mit ihrer Begründung ersetzt.',
      ),
    what: 'Was war es?',
    why: 'Warum',
    loss: 'Schaden',
    lossHint: 'In der Währung, in der Ihr Mandant berichtet. Nur ganze Zahlen, etwa 1200.',
    lossNotWhole: 'Geben Sie eine ganze Zahl ein, etwa 1200.',
    save: 'Ausgang festhalten',
    saved: 'Ausgang festgehalten.',
    savedMany: (count) =>
      many(count, 'Ausgang für # Sitzung festgehalten.', 'Ausgang für # Sitzungen festgehalten.'),
    leftAsTheyWere: (count, names) =>
      many(
        count,
        `# Sitzung blieb, wie sie war, weil jemand anderes inzwischen ihren Ausgang festgehalten hat: ${names}. Die Liste zeigt ihn. Sie ist noch ausgewählt.`,
        `# Sitzungen blieben, wie sie waren, weil jemand anderes inzwischen ihren Ausgang festgehalten hat: ${names}. Die Liste zeigt ihn. Sie sind noch ausgewählt.`,
      ),
  },
  audit: {
    caption: 'Audit-Einträge, neueste zuerst',
    find: 'Eintrag suchen',
    findHint:
      'Name eines Benutzers, einer Anwendung, einer Person oder einer Liste, oder beliebiger Text aus dem Eintrag.',
    kind: 'Art',
    verify: 'Kette prüfen',
    verifyFailed: 'Die Kette konnte nicht geprüft werden',
    intact: (count) => `Die Kette ist unversehrt: ${many(count, '# Eintrag', '# Einträge')} geprüft`,
    newest: 'Neuester Hash {hash}',
    broken: (sequence) => `Die Kette ist bei Eintrag ${sequence} unterbrochen`,
    loading: 'Einträge werden geladen',
    none: 'Noch keine Einträge',
    noneText: 'Alles, was in diesem Mandanten getan wird, hinterlässt hier einen Eintrag.',
    noMatch: 'Keine passenden Einträge',
    noMatchText: 'Versuchen Sie es mit einem kürzeren Suchtext oder einer anderen Art.',
    number: 'Nr.',
    time: 'Zeit',
    what: 'Vorgang',
    by: 'Von',
    session: 'Sitzung',
    object: 'Objekt',
    objects: {
      RECORD_TYPE_SESSION_EVENT: 'Sitzung',
      RECORD_TYPE_SCOPE_EVENT: 'Mandant und Einstellungen',
      RECORD_TYPE_ENGAGEMENT_EVENT: 'Engagement',
      RECORD_TYPE_MEDIA_EVENT: 'Aufnahme',
      RECORD_TYPE_AUDIO_EVENT: 'Sprache',
      RECORD_TYPE_ANTI_SPOOFING_AUDIT_INFO_EVENT: 'Sprache',
      RECORD_TYPE_CALIBRATION_EVENT: 'Kalibrierung',
      RECORD_TYPE_JOBS_EVENT: 'Auftrag',
    },
    configset: (name) => `Konfiguration ${name}`,
    webhook: (host) => `Webhook an ${host}`,
    batch: 'Stapel',
    systemAbout:
      'Was die ganze Installation betrifft: Anmeldungen, Benutzer, Anwendungen, Clients, Geheimnisse und Schlüssel.',
    systemCaption: 'Einträge der Installation, neueste zuerst',
    systemFindHint: 'Ein Benutzername, eine Kennung oder ein Vorgang, etwa user.sign-in.',
    details: 'Einzelheiten',
    personal: 'Personenbezogene Werte',
    masked: 'getrennt aufbewahrt, hier nicht gezeigt',
    erased: 'gelöscht',
    noDetails: 'Mehr wurde nicht festgehalten.',
    yes: 'ja',
    no: 'nein',
    record: 'Eintrag',
    recordLabel: (sequence) => `Eintrag ${sequence}`,
    hash: (hash) => `Hash ${hash}`,
    count: (count) => many(count, '# Eintrag', '# Einträge'),
  },
};
