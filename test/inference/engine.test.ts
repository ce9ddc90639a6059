import { appendFileSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.js';
import { bundledModelsDir, createEngine } from '../../src/inference/engine.js';
import { defaultModel } from '../../src/inference/models/manifest.js';
import { silentLog, systemClock } from '../../src/platform.js';
import { dot } from '../../src/voice/embedding/vector.js';
import type { CheckpointReached, VoiceEngine } from '../../src/voice/engine.js';
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { nonSpeechKinds, nonSpeech } from '../../tools/attacks/non-speech-sounds.js';
import { callSamples, linear16 } from '../live/support.js';
import { writeTinyModels } from './tiny-models.js';
import { speechWav } from './speech-file.js';

let engine: VoiceEngine;
const { modelsDir } = writeTinyModels();
const speech = await speechWav('anna', [1, 2]);

beforeAll(async () => {
  engine = await createEngine(
    { modelsDir, workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
    { log: silentLog, clock: systemClock },
  );
});
afterAll(async () => {
  await engine.close();
  rmSync(modelsDir, { recursive: true, force: true });
});

/** The samples of a 16-bit WAV of ours. */
const wavSamples = (wav: Buffer): Float32Array =>
  Float32Array.from({ length: (wav.length - 44) / 2 }, (_, at) => wav.readInt16LE(44 + 2 * at) / 32_768);

const repeated = (samples: Float32Array, length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => samples[at % samples.length] as number);

const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'OK',
    (error: AppError) => error.code,
  );

describe('voice engine', () => {
  it('turns a recording of speech into quality, a voice and a voice class', async () => {
    const result = await engine.processAudio(speech);
    expect(result.verdict.validity).toBe('AUDIO_OK');
    expect(result.media).toMatchObject({ container: 'wav', channels: 1 });
    expect(result.quality?.netMs).toBeGreaterThan(1000);
    expect(result.voice?.embedding).toHaveLength(80);
    expect(dot(result.voice!.embedding, result.voice!.embedding)).toBeCloseTo(1, 4);
    expect(result.voice?.modelRevision).toBe('tiny-1');
    expect(result.voiceClassScore).toBeGreaterThanOrEqual(0);
    expect(result.voiceClassScore).toBeLessThanOrEqual(100);
    expect(result.spoof).toEqual({});
  });

  it('leaves the bytes of the caller alone and gives the same answer twice', async () => {
    const copy = Uint8Array.from(speech);
    const [first, second] = [await engine.processAudio(speech), await engine.processAudio(speech)];
    expect(Buffer.compare(copy, speech)).toBe(0);
    expect(first.voice).toEqual(second.voice);
  });

  it('takes audio as an iterable of chunks too', async () => {
    async function* chunks() {
      for (let at = 0; at < speech.length; at += 5000) yield speech.subarray(at, at + 5000);
    }
    expect((await engine.processAudio(chunks())).voice).toEqual((await engine.processAudio(speech)).voice);
  });

  it('gives a sample for each checkpoint that the speech reaches, in order, and caps the speech used', async () => {
    const { checkpoints, voice } = await engine.processAudio(speech, {
      checkpointsMs: [1000, 500, 3_600_000],
      maxNetSpeechMs: 1200,
    });
    expect(checkpoints.map((sample) => sample.netMs)).toEqual([500, 1000]);
    expect(voice?.netMs).toBe(1200);
  });

  it('runs the attack checks that are asked for, with their trust', async () => {
    const { spoof } = await engine.processAudio(speech, { spoof: { synthetic: true } });
    expect(spoof.playback).toBeUndefined();
    expect(spoof.synthetic).toMatchObject({ kind: 'synthetic', revision: 'synthetic-tiny-1', alarmLlr: 3 });
    expect(spoof.synthetic!.risk >= 700).toBe(spoof.synthetic!.llr >= 3);
    expect(engine.detectors.playback?.revision).toBe('playback-tiny-1');
  });

  it('says where the audio sounds like an attack, in the time of the recording', async () => {
    const {
      spoof,
      media,
      speech: spoken,
    } = await engine.processAudio(speech, { spoof: { synthetic: true } });
    const { spans = [], alarmLlr = 0 } = spoof.synthetic ?? {};
    expect(spans.length).toBeGreaterThan(0);
    for (const { startMs, endMs, llr } of spans) {
      expect(llr).toBeGreaterThanOrEqual(alarmLlr);
      expect(startMs).toBeGreaterThanOrEqual(0);
      expect(startMs).toBeLessThan(endMs);
      expect(endMs).toBeLessThanOrEqual(media!.durationMs);
    }
    expect(spans[0]!.startMs).toBeGreaterThanOrEqual(Math.max(0, spoken[0]!.startMs - 1100));
  });

  it('measures how familiar the audio is, where the network tells it', async () => {
    const { modelsDir: strictDir } = writeTinyModels({
      unfamiliar: [
        { measure: 'spread', max: 0 },
        { measure: 'distance', max: 0 },
        { measure: 'net_speech_s', min: 0.1 },
      ],
    });
    const strict = await createEngine(
      { modelsDir: strictDir, workers: 1, queueLimit: 8, jobTimeoutMs: 60_000 },
      { log: silentLog, clock: systemClock },
    );
    try {
      const { spoof } = await strict.processAudio(speech, { spoof: { synthetic: true, playback: true } });
      expect(spoof.synthetic).toMatchObject({ unfamiliar: true, reliable: false, reliability: 0 });
      const [spread, distance] = spoof.synthetic!.doubts;
      expect(spoof.synthetic!.doubts.map(({ measure }) => measure)).toEqual(['spread', 'distance']);
      // The votes are the mean and the peak of the magnitude; half their difference is the deviation.
      expect(distance!.value).toBeGreaterThan(spread!.value);
      expect(spoof.synthetic!.experimental).toBe(false);
      expect(spoof.playback!.experimental).toBe(true);
    } finally {
      await strict.close();
      rmSync(strictDir, { recursive: true, force: true });
    }
  });

  it('counts speakers when asked', async () => {
    expect((await engine.processAudio(speech)).quality?.numberOfSpeakers).toBeUndefined();
    expect(
      (await engine.processAudio(speech, { enableSegmentation: true })).quality?.numberOfSpeakers,
    ).toBeGreaterThanOrEqual(1);
  });

  it.each(['silence', 'white-noise', 'tone', 'dtmf', 'hum'] as const)(
    'finds no voice in %s',
    async (kind) => {
      expect(nonSpeechKinds).toContain(kind);
      const { samples, sampleRateHz } = nonSpeech(kind, 1);
      const result = await engine.processAudio(encodeWav(samples, sampleRateHz), {
        spoof: { synthetic: true, playback: true },
        checkpointsMs: [100],
      });
      expect(result.voice).toBeUndefined();
      expect(result.checkpoints).toEqual([]);
      expect(result.spoof).toEqual({});
      expect(result.verdict.validity).not.toBe('AUDIO_OK');
    },
  );

  it('answers unreadable bytes with a verdict, not an error', async () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(5000).fill(7), speech.subarray(0, 30)]) {
      const result = await engine.processAudio(bytes);
      expect(result.verdict.validity).toBe('INVALID_AUDIO');
      expect(result.voice).toBeUndefined();
    }
  });

  it('embeds very short speech without a NaN', async () => {
    const { samples, sampleRateHz } = nonSpeech('organ', 2);
    for (const length of [400, 800, 3000]) {
      const { voice } = await engine.processAudio(encodeWav(samples.subarray(0, length), sampleRateHz), {
        treatAllAsSpeech: true,
      });
      expect(voice?.embedding.every(Number.isFinite)).toBe(true);
    }
  });

  it('honors cancellation and deadlines', async () => {
    expect(await code(engine.processAudio(speech, {}, AbortSignal.abort()))).toBe('CANCELLED_CLIENT');
    expect(await code(engine.processAudio(speech, { deadlineAtMs: Date.now() - 1 }))).toBe(
      'DEADLINE_EXCEEDED',
    );
  });

  it('answers BUSY beyond its queue', async () => {
    const results = await Promise.all(Array.from({ length: 14 }, () => code(engine.processAudio(speech))));
    expect(results.filter((result) => result === 'OK').length).toBeGreaterThanOrEqual(9);
    expect(results).toContain('BUSY');
    expect(engine.stats()).toMatchObject({ busy: 0, queued: 0, queueLimit: 8 });
    expect(engine.healthy()).toBe(true);
  });
});

describe('a long recording', () => {
  it(
    'lets a short one of another client go first, and its result is what it would be alone',
    { tags: 'slow' },
    async () => {
      const long = encodeWav(repeated(wavSamples(speech), 600 * 16_000), 16_000);
      const alone = await engine.processAudio(long, { client: 'long' });
      const inTurns = engine.processAudio(long, { client: 'long' });
      const short = engine.processAudio(speech, { client: 'short' });
      expect(await Promise.race([inTurns.then(() => 'long'), short.then(() => 'short')])).toBe('short');
      expect({ ...(await inTurns), timingsMs: {} }).toEqual({ ...alone, timingsMs: {} });
      expect(engine.stats()).toMatchObject({ suspended: 0, heldBytes: 0 });
    },
  );
});

describe('models that cannot be used', () => {
  const createFrom = (folder: string): Promise<unknown> =>
    createEngine(
      { modelsDir: folder, workers: 1, queueLimit: 1, jobTimeoutMs: 60_000 },
      { log: silentLog, clock: systemClock },
    );
  const copies: string[] = [];
  afterAll(() => copies.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const copy = (): string => {
    const own = writeTinyModels().modelsDir;
    copies.push(own);
    return own;
  };

  it.each(['speaker', 'synthetic', 'playback'] as const)(
    'does not open with a changed, or without a, %s network',
    async (kind) => {
      const folder = copy();
      const file = join(folder, `${kind}-tiny-1`, 'model.onnx');
      appendFileSync(file, 'x');
      await expect(createFrom(folder)).rejects.toThrow(/model\.onnx: its SHA-256 is not/);
      rmSync(file);
      await expect(createFrom(folder)).rejects.toThrow(/model\.onnx: cannot be read/);
    },
  );

  it('does not open with a changed speech detector', async () => {
    const folder = copy();
    const vad = defaultModel(bundledModelsDir(), 'vad')!;
    cpSync(join(bundledModelsDir(), vad), join(folder, vad), { recursive: true });
    appendFileSync(join(folder, vad, 'weights.bin'), 'x');
    await expect(createFrom(folder)).rejects.toThrow(/weights\.bin: its SHA-256 is not/);
  });

  it('opens without loading a network into memory', async () => {
    const idle = (await createFrom(copy())) as VoiceEngine;
    expect(idle.stats()).toMatchObject({ workers: 1, loaded: 0 });
    expect(idle.healthy()).toBe(true);
    await idle.close();
    expect(idle.healthy()).toBe(false);
  });
});

describe('audio in steps', () => {
  const checkpointsMs = [1000, 2000, 3000];

  it('asks at each checkpoint, and in the end answers as without asking', async () => {
    const asked: CheckpointReached[] = [];
    const result = await engine.processAudio(speech, { checkpointsMs }, undefined, async (point) => {
      asked.push(point);
      return false;
    });
    expect(asked.map((point) => [point.checkpointMs, point.voice.netMs])).toEqual([
      [1000, 1000],
      [2000, 2000],
      [3000, 3000],
    ]);
    const whole = await engine.processAudio(speech, { checkpointsMs });
    expect({ ...result, timingsMs: {} }).toEqual({ ...whole, timingsMs: {} });
    expect(asked.map((point) => point.voice)).toEqual(whole.checkpoints);
    expect(result.stoppedAtMs).toBeUndefined();
  });

  it('stops where it is told to, with what is known by then', async () => {
    const result = await engine.processAudio(speech, { checkpointsMs }, undefined, async (point) => {
      return point.checkpointMs === 2000;
    });
    const whole = await engine.processAudio(speech, { checkpointsMs });
    expect(result.voice).toEqual(whole.checkpoints[1]);
    expect(result.checkpoints).toEqual(whole.checkpoints.slice(0, 2));
    expect(result.stoppedAtMs).toBeGreaterThan(2000);
    expect(result.stoppedAtMs).toBeLessThan(whole.quality?.grossMs ?? 0);
    // The header tells how long the recording is, although most of it was never decoded.
    expect(result.media).toEqual(whole.media);
    expect(result.windows.reduce((sum, window) => sum + window.netMs, 0)).toBe(2000);
  });

  it('reads no more of a file than it listens to, and answers as if it had', async () => {
    const long = await speechWav('anna', [1, 2, 3, 4, 5, 1, 2]);
    const stopAt = (mark: number) => async (point: CheckpointReached) => point.checkpointMs === mark;
    const ask = async (mark: number) => {
      let read = 0;
      let isClosed = false;
      async function* pieces() {
        try {
          for (; read < long.length; read += 64 * 1024) yield long.subarray(read, read + 64 * 1024);
        } finally {
          isClosed = true;
        }
      }
      const options = { checkpointsMs, totalBytes: long.length };
      const result = await engine.processAudio(pieces(), options, undefined, stopAt(mark));
      const same = await engine.processAudio(long, { checkpointsMs }, undefined, stopAt(mark));
      expect({ ...result, timingsMs: {} }).toEqual({ ...same, timingsMs: {} });
      expect(isClosed).toBe(true);
      return read;
    };
    expect(await ask(1000)).toBeLessThan(long.length / 2);
    expect(await ask(0)).toBeGreaterThanOrEqual(long.length);
  });

  it('refuses a file that ends before it should', async () => {
    async function* cut() {
      yield speech.subarray(0, 50_000);
    }
    const options = { checkpointsMs: [9000], totalBytes: speech.length };
    await expect(engine.processAudio(cut(), options, undefined, async () => false)).rejects.toThrow(
      'shorter than was said',
    );
    await expect.poll(() => engine.stats()).toMatchObject({ busy: 0, queued: 0 });
  });

  it('frees the worker while somebody decides, and forgets the audio when that fails', async () => {
    const failing = engine.processAudio(speech, { checkpointsMs }, undefined, async () => {
      expect((await engine.processAudio(speech)).verdict.validity).toBe('AUDIO_OK');
      throw new Error('no decision');
    });
    await expect(failing).rejects.toThrow('no decision');
    await expect.poll(() => engine.stats()).toMatchObject({ busy: 0, queued: 0 });
  });

  it('embeds no speech twice at the usual checkpoints', async () => {
    const { windows, voice } = await engine.processAudio(speech);
    expect(windows.map((window) => window.netMs).slice(0, 2)).toEqual([3000, 3000]);
    expect(windows.reduce((sum, window) => sum + window.netMs, 0)).toBe(voice?.netMs);
    for (const [i, window] of windows.entries())
      expect(window.startMs).toBeGreaterThanOrEqual(windows[i - 1]?.endMs ?? 0);
  });
});

/** Three minutes on a telephone: speech, pauses while the other side talks, and hum that is not quite speech. */
async function longCall(): Promise<Uint8Array> {
  const spoken = [
    await callSamples('anna', [1, 2, 3], 8000),
    await callSamples('bruno', [4], 8000),
    await callSamples('anna', [5], 8000),
  ];
  const parts: number[] = [];
  let at = 0;
  for (let seconds = 0; seconds < 180; seconds = parts.length / 8000) {
    for (const value of spoken[at % spoken.length] as Int16Array) parts.push(value);
    const pause = 8000 * [0.3, 2, 45, 0.8][at++ % 4]!;
    for (let i = 0; i < pause; i++) parts.push(Math.round(60 * Math.sin(i * i * 1e-5)));
  }
  return new Uint8Array(linear16(Int16Array.from(parts)));
}

describe('streamed audio', () => {
  const format = { encoding: 's16le', sampleRateHz: speech.readUInt32LE(24), channels: 1 } as const;
  const body = speech.subarray(44);

  it('keeps the worker of an open stream, and lets it go when the stream ends', async () => {
    const own = await createEngine(
      { modelsDir, workers: 1, queueLimit: 8, jobTimeoutMs: 60_000, idleMs: 50 },
      { log: silentLog, clock: systemClock },
    );
    const stream = await own.openStream({ format, checkpointsMs: [500] });
    await stream.push(body.subarray(0, 20_000));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await stream.push(body.subarray(20_000));
    expect((await stream.finish()).verdict.validity).toBe('AUDIO_OK');
    await expect.poll(() => own.stats().loaded).toBe(0);
    await own.close();
  });

  it.each([320, 7777, 64_000])(
    'in pieces of %i bytes reports checkpoints and ends, bit by bit, with the answer of the file',
    async (size) => {
      const options = { checkpointsMs: [500, 1000, 3000] };
      const stream = await engine.openStream({ format, ...options });
      const reached: CheckpointReached[] = [];
      for (let at = 0; at < body.length; at += size)
        reached.push(...(await stream.push(body.subarray(at, at + size))).checkpoints);
      const result = await stream.finish();
      const file = await engine.processAudio(speech, options);
      expect(reached.map((point) => point.voice)).toEqual(file.checkpoints);
      for (const part of ['voice', 'windows', 'quality', 'speech', 'verdict', 'checkpoints'] as const)
        expect(result[part]).toEqual(file[part]);
      expect(engine.stats().streams).toBe(0);
    },
  );

  it('of a long call keeps less than 2 MB, and the answer is still that of the file', async () => {
    const call = await longCall();
    const samples = { encoding: 's16le', sampleRateHz: 8000, channels: 1 } as const;
    const options = {
      checkpointsMs: [3000, 6000, 10_000, 20_000, 30_000, 40_000],
      spoof: { synthetic: true, playback: true },
    };
    const stream = await engine.openStream({ format: samples, ...options });
    const reached: CheckpointReached[] = [];
    let held = 0;
    let spareMs = 0;
    for (let at = 0, size = 0; at < call.length; at += size) {
      size = 2000 + ((7919 * at) % 6000);
      const progress = await stream.push(call.subarray(at, at + size));
      reached.push(...progress.checkpoints);
      // 16 bytes a millisecond: whoever waits for as long as the engine says misses nothing.
      if (progress.checkpoints.length > 0) expect(spareMs).toBeLessThanOrEqual(size / 16);
      ({ spareMs } = progress);
      held = Math.max(held, progress.heldBytes);
    }
    const result = await stream.finish();
    const file = await engine.processAudio(call, { raw: samples, ...options });
    expect(reached.map((point) => point.checkpointMs)).toEqual(options.checkpointsMs);
    expect(reached.map((point) => point.voice)).toEqual(file.checkpoints);
    for (const part of ['voice', 'windows', 'quality', 'speech', 'verdict', 'checkpoints'] as const)
      expect(result[part]).toEqual(file[part]);
    // Only a stream can go on at another node, which has to know the first and the last windows.
    const scores = Object.entries(result.spoof ?? {}).map(([kind, { spoken, ...score }]) => {
      expect(spoken?.last ?? []).toHaveLength(kind === 'synthetic' ? 2 : 0);
      return [kind, score];
    });
    expect(Object.fromEntries(scores)).toEqual(file.spoof);
    expect(held).toBeLessThan(2_000_000);
  });

  it('takes one channel of two, in G.711', async () => {
    const both = Uint8Array.from({ length: 32_000 }, (_, i) => (i % 2 === 0 ? 0xff : 0x80 + (i % 64)));
    const stream = await engine.openStream({
      format: { encoding: 'mulaw', sampleRateHz: 8000, channels: 2 },
      channel: 1,
    });
    await stream.push(both);
    expect((await stream.finish()).quality).toMatchObject({ grossMs: 2000, peakDbfs: -120 });
  });

  it('forgets a canceled stream', async () => {
    const stream = await engine.openStream({ format });
    await stream.push(body.subarray(0, 10_000));
    stream.cancel();
    expect(await code(stream.finish())).toBe('INTERNAL_ERROR');
    expect(engine.stats().streams).toBe(0);
  });
});
