// The whole service under mixed load: many clients at once upload, process, enroll, train, verify, identify,
// analyze and ask for decisions against a server in its own process. Nothing but BUSY may go wrong, no
// acknowledged segment may be missing afterwards and memory has to stay flat. Before the load one client alone
// measures the latency of Verify and GetSessionDecision and what checkpoints cost, after it that of Identify in large groups.
import { loadavg } from 'node:os';
import { oneWorker } from '../test/support/served-program.js';
import { median, wanted, type BenchOptions, type BenchReport } from './harness.js';
import { checkpointLines, measureServiceCheckpoints } from './service-checkpoints.js';
import { measureGroup, type GroupFigures } from './service-groups.js';
import {
  accepted,
  BenchPlatform,
  clip,
  trainPrint,
  voices,
  type Answer,
  type Context,
} from './service-platform.js';

const CLIENTS = 100;
/** Utterances start at once and pause little: this leaves about three seconds of net speech. */
const CLIP_SECONDS = 3.1;
const VERIFY_TARGET_MS = 150;
const DECISION_TARGET_MS = 5;
/** Prints that all clients enroll into together, so that calls do meet on one print. */
const SHARED_PRINTS = 12;
const groupSizes = [10_000, 100_000];
const MEMORY_EVERY_SECONDS = 5;

interface Shared {
  voice: string;
  profile: string;
  enrolled: number;
}

/** Everything that the clients note down. */
class Notebook {
  readonly latenciesMs = new Map<string, number[]>();
  readonly errors: Record<string, number> = {};
  readonly decisions: Record<string, number> = {};
  /** Acknowledged processed audio IDs by print. */
  readonly acknowledged = new Map<string, string[]>();
  readonly versions = new Map<string, number[]>();
  busy = 0;

  /** True when the call was served; BUSY and errors are counted. */
  note(operation: string, answer: Answer): boolean {
    if (answer.status === 503 && answer.body?.status?.statusCode === 'BUSY') {
      this.busy += 1;
      return false;
    }
    const failed = answer.status >= 300;
    if (failed) {
      const code = answer.body?.status?.statusCode ?? answer.body?.error_message ?? '';
      count(this.errors, `${operation}: ${answer.status} ${code}`);
      return false;
    }
    const list = this.latenciesMs.get(operation) ?? [];
    this.latenciesMs.set(operation, list);
    list.push(answer.milliseconds);
    return true;
  }
}

export async function run(options: BenchOptions): Promise<BenchReport> {
  const clients = options.tiny ? 6 : CLIENTS;
  const loadBefore = loadavg();
  const platform = await BenchPlatform.start(options.tiny ? oneWorker : {});
  try {
    const clips = new Map<string, Uint8Array[]>();
    for (const voice of voices)
      clips.set(voice, await Promise.all([1, 2, 3, 4, 5].map((index) => clip(voice, index, CLIP_SECONDS))));
    const prints = await trainPrints(platform, clips, options.tiny ? 2 : voices.length);
    const alone = await measureAlone(platform, clips, prints, options.tiny ? 3 : 60);

    const [owner, stranger] = prints as [Shared, Shared];
    const checkpoints = await measureServiceCheckpoints(
      platform,
      { voice: owner.voice, owner: owner.profile, stranger: stranger.profile },
      options.tiny ? 2 : 20,
    );

    const notes = new Notebook();
    const shared = await makeShared(platform, options.tiny ? 2 : SHARED_PRINTS);
    const contexts: Context[] = [];
    for (let index = 0; index < clients; index++) contexts.push(await platform.open());
    const memory = await underLoad(platform, options.seconds, (until) =>
      contexts.map((context, index) =>
        client({ platform, context, clips, prints, shared, notes, random: randomFrom(index + 1) }, until),
      ),
    );
    const lostSegments = await countLost(platform, contexts[0] as Context, notes);
    const mixedVersions = [...notes.versions.values()].filter(
      (list) => new Set(list).size !== list.length,
    ).length;
    const wav = clips.get(owner.voice)?.[3] as Uint8Array;
    const groups = await measureGroups(platform, { profile: owner.profile, wav }, options.tiny);
    const operations = figures(notes);
    if (!options.tiny) printTable(operations, groups);
    return {
      name: 'service',
      compared: `${clients} clients of mixed operations for ${options.seconds} s against the ${platform.program} program; before that one client alone`,
      lines: [
        wanted('Verify on an uploaded WAV, one client, p50', alone.verifyMs, VERIFY_TARGET_MS, 'ms'),
        wanted('GetSessionDecision, one client, p50', alone.decisionMs, DECISION_TARGET_MS, 'ms'),
        ...checkpointLines(checkpoints),
        // Until a third of the run the heap only grows to its working size.
        wanted('memory at the end', memory.at(-1) ?? 0, 1.1 * (memory[thirdOf(memory)] ?? 0), 'MiB'),
      ],
      details: {
        clients,
        seconds: options.seconds,
        verifyNetSpeechSeconds: alone.netSpeechSeconds,
        verifyP95Ms: alone.verifyP95Ms,
        decisionP95Ms: alone.decisionP95Ms,
        // What one core needs, however busy the machine is.
        serverCpuMs: { Verify: alone.verifyCpuMs, GetSessionDecision: alone.decisionCpuMs },
        checkpoints,
        operations,
        busy: notes.busy,
        errors: notes.errors,
        decisions: notes.decisions,
        acknowledgedSegments: [...notes.acknowledged.values()].flat().length,
        lostSegments,
        mixedVersions,
        memoryMiB: memoryFigures(memory),
        identifyInGroups: groups,
        loadAverage: { before: loadBefore, after: loadavg() },
      },
    };
  } finally {
    await platform.stop();
  }
}

async function measureGroups(
  platform: BenchPlatform,
  owner: { profile: string; wav: Uint8Array },
  tiny: boolean,
): Promise<GroupFigures[]> {
  const groups: GroupFigures[] = [];
  for (const members of tiny ? [50] : groupSizes)
    groups.push(await measureGroup(platform, owner, members, tiny ? 2 : 20));
  return groups;
}

/** Runs the clients until the time is up, and notes the server's memory every second. */
async function underLoad(
  platform: BenchPlatform,
  seconds: number,
  clients: (until: number) => Promise<void>[],
): Promise<number[]> {
  const memory = [platform.residentMiB()];
  const watch = setInterval(() => memory.push(platform.residentMiB()), 1000);
  await Promise.all(clients(performance.now() + seconds * 1000));
  clearInterval(watch);
  return memory;
}

const thirdOf = (memory: readonly number[]): number => Math.max(1, Math.floor(memory.length / 3));

function memoryFigures(memory: readonly number[]): Record<string, number | number[]> {
  return {
    start: Math.round(memory[0] ?? 0),
    afterOneThird: Math.round(memory[thirdOf(memory)] ?? 0),
    end: Math.round(memory.at(-1) ?? 0),
    most: Math.round(Math.max(...memory)),
    every5Seconds: memory.filter((_, second) => second % MEMORY_EVERY_SECONDS === 0).map(Math.round),
  };
}

async function trainPrints(
  platform: BenchPlatform,
  clips: Map<string, Uint8Array[]>,
  many: number,
): Promise<Shared[]> {
  const prints: Shared[] = [];
  for (const voice of voices.slice(0, many)) {
    const profile = await trainPrint(platform, voice, clips.get(voice)?.slice(0, 3) ?? []);
    prints.push({ voice, profile, enrolled: 3 });
  }
  return prints;
}

interface Alone {
  verifyMs: number;
  verifyP95Ms: number;
  verifyCpuMs: number;
  decisionMs: number;
  decisionP95Ms: number;
  decisionCpuMs: number;
  netSpeechSeconds: number;
}

async function measureAlone(
  platform: BenchPlatform,
  clips: Map<string, Uint8Array[]>,
  prints: readonly Shared[],
  calls: number,
): Promise<Alone> {
  const verifies: number[] = [];
  const decisions: number[] = [];
  let netSpeechSeconds = 0;
  let verifyCpuMs = 0;
  let decisionCpuMs = 0;
  for (let index = 0; index < calls; index++) {
    // Each caller has a session of its own, as in life.
    const context = await platform.open();
    const print = prints[index % prints.length] as Shared;
    const { media } = await platform.upload(context, clips.get(print.voice)?.[3] as Uint8Array);
    const cpuBefore = platform.cpuMs();
    const verified = await platform.post(`/v1/voiceprints/${print.profile}/verification`, {
      context,
      gkMediaSegmentId: media,
    });
    netSpeechSeconds += parseFloat(accepted(verified).result.audioDetails.netAudio) / calls;
    verifies.push(verified.milliseconds);
    const cpuBetween = platform.cpuMs();
    verifyCpuMs += (cpuBetween - cpuBefore) / calls;
    for (let again = 0; again < 3; again++) {
      const decided = await platform.get('/v1/sessions/decision', context);
      accepted(decided);
      decisions.push(decided.milliseconds);
    }
    decisionCpuMs += (platform.cpuMs() - cpuBetween) / calls / 3;
  }
  return {
    verifyMs: median(verifies),
    verifyP95Ms: quantile(verifies, 0.95),
    decisionMs: median(decisions),
    decisionP95Ms: quantile(decisions, 0.95),
    netSpeechSeconds,
    verifyCpuMs,
    decisionCpuMs,
  };
}

async function makeShared(platform: BenchPlatform, many: number): Promise<Shared[]> {
  const context = await platform.open();
  const made: Shared[] = [];
  for (let index = 0; index < many; index++) {
    const voice = voices[index % voices.length] as string;
    made.push({ voice, profile: await platform.createProfile(context, `shared-${index}`), enrolled: 0 });
  }
  return made;
}

interface Client {
  platform: BenchPlatform;
  context: Context;
  clips: Map<string, Uint8Array[]>;
  /** Trained before the load; only compared with. */
  prints: readonly Shared[];
  /** Enrolled and trained by everybody; a full one is replaced. */
  shared: Shared[];
  notes: Notebook;
  random: () => number;
}

async function client(self: Client, until: number): Promise<void> {
  const mix: [number, (self: Client) => Promise<boolean>][] = [
    [3, enroll],
    [1, train],
    [4, verify],
    [2, identify],
    [2, analyze],
    [3, decide],
  ];
  const all = mix.reduce((sum, [weight]) => sum + weight, 0);
  while (performance.now() < until) {
    let at = self.random() * all;
    const [, act] = mix.find(([weight]) => (at -= weight) < 0) ?? (mix[0] as (typeof mix)[number]);
    try {
      // A refused client waits before it comes again, as retry_info asks.
      if (!(await act(self))) await new Promise((resolve) => setTimeout(resolve, 100 + 400 * self.random()));
    } catch (error) {
      count(self.notes.errors, `${act.name}: ${String(error)}`);
    }
  }
}

async function uploaded(self: Client, voice: string): Promise<{ value: string } | undefined> {
  const wavs = self.clips.get(voice) as Uint8Array[];
  const answer = await self.platform.upload(self.context, pick(wavs, self.random));
  return self.notes.note('Upload', answer) ? answer.media : undefined;
}

async function enroll(self: Client): Promise<boolean> {
  const { platform, context, notes, shared } = self;
  if (shared.length === 0) return false;
  const print = pick(shared, self.random);
  const gkMediaSegmentId = await uploaded(self, print.voice);
  if (!gkMediaSegmentId) return false;
  const processed = await platform.post('/v1/audios/process', {
    context,
    gkMediaSegmentId,
    isForEnrollment: true,
  });
  if (!notes.note('ProcessAudio', processed)) return false;
  const { gkProcessedAudioId } = processed.body.result;
  const answer = await platform.post(`/v1/voiceprints/${print.profile}/enrollment`, {
    context,
    gkProcessedAudioId,
  });
  if (!notes.note('Enroll', answer)) return false;
  const { enrolled, enrollStatus } = answer.body.result;
  if (enrolled) {
    print.enrolled += 1;
    const list = notes.acknowledged.get(print.profile) ?? [];
    notes.acknowledged.set(print.profile, list);
    list.push(gkProcessedAudioId.value);
  }
  const place = shared.indexOf(print);
  if (enrollStatus === 'ENROLL_STATUS_FULL' && place >= 0) {
    // Taken out before anything is awaited, so that only one client replaces it.
    shared.splice(place, 1);
    shared.push({
      voice: print.voice,
      profile: await platform.createProfile(context, `after-${print.profile}`),
      enrolled: 0,
    });
  }
  return true;
}

async function train(self: Client): Promise<boolean> {
  const { platform, context, notes } = self;
  const ready = self.shared.filter((print) => print.enrolled >= 3);
  if (ready.length === 0) return true;
  const { profile } = pick(ready, self.random);
  const answer = await platform.post(`/v1/voiceprints/${profile}/training`, { context });
  if (!notes.note('Train', answer)) return false;
  const { trainStatus, voiceprintDetails } = answer.body.result;
  if (trainStatus === 'TRAIN_STATUS_TRAINED')
    notes.versions.set(profile, [...(notes.versions.get(profile) ?? []), voiceprintDetails.printVersion]);
  return true;
}

async function verify(self: Client): Promise<boolean> {
  const { platform, context, notes } = self;
  const print = pick(self.prints, self.random);
  const gkMediaSegmentId = await uploaded(self, print.voice);
  if (!gkMediaSegmentId) return false;
  const answer = await platform.post(`/v1/voiceprints/${print.profile}/verification`, {
    context,
    gkMediaSegmentId,
  });
  if (!notes.note('Verify', answer)) return false;
  count(notes.decisions, `Verify of the owner: ${answer.body.result.decision}`);
  return true;
}

async function identify(self: Client): Promise<boolean> {
  const { platform, context, notes, prints } = self;
  const gkMediaSegmentId = await uploaded(self, pick(prints, self.random).voice);
  if (!gkMediaSegmentId) return false;
  const gkVoiceprintProfileIds = { uniqueIds: prints.map(({ profile }) => ({ value: profile })) };
  const answer = await platform.post('/v1/voiceprints/identification', {
    context,
    gkMediaSegmentId,
    gkVoiceprintProfileIds,
  });
  return notes.note('Identify', answer);
}

async function analyze(self: Client): Promise<boolean> {
  const { platform, context, notes } = self;
  const print = pick(self.prints, self.random);
  const gkMediaSegmentId = await uploaded(self, print.voice);
  if (!gkMediaSegmentId) return false;
  const answer = await platform.post('/v1/voiceprints/audio-analysis', {
    context,
    gkMediaSegmentId,
    gkVoiceprintProfileIds: { uniqueIds: [{ value: print.profile }] },
    syntheticSpeechDetectionParameters: {},
    channelPlaybackDetectionParameters: {},
  });
  return notes.note('AnalyzeAudio', answer);
}

async function decide(self: Client): Promise<boolean> {
  return self.notes.note(
    'GetSessionDecision',
    await self.platform.get('/v1/sessions/decision', self.context),
  );
}

async function countLost(platform: BenchPlatform, context: Context, notes: Notebook): Promise<number> {
  let lost = 0;
  for (const [profile, segments] of notes.acknowledged) {
    const answer = await platform.get(`/v1/voiceprints/profiles/${profile}/enrollment-segments`, context);
    const kept = new Set<string>(
      (accepted(answer).enrollmentSegmentsDetails ?? []).map(
        (segment: { gkProcessedAudioId: { value: string } }) => segment.gkProcessedAudioId.value,
      ),
    );
    lost += segments.filter((id) => !kept.has(id)).length;
  }
  return lost;
}

type Figures = Record<string, { calls: number; p50Ms: number; p95Ms: number }>;

function figures(notes: Notebook): Figures {
  return Object.fromEntries(
    [...notes.latenciesMs].map(([operation, list]) => [
      operation,
      { calls: list.length, p50Ms: Math.round(median(list)), p95Ms: Math.round(quantile(list, 0.95)) },
    ]),
  );
}

function printTable(operations: Figures, groups: readonly GroupFigures[]): void {
  for (const [operation, { calls, p50Ms, p95Ms }] of Object.entries(operations))
    console.error(
      `  ${operation.padEnd(20)} ${String(calls).padStart(6)} calls  p50 ${p50Ms} ms  p95 ${p95Ms} ms`,
    );
  for (const group of groups) {
    const ms = (value: number) => `${value < 1000 ? value.toFixed(1) : Math.round(value)} ms`;
    console.error(
      `  Identify among ${group.members}: first ${ms(group.firstMs)} (processor ${ms(group.firstCpuMs)}, ` +
        `health meanwhile within ${ms(group.othersMostMs)}), then p50 ${ms(group.processedP50Ms)}, ` +
        `p95 ${ms(group.processedP95Ms)} (processed audio), p50 ${ms(group.uploadedP50Ms)} (upload); ` +
        `server ${Math.round(group.serverMiB)} MiB`,
    );
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function count(into: Record<string, number>, key: string): void {
  into[key] = (into[key] ?? 0) + 1;
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Repeatable, one per client. */
function randomFrom(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return state / 2 ** 32;
  };
}
