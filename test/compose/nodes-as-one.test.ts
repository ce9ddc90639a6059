// @module-tag slow
// Three nodes with homes of their own, on one PostgreSQL and one S3 store: whatever one of them was told, all of them know.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/platform.js';
import { Platform, utterance, type RequestContext } from '../biometrics/support.js';
import { voxgate } from '../cli/run-voxgate.js';
import { liveOnNodes } from '../live/on-nodes.js';
import { freshPostgresDatabase, type FreshPostgres } from '../support/fresh-postgres.js';
import { sharedPostgres } from '../support/postgres.js';
import { startS3, type S3Server } from '../support/s3/server.js';
import { temporaryFolder, TEST_MASTER_KEY } from '../support/storage.js';

const NEXT_MASTER_KEY = Buffer.alloc(32, 9).toString('base64');

const postgres = await sharedPostgres();
if ('fault' in postgres && process.env['CI'])
  throw new Error(`PostgreSQL is needed and did not start:\n${postgres.fault}`);

describe.skipIf('fault' in postgres)('three nodes', () => {
  let database: FreshPostgres;
  let s3: S3Server;
  let settings: Record<string, unknown>;
  let nodes: [Platform, Platform, Platform];
  let context: RequestContext;
  let anna: { profile: string; owner: string };

  beforeAll(async () => {
    database = await freshPostgresDatabase('url' in postgres ? postgres.url : '');
    s3 = await startS3();
    settings = {
      database: (await database.newSchema()).url,
      'postgres.poolMax': 4,
      'sealing.masterKey': `${TEST_MASTER_KEY},${NEXT_MASTER_KEY}`,
      'media.store': `s3://${s3.bucket}/eu`,
      'media.s3.endpoint': s3.endpoint,
      'media.s3.region': 'eu-central-1',
      'media.s3.addressing': 'path',
      'media.s3.accessKeyId': s3.credentials.accessKeyId,
      'media.s3.secretAccessKey': s3.credentials.secretAccessKey,
    };
    const first = await Platform.start({ config: settings, parameters: { locks: { mismatchesMax: 3 } } });
    nodes = [first, first, first];
    nodes = [first, await another(), await another()];
    context = await first.open();
    anna = await first.printOf('anna');
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
    await s3.stop();
    await database.drop();
  });

  /** One more node on the same database. */
  const another = (config: Record<string, unknown> = {}, log = silentLog) =>
    Platform.restarted(nodes[0], { config: { ...settings, ...config }, overrides: { log } });

  it('verify a recording that was uploaded to another one', async () => {
    const [first, second, third] = nodes;
    const gkMediaSegmentId = { value: await first.upload(context, utterance('anna', 4)) };
    for (const node of [second, third]) {
      const { body } = await node.post(`/v1/voiceprints/${anna.profile}/verification`, {
        context,
        gkMediaSegmentId,
      });
      expect(body.result).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
    }
  });

  it('take an upload at the address that another one made', async () => {
    const [first, second, third] = nodes;
    const { body } = await first.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    const address = new URL(body.mediaUploadUrl as string);
    const put = await fetch(`${second.server.httpUrl}${address.pathname}${address.search}`, {
      method: 'PUT',
      headers: { 'content-type': 'audio/wave' },
      body: utterance('anna', 5),
    });
    expect(put.status).toBe(201);
    const processed = await third.post('/v1/audios/process', {
      context,
      gkMediaSegmentId: body.gkMediaSegmentId,
    });
    expect(processed.body.status.statusCode).toBe('OK');
  });

  it('are told when one of them keeps its recordings elsewhere, and the others get them by a move', async () => {
    const [first] = nodes;
    const home = temporaryFolder();
    const warnings: string[] = [];
    const warn = (_fields: object, text: string) => void warnings.push(text);
    const apart = await another({ home, 'media.store': '' }, { ...silentLog, warn });
    expect(warnings).toContainEqual(expect.stringMatching(/^RECORDINGS ARE NOT SHARED/));
    const gkMediaSegmentId = { value: await apart.upload(context, utterance('anna', 5)) };
    await apart.stop();
    const verify = async () =>
      (await first.post(`/v1/voiceprints/${anna.profile}/verification`, { context, gkMediaSegmentId })).body;
    expect((await verify()).status).toMatchObject({ statusCode: 'INTERNAL_ERROR' });

    writeFileSync(join(home, 'config.json'), JSON.stringify(nested(settings)));
    const { checks } = JSON.parse((await voxgate(home, 'doctor', '--quick', '--json')).out) as {
      checks: { name: string; status: string }[];
    };
    expect(checks.find(({ name }) => name === 'media store')).toMatchObject({ status: 'ok' });
    expect(checks.find(({ name }) => name === 'recordings')).toMatchObject({ status: 'fault' });
    const move = async () =>
      JSON.parse(
        (await voxgate(home, 'media', 'move', '--from', join(home, 'blobs'), '--json')).out,
      ) as object;
    expect(await move()).toMatchObject({ copied: 1, there: 0, removed: 0, failed: [] });
    expect(await move()).toMatchObject({ copied: 0, there: 1, failed: [] });
    expect((await verify()).result).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
  });

  it('are told when one of them has another public URL, and would refuse their tokens', async () => {
    const warnings: string[] = [];
    const warn = (_fields: object, text: string) => void warnings.push(text);
    const apart = await another({ publicUrl: 'https://elsewhere.test/' }, { ...silentLog, warn });
    const wanted = expect.stringMatching(
      /^NODES HAVE DIFFERENT PUBLIC URLS: https:\/\/elsewhere\.test of this one, /,
    ) as string;
    await expect.poll(() => warnings).toContainEqual(wanted);
    const home = temporaryFolder();
    writeFileSync(join(home, 'config.json'), JSON.stringify(nested(settings)));
    const { checks } = JSON.parse((await voxgate(home, 'doctor', '--quick', '--json')).out) as {
      checks: { name: string }[];
    };
    await apart.stop();
    expect(checks.find(({ name }) => name === 'public URL')).toMatchObject({
      status: 'warning',
      found: expect.stringContaining('https://elsewhere.test') as string,
      advice: expect.stringContaining('publicUrl') as string,
    });
  });

  it.each([
    ['key', { 'media.s3.accessKeyId': 'SOMEBODY' }, 'InvalidAccessKeyId'],
    ['secret', { 'media.s3.secretAccessKey': 'guessed' }, 'SignatureDoesNotMatch'],
    ['endpoint', { 'media.s3.endpoint': 'http://127.0.0.1:1' }, 'ECONNREFUSED'],
  ])('are not ready with a wrong %s of the media store, and say why', async (_what, config, reason) => {
    const node = await another(config);
    const { status, body } = await node.server.rest('GET', '/readyz');
    await node.stop();
    expect(status).toBe(503);
    expect(body.reasons['media store']).toContain(reason);
  });

  it('have one limit of calls per second', async () => {
    const config = { 'rateLimits.callsPerSecond': 1 };
    const [busy, other] = [await another(config), await another(config)];
    const ask = async (node: Platform) =>
      (await node.server.rest('GET', `/v1/sessions/decision?${node.query(context)}`)).status;
    try {
      // One node gives all there is, however slow the machine is; the other, asked less than the limit, hears of it and refuses.
      const askBoth = async () => {
        await Promise.all(Array.from({ length: 5 }, () => ask(busy)));
        return ask(other);
      };
      await expect.poll(askBoth, { timeout: 120_000, interval: 1200 }).toBe(429);
    } finally {
      await busy.stop();
      await other.stop();
    }
  });

  it('lock a print after mismatches at any of them, and for all', async () => {
    const carl = await nodes[0].printOf('carl');
    for (const node of nodes) {
      const { body } = await node.verify(context, carl.profile, utterance('dora', 4));
      expect(body.result).toMatchObject({ decision: 'DECISION_NO_MATCH' });
    }
    for (const node of nodes) {
      const { body } = await node.verify(context, carl.profile, utterance('carl', 4));
      expect(body.status.statusCode).not.toBe('OK');
      expect(JSON.stringify(body.status)).toContain('PROFILE_LOCKED');
    }
  });

  liveOnNodes(
    () => nodes,
    () => anna.profile,
    () => settings,
  );

  it('serve on while the master key is rotated, those that were given both', async () => {
    const [first, second] = nodes;
    const late = await another({ 'sealing.masterKey': TEST_MASTER_KEY });
    const { body } = await first.post('/v1/audios/upload-url', { context, container: 'CONTAINER_WAV' });
    const home = temporaryFolder();
    writeFileSync(join(home, 'next.key'), NEXT_MASTER_KEY, { mode: 0o600 });
    writeFileSync(join(home, 'config.json'), JSON.stringify(nested(settings)));
    const rotated = await voxgate(home, 'keys', 'rotate-master', '--new-key-file', join(home, 'next.key'));
    expect(rotated).toMatchObject({ code: 0 });
    for (const node of nodes) {
      const answer = await node.verify(context, anna.profile, utterance('anna', 4));
      expect(answer.body.result).toMatchObject({ decision: 'DECISION_AUTHENTIC' });
      expect((await node.server.rest('GET', '/readyz')).status).toBe(200);
    }
    const restarted = await another();
    const address = new URL(body.mediaUploadUrl as string);
    const put = await fetch(`${restarted.server.httpUrl}${address.pathname}${address.search}`, {
      method: 'PUT',
      body: utterance('anna', 5),
    });
    expect(put.status).toBe(201);
    const gkMediaSegmentId = { value: await second.upload(context, utterance('anna', 5)) };
    const refused = await late.post(`/v1/voiceprints/${anna.profile}/verification`, {
      context,
      gkMediaSegmentId,
    });
    expect(refused).toMatchObject({ status: 503, body: { status: { statusCode: 'BUSY' } } });
    const readiness = await late.server.rest('GET', '/readyz');
    expect(readiness).toMatchObject({ status: 503 });
    expect(readiness.body.reasons['master key']).toContain('sealing.masterKey');
    await restarted.stop();
    await late.stop();
  });
});

function nested(settings: Record<string, unknown>): object {
  const whole: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(settings)) {
    const path = name.split('.');
    const last = path.pop() ?? '';
    let at = whole;
    for (const step of path) at = (at[step] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return whole;
}
