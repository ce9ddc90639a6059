// Prints of made-up voices, and galleries over a store whose reading can be watched and held up.
import { Galleries, galleryLimits, type GalleryLimits } from '../../../src/biometrics/galleries/galleries.js';
import type { BiometricsStore } from '../../../src/biometrics/ports/store.js';
import type { Profile } from '../../../src/biometrics/model/profiles.js';
import { unlocked } from '../../../src/biometrics/rules/profile-changes.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import { normalized } from '../../../src/voice/embedding/vector.js';
import { scoreSample } from '../../../src/voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../../src/voice/scoring/template.js';
import { createRng } from '../../support/sounds.js';
import { testStorage } from '../../support/storage.js';

const DIM = 32;
export const SCOPE = 'scope-1';
const random = createRng(5);
const vector = () => normalized(Float32Array.from({ length: DIM }, () => random() + random() - 1));
export const model: SpeakerModel = {
  revision: 'm-1',
  dim: DIM,
  scoring: {
    coefficients: [-2, 1, 6, 0.2, -0.1, 0.05, -0.3, -0.6, 0.15, 0.1, 0.05, -0.1, -0.2],
    netTestClampS: [1, 30],
    netEnrolClampS: [2, 60],
    snrClampDb: [0, 30],
    llrClamp: [-20, 20],
  },
  thresholds: [{ far: 0.01, llr: 1 }],
};

export const sample = (embedding = vector()): VoiceSample => ({
  embedding,
  netMs: 2000 + 9000 * random(),
  snrDb: 30 * random(),
  bandwidth: random() < 0.5 ? 'narrow' : 'wide',
  modelRevision: model.revision,
});

export function print(name: string, more: Partial<Profile> = {}): Profile {
  return {
    gkVoiceprintProfileId: `print-${name}`,
    gkScopeId: SCOPE,
    gkOwnerId: `owner-${name}`,
    ownerType: 'FRAUDSTER',
    tag: 'main',
    status: 'BASIC_TRAINED',
    version: 1,
    lock: unlocked,
    trained: {
      template: buildTemplate(model, [sample()]),
      calibrationRevisionId: 'c-1',
      segmentCount: 1,
      trainedAtMs: 1,
    },
    nearTermAdaptation: false,
    customData: {},
    createdAtMs: 1,
    modifiedAtMs: 1,
    ...more,
  };
}

/** Names whose owners stand in this order in a list. */
export const names = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(4, '0')}`);

export async function prepare(opened: Database, limits: Partial<GalleryLimits> = {}) {
  const { database, keyring, audit, clock } = await testStorage(opened);
  const store = createBiometricsStore(database, keyring, audit);
  const reading = { pages: 0, afterPage: async (_page: number): Promise<void> => {} };
  const galleries = new Galleries(
    { store: watched(createBiometricsStore(database, keyring, audit), reading), clock, model },
    { ...galleryLimits, ...limits },
  );
  const addAll = (profiles: readonly Profile[], list = 'list') =>
    store.transaction(async (tx) => {
      for (const profile of profiles) {
        await tx.profiles.insert(profile);
        await tx.collections.addMember(SCOPE, list, profile.gkOwnerId, 1);
      }
    });
  const add = (profile: Profile, list = 'list') => addAll([profile], list);
  const placeOf = (list = 'list') => ({
    gkScopeId: SCOPE,
    collectionGkId: list,
    field: 'watchlist.unique_id',
  });
  const open = (list?: string) => galleries.open(placeOf(list));
  const view = async (list = 'list', tag?: string) => (await open(list)).at(clock.now(), tag);
  /** What the gallery finds, and what comparing with every print of the store gives. */
  const both = async (heard: VoiceSample, at?: Awaited<ReturnType<typeof view>>) => {
    const [found = []] = await (at ?? (await view())).nearest({ model, samples: [heard], limit: 1000 });
    const stored = await store.read.profiles.listByCollection(SCOPE, 'list', undefined, 1000);
    const scored = stored.flatMap((profile) =>
      profile.trained
        ? [{ id: profile.gkVoiceprintProfileId, ...scoreSample(model, profile.trained.template, heard) }]
        : [],
    );
    const order = (a: { id: string; llr: number }, b: { id: string; llr: number }) =>
      b.llr - a.llr || (a.id < b.id ? -1 : 1);
    return [
      found
        .map(({ label, llr, reliability }) => ({ id: label.gkVoiceprintProfileId, llr, reliability }))
        .sort(order),
      scored.map(({ id, llr, reliability }) => ({ id, llr, reliability })).sort(order),
    ];
  };
  return { database, store, galleries, reading, add, addAll, open, view, both, clock };
}

export function watched(
  store: BiometricsStore,
  reading: { pages: number; afterPage(page: number): Promise<void> },
): BiometricsStore {
  const { profiles } = store.read;
  const listByMembers: typeof profiles.listByMembers = async (...asked) => {
    const page = await profiles.listByMembers(...asked);
    reading.pages += 1;
    await reading.afterPage(reading.pages);
    return page;
  };
  return { ...store, read: { ...store.read, profiles: { ...profiles, listByMembers } } };
}

/** How often other work had its turn until the promise settled. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    if (over) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => (over = true));
  return turns;
}
