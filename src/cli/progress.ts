// A progress bar on the error stream: redrawn in place on a terminal, a line per tenth elsewhere.
import type { CliIo } from './io.js';

type Progress = (done: number) => void;

export function progressBar(
  io: CliIo,
  label: string,
  total: number,
  terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Progress {
  const width = 30;
  let lastTenth = -1;
  const startedAtMs = Date.now();
  return (done) => {
    const share = total === 0 ? 1 : done / total;
    const left = done > 0 ? Math.round(((Date.now() - startedAtMs) * (total - done)) / done / 1000) : 0;
    const text = `${label} ${done}/${total}${done < total && done > 0 ? `, ${left} s left` : ''}`;
    if (terminal.isTTY) {
      const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.');
      terminal.write(`\r[${bar}] ${text}   ${done >= total ? '\n' : ''}`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth > lastTenth) io.err(text);
    lastTenth = Math.max(lastTenth, tenth);
  };
}
