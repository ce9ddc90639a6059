// Finds help by words: matching names come first, then the pages' own words for it, then mentions in
// explanations.
import { folded } from '../format/text.js';
import { t } from '../text/checks.js';
import type { Advice } from '../text/tools.js';
import type { HelpEntry } from './entries.js';

const FOUND_MAX = 8;
const NOTE_LENGTH_MAX = 110;

/** Reasons in the words of the pages, in the reader's language. */
function reasonTitles(): ReadonlyMap<string, string> {
  const titled = (entries: Readonly<Record<string, Advice>>): [string, string][] =>
    Object.entries(entries).map(([code, { title }]) => [code.replace(/^([A-Z]+_)?REASON_/, ''), title]);
  const all = [
    ...Object.values(t.findings).flatMap(titled),
    ...titled(t.audio),
    ...titled(t.train),
    ...titled(t.enroll),
    ...Object.entries(t.session),
  ];
  // Reversed, so that the first of several titles for a reason wins.
  return new Map(all.reverse());
}

const shortened = (text: string): string =>
  text.length <= NOTE_LENGTH_MAX ? text : `${text.slice(0, NOTE_LENGTH_MAX).replace(/\s\S*$/, '')} …`;

const isGuide = ({ to }: HelpEntry): number => Number(to.startsWith('/help/guides/'));

export function helpFor(query: string, entries: readonly HelpEntry[]): HelpEntry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const titles = reasonTitles();
  const hasAll = (text: string): boolean => words.every((word) => text.includes(word));
  const found = entries.flatMap(({ label, note, to }) => {
    const said = label.split(', ').flatMap((code) => titles.get(code) ?? []);
    const name = folded(`${label} ${label.replaceAll('_', ' ')}`);
    const texts = [name, `${name} ${folded(said.join(' '))}`, `${name} ${folded(note)}`];
    const rank = texts.findIndex(hasAll);
    return rank < 0 ? [] : [{ rank, entry: { label, note: shortened(said[0] ?? note), to } }];
  });
  return found
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        a.entry.label.length - b.entry.label.length ||
        // If several pages explain a term, the reference is the most complete.
        isGuide(a.entry) - isGuide(b.entry),
    )
    .slice(0, FOUND_MAX)
    .map(({ entry }) => entry);
}
