// The guides of the repository, as they were when the console was built. One chunk, fetched when help is asked for.
import { entriesOf, pageOf, titleOf, type HelpEntry } from './entries.js';
import { readMarkdown } from './markdown.js';

const files = import.meta.glob<string>(['../../../docs/guides/*.md', '../../../docs/reference/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** By page, such as `guides/live-audio`; the lists of what there is are made anew for the console. */
const guides: ReadonlyMap<string, string> = new Map(
  Object.entries(files)
    .filter(([path]) => !path.endsWith('/README.md'))
    .map(([path, source]) => [pageOf(path), source]),
);

export const guideOf = (page: string): string | undefined => guides.get(page);

/** Every page with its title. */
export const guideTitles = (): { page: string; title: string }[] =>
  [...guides].map(([page, source]) => ({ page, title: titleOf(readMarkdown(source), page) }));

let entries: HelpEntry[] | undefined;

/** All that can be found in the guides. */
export const helpEntries = (): readonly HelpEntry[] =>
  (entries ??= [...guides].flatMap(([page, source]) => entriesOf(page, source)));
