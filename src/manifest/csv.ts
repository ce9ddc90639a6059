// CSV, read by RFC 4180 and written for spreadsheets, so that none of them takes a text for a formula, a number or a date
// (docs/adr/0090-csv-for-spreadsheets.md).

type Cell = string | number | undefined;

export function toCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(cellText).join(',')).join('\r\n') + '\r\n';
}

/** Some spreadsheets run what begins so, also behind a tab or line break and in the wide letters of East Asia. */
const formula = /^[\t\r\n]*[=+@\-＝＋＠－]|^[\t\r]/;
/** As a whole: -2+3 is a formula. */
const negativeNumber = /^-(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/**
 * Text that a spreadsheet would keep as something else: 007 as 7, a number of more than 15 digits with zeros at its end, 12E5 as 1200000, 1-2 as
 * a day.
 */
const changed = /^(0\d+|\d{16,}|\d+e\d+|\d{1,2}[-/]\d{1,2}([-/]\d{1,4})?)$/i;

/** Whether it has to be marked as text; also what looks like such a mark already, so that reading takes away no more than writing has put there. */
const isMarked = (text: string): boolean =>
  (formula.test(text) && !negativeNumber.test(text)) ||
  changed.test(text) ||
  (text.startsWith("'") && isMarked(text.slice(1)));

/** What was written, without the mark that makes it text. */
export const unmarked = (cell: string): string =>
  cell.startsWith("'") && isMarked(cell.slice(1)) ? cell.slice(1) : cell;

function cellText(cell: Cell): string {
  const text = String(cell ?? '');
  const safe = typeof cell !== 'number' && isMarked(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

interface CsvRow {
  /** On which it begins, as an editor counts: from 1, with the header and empty lines. */
  line: number;
  cells: string[];
}

/** Quotes are around what holds a comma, a quote or a line break; undefined, and no more, where one is not closed. */
export function* csvRows(text: string): Generator<CsvRow | undefined> {
  const separator = /[,\r\n]/g;
  let row: CsvRow = { line: 1, cells: [] };
  let start = 0;
  for (let at = 0; at <= text.length;) {
    let cell = '';
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end < 0) return yield undefined;
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    } else {
      separator.lastIndex = at;
      const to = separator.exec(text)?.index ?? text.length;
      cell = text.slice(at, to);
      at = to;
    }
    row.cells.push(cell);
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    yield row;
    at += text.startsWith('\r\n', at) ? 2 : 1;
    row = { line: row.line + lineBreaksIn(text.slice(start, at)), cells: [] };
    start = at;
  }
}

export const lineBreaksIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;

function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at;
  return -1;
}
