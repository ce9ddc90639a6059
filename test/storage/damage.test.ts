// Real damage: recordings that are changed or gone, a missing key or home, a clock that jumps. Each is named where somebody
// looks: to the caller, in /readyz, by `voxgate doctor`. Disks and pages: disk-faults.test.ts.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { VoiceprintsProcessor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { writeSetting } from '../../src/storage/settings.js';
import { send } from '../biometrics/calls.js';
import { Platform, forEachStore, utterance, type RequestContext } from '../biometrics/support.js';
import { voxgate } from '../cli/run-voxgate.js';
import { temporaryFolder } from '../support/storage.js';

interface Check {
  name: string;
  status: string;
  found: string;
  advice?: string;
}

async function doctor(home: string, ...args: string[]): Promise<{ code: number; checks: Check[] }> {
  const { code, out } = await voxgate(home, 'doctor', '--json', ...args);
  return { code, checks: (JSON.parse(out) as { checks: Check[] }).checks };
}

const named = (checks: readonly Check[], name: string): Check | undefined =>
  checks.find((check) => check.name === name);

async function emptyHome(): Promise<string> {
  const home = temporaryFolder();
  await (await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock })).close();
  return home;
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-damage-'));
  let platform: Platform;
  let context: RequestContext;
  let where: string[];
  let clockOffsetMs = 0;

  beforeAll(async () => {
    const settings = await store.settings();
    where = settings['database'] ? ['--database', String(settings['database'])] : [];
    platform = await Platform.start({
      config: { ...settings, home },
      overrides: { clock: { now: () => Date.now() + clockOffsetMs } },
    });
    context = await platform.open();
  });
  afterAll(async () => {
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const blobFiles = (): string[] =>
    readdirSync(join(home, 'blobs', platform.gkScopeId), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  /** A recording of whose bytes the test can do what it likes. */
  async function recording(): Promise<{ media: string; file: string }> {
    const before = existsSync(join(home, 'blobs', platform.gkScopeId)) ? blobFiles() : [];
    const media = await platform.upload(context, utterance('anna', 1));
    const file = blobFiles().find((each) => !before.includes(each));
    if (!file) throw new Error('no file');
    return { media, file };
  }

  async function expectNamed(media: string, code: string): Promise<void> {
    const gkMediaSegmentId = { value: media };
    const overRest = await platform.post('/v1/audios/process', { context, gkMediaSegmentId });
    expect(overRest.status).toBe(500);
    expect(overRest.body.status.statusCode).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(overRest.body.status)).toContain(code);
    const { processAudio } = VoiceprintsProcessor.method;
    const request = { context, gkMediaSegmentId };
    const overGrpc = await send(platform.server, 'gRPC', VoiceprintsProcessor, processAudio, request);
    expect(overGrpc.code).toBe('INTERNAL_ERROR');
    expect(JSON.stringify(overGrpc.body)).toContain(code);
    const { body } = await platform.post('/v1/audios/download-url', { context, gkMediaSegmentId });
    const download = await fetch(body.mediaDownloadUrl);
    expect(download.status).toBe(500);
    expect(await download.text()).toContain('recording');
  }

  it('is well as long as nothing is wrong', async () => {
    await recording();
    const { code, checks } = await doctor(home, ...where);
    expect(checks.filter(({ status }) => status === 'fault')).toEqual([]);
    expect(named(checks, 'recordings')).toMatchObject({
      status: 'ok',
      found: expect.stringMatching(/^1 record/),
    });
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'settings',
        'models',
        'home',
        'disk',
        'database',
        'clock',
        'keys',
        'audit trail',
      ]),
    );
    expect(code).toBe(0);
  });

  it('names a recording that was changed, and one that is gone', async () => {
    const changed = await recording();
    const bytes = readFileSync(changed.file);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(changed.file, bytes);
    await expectNamed(changed.media, 'BLOB_DAMAGED');
    const gone = await recording();
    rmSync(gone.file);
    await expectNamed(gone.media, 'BLOB_MISSING');
    const sound = await platform.upload(context, utterance('anna', 1));
    const processed = { context, gkMediaSegmentId: { value: sound } };
    expect((await platform.post('/v1/audios/process', processed)).status).toBe(200);
    const { code, checks } = await doctor(home, ...where);
    expect(code).toBe(1);
    const { found, status } = named(checks, 'recordings') ?? { found: '', status: '' };
    expect(status).toBe('fault');
    expect(found).toContain(changed.media);
    expect(found).toContain(gone.media);
    const quick = named((await doctor(home, '--quick', ...where)).checks, 'recordings')?.found ?? '';
    expect(quick).toContain(gone.media);
    expect(quick).not.toContain(changed.media);
  });

  it('says in /readyz and by the doctor that the master key is gone, and serves on', async () => {
    const [key, aside] = [join(home, 'master.key'), join(home, 'elsewhere')];
    renameSync(key, aside);
    const unready = await platform.server.rest('GET', '/readyz');
    expect(unready.status).toBe(503);
    expect(unready.body.reasons['master key']).toContain('master.key');
    const { code, checks } = await doctor(home, ...where);
    expect(code).toBe(1);
    expect(named(checks, 'keys')).toMatchObject({
      status: 'fault',
      advice: expect.stringMatching(/master\.key/),
    });
    expect((await platform.post('/v1/persons', { context, personId: `p-${store.dialect}` })).status).toBe(
      200,
    );
    renameSync(aside, key);
    expect((await platform.server.rest('GET', '/readyz')).status).toBe(200);
  });

  it('says to callers and in /readyz that its home is gone, and makes no other in its place', async () => {
    const asked = await platform.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    const put = (): Promise<Response> =>
      fetch(asked.body.mediaUploadUrl, { method: 'PUT', body: new Uint8Array(utterance('anna', 1)) });
    renameSync(home, `${home}-aside`);
    const refused = await put();
    const unready = await platform.server.rest('GET', '/readyz');
    expect(existsSync(home)).toBe(false);
    renameSync(`${home}-aside`, home);
    expect([refused.status, await refused.text()]).toEqual([
      503,
      expect.stringContaining('recordings cannot be used'),
    ]);
    expect(unready.status).toBe(503);
    expect(unready.body.reasons.home).toMatch(/cannot be written: it does not exist/);
    expect((await put()).status).toBe(201);
  });

  it('goes on working while its clock jumps an hour ahead and two back, and loses nothing', async () => {
    onTestFinished(() => void (clockOffsetMs = 0));
    const before = await platform.open();
    const asked = await platform.post('/v1/audios/upload-url', {
      context: before,
      container: 'CONTAINER_WAV',
    });
    for (const jump of ['ahead', 'behind', 'right again'] as const) {
      clockOffsetMs = { ahead: 3600_000, behind: -3600_000, 'right again': 0 }[jump];
      const session = await platform.open();
      const personId = `p-${jump}`;
      const made = await platform.post('/v1/persons', { context: session, personId });
      expect([jump, made.status]).toEqual([jump, 200]);
      const media = await platform.upload(session, utterance('anna', 1));
      const processed = { context: session, gkMediaSegmentId: { value: media } };
      expect((await platform.post('/v1/audios/process', processed)).status).toBe(200);
      if (jump !== 'ahead') continue;
      // An address from before the jump is an hour old, and says so.
      const late = await fetch(asked.body.mediaUploadUrl, { method: 'PUT', body: utterance('anna', 1) });
      expect([late.status, await late.text()]).toEqual([403, expect.stringMatching(/expired/)]);
    }
    const after = await platform.open();
    for (const jump of ['ahead', 'behind', 'right again']) {
      const again = await platform.post('/v1/persons', { context: after, personId: `p-${jump}` });
      expect([jump, again.status]).toEqual([jump, 409]);
    }
    const { checks } = await doctor(home, ...where);
    for (const name of ['audit trail', 'database'])
      expect(named(checks, name)).toMatchObject({ status: 'ok' });
  });

  it('tells of a clock that is far ahead or behind, with a warning', async () => {
    const databaseUrl = where[1] ?? '';
    const storage = await openStorage({ home, databaseUrl, masterKey: '', clock: systemClock });
    onTestFinished(() => storage.close());
    await writeSetting(storage.database, 'clock.seen_ms', String(Date.now() - 3 * 24 * 3600_000));
    const { checks } = await doctor(home, ...where);
    expect(named(checks, 'clock')).toMatchObject({
      status: 'warning',
      advice: expect.stringMatching(/clock confirm/),
    });
    await voxgate(home, 'clock', 'confirm', ...where);
    expect(named((await doctor(home, ...where)).checks, 'clock')).toMatchObject({ status: 'ok' });
    await writeSetting(storage.database, 'clock.seen_ms', String(Date.now() + 2 * 3600_000));
    expect(named((await doctor(home, ...where)).checks, 'clock')).toMatchObject({
      status: 'warning',
      found: expect.stringMatching(/before the last time seen/),
    });
    await voxgate(home, 'clock', 'confirm', ...where);
  });
});

describe('the doctor', () => {
  it('changes nothing where there is nothing yet', async () => {
    const home = join(temporaryFolder(), 'not-yet');
    const { code, checks } = await doctor(home);
    expect(code).toBe(2);
    expect(named(checks, 'home')).toMatchObject({ status: 'warning' });
    expect(existsSync(home)).toBe(false);
  });

  it('names faults of the settings and of the models', async () => {
    const home = await emptyHome();
    writeFileSync(join(home, 'config.json'), JSON.stringify({ nothing: 1 }));
    expect(await doctor(home)).toMatchObject({ code: 1, checks: [{ name: 'settings', status: 'fault' }] });
    mkdirSync(join(home, 'models'));
    writeFileSync(join(home, 'config.json'), JSON.stringify({ engine: { modelsDir: join(home, 'models') } }));
    const { code, checks } = await doctor(home);
    expect(code).toBe(1);
    expect(named(checks, 'models')).toMatchObject({ status: 'fault', advice: expect.any(String) });
    expect(named(checks, 'database')).toMatchObject({ status: 'ok' });
  });
});
