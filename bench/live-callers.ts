// The callers of `bench live`: recordings of conversations, and lines that are always busy. A line dials, plays a call in real time, a
// frame of 20 ms after another, hangs up and dials again, so that as many calls run as there are lines.
import { WebSocket } from 'ws';
import { AudioStream } from '../src/inference/audio-stream.js';
import { findModels } from '../src/inference/engine.js';
import { loadModels } from '../src/inference/models/load-models.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { encodeMuLaw } from '../src/voice/audio/encode-mulaw.js';
import { resample } from '../src/voice/resample.js';
import { accepted, clip, type BenchPlatform } from './service-platform.js';

export const RATE_HZ = 8000;
export const FRAME_MS = 20;
const FRAME_BYTES = (RATE_HZ * FRAME_MS) / 1000;
const CHECKPOINT_MS = 3000;
const TICK_MS = 10;
/** What a quiet line sounds like: one step of mu-law up and down. */
const LINE_NOISE = 0.0003;

export interface Recording {
  voice: string;
  bytes: Uint8Array;
  /** Frames after which the first checkpoint can be decided. */
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

const pause = (samples: number): Float32Array =>
  Float32Array.from({ length: Math.round(samples) }, (_, i) => LINE_NOISE * Math.sin(i * i * 1e-3));

interface RunningCall {
  socket: WebSocket;
  recording: Recording;
  begunAtMs: number;
  frames: number;
  wantedFrames: number;
  neededAtMs: number;
  stoppedAtMs: number;
}

/** What was measured; emptied when the measuring begins. */
export class Figures {
  decisionMs: number[] = [];
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

  constructor(platform: BenchPlatform, options: CallersOptions) {
    this.#platform = platform;
    this.#options = options;
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
  }

  get running(): number {
    return this.#calls.size;
  }

  /** Dials on every line, one after another within `rampMs`. First calls are shorter, so that later ones begin at all times. */
  async dialAll(rampMs: number): Promise<Promise<void>[]> {
    const lines: Promise<void>[] = [];
    const begunAtMs = performance.now();
    for (let line = 0; line < this.#options.lines; line++) {
      const waitMs = begunAtMs + (rampMs * line) / this.#options.lines - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      lines.push(this.#keepBusy(line));
    }
    return lines;
  }

  /** No line dials again. */
  stopDialing(): void {
    this.#hangingUp = true;
  }

  /** How a call is refused when as many run as may. */
  async oneMore(): Promise<string> {
    const socket = await this.#connect(this.#options.prints[0] as string);
    return new Promise((resolve) =>
      socket.once('close', (code, reason) => resolve(`${code} ${reason.toString()}`)),
    );
  }

  async hangUp(lines: readonly Promise<void>[]): Promise<void> {
    this.stopDialing();
    for (const call of this.#calls) call.wantedFrames = 0;
    await Promise.all(lines);
    clearInterval(this.#ticker);
  }

  async #keepBusy(line: number): Promise<void> {
    const { lines, callMs } = this.#options;
    for (let turn = 0; !this.#hangingUp; turn++)
      await this.#call(line + turn, turn === 0 ? (callMs * (line + 1)) / lines : callMs);
  }

  async #call(at: number, ms: number): Promise<void> {
    const { recordings, prints } = this.#options;
    const socket = await this.#connect(prints[at % prints.length] as string);
    const call: RunningCall = {
      socket,
      recording: recordings[at % recordings.length] as Recording,
      begunAtMs: performance.now(),
      frames: 0,
      wantedFrames: Math.floor(ms / FRAME_MS),
      neededAtMs: NaN,
      stoppedAtMs: NaN,
    };
    socket.on('message', (data: Buffer) => this.#told(call, data));
    this.#calls.add(call);
    await new Promise<void>((resolve) =>
      socket.on('close', (code, reason) => {
        this.#calls.delete(call);
        if (code !== 1000) count(this.figures.failures, `${code} ${reason.toString()}`);
        else this.figures.endMs.push(performance.now() - call.stoppedAtMs);
        resolve();
      }),
    );
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

  #told(call: RunningCall, data: Buffer): void {
    const { event } = JSON.parse(data.toString()) as { event: { state: string; sequence: string } };
    if (event.sequence !== '2' || Number.isNaN(call.neededAtMs)) return;
    this.figures.decisionMs.push(performance.now() - call.neededAtMs);
    count(this.figures.states, event.state);
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
    const { bytes, neededFrames } = call.recording;
    const at = (call.frames * FRAME_BYTES) % (bytes.length - FRAME_BYTES);
    call.socket.send(bytes.subarray(at, at + FRAME_BYTES));
    call.frames++;
    this.figures.frames++;
    if (call.frames === neededFrames) call.neededAtMs = performance.now();
  }
}

function count(all: Record<string, number>, name: string): void {
  all[name] = (all[name] ?? 0) + 1;
}
