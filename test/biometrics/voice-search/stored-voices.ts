// A tenant with stored calls of made-up voices, without the service around it.
import type { ProcessedAudio } from '../../../src/biometrics/model/media.js';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import type { OperationDeps } from '../../../src/biometrics/operations/deps.js';
import { systemIds } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { testStorage } from '../../support/storage.js';

export const SCOPE = 'scope-1';

export const audioOf = (index: number, heard: VoiceSample, createdAtMs: number): ProcessedAudio =>
  ({
    gkProcessedAudioId: `audio-${index}`,
    gkScopeId: SCOPE,
    gkMediaSegmentId: `media-${index}`,
    gkSessionId: `session-${index}`,
    model: { voice: heard, checkpoints: [] },
    printType: 'VOICEPRINT',
    netAudioMs: heard.netMs,
    customData: {},
    createdAtMs,
    modifiedAtMs: createdAtMs,
  }) as unknown as ProcessedAudio;

export async function tenantWith(
  database: Database,
  voiceSearch: { hasLegalBasis: boolean; days: number },
  nowMs = 0,
) {
  const storage = await testStorage(database);
  const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
  const parameters = {
    ...defaultParameters,
    voiceSearch: { ...defaultParameters.voiceSearch, ...voiceSearch },
  };
  const deps = {
    store,
    ids: systemIds,
    clock: { now: () => nowMs },
    configsetCache: { parametersOf: () => parameters },
  } as unknown as OperationDeps;
  await store.transaction((tx) =>
    tx.configsets.insert({
      gkConfigsetRevisionId: 'set',
      gkScopeId: SCOPE,
      configClass: 'CONFIGSET',
      configsetId: 'SCOPE',
      state: 'ACTIVE',
      content: '{}',
      createdAtMs: 1,
      modifiedAtMs: 1,
    } as unknown as Parameters<typeof tx.configsets.insert>[0]),
  );
  const eraseCall = (index: number) =>
    store.transaction((tx) => tx.processedAudios.deleteByMedia(SCOPE, `media-${index}`));
  return { ...storage, store, parameters, deps, eraseCall };
}
