// @module-tag slow
/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// kill -9 in the middle of enrollments, again and again: after each restart every acknowledged segment and template is
// there and no half-written one is; in the end the audit trail is whole.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifyChain } from '../../src/audit/verify-chain.js';
import { systemClock } from '../../src/platform.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { Client, oneWorker, serve } from '../support/served-program.js';
import { utterance } from './support.js';

const ROUNDS_MAX = Number(process.env['KILL_ROUNDS'] ?? 5);
/** On a busy machine fewer rounds have to do. */
const ROUNDS_MIN = 3;
const BUDGET_MS = ROUNDS_MAX * 2500;
/** Acknowledged enrollments and trainings before the blow of each round; a little later it falls. */
const blowAfter = [1, 4, 2, 5, 3, 6, 1, 7, 4, 8];
/** Three short enrollments are enough, so that trainings fall into every round. */
const utterances = [1, 2, 3].map((index) => utterance('carl', index));

async function upload(client: Client, bytes: Uint8Array): Promise<object> {
  const { mediaUploadUrl, gkMediaSegmentId } = await client.post('/v1/audios/upload-url', {
    container: 'CONTAINER_WAV',
  });
  const url = new URL(mediaUploadUrl);
  await fetch(`${client.http}${url.pathname}${url.search}`, { method: 'PUT', body: new Uint8Array(bytes) });
  return gkMediaSegmentId;
}

/** What one profile was told to have. */
interface Acknowledged {
  segments: string[];
  version: number;
}

/** Everything acknowledged is there; at most the call that the blow cut off came on top, and whole. */
async function checkProfile(client: Client, profile: string, told: Acknowledged): Promise<void> {
  const listed = await client.get(`/v1/voiceprints/profiles/${profile}/enrollment-segments`);
  const segments = (listed.enrollmentSegmentsDetails ?? []) as any[];
  const ids = segments.map((segment) => segment.gkProcessedAudioId.value);
  expect(ids).toEqual(expect.arrayContaining(told.segments));
  expect(ids.length).toBeLessThanOrEqual(told.segments.length + 1);
  for (const segment of segments) {
    // Whole: its audio is processed, with speech in it, and its media is there to be heard.
    expect(Number.parseFloat(segment.audioDetails.netAudio)).toBeGreaterThan(1);
    const media = await client.get(`/v1/mediasegments/${segment.gkMediaSegmentId.value}`);
    expect(media.status.statusCode).toBe('OK');
    const { mediaDownloadUrl } = await client.post('/v1/audios/download-url', {
      gkMediaSegmentId: segment.gkMediaSegmentId,
    });
    expect(mediaDownloadUrl).toContain('signature=');
  }
  const { details } = await client.get('/v1/voiceprints/profiles', {
    'gk_voiceprint_profile_id.value': profile,
  });
  expect(details.version ?? 0).toBeGreaterThanOrEqual(told.version);
  expect(details.version ?? 0).toBeLessThanOrEqual(told.version + 1);
  // Version, status and template change together or not at all.
  const isTrained = details.status !== 'VOICEPRINT_PROFILE_STATUS_NOT_TRAINED';
  expect(isTrained).toBe((details.version ?? 0) > 0);
  expect(details.templateInfo !== undefined).toBe(isTrained);
}

/** Enrolls and trains one person after the other until the server is gone. */
async function enrollUntilDeath(
  client: Client,
  round: number,
  acknowledged: Map<string, Acknowledged>,
  onAcknowledged: () => void,
): Promise<never> {
  for (let person = 0; ; person++) {
    const personId = `r${round}-${person}`;
    await client.post('/v1/persons', { personId });
    const made = await client.post('/v1/voiceprints/profiles', { owner: { personId, tag: 'main' } });
    const profile = made.gkVoiceprintProfileId.value as string;
    const told: Acknowledged = { segments: [], version: 0 };
    acknowledged.set(profile, told);
    for (const bytes of utterances) {
      const gkMediaSegmentId = await upload(client, bytes);
      const { result } = await client.post('/v1/audios/process', { gkMediaSegmentId, isForEnrollment: true });
      const { gkProcessedAudioId } = result;
      const enrolled = await client.post(`/v1/voiceprints/${profile}/enrollment`, { gkProcessedAudioId });
      if (enrolled.result.enrolled) told.segments.push(gkProcessedAudioId.value);
      onAcknowledged();
    }
    const { result } = await client.post(`/v1/voiceprints/${profile}/training`, {});
    if (result.trainStatus === 'TRAIN_STATUS_TRAINED') told.version = result.voiceprintDetails.printVersion;
    onAcknowledged();
  }
}

it('keeps what it acknowledged', { timeout: 300_000 }, async () => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-kill-'));
  let secret = '';
  const all = new Map<string, Acknowledged>();
  let latest = new Map<string, Acknowledged>();
  const startedAtMs = performance.now();
  let rounds = 0;
  try {
    for (let isLast = false; !isLast; rounds++) {
      const round = rounds;
      isLast = round >= ROUNDS_MAX || (round >= ROUNDS_MIN && performance.now() - startedAtMs > BUDGET_MS);
      const served = await serve(home, oneWorker);
      const child = served.process;
      const dead = new Promise((resolve) => child.once('exit', resolve));
      try {
        secret = served.bootstrap.application.client_secret ?? secret;
        const client = await Client.of(served, secret);
        // After every blow what it may have hurt; in the end everything.
        for (const [profile, told] of isLast ? all : latest) await checkProfile(client, profile, told);
        if (isLast) {
          const [profile] = [...all].find(([, told]) => told.version > 0) ?? [];
          const gkMediaSegmentId = await upload(client, utterance('carl', 4));
          const { result } = await client.post(`/v1/voiceprints/${profile}/verification`, {
            gkMediaSegmentId,
          });
          expect(result.decision).toBe('DECISION_AUTHENTIC');
          continue;
        }
        latest = new Map();
        let left = blowAfter[round % blowAfter.length] ?? 1;
        const onAcknowledged = () => {
          left -= 1;
          if (left === 0) setTimeout(() => child.kill('SIGKILL'), (37 * round) % 200);
        };
        await Promise.race([enrollUntilDeath(client, round, latest, onAcknowledged).catch(() => {}), dead]);
        await dead;
        for (const [profile, told] of latest) all.set(profile, told);
      } finally {
        child.kill('SIGKILL');
        await dead;
      }
    }
    const told = [...all.values()];
    expect(told.reduce((sum, { segments }) => sum + segments.length, 0)).toBeGreaterThanOrEqual(rounds);
    expect(told.some(({ version }) => version > 0)).toBe(true);
    const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
    for (const chain of await storage.audit.chains())
      expect(await verifyChain(storage.audit, chain)).toMatchObject({ ok: true });
    await storage.close();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
