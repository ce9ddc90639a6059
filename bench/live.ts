// Calls at once in real time: 8 kHz mu-law in frames of 20 ms over WebSockets, each verified at its checkpoints, against a server in
// its own process. Measures the time from the frame that completes a checkpoint to its decision, the processor time per second of
// call, and memory per call; then one call more than allowed, which has to be refused while the others go on.
import { cpus, loadavg } from 'node:os';
import { WebSocket } from 'ws';
import { AudioStream } from '../src/inference/audio-stream.js';
import { findModels } from '../src/inference/engine.js';
import { loadModels } from '../src/inference/models/load-models.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeMuLaw } from '../src/voice/audio/encode-mulaw.js';
import { resample } from '../src/voice/resample.js';
import { median, wanted, type BenchOptions, type BenchReport } from './harness.js';
import { accepted, BenchPlatform, clip, trainPrint, voices } from './service-platform.js';

const CALLS = 200;
const RATE_HZ = 8000;
const FRAME_MS = 20;
const FRAME_BYTES = (RATE_HZ * FRAME_MS) / 1000;
const CHECKPOINT_MS = 3000;
const DECISION_MS_MAX = 500;
const MEMORY_MB_MAX = 2;
const UTTERANCES = 5;
/** Calls do not begin in the same moment. */
const SPREAD_MS = 5000;
const WARM_UP_CALLS = 10;
const WARM_UP_MS = 1000;

interface Recording {
  voice: string;
  bytes: Uint8Array;
  /** Frames after which the first checkpoint can be decided. */
  neededFrames: number;
}

export async function run(options: BenchOptions): Promise<BenchReport> {
  const calls = options.tiny ? 2 : CALLS;
  const loadBefore = loadavg();
  const recordings = await makeRecordings(options.tiny ? 2 : voices.length);
  const platform = await BenchPlatform.start({ VOXGATE_LIVE_CALLS_MAX: String(calls) });
  try {
    const prints: string[] = [];
    for (const { voice } of recordings)
      prints.push(
        await trainPrint(
          platform,
          voice,
          await Promise.all([1, 2, 3].map((index) => clip(voice, index, 3.1))),
        ),
      );
    const load = new Load(platform, recordings, prints);
    await load.warmUp(calls);
    const memoryBefore = platform.residentMiB();
    const cpuBefore = platform.cpuMs();
    const begunAtMs = performance.now();
    await load.open(calls);
    const spreadMs = options.tiny ? 0 : SPREAD_MS;
    await load.play(options.seconds * 1000, spreadMs);
    const refusal = await load.oneMore();
    const memoryAfter = platform.residentMiB();
    const heldBytes = await platform.metric('voxgate_live_audio_bytes');
    const playedSeconds = load.framesSent * (FRAME_MS / 1000);
    const cpuPerSecond = (platform.cpuMs() - cpuBefore) / 1000 / playedSeconds;
    const seconds = (performance.now() - begunAtMs) / 1000;
    await load.close();
    const { decisionMs, states, failures } = load;
    const p95 = sorted(decisionMs)[Math.floor(0.95 * decisionMs.length)] ?? NaN;
    return {
      name: 'live',
      compared: `${calls} calls at once for ${options.seconds} s each, a frame of ${FRAME_MS} ms after another`,
      lines: [
        wanted('last needed frame to decision, p95', p95, DECISION_MS_MAX, 'ms'),
        wanted('processor time per second of call, all calls', cpuPerSecond * calls, cpus().length, 's'),
        wanted('audio kept per call', heldBytes / calls / 1e6, MEMORY_MB_MAX, 'MB'),
      ],
      details: {
        calls,
        seconds,
        decisions: decisionMs.length,
        decisionMedianMs: median(decisionMs),
        decisionMaxMs: Math.max(...decisionMs),
        cpuSecondsPerCallSecond: cpuPerSecond,
        realTimeFactor: 1 / cpuPerSecond,
        residentMiBPerCall: (memoryAfter - memoryBefore) / calls,
        states,
        refusal,
        failures,
        lateFrames: load.lateFrames,
        loadBefore,
        program: platform.program,
      },
    };
  } finally {
    await platform.stop();
  }
}

const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** All sentences of each voice, and where the engine itself says that three seconds of speech are complete. */
async function makeRecordings(many: number): Promise<Recording[]> {
  const models = await loadModels(findModels({ modelsDir: '' }));
  const recordings: Recording[] = [];
  for (const voice of voices.slice(0, many)) {
    const parts: Uint8Array[] = [];
    for (const index of [4, 5, 1, 2, 3].slice(0, UTTERANCES)) {
      const audio = await decodeAudio(await clip(voice, index, 60));
      if (!audio.ok) throw new Error(audio.reason);
      parts.push(encodeMuLaw(resample(audio.samples, audio.sampleRateHz, RATE_HZ)));
    }
    const bytes = new Uint8Array(Buffer.concat(parts));
    const stream = await AudioStream.open(models, {
      format: { encoding: 'mulaw', sampleRateHz: RATE_HZ, channels: 1 },
      checkpointsMs: [CHECKPOINT_MS],
    });
    let frames = 0;
    for (let reached = false; !reached; frames++) {
      const frame = bytes.subarray(frames * FRAME_BYTES, (frames + 1) * FRAME_BYTES);
      if (frame.length === 0) throw new Error(`${voice} says too little`);
      reached = (await stream.push([frame], () => undefined)).checkpoints.length > 0;
    }
    recordings.push({ voice, bytes, neededFrames: frames });
  }
  return recordings;
}

interface OpenCall {
  socket: WebSocket;
  recording: Recording;
  frames: number;
  neededAtMs: number;
}

class Load {
  readonly #platform: BenchPlatform;
  readonly #recordings: readonly Recording[];
  readonly #prints: readonly string[];
  readonly decisionMs: number[] = [];
  readonly states: Record<string, number> = {};
  readonly failures: Record<string, number> = {};
  readonly #calls: OpenCall[] = [];
  framesSent = 0;
  /** Frames that this side sent more than a frame too late. */
  lateFrames = 0;
  #closing = false;

  constructor(platform: BenchPlatform, recordings: readonly Recording[], prints: readonly string[]) {
    this.#platform = platform;
    this.#recordings = recordings;
    this.#prints = prints;
  }

  /** The models are in memory, on every worker, before anything is measured. */
  async warmUp(calls: number): Promise<void> {
    await this.open(Math.min(calls, WARM_UP_CALLS));
    await this.play(WARM_UP_MS, 0);
    await this.close();
    this.#closing = false;
    this.framesSent = this.lateFrames = this.decisionMs.length = 0;
    for (const state of Object.keys(this.states)) delete this.states[state];
  }

  async open(many: number): Promise<void> {
    for (let at = 0; at < many; at++) await this.#open(at);
  }

  async #open(at: number): Promise<void> {
    const recording = this.#recordings[at % this.#recordings.length] as Recording;
    const print = this.#prints[at % this.#prints.length] as string;
    const call: OpenCall = { socket: await this.#connect(print), recording, frames: 0, neededAtMs: NaN };
    call.socket.on('message', (data: Buffer) => this.#told(call, data));
    call.socket.on('close', (code, reason) => {
      if (!this.#closing) count(this.failures, `${code} ${reason.toString()}`);
    });
    this.#calls.push(call);
  }

  async #connect(print: string): Promise<WebSocket> {
    const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: print }] } };
    const context = await this.#platform.open();
    const { streamToken } = accepted(await this.#platform.post('/v1/live/calls', { context, target }));
    const socket = new WebSocket(`${this.#platform.url.replace('http', 'ws')}/v1/live`);
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const format = { encoding: 'MULAW', sampleRateHz: RATE_HZ };
    socket.send(JSON.stringify({ start: { streamToken, format } }));
    return socket;
  }

  #told(call: OpenCall, data: Buffer): void {
    const { event } = JSON.parse(data.toString()) as { event: { state: string; sequence: string } };
    if (event.sequence !== '2' || Number.isNaN(call.neededAtMs)) return;
    this.decisionMs.push(performance.now() - call.neededAtMs);
    count(this.states, event.state);
  }

  async play(ms: number, spreadMs: number): Promise<void> {
    const begunAtMs = performance.now();
    const starts = this.#calls.map((_, at) => begunAtMs + (spreadMs * at) / this.#calls.length);
    const wantedFrames = Math.floor(ms / FRAME_MS);
    for (let left = true; left;) {
      left = false;
      const now = performance.now();
      this.#calls.forEach((call, at) => {
        const due = Math.min(wantedFrames, Math.floor((now - (starts[at] as number)) / FRAME_MS));
        if (due - call.frames > 2) this.lateFrames += due - call.frames - 1;
        while (call.frames < due) this.#send(call);
        if (call.frames < wantedFrames) left = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #send(call: OpenCall): void {
    const { bytes, neededFrames } = call.recording;
    const at = (call.frames * FRAME_BYTES) % (bytes.length - FRAME_BYTES);
    call.socket.send(bytes.subarray(at, at + FRAME_BYTES));
    call.frames++;
    this.framesSent++;
    if (call.frames === neededFrames) call.neededAtMs = performance.now();
  }

  /** How a call is refused when as many run as may. */
  async oneMore(): Promise<string> {
    const socket = await this.#connect(this.#prints[0] as string);
    return new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
    );
  }

  async close(): Promise<void> {
    this.#closing = true;
    const open = this.#calls.splice(0);
    await Promise.all(
      open.map(({ socket }) => {
        if (socket.readyState === WebSocket.CLOSED) return undefined;
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.send(JSON.stringify({ stop: {} }));
        return closed;
      }),
    );
  }
}

function count(all: Record<string, number>, name: string): void {
  all[name] = (all[name] ?? 0) + 1;
}
