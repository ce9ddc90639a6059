// Reads trial lists from files: "score,label" in either order, with or without a header line, become the
// lines that the server accepts.

import { t } from '../../text/accuracy.js';

const same = new Set(['target', '1', 'true', 'same', 'genuine', 'tgt', 'yes']);
const other = new Set(['nontarget', 'non-target', '0', 'false', 'different', 'impostor', 'imp', 'non', 'no']);

interface TrialList {
  text: string;
  targets: number;
  nontargets: number;
}

export function parseTrialList(source: string): TrialList {
  const lines: string[] = [];
  let targets = 0;
  source.split(/\r?\n/).forEach((line, index) => {
    const cells = line
      .trim()
      .split(/[\s,;]+/)
      .map((cell) => cell.replace(/^"|"$/g, ''));
    if (cells.length < 2 || line.trim().startsWith('#')) return;
    const trial = readTrial(cells[0] ?? '', cells[1] ?? '');
    if (!trial) {
      // The first line may name the columns.
      if (index === 0) return;
      throw new Error(t.source.line(index + 1, line.trim().slice(0, 40)));
    }
    if (trial.same) targets += 1;
    lines.push(`${trial.same ? 'target' : 'nontarget'} ${String(trial.score)}`);
  });
  if (lines.length === 0) throw new Error(t.source.noTrials);
  return { text: lines.join('\n'), targets, nontargets: lines.length - targets };
}

function readTrial(first: string, second: string): { score: number; same: boolean } | undefined {
  return asTrial(first, second) ?? asTrial(second, first);
}

function asTrial(score: string, label: string): { score: number; same: boolean } | undefined {
  const number = score === '' ? Number.NaN : Number(score);
  const word = label.toLowerCase();
  if (!Number.isFinite(number) || !(same.has(word) || other.has(word))) return undefined;
  return { score: number, same: same.has(word) };
}
