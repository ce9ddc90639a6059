// Deutsch: was über eine Person gespeichert ist, Löschsperren, und Bescheinigungen über Löschungen.
import type { text as english } from '../en/privacy.js';
import { many } from '../tools.js';

export const text: typeof english = {
  title: 'Datenschutz',
  export: 'Alle Daten exportieren',
  exporting: 'Der Download hat begonnen.',
  noHold: 'Es gibt keine Löschsperre.',
  wouldKeep: 'Bei einer Löschung bliebe:',
  placeHold: 'Löschsperre setzen',
  placeTitle: (id) => `Löschsperre für ${id} setzen`,
  placeText:
    'Alle Aufnahmen, auch künftige, bleiben bis zum Ende der Sperre, selbst wenn die Daten der Person gelöscht werden.',
  reason: 'Grund',
  reasonHint: 'Zum Beispiel ein Aktenzeichen.',
  until: 'Letzter Tag',
  untilHint: 'Leer: bis jemand sie aufhebt.',
  placed: 'Löschsperre gesetzt.',
  liftHold: 'Löschsperre aufheben',
  liftText: (reason) =>
    `Gesperrt wegen: ${reason}. Aufnahmen gelöschter Personen, die sonst nichts mehr hält, werden sofort gelöscht.`,
  lifted: 'Löschsperre aufgehoben.',
  holds: 'Löschsperren',
  why: 'Grund',
  by: 'Gesetzt von',
  since: 'Seit',
  ends: 'Bis',
  open: 'sie aufgehoben wird',
  onRecording: 'eine Aufnahme',
  counted: (recordings, prints, kept) =>
    `${many(recordings, '# Aufnahme', '# Aufnahmen')} und ${many(prints, '# Stimmabdruck', '# Stimmabdrücke')} gelöscht, ${many(kept, '# Aufnahme', '# Aufnahmen')} behalten.`,
  proof: (name, time) => `Am ${time} auf Verlangen von ${name} gelöscht. Nachweis: Eintrag {place} im Audit.`,
  proofAlone: (time) =>
    `Am ${time} nach dem früheren Verlangen gelöscht. Nachweis: Eintrag {place} im Audit.`,
  certificate: 'Bescheinigung herunterladen',
};
