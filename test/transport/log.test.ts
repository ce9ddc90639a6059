import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../src/compose/log.js';

it('cuts secrets out of log lines and keeps the causes of errors', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-log-'));
  try {
    const file = join(folder, 'log');
    const { log, flush } = createLog({ level: 'info', pretty: false }, openSync(file, 'w'));
    log
      .child({ requestId: 'r1' })
      .info(
        { Authorization: 'Bearer abc', client_secret: 'abc', inner: { password: 'abc', user: 'u' } },
        'hello',
      );
    log.debug({}, 'not written');
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
    await flush();
    const [first, second, ...rest] = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      level: 'info',
      requestId: 'r1',
      msg: 'hello',
      Authorization: '[redacted]',
      client_secret: '[redacted]',
      inner: { password: '[redacted]', user: 'u' },
    });
    expect(first?.['time']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(second).toMatchObject({ level: 'error', err: { message: 'outer', cause: { message: 'inner' } } });
    expect(rest).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
