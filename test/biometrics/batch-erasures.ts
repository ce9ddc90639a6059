/* eslint-disable @typescript-eslint/no-explicit-any -- answers are read as plain JSON, as a foreign client would */
// Batches beside the erasure of somebody whom they name: cases for the suite of erasure, which has the server.
import { ConfigsetCache } from '../../src/biometrics/configsets/cache.js';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { erasureJob } from '../../src/biometrics/call/data-subjects.js';
import { sweepErased } from '../../src/biometrics/jobs/erasure-sweep.js';
import { erasePerson } from '../../src/biometrics/jobs/erase-person.js';
import type { MediaDeps } from '../../src/biometrics/media/deps.js';
import type { Job } from '../../src/biometrics/model/jobs.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { isBareId, tracesOf } from '../support/traces.js';
import { storageOf, type Scene } from './erasure-sweeps.js';
import { jobPatience, utterance, type VoiceName } from './support.js';

const FORGOTTEN = 'the personal data of this person was deleted';

export function batchErasures(scene: () => Scene): void {
  const record = (voice: VoiceName, index: number): string => {
    const folder = join(scene().home, 'recordings');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${voice}-${index}.wav`), utterance(voice, index));
    return `recordings/${voice}-${index}.wav`;
  };
  const get = async (path: string): Promise<any> => {
    const { platform } = scene();
    const scope = `context.gk_scope_id.value=${platform.gkScopeId}`;
    return (await platform.server.rest('GET', `${path}?${scope}`)).body;
  };
  const start = async (
    kind: 'enroll' | 'check' | 'register',
    lines: readonly string[],
    more: object = {},
  ) => {
    const { platform } = scene();
    const context = { gkScopeId: { value: platform.gkScopeId }, configsetId: platform.configsetId };
    const manifest = lines.join('\n');
    const started = await platform.post(`/v1/batches:${kind}`, { context, manifest, tag: 'main', ...more });
    expect(started.status, JSON.stringify(started.body)).toBe(200);
    return { context, gkJobId: started.body.gkJobId as string };
  };
  const resultsOf = async (gkJobId: string): Promise<any[]> => {
    const state = async (): Promise<string> => (await get(`/v1/batches/${gkJobId}`)).batch.state;
    await expect.poll(state, jobPatience).toBe('BATCH_STATE_COMPLETED');
    return (await get(`/v1/batches/${gkJobId}/results`)).results;
  };
  const proofsFor = async (gkPersonId: string): Promise<any[]> => {
    const query = `context.gkScopeId.value=${scene().platform.gkScopeId}&recordType=RECORD_TYPE_PERSONAL_DATA_DELETED_EVENT&pageSize=100`;
    const { body } = await scene().platform.server.rest('GET', `/v1/x/audit/records?${query}`);
    const details = (body.records ?? []).map(({ recordAsJson }: any) => JSON.parse(recordAsJson).detail);
    return details.filter((detail: any) => detail.gkPersonId === gkPersonId);
  };
  /** Where the words are, beyond the bare IDs that have to stay. */
  const left = async (...words: string[]): Promise<string[]> => {
    const { found } = await tracesOf(await storageOf(scene()), scene().platform.gkScopeId, words);
    return found.filter((each) => !isBareId(each));
  };

  it('does not go on with a line whose person is erased while it is worked on', async () => {
    const { platform, blobs, erase, meanwhile } = scene();
    for (const kind of ['check', 'enroll'] as const) {
      const personId = `zq-batch-${kind}-xq`;
      const { profile, owner } = await platform.printOf('anna', 'person', personId);
      const files = [1, 2, 3, 4].map((index) => record('anna', index));
      let proof: Record<string, unknown> = {};
      const erased = meanwhile(async () => (proof = await erase(await platform.open(), owner)));
      const { gkJobId } = await (kind === 'check'
        ? start('check', ['speaker_id,file', `${personId},${files[3]}`])
        : start('enroll', ['speaker_id,consent,files', `${personId},yes,${files.slice(0, 3).join('|')}`], {
            existing: 'EXISTING_ACTION_REPLACE',
          }));
      const results = await resultsOf(gkJobId);
      await erased;
      // Three that were enrolled, and the one that was being heard; the line is one of those that named them.
      expect(proof, kind).toMatchObject({ prints: 1, media: 4, batchLines: 1 });
      expect(results, kind).toEqual([
        expect.objectContaining({
          outcome: 'LINE_OUTCOME_REFUSED',
          reason: 'PERSONAL_DATA_DELETED',
          message: FORGOTTEN,
        }),
      ]);
      expect(results[0].ownerId || results[0].gkOwnerId || '', kind).toBe('');
      expect((await get(`/v1/persons/${personId}/gkid`)).gkPersonId, kind).toBeUndefined();
      await expect.poll(blobs).toEqual([]);
      expect(await left(personId, owner, profile), kind).toEqual([]);
    }
  });

  it('forgets lines that were never begun, also of a batch that was canceled', async () => {
    const { platform, blobs, erase, meanwhile } = scene();
    const personId = 'zq-open-line-xq';
    const { profile, owner } = await platform.printOf('anna', 'person', personId);
    const line = `${personId},${record('anna', 4)}`;
    let proof: Record<string, unknown> = {};
    let allStarted = (_canceled: Awaited<ReturnType<typeof start>>): void => undefined;
    const canceled = new Promise<Awaited<ReturnType<typeof start>>>((resolve) => (allStarted = resolve));
    const erased = meanwhile(async () => {
      const { gkJobId, context } = await canceled;
      await platform.post(`/v1/batches/${gkJobId}:cancel`, { context });
      proof = await erase(await platform.open(), owner);
    });
    // The first one listens until the others are there; these wait for it, because batches are done one after another.
    const running = await start('check', ['speaker_id,file', line]);
    const open = await start('check', ['speaker_id,file', line, line]);
    allStarted(await start('check', ['speaker_id,file', line, line, line]));
    const results = [...(await resultsOf(running.gkJobId)), ...(await resultsOf(open.gkJobId))];
    await erased;
    expect(results.map(({ reason }) => reason)).toEqual(results.map(() => 'PERSONAL_DATA_DELETED'));
    expect(proof).toMatchObject({ batchLines: 6 });
    await expect.poll(blobs).toEqual([]);
    expect(await left(personId, owner, profile)).toEqual([]);
  });

  it('finds recordings that a batch had for somebody, whatever its lines ended in', async () => {
    const { platform, blobs, erase } = scene();
    const context = await platform.open();
    const owner = await platform.createOwner(context, 'person', 'without-print');
    const media = await platform.upload(context, utterance('bruno', 4));
    const check = await start('check', ['speaker_id,media', `without-print,${media}`], {
      withoutAttackChecks: true,
    });
    expect((await resultsOf(check.gkJobId))[0]).toMatchObject({ reason: 'NOT_ENROLLED' });
    // Too little for a print: the line made nobody, and left its recording.
    const enroll = await start('enroll', ['speaker_id,consent,file', `not-yet,yes,${record('bruno', 1)}`]);
    expect((await resultsOf(enroll.gkJobId))[0]).toMatchObject({ outcome: 'LINE_OUTCOME_FAILED' });
    expect(blobs()).toHaveLength(2);
    const elsewhere = await platform.open();
    // Asked for twice at once, it is one line all the same, whichever of the two has found it.
    const path = `/v1/persons/${owner}/personal-data?${platform.query(elsewhere)}`;
    const asked = await Promise.all([1, 2].map(() => platform.server.rest('DELETE', path)));
    const jobs = asked.filter(({ status }) => status === 200).length;
    expect(jobs).toBeGreaterThan(0);
    await expect.poll(async () => (await proofsFor(owner)).length).toBe(jobs);
    const proofs = await proofsFor(owner);
    expect(proofs.map(({ media }) => media).sort()).toEqual([...Array<number>(jobs - 1).fill(0), 1]);
    expect(proofs.map(({ batchLines }) => batchLines).sort()).toEqual([
      ...Array<number>(jobs - 1).fill(0),
      1,
    ]);
    const later = await platform.createOwner(elsewhere, 'person', 'not-yet');
    expect(await erase(elsewhere, later)).toMatchObject({ media: 1, batchLines: 1 });
    expect(blobs()).toEqual([]);
  });

  it('leaves lines that name a fraudster who is called as the person is', async () => {
    const { platform, erase } = scene();
    const context = await platform.open();
    const made = await platform.post('/v1/watchlists', { context, watchlistId: 'beside-erasure' });
    // No recording is there, so the line has made nobody: only the name says whom it is about.
    const { gkJobId } = await start('register', ['fraudster_id,file', 'same-name,recordings/none.wav'], {
      gkWatchlistId: made.body.gkWatchlistId,
    });
    const before = await resultsOf(gkJobId);
    expect(before).toMatchObject([{ ownerId: 'same-name', outcome: 'LINE_OUTCOME_FAILED' }]);
    const owner = await platform.createOwner(context, 'person', 'same-name');
    expect(await erase(await platform.open(), owner)).toMatchObject({ batchLines: 0 });
    expect(await resultsOf(gkJobId)).toEqual(before);
  });

  it('finds lines under a name that the person had before, and leaves those of who has it now', async () => {
    const { platform, blobs, erase } = scene();
    for (const isDeleted of [false, true]) {
      const [former, latter] = [`zq-former-${isDeleted}-xq`, `zq-latter-${isDeleted}-xq`];
      const check = async (): Promise<any> => {
        const media = await platform.upload(await platform.open(), utterance('bruno', 4));
        return (await start('check', ['speaker_id,media', `${former},${media}`])).gkJobId;
      };
      // Nobody is called so yet: only the name says whom the line is about.
      const before = await check();
      expect((await resultsOf(before))[0].ownerId).toBe(former);
      const context = await platform.open();
      const owner = await platform.createOwner(context, 'person', former);
      const renamed = await platform.server.rest('PATCH', `/v1/persons/${owner}/person_id`, {
        body: { context, newPersonId: latter },
      });
      expect(renamed.status, JSON.stringify(renamed.body)).toBe(200);
      const after = await check();
      expect((await resultsOf(after))[0].ownerId).toBe(former);
      const other = await platform.createOwner(await platform.open(), 'person', former);
      if (isDeleted) {
        const query = platform.query(context);
        expect((await platform.server.rest('DELETE', `/v1/persons/${owner}?${query}`)).status).toBe(200);
      }
      expect(await erase(await platform.open(), owner)).toMatchObject({ media: 1, batchLines: 1 });
      expect((await resultsOf(before))[0].ownerId ?? '').toBe('');
      expect((await resultsOf(after))[0].ownerId).toBe(former);
      expect(await left(latter)).toEqual([]);
      expect(await erase(await platform.open(), other)).toMatchObject({ media: 1, batchLines: 1 });
      expect(await left(former)).toEqual([]);
    }
    expect(blobs()).toEqual([]);
  });

  it('finds lines that name somebody else for a recording which was put right since', async () => {
    const { platform, blobs, erase } = scene();
    const context = await platform.open();
    const [wrong, right] = [
      await platform.createOwner(context, 'person', 'zq-named-by-mistake-xq'),
      await platform.createOwner(context, 'person', 'zq-really-theirs-xq'),
    ];
    const media = await platform.upload(context, utterance('bruno', 4));
    const { gkJobId } = await start('check', ['speaker_id,media', `zq-named-by-mistake-xq,${media}`]);
    expect((await resultsOf(gkJobId))[0].ownerId).toBe('zq-named-by-mistake-xq');
    const corrected = await platform.server.rest('PATCH', `/v1/mediasegments/${media}`, {
      body: { context, details: { gkPersonId: { value: right } }, fieldMask: 'gkPersonId' },
    });
    expect(corrected.status).toBe(200);
    expect(await erase(await platform.open(), right)).toMatchObject({ media: 1, batchLines: 1 });
    expect((await resultsOf(gkJobId))[0]).toMatchObject({ message: FORGOTTEN });
    expect((await resultsOf(gkJobId))[0].ownerId ?? '').toBe('');
    expect(await erase(await platform.open(), wrong)).toMatchObject({ batchLines: 0 });
    expect(blobs()).toEqual([]);
  });

  /** Somebody who was recognized in an engagement, beside a recording of somebody else that nobody has asked anything about yet. */
  async function withStranger(voice: VoiceName, name: string) {
    const { platform } = scene();
    const { profile, owner } = await platform.printOf(voice, 'person', name);
    const call = await platform.open();
    await platform.verify(call, profile, utterance(voice, 4));
    return { owner, profile, stranger: await platform.upload(call, utterance('bruno', 4)) };
  }

  async function ownNode() {
    const { database, keyring, audit, blobs } = await storageOf(scene());
    const store = createBiometricsStore(database, keyring, audit);
    return {
      store,
      clock: systemClock,
      jobs: { wake: () => undefined },
      blobs: {
        exists: (tenantKey: string, blobId: string) => blobs.exists({ tenantKey, blobId }),
        delete: (tenantKey: string, blobId: string) => blobs.delete({ tenantKey, blobId }),
      } as MediaDeps['blobs'],
    };
  }

  it('leaves a recording that an open line names for somebody else until the line has had its turn', async () => {
    const { platform, blobs, rows, erase, meanwhile } = scene();
    const other = await platform.printOf('bruno', 'person', 'named-by-a-line');
    const { owner, profile, stranger } = await withStranger('anna', 'alone-in-the-call');
    const second = await platform.open();
    await platform.verify(second, profile, utterance('anna', 5));
    const nobodys = await platform.upload(second, utterance('bruno', 5));
    const node = await ownNode();
    let proof: Record<string, unknown> = {};
    let swept = -1;
    let bothStarted = (): void => undefined;
    const started = new Promise<void>((resolve) => (bothStarted = resolve));
    const erased = meanwhile(async () => {
      await started;
      proof = await erase(await platform.open(), owner);
      swept = await sweepErased(node);
    });
    // The first one listens until the erasure is over; the other waits for it.
    await start('check', ['speaker_id,file', `named-by-a-line,${record('bruno', 4)}`]);
    const open = await start(
      'check',
      ['speaker_id,media', `named-by-a-line,${stranger}`, `nobody-of-that-name,${nobodys}`],
      { withoutAttackChecks: true },
    );
    bothStarted();
    await erased;
    expect(proof).toMatchObject({ media: 5, keptForOthers: 2 });
    expect(swept).toBe(0);
    const results = await resultsOf(open.gkJobId);
    expect(results[0]).toMatchObject({ outcome: 'LINE_OUTCOME_DONE', decision: 'AUTHENTIC' });
    expect(results[1].reason).toBe('NOT_ENROLLED');
    // What turned out to be nobody else's goes with the one who was heard beside it: by this look, or by that of the server.
    await sweepErased(node);
    const isThere = async (media: string): Promise<boolean> =>
      (await node.store.read.media.find(platform.gkScopeId, media)) !== undefined;
    await expect.poll(() => isThere(nobodys)).toBe(false);
    expect(await isThere(stranger)).toBe(true);
    // Three that were enrolled, the file of the first line, and the one of the call.
    expect(await erase(await platform.open(), other.owner)).toMatchObject({ media: 5, keptForOthers: 0 });
    await expect.poll(blobs).toEqual([]);
    expect(await rows('voice_ties')).toBe(0);
  });

  it('sees a line of a batch that is started while the erasure looks for lines', async () => {
    const { platform, blobs, erase, meanwhile } = scene();
    const other = await platform.printOf('bruno', 'person', 'named-meanwhile');
    const { owner, stranger } = await withStranger('anna', 'erased-meanwhile');
    const node = await ownNode();
    const { store, clock } = node;
    const about = { gkJobId: randomUUID(), gkScopeId: platform.gkScopeId, requestedBy: 'somebody' };
    const job: Job = {
      ...erasureJob({ clock }, about, { gkPersonId: owner }),
      state: 'STARTED',
      leaseUntilMs: clock.now() + 600_000,
    };
    await store.transaction((tx) => tx.jobs.insert(job));
    let open: Awaited<ReturnType<typeof start>> | undefined;
    const { linesNaming } = store.read.batches;
    const batches: typeof store.read.batches = {
      ...store.read.batches,
      async linesNaming(...asked) {
        const lines = await linesNaming(...asked);
        open ??= await start('check', ['speaker_id,media', `named-meanwhile,${stranger}`], {
          withoutAttackChecks: true,
        });
        return lines;
      },
    };
    let end: unknown;
    const erased = meanwhile(async () => {
      const looking = {
        ...node,
        store: { ...store, read: { ...store.read, batches } },
        configsetCache: new ConfigsetCache(),
      };
      end = await erasePerson(looking, job);
    });
    await start('check', ['speaker_id,file', `named-meanwhile,${record('bruno', 4)}`]);
    await erased;
    expect(end).toMatchObject({ result: { media: 4, keptForOthers: 1 } });
    expect((await resultsOf(open?.gkJobId ?? ''))[0].decision).toBe('AUTHENTIC');
    expect(await erase(await platform.open(), other.owner)).toMatchObject({ media: 5 });
    expect(await sweepErased(node)).toBe(0);
    await expect.poll(blobs).toEqual([]);
  });

  it('does not forget with a guess what became known since it was looked at', async () => {
    const { platform, blobs, erase } = scene();
    const { gkScopeId } = platform;
    const { owner, stranger } = await withStranger('anna', 'guessed-and-known');
    const { store } = await ownNode();
    for (const becomes of ['guessed', 'awaited'] as const) {
      const looked = { kept: [], awaited: [], guessed: [], shared: [], [becomes]: [stranger] };
      await store.transaction(async (tx) => {
        expect(await tx.erasure.linkOf(stranger, owner), becomes).toMatchObject({
          isGuess: becomes === 'guessed',
        });
        await tx.media.link(gkScopeId, stranger, owner);
        await tx.erasure.unlink(owner, looked);
      });
      expect(await store.read.media.isLinked(stranger, owner), becomes).toBe(true);
    }
    expect(await store.read.erasure.awaited(10)).toEqual([]);
    expect(await erase(await platform.open(), owner)).toMatchObject({ media: 5 });
    expect(blobs()).toEqual([]);
  });
}
