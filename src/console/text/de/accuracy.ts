// Deutsch: Fehlerraten, Schwellen und Revisionen.
import type { text as en } from '../en/accuracy.js';
import { germanNumbers, many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Genauigkeit und Schwellen',
  about: 'Wie oft sich die Stimmprüfung irrt, und wo die Grenze liegt.',
  loadingSets: 'Konfigurationen werden geladen',
  states: {
    STATE_UNSPECIFIED: '–',
    STATE_SAVED: 'Gespeichert',
    STATE_VALIDATED: 'Geprüft',
    STATE_ACTIVE: 'Aktiv',
    STATE_INACTIVE: 'Inaktiv',
    STATE_INVALID: 'Ungültig',
  },
  source: {
    own: 'Die eigenen Stimmen dieses Mandanten',
    trials: 'Eine Vergleichsliste (CSV)',
    chosen: (name) => `Vergleichsliste: ${name}`,
    hint: 'Eine Vergleichsliste hat einen Vergleich je Zeile, etwa {target} oder {nontarget}.',
    unreadable: (name) => `${name} kann nicht gelesen werden. Es wird nichts gemessen.`,
    line: (number, line) => `Zeile ${num(number)} ist nicht „Wert,Kennzeichnung“: ${line}`,
    noTrials:
      'Die Datei enthält keine Vergleiche. Jede Zeile ist ein Wert und eine Kennzeichnung, etwa 3.2,target.',
  },
  report: {
    tab: 'Bericht',
    title: 'Wie oft irrt sich die Stimmprüfung?',
    answer: (score, accepts, rejects) =>
      `Mit der geltenden Schwelle, ${score}, akzeptiert sie ${accepts} der Fremden und weist ${rejects} der berechtigten Personen ab.`,
    scoring: 'Vergleiche werden berechnet',
    tooFew: 'Zu wenige Stimmen für eine Messung',
    tooFewText: 'Nötig sind mindestens zwei Personen mit einigen Aufnahmen, oder eine Vergleichsliste.',
    record: 'Stimme aufnehmen',
    trials: 'Vergleiche',
    trialsText: (same, different) =>
      `${num(same)} derselben Person, ${num(different)} verschiedener Personen`,
    speakers: (count) => many(count, '# Person', '# Personen'),
    eer: 'Gleichfehlerrate',
    eerText: (rate, score) => `${rate} beim Wert ${score}`,
    noConfigset: 'Wählen Sie oben eine Konfiguration.',
    cllr: 'Kosten der Werte (Cllr)',
    interval: (value, lower, upper) => `${value} (${lower} bis ${upper})`,
    scoreAxis: 'Wert (Log-Likelihood-Verhältnis)',
    shareAxis: 'Anteil der Vergleiche, %',
    errorAxis: 'Fehler, %',
    same: 'Dieselbe Person',
    different: 'Verschiedene Personen',
    falseAccepts: 'Falschakzeptanzen',
    falseRejects: 'Falschablehnungen',
    activeThreshold: 'Aktive Schwelle',
    suggestedThreshold: 'Vorgeschlagene Schwelle',
    distributions: 'Verteilung der Werte',
    distributionsText:
      'Je weniger sich die beiden überlappen, desto besser lassen sich Stimmen unterscheiden.',
    errors: 'Fehler je Schwelle',
    errorsText: 'Eine höhere Schwelle lässt weniger Fremde durch und weist mehr berechtigte Personen ab.',
    det: 'DET-Kurve',
    detText: 'Jede Schwelle ist ein Punkt. Je näher an der unteren linken Ecke, desto besser.',
    alike: 'Stimmen, die am ähnlichsten klingen',
    alikeText:
      'Ein Paar weit über der Schwelle ist vielleicht eine Person unter zwei Namen. Bis das hier jemand kennzeichnet, zählt es als Falschakzeptanz.',
    samePerson: 'Dieselbe Person',
    samePersons: 'Zählen in diesem Mandanten als eine Person',
    samePersonsPair: '{one} und {other}',
    samePersonsBy: (who, time) => `Gekennzeichnet: ${who}, ${time}`,
    sameFailed: 'Das konnte nicht gespeichert werden',
    sameUnknown: 'Wer als eine Person zählt, konnte nicht geladen werden',
    countAgain: 'Als zwei zählen',
    person: 'Person',
    caller: 'Anrufer',
    unknownCaller: 'Unbekannter Anrufer',
    call: 'Anruf',
    other: 'Klingt wie',
    score: 'Wert',
  },
  threshold: {
    tab: 'Schwellen',
    title: 'Schwelle finden',
    hint: 'Wie viel Prozent der Fremden dürfen akzeptiert werden?',
    wanted: 'Angestrebte Falschakzeptanzrate, %',
    range:
      'Geben Sie eine Zahl über 0 und höchstens 10 ein. Eine Schwelle, die mehr als einen von zehn Fremden akzeptiert, schützt niemanden.',
    find: 'Schwelle finden',
    failed: 'Es wurde keine Schwelle gefunden',
    score: 'Schwelle (Wert)',
    falseAccepts: 'Falschakzeptanzen',
    falseRejects: 'Falschablehnungen',
    nowhere: 'Es ist keine Konfiguration gewählt, in der dies gespeichert werden könnte.',
    saving: 'Was das Speichern bewirkt',
    savingText:
      'Es fügt der Konfiguration {configset} eine Revision hinzu, mit der eine Stimme ab dem Wert {score} verifiziert ist. Bis Sie die Revision aktivieren, ändert sich nichts.',
    writtenAs:
      'In der Konfiguration steht das als {parameter} {value}, die Rate der Kalibrierung für diesen Wert. Sie wurde mit anderen Stimmen gemessen und weicht daher von Ihrem Ziel ab.',
    refused: 'Diese Schwelle kann nicht gespeichert werden',
    save: (configset) => `Als neue Revision von ${configset} speichern`,
    saved: 'Als neue Revision gespeichert. Erproben Sie sie im Schattenbetrieb, und aktivieren Sie sie dann.',
    notSaved: 'Die Revision wurde nicht gespeichert',
    changed:
      'Stimmabdrücke oder Kalibrierung haben sich geändert, seit diese Schwelle gefunden wurde. Prüfen Sie die neuen Zahlen, und speichern Sie dann erneut.',
    description: (score, measured, calibrated, target) =>
      `Verifiziert ab Wert ${score}: Falschakzeptanzen ${measured} gemessen, ${calibrated} nach der Kalibrierung (Ziel ${target})`,
    descriptionOfTarget: (score, target) =>
      `Verifiziert ab Wert ${score} (Ziel: ${target} Falschakzeptanzen)`,
  },
  fairness: {
    tab: 'Fairness',
    title: 'Irrt sie sich bei manchen Menschen öfter?',
    answer: (accepts, rejects) =>
      `Schlechteste Gruppe gegenüber der besten: Falschakzeptanzen ${accepts}, Falschablehnungen ${rejects}.`,
    times: (ratio) => `${ratio}-mal so viele`,
    tooFew: 'zu wenige für eine Aussage',
    notMeasured: 'Noch nicht gemessen: Wählen Sie, wonach gruppiert wird.',
    by: 'Gruppieren nach',
    language: 'Bevorzugte Sprache',
    gender: 'Geschlecht',
    line: 'Leitung (gemessen)',
    custom: 'Eigenes Datenfeld',
    member: 'Name des Felds',
    memberHint: 'Zum Beispiel ageBand oder region, so wie Ihre Anwendung es bei jeder Person speichert.',
    measure: 'Gruppen vergleichen',
    failed: 'Die Gruppen konnten nicht verglichen werden',
    caption: 'Fehlerraten nach Gruppen',
    groupedBy: (what) => `Gruppiert nach: ${what}`,
    noGroups:
      'Gruppen ergeben sich daraus, was Ihre Anwendungen zu jeder Person speichern. Ergänzen Sie das zuerst, oder gruppieren Sie anders.',
    oneLine: 'Alle Aufnahmen kamen über die gleiche Art von Leitung.',
    group: 'Gruppe',
    speakers: 'Personen',
    garbe: 'Ungleichheit (GARBE)',
    garbeText: (value) => `${value} (0: alle Gruppen gleich, 1: alle Fehler in einer Gruppe)`,
    genders: { MALE: 'Männlich', FEMALE: 'Weiblich', NON_BINARY: 'Nichtbinär', UNKNOWN: 'Unbekannt' },
    lines: { narrow: 'Telefon (Schmalband)', wide: 'Breitband' },
  },
  serverNumber: germanNumbers,
  serverSays: {
    'fewer than two groups: there is nothing to compare':
      'Weniger als zwei Gruppen: Es gibt nichts zu vergleichen.',
    'only the first {1} of {2} groups are reported': 'Nur die ersten {1} von {2} Gruppen sind aufgeführt.',
    '{1} trials were left out: their sides are of no group, or of two':
      '{1} Vergleiche blieben außen vor: Ihre Seiten gehören zu keiner Gruppe, oder zu zweien.',
    '1 trial was left out: its sides are of no group, or of two':
      'Ein Vergleich blieb außen vor: Seine Seiten gehören zu keiner Gruppe, oder zu zweien.',
    '{1}: only {2}; its rates say little': '{1}: nur {2}; die Raten dieser Gruppe sagen wenig aus.',
    'few errors (false accepts: {1}, false rejects: {2}): GARBE and the ratios say little':
      'Wenige Fehler (Falschakzeptanzen: {1}, Falschablehnungen: {2}): GARBE und die Verhältnisse sagen wenig aus.',
    '{1} speakers': '{1} Personen',
    '1 speaker': 'eine Person',
    '{1} trials of the same speaker': '{1} Vergleiche derselben Person',
    '1 trial of the same speaker': 'ein Vergleich derselben Person',
    '{1} trials of different speakers': '{1} Vergleiche verschiedener Personen',
    '1 trial of different speakers': 'ein Vergleich verschiedener Personen',
    // What is too little of a group.
    '{1}, {2}': '{1}, {2}',
    '{1} callers are too few: thresholds need at least {2}':
      '{1} Anrufer sind zu wenige: Schwellen brauchen mindestens {2}.',
    'voiceprints of {1} people are too few: thresholds need at least {2}':
      'Stimmabdrücke von {1} Personen sind zu wenige: Schwellen brauchen mindestens {2}.',
    '{1} pairs of strangers ({2} callers, voiceprints of {3} people) are too few: thresholds need at least {4}':
      '{1} Paare von Fremden ({2} Anrufer, Stimmabdrücke von {3} Personen) sind zu wenige: Schwellen brauchen mindestens {4}.',
    'the scores of these strangers do not differ': 'Die Werte dieser Fremden unterscheiden sich nicht.',
    'only {1} trials of the same speaker: intervals are rough':
      'Nur {1} Vergleiche derselben Person: Die Intervalle sind ungenau.',
    'only {1} trials of different speakers: intervals are rough':
      'Nur {1} Vergleiche verschiedener Personen: Die Intervalle sind ungenau.',
    'there are no trials of the same speaker: voiceprints need two or more recordings':
      'Es gibt keine Vergleiche derselben Person: Stimmabdrücke brauchen zwei oder mehr Aufnahmen.',
    'there are no trials of different speakers: two or more owners are needed':
      'Es gibt keine Vergleiche verschiedener Personen: Nötig sind mindestens zwei.',
    'no trials of different speakers: this is the threshold that the model ships with':
      'Keine Vergleiche verschiedener Personen: Dies ist die Schwelle, die mit dem Modell mitgeliefert wird.',
    'a rate of {1}% needs at least {2} trials of different speakers; there are {3}':
      'Eine Rate von {1} % braucht mindestens {2} Vergleiche verschiedener Personen; es sind {3}.',
    '1 speaker is too few: a threshold needs at least {1}':
      'Eine Person ist zu wenig: Eine Schwelle braucht mindestens {1}.',
    '{1} speakers are too few: a threshold needs at least {2}':
      '{1} Personen sind zu wenige: Eine Schwelle braucht mindestens {2}.',
    'it would reject {1} of the right people': 'Sie würde {1} der berechtigten Personen abweisen.',
    'a config set goes no lower than score {1}, which means {2} false accepts with the calibration in use: aim for a lower rate':
      'Eine Konfiguration reicht bis zum Wert {1} hinab, der nach der geltenden Kalibrierung für {2} Falschakzeptanzen steht: Geben Sie eine niedrigere Rate an.',
    'a config set goes no higher than score {1}, which means {2} false accepts with the calibration in use: aim for a higher rate':
      'Eine Konfiguration reicht bis zum Wert {1} hinauf, der nach der geltenden Kalibrierung für {2} Falschakzeptanzen steht: Geben Sie eine höhere Rate an.',
    'score {1} would be enough for these voices, but {2} people do not represent all strangers: the suggestion goes no lower than the score that means {3} false accepts with the calibration in use':
      'Für diese Stimmen würde der Wert {1} genügen, aber {2} Personen stehen nicht für alle Fremden: Der Vorschlag geht nicht unter den Wert, der nach der geltenden Kalibrierung für {3} Falschakzeptanzen steht.',
    'only the newest {1} voiceprints were used; {2} were left out':
      'Nur die neuesten {1} Stimmabdrücke wurden verwendet; {2} blieben außen vor.',
    'only the newest {1} voiceprints were used': 'Nur die neuesten {1} Stimmabdrücke wurden verwendet.',
    'only the newest {1} callers were used': 'Nur die neuesten {1} Anrufer wurden verwendet.',
    'at the threshold in use for {1}, {2} of these strangers are accepted':
      'Mit der geltenden Schwelle für {1} werden {2} dieser Fremden akzeptiert.',
    'too few pairs to show {1}: its threshold is extrapolated from the more frequent scores':
      'Zu wenige Paare, um {1} zu zeigen: Die Schwelle ist aus den häufigeren Werten hochgerechnet.',
    'the new threshold for {1} accepts {2} of these strangers: more than it promises':
      'Die neue Schwelle für {1} akzeptiert {2} dieser Fremden: mehr, als sie verspricht.',
    'the new threshold for {1} accepts {2} of these strangers, more than it promises; {3} when half of the people set it for the other half':
      'Die neue Schwelle für {1} akzeptiert {2} dieser Fremden, mehr, als sie verspricht; {3}, wenn eine Hälfte der Personen sie für die andere setzt.',
    'the new threshold for {1} accepts {2} of these strangers, but {3} when half of the people set it for the other half: more than it promises':
      'Die neue Schwelle für {1} akzeptiert {2} dieser Fremden, aber {3}, wenn eine Hälfte der Personen sie für die andere setzt: mehr, als sie verspricht.',
    'with so few pairs, such shares may be due to chance alone: measure again when more people have called':
      'Bei so wenigen Paaren kann der Zufall allein solche Anteile ergeben: Messen Sie erneut, wenn mehr Personen angerufen haben.',
    'these may be one person under two names: {1} and {2} (score {3}); here they count as strangers, which raises the shares that are accepted':
      'Vielleicht eine Person unter zwei Namen: {1} und {2} (Wert {3}). Hier zählen sie als Fremde, was die akzeptierten Anteile erhöht.',
    'these thresholds are laxer than those in use: activate them only if the same kinds of people keep calling':
      'Diese Schwellen sind lockerer als die geltenden: Aktivieren Sie sie nur, wenn weiterhin dieselbe Art von Personen anruft.',
  },
  callers: {
    title: 'Schwellen nach Ihren eigenen Anrufern',
    hint: 'Nutzt Ihre gespeicherten Anrufe als Versuche von Fremden: ein Anruf je Anrufer, verglichen mit den Stimmabdrücken anderer. Eine Kennzeichnung ist nicht nötig.',
    off: 'Ausgeschaltet. Aus gespeicherten Anrufen dieses Mandanten werden keine Schwellen abgeleitet.',
    allow: 'Für diesen Mandanten erlauben',
    allowTitle: 'Schwellen aus gespeicherten Anrufen erlauben',
    allowText:
      'Ab jetzt können die Stimmen der Anrufer in Ihren gespeicherten Anrufen, von denen die meisten darin nicht eingewilligt haben, mit den Stimmabdrücken anderer verglichen werden. Jeder Anrufer zählt einmal; wer widersprochen hat, bleibt außen vor, und keine Stimme verlässt den Mandanten. Aus den Ergebnissen der Prüfung auf synthetische Sprache in diesen Anrufen können Alarmgrenzen abgeleitet werden.',
    allowAgain:
      'Für Anrufer ändert sich nichts, bis jemand misst und das Ergebnis aktiviert. Erlauben Sie es nur, wenn das Gesetz es erlaubt, und fragen Sie Ihren Datenschutzbeauftragten. Die Änderung steht im Audit, und Sie können sie zurücknehmen.',
    allowAction: 'Erlauben',
    legalBasis: 'Rechtsgrundlage, für die Akten',
    legalBasisHint:
      'Etwa Nummer und Datum Ihrer Folgenabschätzung. Sie wird mit den Einstellungen des Mandanten aufbewahrt.',
    description: (basis) => `Schwellen aus gespeicherten Anrufen erlaubt: ${basis}`,
    notYours: 'Nur Eigentümer des Mandanten oder Administratoren können es erlauben.',
    forbid: 'Nicht mehr erlauben',
    allowed: 'Aus gespeicherten Anrufen dürfen jetzt Schwellen abgeleitet werden.',
    forbidden: 'Aus gespeicherten Anrufen werden keine Schwellen mehr abgeleitet.',
    measure: 'An meinen Anrufern messen',
    failed: 'Die Anrufer konnten nicht gemessen werden',
    basis: (callers, owners, pairs) =>
      `${many(callers, '# Anrufer', '# Anrufer')}, jeder einmal gezählt, gegen die Stimmabdrücke von ${many(owners, '# Person', '# Personen')}: ${many(pairs, '# Paar', '# Paare')}.`,
    caption: 'Schwellen je Falschakzeptanzrate',
    rate: 'Angestrebte Rate',
    extrapolated: 'Hochgerechnet',
    above: 'Über dem Ziel',
    aboveTitle: 'Manche neuen Schwellen akzeptieren mehr Fremde als angestrebt',
    aboveText: (rates) =>
      `Das betrifft ${rates.join(', ')}. Manche dieser Paare sind vielleicht keine Fremden: eine Person unter zwei Namen, oder ein Anruf, den jemand anderes geführt hat. Sehen Sie sie sich unten an, bevor Sie aktivieren.`,
    alike: 'Anrufer, die wie jemand anderes klingen',
    alikeText:
      'Jedes dieser Paare zählt als Fremder. Sind zwei eine Person unter zwei Namen, kennzeichnen Sie das; hat jemand anderes angerufen, hören Sie den Anruf erst an.',
    before: 'Schwelle jetzt',
    acceptedBefore: 'Derzeit akzeptierte Fremde',
    after: 'Neue Schwelle',
    accepted: 'Mit der neuen Schwelle akzeptierte Fremde',
    checked: 'Akzeptiert, wenn eine Hälfte der Personen sie für die andere setzt',
    changed:
      'Anrufer oder Stimmabdrücke haben sich geändert, seit diese Schwellen gemessen wurden. Prüfen Sie die neuen Zahlen, und aktivieren Sie dann erneut.',
    activate: 'Diese Schwellen aktivieren',
    activateTitle: 'Die Schwellen Ihrer Anrufer aktivieren',
    activateText:
      'Ab jetzt verwendet jede Konfiguration, die eine Falschakzeptanzrate nennt, die neuen Schwellen: Für manche Anrufer ändert sich die Entscheidung. Die bisherigen Schwellen bleiben erhalten und können wieder aktiviert werden.',
    activateAction: 'Aktivieren',
    activated: 'Die Schwellen Ihrer Anrufer sind aktiv.',
  },
  calibrations: {
    title: 'Ab welchem Wert ist eine Stimme verifiziert?',
    answer: (score) =>
      `Ab ${score}: So viel verlangt die geltende Kalibrierung für die Falschakzeptanzrate der Konfiguration.`,
    answerUnknown:
      'Eine Konfiguration nennt eine Falschakzeptanzrate; die geltende Kalibrierung sagt, welcher Wert dafür nötig ist.',
    caption: 'Kalibrierungen',
    loading: 'Kalibrierungen werden geladen',
    name: 'Kalibrierung',
    state: 'Status',
    about: 'Beschreibung',
    made: 'Angelegt',
    inUse: 'In Gebrauch',
    kept: 'Aufbewahrt',
    otherModel: 'Für ein anderes Sprechermodell',
    shipped: 'Mit dem Sprechermodell mitgeliefert',
    fromCallers: (callers, owners, pairs) =>
      `Aus ${many(callers, '# Anrufer', '# Anrufern')} gegen die Stimmabdrücke von ${many(owners, '# Person', '# Personen')} (${many(pairs, '# Paar', '# Paare')})`,
    shippedText: 'Für Fremde mit gleichem Akzent, auf gleiche Weise aufgenommen.',
    useAction: 'Aktivieren',
    useTitle: 'Diese Kalibrierung aktivieren',
    useText: (name) =>
      `Ab jetzt gelten die Schwellen von ${name}, wenn eine Konfiguration eine Falschakzeptanzrate nennt: Für manche Anrufer ändert sich die Entscheidung. Die bisherigen Schwellen bleiben erhalten.`,
    used: 'Kalibrierung aktiviert.',
    shippedAction: 'Zurück zu den mitgelieferten Schwellen',
    shippedTitle: 'Zurück zu den mitgelieferten Schwellen',
    shippedQuestion: (name) =>
      `Statt ${name} gelten wieder die Schwellen, die mit dem Sprechermodell mitgeliefert wurden. Die Kalibrierung bleibt erhalten und kann wieder aktiviert werden.`,
    back: 'Die mitgelieferten Schwellen gelten wieder.',
  },
  revisions: {
    tab: 'Revisionen',
    title: 'Welche Einstellungen entscheiden?',
    answer: (revision, configset) => `Revision ${revision} von ${configset}.`,
    noneActive: (configset) => `Keine Revision von ${configset} ist aktiv.`,
    noShadow: 'Keine ist im Schattenbetrieb.',
    shadowAnswer: (revision) => `Revision ${revision} entscheidet jeden Anruf ein zweites Mal, ohne Wirkung.`,
    caption: (configset) => `Revisionen von ${configset}`,
    loading: 'Revisionen werden geladen',
    revision: 'Revision',
    state: 'Status',
    about: 'Beschreibung',
    shipped: {
      'Free speech on the telephone: verification while the caller talks to an agent or a dialog system.':
        'Freies Sprechen am Telefon: Verifizierung, während der Anrufer mit einem Agenten oder einem Dialogsystem spricht.',
      'Enrollment from free speech: stricter quality, more speech.':
        'Registrierung aus freiem Sprechen: strengere Qualität, mehr Sprache.',
      'Known-fraudster detection during the call: early checkpoints, fewer false alarms.':
        'Erkennung bekannter Betrüger während des Anrufs: frühe Prüfpunkte, weniger Fehlalarme.',
      'A fixed phrase in self-service: short utterances, three of them to enroll.':
        'Ein fester Satz im Selbstbedienungsdialog: kurze Äußerungen, drei davon zur Registrierung.',
      'Whole recordings after the call: all audio is used, no early stop.':
        'Ganze Aufnahmen nach dem Anruf: Alles wird verwendet, kein vorzeitiges Ende.',
    },
    made: 'Angelegt',
    inShadow: 'Im Schattenbetrieb',
    shadow: 'Schattenbetrieb beginnen',
    stopShadow: 'Schattenbetrieb beenden',
    replaceTitle: 'Neuen Vergleich beginnen',
    replaceText: (revision, calls) =>
      `Der Vergleich der Revision ${revision} (${many(calls, '# Anruf', '# Anrufe')}) wird ersetzt und ist dann nicht mehr lesbar.`,
    replaceEnds: (revision) => `Der Schattenbetrieb der Revision ${revision} endet.`,
    shadowStarted: 'Schattenbetrieb begonnen.',
    shadowStopped: 'Schattenbetrieb beendet. Der Vergleich bleibt unten stehen.',
    activate: 'Aktivieren',
    activated: 'Revision aktiviert.',
    activateTitle: 'Diese Revision aktivieren',
    activateText: (revision, configset) =>
      `Ab jetzt entscheidet Revision ${revision} jeden Anruf, der ${configset} verwendet. Die bisherige wird inaktiv und kann wieder aktiviert werden.`,
    activateShadow:
      'Sie ist im Schattenbetrieb, der damit endet. Ihr Vergleich ist wieder lesbar, wenn eine andere Revision aktiv ist.',
    rates: 'Angestrebte Falschakzeptanzen',
    fromTo: (now, then) => `jetzt ${now}, dann ${then}`,
    shippedRate: 'wie mitgeliefert',
    deleteTitle: 'Diese Revision löschen',
    deleteText: (revision, configset) =>
      `Revision ${revision} von ${configset} wird gelöscht. Die aktive bleibt. Das kann nicht rückgängig gemacht werden.`,
    deleteShadow: 'Sie ist im Schattenbetrieb. Dieser endet, und ihr Vergleich ist dann nicht mehr lesbar.',
    deleteCompared: 'Ihr Vergleich unten ist dann nicht mehr lesbar.',
    now: 'Bisher',
    nowScore: 'Bisherige Schwelle (Wert)',
    then: 'Danach',
    deleteAction: 'Revision löschen',
    deleted: 'Revision gelöscht.',
  },
  shadow: {
    title: 'Schattenbetrieb',
    since: (time) => `Seit ${time}`,
    stopped: (time) => `beendet am ${time}`,
    ofRevision: (revision) => `Revision ${revision}, verglichen mit der aktiven`,
    refresh: 'Aktualisieren',
    none: 'Noch keine Anrufe zum Vergleichen',
    noneText:
      'Anrufe, die während des Schattenbetriebs beginnen, werden von beiden Revisionen entschieden. Versuche im Stimmlabor und auf der Kommandozeile (`voxgate verify`) zählen nicht.',
    noneEver: 'Keine Anrufe verglichen',
    noneEverText: 'Während des Schattenbetriebs begann kein Anruf.',
    compared: (count) => `${many(count, '# Anruf', '# Anrufe')} verglichen.`,
    changed: (count) => many(count, '# würde anders entschieden.', '# würden anders entschieden.'),
    lost: (count) => many(count, '# wäre nicht mehr verifiziert.', '# wären nicht mehr verifiziert.'),
    gained: (count) => many(count, '# wäre zusätzlich verifiziert.', '# wären zusätzlich verifiziert.'),
    pairs: 'Entscheidungen beider Revisionen',
    active: 'Die aktive entschied',
    shadow: 'Die im Schattenbetrieb würde entscheiden',
    same: 'Gleich',
    calls: 'Anrufe',
    differences: 'Anders entschiedene Anrufe, neueste zuerst',
    time: 'Zeit',
    session: 'Sitzung',
    operation: 'Abweichende Prüfung',
    score: 'Wert',
    activeShort: 'Aktiv',
    shadowShort: 'Schatten',
    alike: 'Beide haben jeden Anruf gleich entschieden.',
  },
};
