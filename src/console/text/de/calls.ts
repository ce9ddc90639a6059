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
  risk: 'Risiko',
  speech: 'Sprache',
  speechOf: (speech, length) => `${speech} von ${length}`,
  person: 'Person',
  recognized: 'erkannt',
  listenedTo: 'Offen, wird gerade mitgehört: {calls}',
  seconds: (seconds) => `${num(seconds)} s`,
  actions: 'Aktionen',
  end: 'Mithören beenden',
  endTitle: (session) => `Mithören bei ${session} beenden?`,
  endText:
    'Der Anruf selbst läuft weiter, aber niemand hört ihn mehr mit: Übernimmt jemand anderes das Telefon, erfährt es niemand. Das Mithören kann nicht wieder aufgenommen werden, und die Sitzung sagt, seit wann der Anruf nicht mehr mitgehört wurde.',
  endRecorded: 'Ihr Name und die Zeit werden im Audit festgehalten.',
  ended: 'Der Anruf wird nicht mehr mitgehört. Was entschieden wurde, bleibt.',
};
