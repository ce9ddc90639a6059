// `voxgate batch` on a running server: recordings go up once, nobody's who has not consented, and the exit code tells how it ended.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runVoxgate, type Outcome } from '../../cli/run-voxgate.js';
import { files, type Kit } from '../kit.js';

export function batchesSuite(kit: () => Kit): void {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-batch-run-'));
  const recordings = join(folder, 'recordings');
  const manifest = join(folder, 'people.csv');
  beforeAll(() => {
    for (const file of files('dora', 1, 2, 3, 4)) cpSync(file, join(recordings, file.slice(-6)));
    writeFileSync(join(folder, 'private.wav'), 'of nobody else');
    symlinkSync(join(folder, 'private.wav'), join(recordings, 'link.wav'));
    writeFileSync(
      manifest,
      [
        'speaker_id,consent,files',
        'batch-dora,yes,1.opus|2.opus|3.opus',
        'batch-no,no,4.opus',
        'batch-gone,yes,gone.wav',
        'batch-out,yes,../private.wav',
        'batch-link,yes,link.wav',
      ].join('\n'),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<Outcome> => runVoxgate(['batch', ...args], kit().environment);
  const enroll = (...more: string[]): Promise<Outcome> =>
    run('run', manifest, '--operation', 'enroll', '--folder', recordings, '--tag', 'main', ...more);
  const jsonOf = ({ out }: Outcome) => JSON.parse(out) as Record<string, unknown> & { gkJobId: string };
  const notes = `${manifest}.uploads`;
  const notesCount = (): number => readFileSync(notes, 'utf8').trim().split('\n').length;
  const expected = { lines: 5, done: 1, refused: 1, failed: 3 };

  it('tell in a dry run what would happen, and send no recording', async () => {
    const dry = await enroll('--dry-run', '--json');
    expect([dry.code, jsonOf(dry)]).toEqual([2, expect.objectContaining({ ...expected, dryRun: true })]);
    expect(existsSync(notes)).toBe(false);
    const person = await runVoxgate(['person', 'show', 'batch-dora'], kit().environment);
    expect(person.code).toBe(1);
  });

  it('upload recordings and enroll people, once however often they are run', async () => {
    const results = join(folder, 'results.csv');
    const first = await enroll('--results', results);
    expect(first.code).toBe(2);
    expect(first.err).toMatch(/^recordings uploaded 0\/3/);
    expect(first.out).toMatch(
      /completed, 5 of 5 lines\n1 +DONE +ENROLLED\n3 +FAILED +RECORDING_NOT_FOUND\n1 +REFUSED +NO_CONSENT\n$/,
    );
    expect(notesCount()).toBe(3);
    const [head, one, two, three] = readFileSync(results, 'utf8').split('\r\n');
    expect(head).toMatch(/^line,request_id,owner_id,outcome,reason,message,/);
    expect(one).toMatch(/^2,,batch-dora,DONE,ENROLLED,3 of 3 recordings were used; not checked for attacks,/);
    expect([two?.split(',')[4], three?.split(',')[5]]).toEqual([
      'NO_CONSENT',
      'there is no such recording: not uploaded: gone.wav',
    ]);
    expect(one).toContain(',1.opus|2.opus|3.opus,');
    const before = jsonOf(await enroll('--json'));
    expect(before).toMatchObject(expected);
    expect((await enroll('--json')).out).toContain(before.gkJobId);
    expect(notesCount()).toBe(3);
    const again = jsonOf(await enroll('--again', '--json'));
    expect(again).toMatchObject({ lines: 5, skipped: 1, refused: 1, failed: 3 });
    expect(again.gkJobId).not.toBe(before.gkJobId);
    expect(notesCount()).toBe(6);
  });

  it('check recordings; list, show and print what became of them', async () => {
    const checks = join(folder, 'checks.jsonl');
    writeFileSync(checks, JSON.stringify({ speaker_id: 'batch-dora', recordings: [{ file: '4.opus' }] }));
    const started = await run(
      'run',
      checks,
      '--operation',
      'check',
      '--folder',
      recordings,
      '--no-attack-checks',
      '--no-wait',
      '--json',
    );
    const { gkJobId } = jsonOf(started);
    const status = await run('status', gkJobId, '--follow');
    expect([status.code, status.out]).toEqual([
      0,
      expect.stringMatching(/completed, 1 of 1 lines\n1 +DONE +VOICEPRINT_MATCH\n$/),
    ]);
    expect((await run('results', gkJobId)).out).toMatch(
      /^1 +batch-dora +DONE +VOICEPRINT_MATCH +AUTHENTIC +not checked for attacks\n$/,
    );
    expect((await run('results', gkJobId, '--outcome', 'failed')).out).toBe('');
    expect(jsonOf(await run('results', gkJobId, '--json'))).toMatchObject({ line: 1, decision: 'AUTHENTIC' });
    expect((await run('results', gkJobId, '--format', 'csv', '--reason', 'VOICEPRINT_MATCH')).out).toMatch(
      /^line,.*\r?\n1,,batch-dora,DONE,VOICEPRINT_MATCH,/,
    );
    expect((await run('list')).out).toContain(`${gkJobId}  `);
    expect(await run('cancel', gkJobId)).toMatchObject({
      code: 0,
      out: expect.stringContaining('completed'),
    });
  });

  it('say what is wrong with a manifest before anything is sent', async () => {
    const silent = join(folder, 'silent.csv');
    writeFileSync(silent, 'speaker_id,file\nx,1.opus\n,2.opus');
    const tried = (...more: string[]) => run('run', silent, '--operation', 'enroll', ...more);
    expect((await tried()).err).toBe('voxgate: the manifest: line 3: speaker_id is mandatory\n');
    writeFileSync(silent, 'speaker_id,file\nx,1.opus');
    expect((await tried('--folder', recordings)).err).toContain('line 2: says nothing about consent');
    expect((await tried('--folder', recordings, '--s3', 's3://x')).err).toContain('give --folder or --s3');
    expect((await tried('--folder', join(folder, 'nowhere'), '--all-have-consented')).err).toContain(
      'no such folder',
    );
    expect((await run('run', join(folder, 'none.csv'), '--operation', 'enroll')).err).toContain(
      'no such file',
    );
    expect((await run('run', manifest, '--operation', 'enrol')).err).toContain(
      'Allowed choices are enroll, register, check',
    );
    const s3 = await tried('--s3', 's3://calls/2026/', '--all-have-consented', '--json');
    expect([s3.code, jsonOf(s3)]).toMatchObject([2, { reasons: [{ reason: 'RECORDING_NOT_ALLOWED' }] }]);
  });
}
