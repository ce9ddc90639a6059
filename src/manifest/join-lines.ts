// Lines about one speaker make one print: lists of recordings name the same person again and again. The first of them is done with the
// recordings of all, and the others end as it does.
import type { BatchLine } from './lines.js';

/** Whoever says no in one line has said it. */
export const ownersWhoRefuse = (lines: readonly BatchLine[]): ReadonlySet<string> =>
  new Set(lines.filter(({ consent }) => consent === false).map(speakerOf));

/** Of two ways to write one name (an é may be one character or two) both mean the same speaker. */
export const speakerOf = ({ ownerId }: BatchLine): string => ownerId.normalize('NFC');

/** Lines of each owner, by the order of their first one. */
export function linesByOwner(lines: readonly BatchLine[]): Map<string, BatchLine[]> {
  const byOwner = new Map<string, BatchLine[]>();
  for (const line of lines) {
    const others = byOwner.get(speakerOf(line));
    if (others) others.push(line);
    else byOwner.set(speakerOf(line), [line]);
  }
  return byOwner;
}

/** As many lines as before, in their order; the later ones of an owner are a part of the first. */
export function joinLines(lines: readonly BatchLine[]): BatchLine[] {
  const byOwner = linesByOwner(lines);
  const refusing = ownersWhoRefuse(lines);
  return lines.map((line) => {
    const [first = line, ...others] = byOwner.get(speakerOf(line)) ?? [];
    if (others.length === 0) return line;
    if (first !== line) return { ...line, partOf: first.line };
    return {
      ...line,
      ...(refusing.has(speakerOf(line)) && { consent: false }),
      recordings: [line, ...others].flatMap(({ recordings }) => recordings),
      others: others.map((other) => other.line),
    };
  });
}
