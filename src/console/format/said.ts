// The server's English sentences in the words of a catalogue: found by the sentence itself, with {1}, {2}
// where the server inserts something (docs/adr/0077-translated-refusals.md).

export interface ServerWords {
  serverSays: Readonly<Record<string, string>>;
  /** A number, or any other inserted value, as the reader writes it. */
  serverNumber: (said: string) => string;
}

interface Known {
  pattern: RegExp;
  words: string;
}

const patterns = new WeakMap<ServerWords['serverSays'], readonly Known[]>();

function patternsOf(catalogue: ServerWords['serverSays']): readonly Known[] {
  const made =
    patterns.get(catalogue) ??
    Object.entries(catalogue)
      .filter(([said]) => said.includes('{1}'))
      // The longest pattern first: it is the most specific.
      .sort(([one], [other]) => other.length - one.length)
      .map(([said, words]) => ({
        pattern: new RegExp(`^${said.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.*?)')}$`),
        words,
      }));
  patterns.set(catalogue, made);
  return made;
}

/** As the server writes it: lower case, without a full stop. */
const asSaid = (text: string): string => text.charAt(0).toLowerCase() + withoutStop(text).slice(1);
const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** Undefined if the catalogue has no words for it. */
export function wordsFor(said: string, catalogue: ServerWords): string | undefined {
  const { serverSays } = catalogue;
  const plain = asSaid(said);
  const whole = serverSays[plain] ?? serverSays[said];
  if (whole !== undefined) return whole;
  for (const { pattern, words } of patternsOf(serverSays)) {
    // A value inserted at the beginning keeps its capital.
    const found = pattern.exec(withoutStop(said)) ?? pattern.exec(plain);
    if (found)
      return words.replace(/\{(\d)\}/g, (_all, place: string) =>
        partOf(found[Number(place)] ?? '', catalogue),
      );
  }
  return undefined;
}

/** A sentence may contain another: "line 3: names no recording". */
const partOf = (part: string, catalogue: ServerWords): string =>
  wordsFor(part, catalogue) ?? catalogue.serverNumber(part);
