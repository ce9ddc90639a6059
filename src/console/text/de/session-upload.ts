// Deutsch: eine Sitzung, die nur Aufnahmen für andere enthält.
import type { upload as en } from '../en/session-upload.js';
import { num } from '../tools.js';

export const upload: typeof en = {
  title: 'Hochgeladene Aufnahmen',
  forBatch: 'Aufnahmen, hochgeladen für {batch}',
  batch: (id: string) => `Stapel ${id}`,
  text: 'Das ist kein Anruf. Was in den Aufnahmen gefunden wurde, steht auf den Seiten der Sitzungen, die sie gehört haben.',
  unheard:
    'Das ist kein Anruf, und hier wird nichts entschieden. Noch keine Sitzung hat die Aufnahmen gehört.',
  givenUp: 'Begonnen für {batch}, der abgebrochen wurde',
  givenUpText:
    'Das ist kein Anruf. Bis zum Abbruch des Stapels wurde hier nichts geprüft, und es wird nichts entschieden.',
  recordings: 'Aufnahmen',
  heardIn: 'Gehört in',
  more: (count: number) => `und ${num(count)} weitere`,
  ofBatch: 'Zeile von',
};
