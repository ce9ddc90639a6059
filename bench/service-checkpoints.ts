// What checkpoints cost through the API: a match at 3 s of a long recording beside a recording of just that length, and all
// checkpoints of a long recording without a match beside the same in one pass. In turns, one client alone.
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeWav } from '../src/voice/audio/encode-wav.js';
import { median, wanted, type BenchLine } from './harness.js';
import { accepted, clip, type BenchPlatform } from './service-platform.js';

const LONG_SECONDS = 60;
const UTTERANCES = 5;
/** The short recording ends a little behind the checkpoint: speech counts only once it is settled. */
const BEHIND_SECONDS = 0.3;
const EARLY_TIMES_MOST = 1.3;
const ALL_CHECKPOINTS_TIMES_MOST = 1.25;

export interface ServiceCheckpoints {
  /** Speech that the early match rests on, as the answer tells it. */
  earlyNetSeconds: number;
  /** Processor time of the server per call, and the time until the answer. */
  earlyMs: number;
  earlyCpuMs: number;
  shortFileMs: number;
  shortFileCpuMs: number;
  allCheckpointsMs: number;
  allCheckpointsCpuMs: number;
  onePassMs: number;
  onePassCpuMs: number;
}

export interface CheckpointPrints {
  /** The print's own voice is in the recording. */
  voice: string;
  owner: string;
  /** Somebody else. */
  stranger: string;
}

export async function measureServiceCheckpoints(
  platform: BenchPlatform,
  { voice, owner, stranger }: CheckpointPrints,
  calls: number,
): Promise<ServiceCheckpoints> {
  const { samples, sampleRateHz } = await longRecording(voice);
  const long = encodeWav(samples, sampleRateHz);
  const uploaded = async (wav: Uint8Array): Promise<object> => {
    const context = await platform.open();
    return { context, gkMediaSegmentId: (await platform.upload(context, wav)).media };
  };
  const ask = async (path: string, body: object) => {
    const cpuBefore = platform.cpuMs();
    const answer = await platform.post(path, body);
    const { result } = accepted(answer);
    return { result, ms: answer.milliseconds, cpuMs: platform.cpuMs() - cpuBefore };
  };
  const verify = (audio: object) => ask(`/v1/voiceprints/${owner}/verification`, audio);
  // Identify, because five mismatches in Verify would lock the print.
  const identify = (audio: object, ignoreCheckpoints: boolean) =>
    ask('/v1/voiceprints/identification', {
      ...audio,
      gkVoiceprintProfileIds: { uniqueIds: [{ value: stranger }] },
      ignoreCheckpoints,
    });
  const first = (await verify(await uploaded(long))).result;
  const grossSeconds = parseFloat(first.audioDetails.grossAudio) + BEHIND_SECONDS;
  const short = encodeWav(samples.subarray(0, Math.round(grossSeconds * sampleRateHz)), sampleRateHz);

  const figures = new Map<string, number[]>();
  const note = (name: string, { ms, cpuMs }: { ms: number; cpuMs: number }): void => {
    figures.set(`${name}Ms`, [...(figures.get(`${name}Ms`) ?? []), ms]);
    figures.set(`${name}CpuMs`, [...(figures.get(`${name}CpuMs`) ?? []), cpuMs]);
  };
  // All uploads come first: what one of them leaves to be cleared away must not count as the cost of a decision.
  const audios: { short: object; long: object }[] = [];
  for (let call = 0; call < calls; call++)
    audios.push({ short: await uploaded(short), long: await uploaded(long) });
  for (const audio of audios) {
    note('early', await verify(audio.long));
    note('shortFile', await verify(audio.short));
  }
  for (const audio of audios) {
    note('allCheckpoints', await identify(audio.long, false));
    note('onePass', await identify(audio.long, true));
  }
  const wall = (name: string): number => median(figures.get(`${name}Ms`) ?? []);
  // The system counts in ticks of 10 ms: only the mean says more.
  const cpu = (name: string): number =>
    (figures.get(`${name}CpuMs`) ?? []).reduce((a, b) => a + b, 0) / calls;
  return {
    earlyNetSeconds: parseFloat(first.audioDetails.netAudio),
    earlyMs: wall('early'),
    earlyCpuMs: cpu('early'),
    shortFileMs: wall('shortFile'),
    shortFileCpuMs: cpu('shortFile'),
    allCheckpointsMs: wall('allCheckpoints'),
    allCheckpointsCpuMs: cpu('allCheckpoints'),
    onePassMs: wall('onePass'),
    onePassCpuMs: cpu('onePass'),
  };
}

export function checkpointLines(figures: ServiceCheckpoints): BenchLine[] {
  const { earlyCpuMs, shortFileCpuMs, allCheckpointsCpuMs, onePassCpuMs } = figures;
  return [
    wanted(
      `match at 3 s of ${LONG_SECONDS} s, times a file of 3 s (processor)`,
      earlyCpuMs / shortFileCpuMs,
      EARLY_TIMES_MOST,
      'x',
    ),
    wanted(
      `all checkpoints of ${LONG_SECONDS} s, times one pass (processor)`,
      allCheckpointsCpuMs / onePassCpuMs,
      ALL_CHECKPOINTS_TIMES_MOST,
      'x',
    ),
  ];
}

/** One voice, sentence after sentence, for a minute. */
async function longRecording(voice: string): Promise<{ samples: Float32Array; sampleRateHz: number }> {
  let sampleRateHz = 0;
  const parts: Float32Array[] = [];
  for (let index = 1; index <= UTTERANCES; index++) {
    const audio = await decodeAudio(await clip(voice, index, LONG_SECONDS));
    if (!audio.ok) throw new Error(audio.reason);
    sampleRateHz = audio.sampleRateHz;
    parts.push(audio.samples);
  }
  const samples = new Float32Array(LONG_SECONDS * sampleRateHz);
  // Begins with a sentence that no print was made from.
  for (let at = 0, turn = 3; at < samples.length; turn++) {
    const part = parts[turn % UTTERANCES] as Float32Array;
    samples.set(part.subarray(0, samples.length - at), at);
    at += part.length;
  }
  return { samples, sampleRateHz };
}
