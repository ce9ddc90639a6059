// Labels of speakers or recordings for reports by group: a table with a heading, its first column naming whom the row is about.
import { oneSpelling } from '../../voice/evaluation/spellings.js';
import { readInput } from '../input-file.js';
import type { Utterance } from '../recordings/corpus.js';

export interface Labels {
  /** What the groups are by: the further columns of the table. */
  columns: string[];
  labelOf(column: string, recording: Utterance): string | undefined;
  /** How many rows the table has. */
  rows: number;
  /** Rows about nobody of these: a name misspelled, or a speaker without recordings. */
  aboutNobody(recordings: readonly Utterance[]): string[];
}

/** Columns parted by commas, semicolons or tabs, whichever the heading has. */
export function readLabels(file: string, wanted: string | undefined): Labels {
  const lines = readInput(file)
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const [heading = ''] = lines;
  const separator = ['\t', ';', ','].find((mark) => heading.includes(mark));
  if (!separator) throw new Error(`${file}: the heading must name a speaker column and at least one more`);
  const cells = (line: string): string[] =>
    line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const [, ...columns] = cells(heading);
  const rows = new Map<string, string[]>();
  const spelledAlike = columns.map(oneSpelling);
  for (const [index, line] of lines.slice(1).entries()) {
    const [name = '', ...labels] = cells(line);
    if (labels.length !== columns.length)
      throw new Error(
        `${file}:${index + 2}: ${labels.length + 1} columns, the heading has ${columns.length + 1}`,
      );
    if (rows.has(name)) throw new Error(`${file}:${index + 2}: ${name} is there twice`);
    rows.set(
      name,
      labels.map((label, column) => spelledAlike[column]?.(label) ?? label),
    );
  }
  const chosen = wanted?.split(',').map((column) => column.trim()) ?? columns;
  const unknown = chosen.find((column) => !columns.includes(column));
  if (unknown !== undefined)
    throw new Error(`${file}: no column ${unknown}; there are ${columns.join(', ')}`);
  return {
    columns: chosen,
    rows: rows.size,
    // The line type is a matter of the recording, the rest of the speaker: rows may name either.
    labelOf: (column, { name, speaker }) =>
      (rows.get(name) ?? rows.get(speaker))?.[columns.indexOf(column)] || undefined,
    aboutNobody(recordings) {
      const known = new Set(recordings.flatMap(({ name, speaker }) => [name, speaker]));
      return [...rows.keys()].filter((name) => !known.has(name));
    },
  };
}
