// What can be found in the guides: their pages and headings, and every term that a table explains (settings,
// parameters, reasons, codes), with its meaning.
import { plainOf, readMarkdown, type Block } from './markdown.js';

export interface HelpEntry {
  label: string;
  /** The meaning of a term, or the page that a heading is on. */
  note: string;
  to: string;
}

/** The address of a guide (`guides/live-audio`), or of a place in it. */
export const helpAddress = (page: string, id = ''): string =>
  `/help/${page}${id === '' ? '' : `?at=${encodeURIComponent(id)}`}`;

/** The page of a file: `../../../docs/guides/live-audio.md` is `guides/live-audio`. */
export const pageOf = (path: string): string => path.split('/').slice(-2).join('/').replace(/\.md$/, '');

export const titleOf = (blocks: readonly Block[], page: string): string => {
  const first = blocks.find((block) => block.kind === 'heading');
  return first?.kind === 'heading' ? first.text : page;
};

/** The cell of a row that explains the first one. */
function meaningIn([, ...others]: readonly string[]): string {
  return others.map(plainOf).reduce((longest, cell) => (cell.length > longest.length ? cell : longest), '');
}

export function entriesOf(page: string, source: string): HelpEntry[] {
  const blocks = readMarkdown(source);
  const title = titleOf(blocks, page);
  return blocks.flatMap((block): HelpEntry[] => {
    if (block.kind === 'heading')
      return [
        block.level === 1
          ? { label: block.text, note: '', to: helpAddress(page) }
          : { label: block.text, note: title, to: helpAddress(page, block.id) },
      ];
    if (block.kind !== 'table') return [];
    return block.rows
      .filter(({ id }) => id !== '')
      .map(({ id, cells }) => ({
        label: plainOf(cells[0] ?? ''),
        note: meaningIn(cells),
        to: helpAddress(page, id),
      }));
  });
}

/**
 * Where a link in a guide leads: to another guide, or out of the console. Undefined for a file that is not
 * served.
 */
export function linkTarget(page: string, link: string): { to: string } | { href: string } | undefined {
  if (/^https?:/.test(link)) return { href: link };
  const { pathname, hash } = new URL(link, `http://docs/${page}.md`);
  if (!/^\/(guides|reference)\/[\w-]+\.md$/.test(pathname)) return undefined;
  return { to: helpAddress(pathname.slice(1).replace(/\.md$/, ''), hash.slice(1)) };
}
