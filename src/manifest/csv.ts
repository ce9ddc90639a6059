// CSV for spreadsheets, quoted so that none of them takes a cell for a formula.

type Cell = string | number | undefined;

export function toCsv(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((row) => row.map(cellText).join(',')).join('\r\n') + '\r\n';
}

function cellText(cell: Cell): string {
  const text = String(cell ?? '');
  // A leading =, +, - or @ makes some spreadsheets run the cell; negative numbers stay numbers.
  const safe = /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
