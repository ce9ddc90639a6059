// What the server says against a result, in the reader's language: its sentences by their pattern, which the catalogue has. English is
// the server's own.
import { t } from '../../text/accuracy.js';

const patternsIn = (catalogue: Readonly<Record<string, string>>) =>
  Object.entries(catalogue).map(([said, words]) => ({
    pattern: new RegExp(`^${said.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.+?)')}$`),
    words,
  }));

const ofReader = patternsIn(t.serverSays);

/** As the server has it: lower case, without a full stop. */
const asSaid = (text: string): string => (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, '');

/** Undefined where the catalogue has no words for it. */
export function warningWords(
  said: string,
  catalogue?: Pick<typeof t, 'serverSays' | 'serverNumber'>,
): string | undefined {
  const { serverNumber } = catalogue ?? t;
  for (const { pattern, words } of catalogue ? patternsIn(catalogue.serverSays) : ofReader) {
    const found = pattern.exec(asSaid(said));
    if (found)
      return words.replace(/\{(\d)\}/g, (_all, place: string) => serverNumber(found[Number(place)] ?? ''));
  }
  return undefined;
}
