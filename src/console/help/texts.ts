// The repository's guides as of the build of the console. One chunk, fetched when help is opened.
import { entriesOf, pageOf, titleOf, type HelpEntry } from './entries.js';
import { readMarkdown } from './markdown.js';

const files = import.meta.glob<string>(['../../../docs/guides/*.md', '../../../docs/reference/*.md'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** By page, such as `guides/live-audio`; index pages are left out, because the console makes its own. */
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

/** Everything that can be found in the guides. */
export const helpEntries = (): readonly HelpEntry[] =>
  (entries ??= [...guides].flatMap(([page, source]) => entriesOf(page, source)));
