// What the server says in its English sentences, in the words of a catalogue: by the sentence itself, with {1}, {2} where
// the server puts something in (docs/adr/0077-what-the-server-says.md).

export interface ServerWords {
  serverSays: Readonly<Record<string, string>>;
  /** A number, or whatever else was put in, as the reader writes it. */
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
      // The more a sentence says by itself, the rather it is meant.
      .sort(([one], [other]) => other.length - one.length)
      .map(([said, words]) => ({
        pattern: new RegExp(`^${said.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.*?)')}$`),
        words,
      }));
  patterns.set(catalogue, made);
  return made;
}

/** As the server has it: lower case, without a full stop. */
const asSaid = (text: string): string => text.charAt(0).toLowerCase() + withoutStop(text).slice(1);
const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** Undefined where the catalogue has no words for it. */
export function wordsFor(said: string, catalogue: ServerWords): string | undefined {
  const { serverSays } = catalogue;
  const plain = asSaid(said);
  const whole = serverSays[plain] ?? serverSays[said];
  if (whole !== undefined) return whole;
  for (const { pattern, words } of patternsOf(serverSays)) {
    // What is put in at the beginning keeps its capital.
    const found = pattern.exec(withoutStop(said)) ?? pattern.exec(plain);
    if (found)
      return words.replace(/\{(\d)\}/g, (_all, place: string) =>
        partOf(found[Number(place)] ?? '', catalogue),
      );
  }
  return undefined;
}

/** One sentence may stand in another: "line 3: names no recording". */
const partOf = (part: string, catalogue: ServerWords): string =>
  wordsFor(part, catalogue) ?? catalogue.serverNumber(part);
