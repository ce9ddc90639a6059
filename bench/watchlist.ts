// `npm run bench -- watchlist [--seconds N]`: Identify in a group and DetectKnownFraudsters in a watchlist of a million prints,
// through the API of a running server, with recordings that were processed before; and how long other calls take
// meanwhile. The prints come from a snapshot, as after every start of a node.
import { systemClock } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import { openStorage } from '../src/storage/open-storage.js';
import { median, wanted, type Bench, type BenchLine } from './harness.js';
import { largeGallery, snapshotsOf } from './kept-galleries.js';
import { accepted, BenchPlatform, clip, trainPrint, type Context } from './service-platform.js';

const PRINTS = 1_000_000;
/** Just enough for the threads of their own. */
const PRINTS_TINY = 70_000;
const P50_MS_MAX = 100;
/** Processor time of the first question about a list after a start, which reads it from its snapshot. */
const FIRST_CPU_S_MAX = 10;
/** Other calls may take so many times as long. */
const OTHERS_MAX = 2;
const OTHERS_PAUSE_MS = 5;
/** Speech of the recordings that are asked about. */
const SECONDS_ASKED = 8;

interface Figures {
  first: { ms: number; cpuMs: number };
  p50Ms: number;
  p95Ms: number;
  /** Processor time of the server, all its threads together. */
  cpuMs: number;
  calls: number;
  othersP99Ms: number;
}

interface Asking {
  platform: BenchPlatform;
  context: Context;
  seconds: number;
}

async function fill(platform: BenchPlatform, profile: string, lists: readonly string[], prints: number) {
  const { home, gkScopeId } = platform;
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  try {
    const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
    const { gallery, model } = await largeGallery(store, { gkScopeId, profile, prints });
    const snapshots = snapshotsOf(storage, model);
    const seq = await store.read.printChanges.last(gkScopeId);
    for (const collectionGkId of lists) await snapshots.keep({ gkScopeId, collectionGkId }, { gallery, seq });
  } finally {
    await storage.close();
  }
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

async function processed({ platform, context }: Asking, voice: string): Promise<object> {
  const { media } = await platform.upload(context, await clip(voice, 4, SECONDS_ASKED));
  const answer = await platform.post('/v1/audios/process', { context, gkMediaSegmentId: media });
  return { gkProcessedAudioId: accepted(answer).result.gkProcessedAudioId };
}

/** Verifications of one print, one after another, until the work is over; answers how long each took. */
async function othersDuring(verify: () => Promise<number>, work: Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  while (!isOver) {
    took.push(await verify());
    await new Promise((resolve) => setTimeout(resolve, OTHERS_PAUSE_MS));
  }
  await ended;
  return took;
}

/** The same call again and again for a time, after the first one, which reads the gallery. */
async function measure(
  { platform, seconds }: Asking,
  call: () => Promise<number>,
  verify: () => Promise<number>,
): Promise<Figures> {
  const cpuBefore = platform.cpuMs();
  const first = { ms: await call(), cpuMs: platform.cpuMs() - cpuBefore };
  for (let warm = 0; warm < 3; warm++) await call();
  const took: number[] = [];
  const cpuFrom = platform.cpuMs();
  const alone = async (): Promise<void> => {
    const untilMs = performance.now() + 1000 * seconds;
    do took.push(await call());
    while (performance.now() < untilMs);
  };
  await alone();
  const cpuMs = (platform.cpuMs() - cpuFrom) / took.length;
  const [calls, p50Ms, p95Ms] = [took.length, median(took), quantile(took, 0.95)];
  const others = await othersDuring(verify, alone());
  return { first, p50Ms, p95Ms, cpuMs, calls, othersP99Ms: quantile(others, 0.99) };
}

const firstAboutList = new Set(['Identify of a member', 'DetectKnownFraudsters of a stranger']);

const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

export const run: Bench = async ({ seconds, tiny }) => {
  const platform = await BenchPlatform.start();
  try {
    const clips = await Promise.all([1, 2, 3].map((utterance) => clip('anna', utterance, 8)));
    const profile = await trainPrint(platform, 'anna', clips);
    const asking: Asking = { platform, context: await platform.open(), seconds: tiny ? 0.2 : seconds / 3 };
    const { context } = asking;
    const post = async (path: string, body: object) =>
      accepted(await platform.post(path, { context, ...body }));
    const { gkGroupId } = await post('/v1/groups', { groupId: 'large' });
    const { gkWatchlistId } = await post('/v1/watchlists', { watchlistId: 'large' });
    const prints = tiny ? PRINTS_TINY : PRINTS;
    await fill(platform, profile, [gkGroupId.value, gkWatchlistId.value], prints);
    platform.reconnect();
    await platform.authorize();
    const [member, stranger] = [await processed(asking, 'anna'), await processed(asking, 'bruno')];
    const decisions = new Map<string, string>();
    const timed = async (name: string, path: string, body: object): Promise<number> => {
      let answer = await platform.post(path, { context, ...body });
      // The first call reads the gallery, and on a busy machine it goes on reading when the call has run out of time.
      while (answer.status === 504) answer = await platform.post(path, { context, ...body });
      const { decision } = accepted(answer).result;
      if (String(decision).endsWith('FAILED')) throw new Error(`${name}: ${decision}`);
      decisions.set(name, String(decision));
      return answer.milliseconds;
    };
    const group = { uniqueId: gkGroupId };
    const watchlist = { uniqueId: gkWatchlistId };
    const calls: Record<string, [path: string, body: object]> = {
      'Identify of a member': ['/v1/voiceprints/identification', { ...member, group }],
      'Identify of a stranger': ['/v1/voiceprints/identification', { ...stranger, group }],
      'DetectKnownFraudsters of a stranger': [
        '/v1/voiceprints/known-fraudsters-detection',
        { ...stranger, watchlist },
      ],
    };
    const verify = () => timed('Verify', `/v1/voiceprints/${profile}/verification`, member);
    await othersDuring(verify, sleep(asking.seconds / 2));
    const alone = quantile(await othersDuring(verify, sleep(asking.seconds)), 0.99);
    const figures: Record<string, Figures> = {};
    for (const [name, [path, body]] of Object.entries(calls))
      figures[name] = await measure(asking, () => timed(name, path, body), verify);
    return {
      name: 'watchlist',
      compared: `a group and a watchlist of ${prints} prints through REST, ${SECONDS_ASKED} s of audio that was processed before, one caller; others verify meanwhile`,
      lines: Object.entries(figures).flatMap(([name, { first, p50Ms, othersP99Ms }]): BenchLine[] => [
        ...(firstAboutList.has(name)
          ? [wanted(`${name}, the first one, processor time`, first.cpuMs / 1000, FIRST_CPU_S_MAX, 's')]
          : []),
        wanted(`${name}, p50`, p50Ms, P50_MS_MAX, 'ms'),
        wanted(`Verify meanwhile, p99 (alone ${alone.toFixed(1)} ms)`, othersP99Ms, OTHERS_MAX * alone, 'ms'),
      ]),
      details: {
        prints,
        verifyAloneP99Ms: alone,
        decisions: Object.fromEntries(decisions),
        serverMiB: platform.residentMiB(),
        figures,
      },
    };
  } finally {
    await platform.stop();
  }
};
