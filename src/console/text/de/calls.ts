// Deutsch: die Anrufe, die gerade mitgehört werden.
import type { text as en } from '../en/calls.js';
import { num } from '../tools.js';

export const text: typeof en = {
  title: 'Laufende Anrufe',
  running: 'Läuft gerade',
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
    'Der Anruf läuft weiter, aber niemand hört mehr mit: Übernimmt jemand anderes das Telefon, erfährt es niemand. Das Mithören lässt sich nicht wieder aufnehmen.',
  endRecorded: 'Das Audit hält Ihren Namen und die Zeit fest.',
  ended: 'Der Anruf wird nicht mehr mitgehört; was entschieden wurde, bleibt.',
  trial: {
    title: 'Anruf ausprobieren',
    hint: 'Sprechen Sie in Ihr Mikrofon. Der Anruf erscheint unten wie jeder andere.',
    begin: 'Jetzt anrufen',
    hangUp: 'Auflegen',
    heard: (seconds) => `${seconds} Sprache`,
    over: 'Der Anruf ist vorbei: Sitzung {session}.',
  },
};
