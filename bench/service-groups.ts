// Identify against large groups, through the API of a running server. The members' prints are written straight
// into its store, as so many other voices: what is measured is the service, not the enrollment.
import { openStorage } from '../src/storage/open-storage.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import { normalized } from '../src/voice/embedding/vector.js';
import { systemClock, systemIds } from '../src/platform.js';
import { unlocked } from '../src/biometrics/rules/profile-changes.js';
import type { Template } from '../src/voice/scoring/template.js';
import { median } from './harness.js';
import { accepted, type BenchPlatform } from './service-platform.js';

export interface GroupFigures {
  members: number;
  /** The first call, which reads all prints into memory. */
  firstMs: number;
  /** What one core needed for it, however busy the machine is. */
  firstCpuMs: number;
  /** The longest that somebody else waited for an answer meanwhile. */
  othersMostMs: number;
  /** Audio that was processed before: the comparison and its records alone. */
  processedP50Ms: number;
  processedP95Ms: number;
  /** From an uploaded WAV. */
  uploadedP50Ms: number;
  serverMiB: number;
  /** The right person came first in all calls. */
  found: boolean;
}

const BATCH = 500;

export async function measureGroup(
  platform: BenchPlatform,
  owner: { profile: string; wav: Uint8Array },
  members: number,
  calls: number,
): Promise<GroupFigures> {
  const context = await platform.open();
  const { gkGroupId } = accepted(
    await platform.post('/v1/groups', { context, groupId: `group-of-${members}` }),
  );
  await fill(platform, gkGroupId.value, owner.profile, members);
  platform.reconnect();

  const group = { uniqueId: gkGroupId };
  const uploadAgain = async () => (await platform.upload(context, owner.wav)).media;
  const processed = accepted(
    await platform.post('/v1/audios/process', { context, gkMediaSegmentId: await uploadAgain() }),
  ).result;
  let found = true;
  const identify = async (audio: object): Promise<number> => {
    const answer = await platform.post('/v1/voiceprints/identification', { context, ...audio, group });
    const { voiceprintDetails } = accepted(answer).result;
    found &&= voiceprintDetails.gkVoiceprintProfileId.value === owner.profile;
    return answer.milliseconds;
  };
  const known = { gkProcessedAudioId: processed.gkProcessedAudioId };
  const cpuBefore = platform.cpuMs();
  const { firstMs, othersMostMs } = await withOthers(platform, () => identify(known));
  const firstCpuMs = platform.cpuMs() - cpuBefore;
  const again: number[] = [];
  const uploaded: number[] = [];
  for (let call = 0; call < calls; call++) {
    again.push(await identify(known));
    uploaded.push(await identify({ gkMediaSegmentId: await uploadAgain() }));
  }
  again.sort((a, b) => a - b);
  return {
    members,
    firstMs,
    firstCpuMs,
    othersMostMs,
    processedP50Ms: median(again),
    processedP95Ms: again[Math.min(again.length - 1, Math.floor(again.length * 0.95))] ?? 0,
    uploadedP50Ms: median(uploaded),
    serverMiB: platform.residentMiB(),
    found,
  };
}

/** Health is asked for all the time, as a balancer would, while the call runs. */
async function withOthers(
  platform: BenchPlatform,
  call: () => Promise<number>,
): Promise<{ firstMs: number; othersMostMs: number }> {
  let over = false;
  const watch = async (): Promise<number> => {
    let most = 0;
    while (!over) {
      const answer = await platform.send('GET', '/healthz');
      accepted(answer);
      most = Math.max(most, answer.milliseconds);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return most;
  };
  const [firstMs, othersMostMs] = await Promise.all([call().finally(() => (over = true)), watch()]);
  return { firstMs, othersMostMs };
}

/** The owner of the print and so many others. */
async function fill(
  platform: BenchPlatform,
  gkGroupId: string,
  profile: string,
  members: number,
): Promise<void> {
  const storage = await openStorage({
    home: platform.home,
    databaseUrl: '',
    masterKey: '',
    clock: systemClock,
  });
  try {
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const { gkScopeId } = platform;
    const own = await store.read.profiles.find(gkScopeId, profile);
    const trained = own?.trained;
    if (!own || !trained) throw new Error('the print is not trained');
    await store.transaction((tx) => tx.collections.addMember(gkScopeId, gkGroupId, own.gkOwnerId, 1));
    for (let first = 1; first < members; first += BATCH) {
      await store.transaction(async (tx) => {
        for (let index = first; index < Math.min(members, first + BATCH); index++) {
          const gkOwnerId = systemIds.uuid();
          await tx.profiles.insert({
            ...own,
            gkVoiceprintProfileId: systemIds.uuid(),
            gkOwnerId,
            lock: unlocked,
            trained: { ...trained, template: another(trained.template) },
          });
          await tx.collections.addMember(gkScopeId, gkGroupId, gkOwnerId, 1);
        }
      });
    }
  } finally {
    await storage.close();
  }
}

/** A voice that is nobody's. */
export function another(template: Template): Template {
  const normal = (): number => Math.random() + Math.random() + Math.random() - 1.5;
  const jitter = (): number => 1 + 0.2 * (Math.random() - 0.5);
  const { narrow, wide } = template.norm;
  return {
    ...template,
    embedding: normalized(template.embedding.map(normal)),
    netMs: template.netMs * jitter(),
    norm: {
      narrow: { mean: narrow.mean * jitter(), sd: narrow.sd * jitter() },
      wide: { mean: wide.mean * jitter(), sd: wide.sd * jitter() },
    },
  };
}
