// Deutsch: die Anrufe, die gerade mitgehört werden.
import type { text as en } from '../en/calls.js';
import { num } from '../tools.js';

export const text: typeof en = {
  title: 'Laufende Anrufe',
  about: 'Anrufe, deren Ton gerade eintrifft, mit der bisherigen Entscheidung.',
  caption: 'Laufende Anrufe, neueste zuerst',
  loading: 'Laufende Anrufe werden geladen',
  none: 'Zurzeit keine Anrufe',
  noneText: 'Ein Anruf erscheint hier, sobald eine Telefonanlage seinen Ton zu senden beginnt.',
  refreshed: (seconds) => `Wird alle ${num(seconds)} s aktualisiert`,
  session: 'Sitzung',
  from: 'Anruf von',
  started: 'Begonnen',
  door: 'Quelle',
  state: 'Bisherige Entscheidung',
  listening: 'Hört zu',
  unknown: 'Nicht geklärt, ob ein Mensch spricht',
  secondVoice: (at) => `Andere Stimme, bemerkt bei ${at}`,
  risk: 'Risiko',
  speech: 'Sprache',
  length: 'Länge',
  seconds: (seconds) => `${num(seconds)} s`,
  actions: 'Aktionen',
  end: 'Mithören beenden',
  endTitle: (session) => `Sitzung ${session} nicht mehr mithören?`,
  endText:
    'Das Gespräch selbst geht weiter, aber was von jetzt an gesagt wird, wird nicht mehr geprüft. Das Mithören dieses Anrufs lässt sich nicht wieder aufnehmen.',
  ended: 'Der Anruf wird nicht mehr mitgehört. Was entschieden wurde, bleibt.',
};
