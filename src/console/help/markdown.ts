// Parses the repository's guides into blocks: headings, paragraphs, lists, tables and code. Supports as much
// of Markdown as the guides use, and nothing that could carry its own markup.

interface Heading {
  kind: 'heading';
  level: number;
  text: string;
  id: string;
}

interface TableRow {
  cells: string[];
  /** Taken from the first name in code style; empty if there is none. */
  id: string;
}

export type Block =
  | Heading
  | { kind: 'paragraph'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: string[] }
  | { kind: 'table'; head: string[]; rows: TableRow[] };

/** As links in the guides refer to headings: lower case, words joined by dashes. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Without the markup for code, emphasis and links. */
export const plainOf = (text: string): string =>
  text
    .replace(/<br>/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .trim();

/** A cell may contain a bar that is escaped or in code. */
function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim());
}

function rowOf(line: string): TableRow {
  const cells = cellsOf(line);
  const [, name = ''] = /`([^`]+)`/.exec(cells[0] ?? '') ?? [];
  return { cells, id: slugOf(name.replaceAll('.', '-')) };
}

const starts = {
  heading: /^(#{1,6}) (.*)$/,
  fence: /^```/,
  code: /^ {4}/,
  table: /^\|/,
  item: /^( *)([-*]|\d+\.) (.*)$/,
};

export function readMarkdown(source: string): Block[] {
  const lines = source.replace(/<!--[\s\S]*?-->\n?/g, '').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  /** Takes lines as long as they fit. */
  const take = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && fits(line); line = lines[++at]) taken.push(line);
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = starts.heading.exec(line);
    if (line.trim() === '') at++;
    else if (heading) {
      at++;
      const text = plainOf(heading[2] ?? '');
      blocks.push({ kind: 'heading', level: heading[1]?.length ?? 1, text, id: slugOf(text) });
    } else if (starts.fence.test(line)) {
      at++;
      const code = take((each) => !starts.fence.test(each));
      at++;
      blocks.push({ kind: 'code', text: code.join('\n') });
    } else if (starts.code.test(line)) {
      const code = take((each) => starts.code.test(each) || each.trim() === '');
      blocks.push({
        kind: 'code',
        text: code
          .map((each) => each.slice(4))
          .join('\n')
          .trimEnd(),
      });
    } else if (starts.table.test(line)) {
      const [head = '', , ...rows] = take((each) => starts.table.test(each));
      blocks.push({ kind: 'table', head: cellsOf(head), rows: rows.map(rowOf) });
    } else if (starts.item.test(line)) blocks.push(readList(take));
    else blocks.push({ kind: 'paragraph', text: take(isText).join(' ') });
  }
  return withOwnIds(blocks);
}

/** A term that is explained twice gets two ids. */
function withOwnIds(blocks: Block[]): Block[] {
  const used = new Map<string, number>();
  const own = <T extends { id: string }>(thing: T): T => {
    const times = (used.get(thing.id) ?? 0) + 1;
    used.set(thing.id, times);
    return thing.id === '' || times === 1 ? thing : { ...thing, id: `${thing.id}-${String(times)}` };
  };
  return blocks.map((block) => {
    if (block.kind === 'heading') return own(block);
    return block.kind === 'table' ? { ...block, rows: block.rows.map(own) } : block;
  });
}

const isText = (line: string): boolean =>
  line.trim() !== '' &&
  !starts.heading.test(line) &&
  !starts.fence.test(line) &&
  !starts.table.test(line) &&
  !starts.item.test(line);

/** Indented lines continue an item; nested items become items of their own. */
function readList(take: (fits: (line: string) => boolean) => string[]): Block {
  const lines = take((line) => starts.item.test(line) || /^ +\S/.test(line));
  const items: string[] = [];
  for (const line of lines) {
    const item = starts.item.exec(line);
    if (item) items.push(item[3] ?? '');
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return { kind: 'list', isOrdered: /^\d/.test(lines[0] ?? ''), items };
}
