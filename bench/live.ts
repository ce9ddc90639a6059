// Calls at once in real time: 8 kHz mu-law in frames of 20 ms over WebSockets, each verified at its checkpoints, against a server in
// its own process. As many calls run all the time as there are lines; customers speak two fifths of the time, as people do who
// talk with somebody (ITU-T P.59), or as `--talking` says. Measures the time from the frame with the last of the first three seconds of
// speech to the decision, what the engine has to hear beyond them included; the processor time for a second of a call, of the server
// and of the senders; and memory. Then one call more than allowed, which has to be refused while the others go on.
import { cpus, loadavg } from 'node:os';
import { Callers, Figures, FRAME_MS, makeRecordings } from './live-callers.js';
import { median, wanted, type BenchOptions, type BenchReport } from './harness.js';
import { BenchPlatform, clip, trainPrint, voices } from './service-platform.js';

const CALLS = 200;
const TALKING = 0.4;
const DECISION_MS_MAX = 500;
const MEMORY_MB_MAX = 2;
/** Short for a call: more of them begin, and are decided for the first time, than in practice. */
const CALL_MS = 45_000;
const RAMP_MS = 20_000;
/** More calls have begun in the ramp than later: until the last of those has come to its second checkpoint. */
const SETTLE_MS = 16_000;

export async function run(options: BenchOptions): Promise<BenchReport> {
  const { tiny, calls = tiny ? 2 : CALLS, talking = tiny ? 1 : TALKING } = options;
  const loadBefore = loadavg();
  const recordings = await makeRecordings(voices.slice(0, tiny ? 2 : voices.length), talking);
  const platform = await BenchPlatform.start({ VOXGATE_LIVE_CALLS_MAX: String(calls) });
  try {
    const prints: string[] = [];
    for (const { voice } of recordings) {
      const clips = await Promise.all([1, 2, 3].map((index) => clip(voice, index, 3.1)));
      prints.push(await trainPrint(platform, voice, clips));
    }
    const callers = new Callers(platform, { lines: calls, callMs: CALL_MS, recordings, prints });
    const memoryBefore = platform.residentMiB();
    const lines = await callers.dialAll(tiny ? 0 : RAMP_MS);
    if (!tiny) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    callers.figures = new Figures();
    const before = { server: platform.cpuMs(), senders: process.cpuUsage(), atMs: performance.now() };
    await new Promise((resolve) => setTimeout(resolve, options.seconds * 1000));
    callers.countWaiting();
    const { figures } = callers;
    callers.figures = new Figures();
    const serverMs = platform.cpuMs() - before.server;
    const senders = process.cpuUsage(before.senders);
    const playedMs = figures.frames * FRAME_MS;
    const seconds = (performance.now() - before.atMs) / 1000;
    const heldBytes = await platform.metric('voxgate_live_audio_bytes');
    const [running, memoryAfter] = [callers.running, platform.residentMiB()];
    const oneMore = await callers.oneMore();
    await callers.hangUp(lines);
    const p95 = sorted(figures.decisionMs)[Math.floor(0.95 * figures.decisionMs.length)] ?? NaN;
    const serverPerCall = serverMs / playedMs;
    return {
      name: 'live',
      compared: `${calls} calls at once, a frame of ${FRAME_MS} ms after another, ${Math.round(100 * talking)} % of it sentences`,
      lines: [
        wanted('last frame of 3 s of speech to decision, p95', p95, DECISION_MS_MAX, 'ms'),
        wanted('processor time per second, all calls', serverPerCall * calls, cpus().length, 's'),
        wanted('audio kept per call', heldBytes / running / 1e6, MEMORY_MB_MAX, 'MB'),
      ],
      details: {
        calls,
        talking,
        seconds,
        decisions: figures.decisionMs.length,
        undecided: figures.undecided,
        heardBeyondMs:
          median(recordings.map(({ saidFrames, neededFrames }) => neededFrames - saidFrames)) * FRAME_MS,
        decisionMedianMs: median(figures.decisionMs),
        decisionMaxMs: Math.max(...figures.decisionMs),
        hangUpToEndMedianMs: median(figures.endMs),
        serverMsPerCallSecond: 1000 * serverPerCall,
        /** Of one call on one core. */
        realTimeFactor: serverPerCall,
        sendersMsPerCallSecond: (senders.user + senders.system) / playedMs,
        residentMiBPerCall: (memoryAfter - memoryBefore) / calls,
        states: figures.states,
        oneMore,
        failures: figures.failures,
        failuresAfterwards: callers.figures.failures,
        lateFrames: figures.lateFrames,
        loadBefore,
        program: platform.program,
      },
    };
  } finally {
    await platform.stop();
  }
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
