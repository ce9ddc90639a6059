// The callers of `bench live`: recordings of conversations, and lines that are always busy. A line dials, plays a call in real time, a
// frame of 20 ms after another, hangs up and dials again, so that as many calls run as there are lines.
import { WebSocket } from 'ws';
import { AudioStream } from '../src/inference/audio-stream.js';
import { findModels } from '../src/inference/engine.js';
import { loadModels } from '../src/inference/models/load-models.js';
import type { Models } from '../src/inference/models/models.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeMuLaw } from '../src/voice/audio/encode-mulaw.js';
import { resample } from '../src/voice/resample.js';
import { accepted, clip, type BenchPlatform } from './service-platform.js';

export const RATE_HZ = 8000;
export const FRAME_MS = 20;
const FRAME_BYTES = (RATE_HZ * FRAME_MS) / 1000;
const CHECKPOINT_MS = 3000;
const POLL_MS = 100;
const FULL_MS_MAX = 30_000;
/** Who is refused waits for as long as the server says. */
const REDIAL_MS = 5000;
const TICK_MS = 10;
/** What a quiet line sounds like: one step of mu-law up and down. */
const LINE_NOISE = 0.0003;

export interface Recording {
  voice: string;
  bytes: Uint8Array;
  /** Frames that hold the speech of the first checkpoint, as the recording as a whole tells it. */
  saidFrames: number;
  /** Frames after which the engine knows that; the difference is what it has to hear beyond. */
  neededFrames: number;
}

/** Sentences of each voice with pauses in which the other side speaks; `talking`: the share of the time without a pause. */
export async function makeRecordings(names: readonly string[], talking: number): Promise<Recording[]> {
  const models = await loadModels(findModels({ modelsDir: '' }));
  const recordings: Recording[] = [];
  for (const voice of names) {
    const parts: Uint8Array[] = [];
    for (const index of [4, 5, 1, 2, 3]) {
      const audio = await decodeAudio(await clip(voice, index, 60));
      if (!audio.ok) throw new Error(audio.reason);
      const sentence = resample(audio.samples, audio.sampleRateHz, RATE_HZ);
      parts.push(encodeMuLaw(sentence), encodeMuLaw(pause((sentence.length * (1 - talking)) / talking)));
    }
    const bytes = new Uint8Array(Buffer.concat(parts));
    recordings.push({ voice, bytes, ...(await checkpointOf(models, bytes)) });
  }
  return recordings;
}

async function checkpointOf(
  models: Models,
  bytes: Uint8Array,
): Promise<Pick<Recording, 'saidFrames' | 'neededFrames'>> {
  const stream = await AudioStream.open(models, {
    format: { encoding: 'mulaw', sampleRateHz: RATE_HZ, channels: 1 },
    checkpointsMs: [CHECKPOINT_MS],
  });
  const hear = (from: number, to?: number) => stream.push([bytes.subarray(from, to)], () => undefined);
  let neededFrames = 0;
  for (let at = 0; at < bytes.length && neededFrames === 0; at += FRAME_BYTES)
    if ((await hear(at, at + FRAME_BYTES)).checkpoints.length > 0) neededFrames = at / FRAME_BYTES + 1;
  await hear(neededFrames * FRAME_BYTES);
  const { windows } = await stream.finish(() => undefined);
  const [first] = windows;
  if (!first || neededFrames === 0) throw new Error('a recording says too little');
  return { saidFrames: Math.ceil(first.endMs / FRAME_MS), neededFrames };
}

/** Noise; a tone that moves would be taken for speech. */
function pause(samples: number): Float32Array {
  const random = makeRandom();
  return Float32Array.from({ length: Math.round(samples) }, () => LINE_NOISE * (2 * random() - 1));
}

/** From 0 to 1, and the same in every run. */
function makeRandom(): () => number {
  let state = 1;
  return () => {
    state = (1_664_525 * state + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

interface RunningCall {
  socket: WebSocket;
  recording: Recording;
  begunAtMs: number;
  frames: number;
  wantedFrames: number;
  /** When the frame was sent that completes the speech of the first checkpoint. */
  saidAtMs: number;
  isDecided: boolean;
  stoppedAtMs: number;
}

/** What was measured; emptied when the measuring begins. */
export class Figures {
  /** From the frame with the last of the speech to the decision; a call that has none yet counts with the time so far. */
  decisionMs: number[] = [];
  undecided = 0;
  /** From hanging up to the last event. */
  endMs: number[] = [];
  states: Record<string, number> = {};
  failures: Record<string, number> = {};
  frames = 0;
  /** Frames that this side sent more than a frame too late. */
  lateFrames = 0;
}

export interface CallersOptions {
  lines: number;
  callMs: number;
  recordings: readonly Recording[];
  /** A print for each recording. */
  prints: readonly string[];
}

export class Callers {
  readonly #platform: BenchPlatform;
  readonly #options: CallersOptions;
  readonly #calls = new Set<RunningCall>();
  readonly #ticker: NodeJS.Timeout;
  figures = new Figures();
  #hangingUp = false;
  /** Nobody hangs up. */
  #holding = false;

  constructor(platform: BenchPlatform, options: CallersOptions) {
    this.#platform = platform;
    this.#options = options;
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
  }

  get running(): number {
    return [...this.#calls].filter(({ stoppedAtMs }) => Number.isNaN(stoppedAtMs)).length;
  }

  /**
   * Dials on every line, one after another within `rampMs`. First calls last for as long behind that as one that somebody happens
   * upon: so the next ones begin by chance and as often at all times, as they do where there have been calls for hours.
   */
  async dialAll(rampMs: number): Promise<Promise<void>[]> {
    const { lines: count, callMs } = this.#options;
    const random = makeRandom();
    const lines: Promise<void>[] = [];
    const begunAtMs = performance.now();
    for (let line = 0; line < count; line++) {
      const afterMs = (rampMs * line) / count;
      const waitMs = begunAtMs + afterMs - performance.now();
      if (waitMs > 0) await elapsed(waitMs);
      lines.push(this.#keepBusy(line, rampMs - afterMs + callMs * random()));
    }
    return lines;
  }

  /** Calls that still wait for their first decision; only when the measuring ends. */
  countWaiting(): void {
    for (const call of this.#calls) if (!call.isDecided) this.#countUndecided(call);
  }

  /** How one call more than may run is answered, and how many of the others still run a while later. */
  async oneMore(): Promise<{ answer: string; running: number }> {
    this.#holding = true;
    for (const call of this.#calls) call.wantedFrames = Infinity;
    const { lines } = this.#options;
    const untilMs = performance.now() + FULL_MS_MAX;
    while (this.running < lines && performance.now() < untilMs) await elapsed(POLL_MS);
    if (this.running < lines) return { answer: 'not as many ran', running: this.running };
    const socket = await this.#connect(this.#options.prints[0] as string);
    const answer = await new Promise<string>((resolve) => {
      socket.once('message', () => resolve('let in'));
      socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`));
    });
    socket.terminate();
    await elapsed(10 * POLL_MS);
    return { answer, running: this.running };
  }

  async hangUp(lines: readonly Promise<void>[]): Promise<void> {
    this.#hangingUp = true;
    this.#holding = false;
    for (const call of this.#calls) call.wantedFrames = 0;
    await Promise.all(lines);
    clearInterval(this.#ticker);
  }

  async #keepBusy(line: number, firstMs: number): Promise<void> {
    for (let turn = 0; !this.#hangingUp; turn++)
      if (!(await this.#call(line + turn, turn === 0 ? firstMs : this.#options.callMs)))
        await elapsed(REDIAL_MS);
  }

  /** Whether the call came to its end. */
  async #call(at: number, ms: number): Promise<boolean> {
    const { recordings, prints } = this.#options;
    const socket = await this.#connect(prints[at % prints.length] as string);
    const call: RunningCall = {
      socket,
      recording: recordings[at % recordings.length] as Recording,
      begunAtMs: performance.now(),
      frames: 0,
      wantedFrames: this.#holding ? Infinity : Math.floor(ms / FRAME_MS),
      saidAtMs: NaN,
      isDecided: false,
      stoppedAtMs: NaN,
    };
    socket.on('message', (data: Buffer) => this.#told(call, data));
    this.#calls.add(call);
    return new Promise((resolve) =>
      socket.on('close', (code, reason) => {
        this.#calls.delete(call);
        if (!call.isDecided) this.#countUndecided(call);
        const end = `${code} ${reason.toString()}`;
        if (end !== '1000 stopped') count(this.figures.failures, end);
        else this.figures.endMs.push(performance.now() - call.stoppedAtMs);
        resolve(end === '1000 stopped');
      }),
    );
  }

  async #connect(print: string): Promise<WebSocket> {
    const target = { gkVoiceprintProfileIds: { uniqueIds: [{ value: print }] } };
    const context = await this.#platform.open();
    const { streamToken } = accepted(await this.#platform.post('/v1/live/calls', { context, target }));
    // Masks of zeros: what telephone systems spend on theirs is not what is measured.
    const socket = new WebSocket(`${this.#platform.url.replace('http', 'ws')}/v1/live`, {
      generateMask: (mask) => mask.fill(0),
    });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const format = { encoding: 'MULAW', sampleRateHz: RATE_HZ };
    socket.send(JSON.stringify({ start: { streamToken, format } }));
    return socket;
  }

  #told(call: RunningCall, data: Buffer): void {
    const { event } = JSON.parse(data.toString()) as { event: { state: string; final?: boolean } };
    if (call.isDecided || event.final || event.state === 'LISTENING') return;
    call.isDecided = true;
    count(this.figures.states, event.state);
    if (!Number.isNaN(call.saidAtMs)) this.figures.decisionMs.push(performance.now() - call.saidAtMs);
    // Whoever hangs up is judged by what there is.
    else if (Number.isNaN(call.stoppedAtMs)) count(this.figures.failures, 'decided too soon');
  }

  #countUndecided({ saidAtMs }: RunningCall): void {
    if (Number.isNaN(saidAtMs)) return;
    this.figures.undecided++;
    this.figures.decisionMs.push(performance.now() - saidAtMs);
  }

  #tick(): void {
    const now = performance.now();
    for (const call of this.#calls) {
      if (!Number.isNaN(call.stoppedAtMs)) continue;
      const due = Math.min(call.wantedFrames, Math.floor((now - call.begunAtMs) / FRAME_MS));
      if (due - call.frames > 2) this.figures.lateFrames += due - call.frames - 1;
      while (call.frames < due) this.#send(call);
      if (call.frames < call.wantedFrames) continue;
      call.stoppedAtMs = now;
      call.socket.send(JSON.stringify({ stop: {} }));
    }
  }

  #send(call: RunningCall): void {
    const { bytes, saidFrames } = call.recording;
    const at = (call.frames * FRAME_BYTES) % (bytes.length - FRAME_BYTES);
    call.socket.send(bytes.subarray(at, at + FRAME_BYTES));
    call.frames++;
    this.figures.frames++;
    if (call.frames === saidFrames) call.saidAtMs = performance.now();
  }
}

const elapsed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function count(all: Record<string, number>, name: string): void {
  all[name] = (all[name] ?? 0) + 1;
}
