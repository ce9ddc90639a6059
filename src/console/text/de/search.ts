// Deutsch: die Suche nach allem.
import type { text as en } from '../en/search.js';
import { many } from '../tools.js';

export const text: typeof en = {
  title: 'Alles durchsuchen',
  label: 'Suche',
  hint: 'Seite, Person, Nummer, Fall, Sitzung, Liste, Anwendung, Einstellung oder ein Wort, das erklärt werden soll.',
  results: 'Treffer',
  count: (count) => many(count, '# Treffer', '# Treffer'),
  searching: 'Suche läuft …',
  slow: 'Die Suche läuft noch. Die erste nach einem Start des Servers dauert einige Sekunden.',
  none: 'Nichts gefunden. Versuchen Sie es mit einem kürzeren Teil des Namens.',
  kinds: {
    page: 'Seite',
    help: 'Hilfe',
    person: 'Person',
    fraudster: 'Betrüger',
    session: 'Sitzung',
    group: 'Gruppe',
    watchlist: 'Beobachtungsliste',
    application: 'Anwendung',
  },
  places: [
    ['Personen', '/people'],
    ['Betrüger', '/people?tab=fraudsters'],
    ['Gruppen', '/people?tab=groups'],
    ['Beobachtungslisten', '/people?tab=watchlists'],
    ['Audit', '/sessions?tab=audit'],
    ['Audit der Installation', '/sessions?tab=system'],
    ['Schwellen', '/accuracy'],
    ['Stimme identifizieren', '/voice?tab=identify'],
    ['Stimme gegen eine Beobachtungsliste prüfen', '/voice?tab=watchlist'],
    ['Synthetische Sprache und abgespielte Aufnahmen', '/voice?tab=attacks'],
    ['Standorte, Agenten und Öffnungszeiten', '/engagement?tab=sites'],
    ['Signaturschlüssel', '/system'],
    ['Zugangsdaten für Werkzeuge', '/profile?tab=credentials'],
    ['Passwort ändern', '/profile?tab=password'],
    ['Aktive Sitzungen', '/profile?tab=sessions'],
    ['Programme mit Zugriff', '/profile?tab=consents'],
    ['Sprache', '/profile'],
  ],
};
