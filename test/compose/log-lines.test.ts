// The log under what ended or stopped the server once: a reader that does not read, a full disk, a closed pipe.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/compose/log.js';
import { logLines } from '../../src/compose/log-lines.js';
import { builtProgram } from '../support/built-program.js';
import { temporaryFolder } from '../support/storage.js';

const LOG_LINES = new URL('../../dist/compose/log-lines.js', import.meta.url).href;
const LINE = `{"msg":"${'x'.repeat(1000)}"}\n`;

function pipe(): { reader: number; writer: number } {
  const path = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: openSync(path, constants.O_WRONLY) };
}

function readAll(fd: number): string {
  const piece = Buffer.alloc(1024 * 1024);
  let text = '';
  for (;;) {
    try {
      const count = readSync(fd, piece);
      if (count === 0) return text;
      text += piece.toString('utf8', 0, count);
    } catch {
      return text;
    }
  }
}

describe('the lines of the log', () => {
  it('go to a file, in order and whole', async () => {
    const file = join(temporaryFolder(), 'log');
    const lines = logLines(openSync(file, 'w'));
    const expected = Array.from({ length: 500 }, (_, n) => `${n} ${LINE}`);
    for (const line of expected) lines.write(line);
    await lines.flush();
    expect(readFileSync(file, 'utf8')).toBe(expected.join(''));
    expect(lines.dropped()).toBe(0);
  });

  it('are dropped and counted when nobody reads, and nothing waits for them', async () => {
    const { reader, writer } = pipe();
    onTestFinished(() => closeSync(reader));
    const lines = logLines(writer);
    // A program that inherits the pipe makes it block for everybody who has it.
    spawnSync('true', { stdio: ['ignore', 'ignore', writer] });
    const written = 10_000;
    for (let n = 0; n < written; n++) {
      lines.write(LINE);
      // Other work goes on in between.
      if (n % 1000 === 0) await sleep(1);
    }
    await lines.flush();
    expect(lines.dropped()).toBeGreaterThan(1000);
    let text = '';
    for (let tries = 0; tries < 500 && !text.includes('log lines were dropped'); tries++) {
      text += readAll(reader);
      lines.write('{"msg":"still here"}\n');
      await sleep(10);
    }
    const told = [...text.matchAll(/"dropped":(\d+),"msg":"log lines were dropped"/g)];
    expect(told.map(([, count]) => Number(count))).toEqual([lines.dropped()]);
    expect(text.split('\n').filter((line) => line.includes('xxx'))).toHaveLength(written - lines.dropped());
  });

  it('are dropped and counted when the disk is full', async () => {
    const { log, flush, dropped } = createLog({ level: 'info', pretty: false }, openSync('/dev/full', 'w'));
    for (let n = 0; n < 20; n++) log.info({}, 'nowhere to go');
    await flush();
    expect(dropped()).toBe(20);
  });

  it('are let go of at the end, so that an unread pipe does not keep the process alive', async () => {
    const { reader, writer } = pipe();
    onTestFinished(() => closeSync(reader));
    const lines = logLines(writer);
    for (let n = 0; n < 200; n++) lines.write(LINE);
    await lines.flush();
    expect(lines.dropped()).toBe(0);
    lines.abandon();
    await expect.poll(() => lines.dropped()).toBeGreaterThan(0);
  });

  it('are let go of at the end where standard error is a socket that nobody reads', async () => {
    await builtProgram();
    const program = `import { logLines } from ${JSON.stringify(LOG_LINES)};
      const lines = logLines(2);
      for (let n = 0; n < 2000; n++) lines.write(${JSON.stringify(LINE)});
      await lines.flush();
      lines.abandon();`;
    // What Node calls a pipe is a socket.
    const stdio = ['ignore', 'ignore', 'pipe'] as const;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: [...stdio] });
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stderr?.pause();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('are dropped and counted when the reader has gone', async () => {
    const { reader, writer } = pipe();
    const lines = logLines(writer);
    closeSync(reader);
    for (let n = 0; n < 20; n++) lines.write(LINE);
    await lines.flush();
    lines.write(LINE);
    await lines.flush();
    expect(lines.dropped()).toBe(21);
  });
});
