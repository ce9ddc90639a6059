// `npm run bench -- voice-search`: processor time of a search for one voice through the stored calls of a tenant, from the sealed blocks and
// rows of the database to the calls that were found, and the longest that other work waits meanwhile. The hourly sweep, which
// makes the blocks, has run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigsetCache } from '../src/biometrics/configsets/cache.js';
import { findCalls } from '../src/biometrics/voice-search/find-calls.js';
import { packVoices } from '../src/biometrics/voice-search/pack-voices.js';
import type { ProcessedAudio } from '../src/biometrics/model/media.js';
import type { Profile } from '../src/biometrics/model/profiles.js';
import type { OperationDeps } from '../src/biometrics/operations/deps.js';
import type { BiometricsStore } from '../src/biometrics/ports/store.js';
import { unlocked } from '../src/biometrics/rules/profile-changes.js';
import { silentLog, systemClock, systemIds, type Call } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import { openStorage, type Storage } from '../src/storage/open-storage.js';
import type { VoiceSample } from '../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../src/voice/scoring/template.js';
import { wanted, type Bench } from './harness.js';
import { withOneSealer } from './lists.js';
import { inPieces, model as madeUp, processorMs, sample } from './made-up-prints.js';

const CALLS = 100_000;
const CALLS_TINY = 500;
const SEARCH_MS_MAX = 1000;
const BATCH = 5000;
const SCOPE = 'bench';
const PRINT = 'print';
const model = {
  ...madeUp,
  thresholds: [
    { far: 0.01, llr: 1 },
    { far: 0.001, llr: 1.5 },
    { far: 0.0001, llr: 2 },
  ],
};

const call: Call = {
  requestId: 'bench',
  signal: new AbortController().signal,
  log: silentLog,
  caller: { subject: 'bench', issuer: '', clientId: 'bench', scopes: ['biosec'], tenants: 'all' },
};

/** Only what the search reads. */
const callOf = (voice: VoiceSample, index: number): ProcessedAudio =>
  ({
    gkProcessedAudioId: systemIds.uuid(),
    gkScopeId: SCOPE,
    gkMediaSegmentId: `media-${index}`,
    gkSessionId: `session-${index}`,
    model: { voice, checkpoints: [] },
    printType: 'VOICEPRINT',
    netAudioMs: voice.netMs,
    customData: {},
    createdAtMs: systemClock.now() - index,
    modifiedAtMs: systemClock.now(),
  }) as unknown as ProcessedAudio;

async function fill(store: BiometricsStore, calls: number): Promise<void> {
  const caller = sample();
  await store.transaction(async (tx) => {
    await tx.configsets.insert({
      gkConfigsetRevisionId: 'set',
      gkScopeId: SCOPE,
      configClass: 'CONFIGSET',
      configsetId: 'SCOPE',
      state: 'ACTIVE',
      content: JSON.stringify({ voiceSearch: { hasLegalBasis: true } }),
      createdAtMs: 1,
      modifiedAtMs: 1,
    } as unknown as Parameters<typeof tx.configsets.insert>[0]);
    const trained = {
      template: buildTemplate(model, [caller]),
      calibrationRevisionId: 'bench',
      segmentCount: 1,
      trainedAtMs: 1,
    };
    await tx.profiles.insert({
      gkVoiceprintProfileId: PRINT,
      gkScopeId: SCOPE,
      gkOwnerId: 'owner',
      ownerType: 'FRAUDSTER',
      tag: 'main',
      status: 'BASIC_TRAINED',
      version: 1,
      lock: unlocked,
      trained,
      nearTermAdaptation: false,
      customData: {},
      createdAtMs: 1,
      modifiedAtMs: 1,
    } satisfies Profile);
  });
  for (let first = 0; first < calls; first += BATCH)
    await store.transaction(async (tx) => {
      for (let index = first; index < Math.min(calls, first + BATCH); index++)
        // One call of the one who is looked for, among strangers.
        await tx.processedAudios.insert(callOf(index === 7 ? caller : sample(), index));
    });
}

async function measure(storage: Storage, calls: number) {
  const { database, keyring, audit } = storage;
  const sealer = await keyring.forTenant(database.db, SCOPE);
  await fill(createBiometricsStore(database, withOneSealer(keyring, sealer), audit), calls);
  const store = createBiometricsStore(database, keyring, audit);
  const deps = {
    store,
    clock: systemClock,
    ids: systemIds,
    tenants: { isUsable: async () => true },
    configsetCache: new ConfigsetCache(),
    engine: { model },
  } as unknown as OperationDeps;
  const startMs = processorMs();
  const { made } = await packVoices(deps);
  const packMs = processorMs() - startMs;
  const search = () =>
    findCalls(deps, call, { context: { gkScopeId: SCOPE }, gkVoiceprintProfileId: PRINT, days: 0 });
  await search();
  const { result, pieces } = await inPieces(search);
  if (result.searched !== calls || result.calls[0]?.gkSessionId !== 'session-7')
    throw new Error('the caller was not found');
  const searchMs = pieces.reduce((sum, piece) => sum + piece, 0);
  const longestPieceMs = Math.max(...pieces);
  return { calls, found: result.calls.length, blocks: made, packMs, searchMs, longestPieceMs };
}

export const run: Bench = async ({ tiny }) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-voice-search-'));
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  try {
    const figures = await measure(storage, tiny ? CALLS_TINY : CALLS);
    return {
      name: 'voice-search',
      compared: `${figures.calls} stored calls searched for one voice, processor time of one core`,
      lines: [wanted('search', figures.searchMs, SEARCH_MS_MAX, 'ms')],
      details: { figures },
    };
  } finally {
    await storage.close();
    rmSync(home, { recursive: true, force: true });
  }
};
