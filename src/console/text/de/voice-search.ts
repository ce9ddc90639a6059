// Deutsch: Stimmsuche in gespeicherten Anrufen.
import type { text as en } from '../en/voice-search.js';
import { many, num } from '../tools.js';

export const text: typeof en = {
  title: 'Stimmsuche',
  about:
    'Durchsuchen Sie die Anrufe der vergangenen Tage nach einer Stimme. Jede Suche steht unter Ihrem Namen im Audit.',
  notAllowed: 'Die Suche in gespeicherten Anrufen ist für diesen Mandanten ausgeschaltet',
  notAllowedText:
    'Ein Eigentümer des Mandanten oder ein Administrator kann sie einschalten, wenn das Gesetz es erlaubt: Sie vergleicht die Stimmen aller Anrufer.',
  notAllowedYours:
    'Schalten Sie sie unter {settings} ein, wenn das Gesetz es erlaubt: Sie vergleicht die Stimmen aller Anrufer.',
  days: 'Tage zurück',
  daysHint: 'Ohne Angabe so viele, wie die Konfiguration erlaubt.',
  search: 'Gespeicherte Anrufe durchsuchen',
  result: 'Ergebnis',
  none: 'In keinem gespeicherten Anruf gehört',
  found: (count) => many(count, 'In # Anruf gehört.', 'In # Anrufen gehört.'),
  foundCaption: 'Anrufe, in denen die Stimme gehört wurde, die ähnlichsten zuerst',
  searched: (count, since) =>
    many(count, `# Aufnahme seit ${since} wurde verglichen.`, `# Aufnahmen seit ${since} wurden verglichen.`),
  otherModel: (count) =>
    many(
      count,
      '# stammt von einem anderen Sprechermodell und ließ sich nicht vergleichen.',
      '# stammen von einem anderen Sprechermodell und ließen sich nicht vergleichen.',
    ),
  unreadable: (count) =>
    many(
      count,
      'Von # sind die gespeicherten Merkmale beschädigt.',
      'Von # sind die gespeicherten Merkmale beschädigt.',
    ),
  liveCalls: (count) =>
    many(
      count,
      '# live mitgehörter Anruf ließ sich nicht durchsuchen: Von seiner Stimme wird nichts aufbewahrt.',
      '# live mitgehörte Anrufe ließen sich nicht durchsuchen: Von ihren Stimmen wird nichts aufbewahrt.',
    ),
  partial: 'Es gibt weitere Aufnahmen; verglichen wurden die neuesten.',
  columns: {
    time: 'Zeit',
    session: 'Sitzung',
    claimed: 'Person',
    gone: 'Gelöscht',
    speech: 'Sprache',
    evidence: 'Beweiskraft',
    byChance: 'Zufällig zu erwarten',
    actions: 'Aktionen',
  },
  byChanceText:
    '„Zufällig zu erwarten“: wie viele ebenso ähnlich wären, wenn alle von anderen stammten. Hören Sie hinein, bevor Sie handeln.',
  seconds: (seconds) => `${num(seconds, 1)} s`,
  count: (count) => num(count),
  lessThan: (value) => `weniger als ${value}`,
  listen: 'Anhören',
  listenTo: (time) => `Anruf vom ${time} anhören`,
  recording: 'Aufnahme',
  fraudster: {
    tab: 'Anrufe eines Betrügers',
    title: 'Anrufe eines Betrügers finden',
    hint: 'Welche der gespeicherten Anrufe von ihm stammen, und unter welchen Namen',
    label: 'Betrüger',
    unknown: 'Es gibt keinen Betrüger mit diesem Namen. Wählen Sie einen aus der Liste.',
    noPrint:
      'Dieser Betrüger hat keinen trainierten Stimmabdruck, es gibt also keine Stimme, nach der gesucht werden kann. Fügen Sie zuerst auf der Seite des Betrügers Aufnahmen hinzu.',
    ofVoice: 'Gespeicherte Anrufe mit dieser Stimme',
    ofVoiceHint: 'Auch unter anderen Namen',
  },
  voices: {
    tab: 'Eine Stimme, viele Namen',
    title: 'Stimmen finden, die unter mehreren Namen anrufen',
    hint: 'Unter den neuesten 5.000 Aufnahmen; das kann einige Sekunden dauern',
    none: 'Keine Stimme rief unter mehr als einem Namen an',
    found: (count) =>
      many(
        count,
        '# Stimme rief unter mehr als einem Namen an.',
        '# Stimmen riefen unter mehr als einem Namen an.',
      ),
    voice: (number) => `Stimme ${num(number)}`,
    about: (identities, calls) =>
      `${many(identities, '# Name', '# Namen')}, ${many(calls, '# Anruf', '# Anrufe')}`,
    caption: (number) => `Anrufe der Stimme ${num(number)}`,
    add: 'Diese Stimme auf eine Beobachtungsliste setzen',
    addAction: 'Auf die Beobachtungsliste setzen',
    consequence: (recordings) =>
      `Aus ${many(recordings, '# Aufnahme', '# Aufnahmen')} entsteht ein Betrüger mit Stimmabdruck. Anrufe mit dieser Stimme werden dann als Betrug gemeldet. Familienmitglieder können ähnlich klingen: Hören Sie erst hinein.`,
    name: 'Name des Betrügers',
    nameHint: 'Etwa die Fallnummer. Er darf noch nicht vergeben sein.',
    added: (name, recordings) =>
      `${name} steht auf der Beobachtungsliste, mit ${many(recordings, '# Aufnahme', '# Aufnahmen')}.`,
  },
  searches: {
    tab: 'Automatische Suchen',
    title: 'Automatische Suchen',
    hint: '30 Tage lang aufbewahrt',
    loading: 'Suchen werden geladen',
    none: 'Noch keine automatischen Suchen',
    noneText:
      'Ist das unter „Einstellungen“ eingeschaltet, werden die gespeicherten Anrufe nach der Stimme durchsucht, sobald jemand auf eine Beobachtungsliste gesetzt wird.',
    asked: 'Begonnen',
    fraudster: 'Betrüger',
    state: 'Status',
    states: {
      SEARCH_STATE_UNSPECIFIED: 'Unbekannt',
      SEARCH_STATE_PENDING: 'Wartet',
      SEARCH_STATE_STARTED: 'Sucht',
      SEARCH_STATE_COMPLETED: 'Fertig',
      SEARCH_STATE_FAILED: 'Fehlgeschlagen',
    },
    found: 'Gefundene Anrufe',
    show: 'Anrufe anzeigen',
    showOf: (name) => `Anrufe von ${name} anzeigen`,
    foundOf: (name) => `Anrufe von ${name}`,
    expired:
      'Die Ergebnisse dieser Suche werden nicht mehr aufbewahrt. Suchen Sie noch einmal nach dem Betrüger.',
  },
  settings: {
    tab: 'Einstellungen',
    title: 'Einstellungen der Stimmsuche',
    hint: 'Sie gelten für den ganzen Mandanten. Jede Änderung steht im Audit.',
    loading: 'Einstellungen werden geladen',
    on: 'Ja',
    off: 'Nein',
    isAllowed: 'Es gibt eine Rechtsgrundlage, gespeicherte Anrufe zu durchsuchen',
    isAllowedHint:
      'Eine Suche vergleicht die Stimmen aller Anrufer. Fragen Sie Ihren Datenschutzbeauftragten, ob das Gesetz es erlaubt.',
    basis: 'Rechtsgrundlage, für die Akten',
    basisHint: 'Etwa Nummer und Datum Ihrer Folgenabschätzung.',
    offMeans:
      'Gespeicherte Anrufe können nicht mehr durchsucht werden, frühere Ergebnisse werden nicht mehr angezeigt, und die Suchdaten werden innerhalb einer Stunde gelöscht.',
    days: 'Wie viele Tage zurück gesucht werden darf',
    daysHint: 'Von 1 bis 3650. Bereits gelöschte Aufnahmen lassen sich nicht finden.',
    daysRange: 'Geben Sie eine ganze Zahl von 1 bis 3650 ein.',
    isAutomatic: 'Automatisch nach neuen Betrügern suchen',
    isAutomaticHint:
      'Sobald jemand auf eine Beobachtungsliste gesetzt wird. Die Ergebnisse stehen unter „Automatische Suchen“ und auf den Seiten der Anrufe.',
    save: 'Einstellungen speichern',
    needsBasis: 'Geben Sie zuerst die Rechtsgrundlage ein.',
    unchanged: 'Es wurde nichts geändert.',
    savedOn: 'Gespeicherte Anrufe können jetzt durchsucht werden.',
    savedOff: 'Gespeichert. Gespeicherte Anrufe können nicht durchsucht werden.',
    notSaved: 'Die Einstellungen wurden nicht gespeichert',
    description: (basis) => `Suche in gespeicherten Anrufen erlaubt: ${basis}`,
    changed: 'Einstellungen der Stimmsuche in der Konsole geändert',
    notYours: 'Nur Eigentümer des Mandanten oder Administratoren können das ändern.',
  },
};
