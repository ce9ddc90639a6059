// Files for a spreadsheet, read by the names of their columns: more of them may come.
import { csvRows } from '../../src/manifest/csv.js';

export function byColumn(csv: string): Record<string, string>[] {
  const [head = [], ...rows] = [...csvRows(csv.replace(/^\u{feff}/u, ''))].map((row) => {
    if (!row) throw new Error('a quote is not closed');
    return row.cells;
  });
  return rows
    .filter((cells) => cells.length > 1)
    .map((cells) => {
      if (cells.length !== head.length) throw new Error(`${cells.length} cells below ${head.length} columns`);
      return Object.fromEntries(head.map((name, at) => [name, cells[at] ?? '']));
    });
}
