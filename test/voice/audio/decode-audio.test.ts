// Every container and encoding decodes to the same speech; broken and hostile files are values with a reason.
import { describe, expect, it } from 'vitest';
import { ArrivingBytes } from '../../../src/voice/audio/arriving-bytes.js';
import { AudioReader, isReadWhileArriving } from '../../../src/voice/audio/audio-reader.js';
import { decodeAudio } from '../../../src/voice/audio/decode-audio.js';
import type { DecodedAudio, DecodeOptions } from '../../../src/voice/audio/types.js';
import { resample } from '../../../src/voice/resample.js';
import { formatFile, formatNames } from '../../support/fixtures.js';
import { tone, wavFile } from '../../support/sounds.js';

async function decode(bytes: Uint8Array, options?: DecodeOptions): Promise<DecodedAudio> {
  const result = await decodeAudio(bytes, options);
  if (!result.ok) throw new Error(`${result.code}: ${result.reason}`);
  return result;
}

function rawOptions(name: string): DecodeOptions {
  if (!name.endsWith('.raw')) return {};
  const encoding = name.startsWith('alaw') ? 'alaw' : name.startsWith('mulaw') ? 'mulaw' : 's16le';
  return { raw: { encoding, sampleRateHz: 8000, channels: 1 } };
}

/** Largest normalized correlation within a few milliseconds of shift: codecs delay a little. */
function likeness(a: Float32Array, b: Float32Array): number {
  let best = 0;
  for (let shift = -120; shift <= 120; shift++) {
    let ab = 0, aa = 0, bb = 0; // prettier-ignore
    for (let i = 200; i < Math.min(a.length, b.length) - 200; i++) {
      const x = a[i] ?? 0;
      const y = b[i + shift] ?? 0;
      ab += x * y;
      aa += x * x;
      bb += y * y;
    }
    best = Math.max(best, ab / Math.sqrt(aa * bb + 1e-9));
  }
  return best;
}

const monoNames = formatNames().filter((name) => !name.includes('stereo'));
const stereoNames = formatNames().filter((name) => name.includes('stereo'));

describe('decodeAudio', () => {
  it.each(monoNames)('decodes %s to the same speech', async (name) => {
    const reference = await decode(formatFile('s16-8k.raw'), rawOptions('s16-8k.raw'));
    const audio = await decode(formatFile(name), rawOptions(name));
    expect(audio.channels).toBe(1);
    expect(audio.selectedChannel).toBeUndefined();
    expect(Math.abs(audio.durationMs - 2000)).toBeLessThan(60);
    expect(likeness(reference.samples, resample(audio.samples, audio.sampleRateHz, 8000))).toBeGreaterThan(
      0.97,
    );
  });

  it.each(stereoNames)('selects left, right and both of %s', async (name) => {
    const left = await decode(formatFile(name), { channel: 1 });
    const right = await decode(formatFile(name), { channel: 2 });
    const both = await decode(formatFile(name), { channel: 0 });
    expect([left.channels, left.selectedChannel, right.selectedChannel, both.selectedChannel]).toEqual([
      2, 1, 2, 0,
    ]);
    expect(both.samples.length).toBe(left.samples.length);
    const half = left.samples.map((v, i) => (v + (right.samples[i] ?? 0)) / 2);
    expect(Math.max(...half.map((v, i) => Math.abs(v - (both.samples[i] ?? 0))))).toBeLessThan(1e-5);
    const reference = await decode(formatFile('stereo-8k.wav'), { channel: 1 });
    const at8 = resample(left.samples, left.sampleRateHz, 8000);
    expect(likeness(reference.samples, at8)).toBeGreaterThan(0.97);
    expect(likeness(resample(right.samples, right.sampleRateHz, 8000), at8)).toBeLessThan(0.5);
  });

  it('knows a channel that is there several times, and takes no two for one', async () => {
    const sound = tone(440, 2, 16_000);
    const late = sound.map((v, i) => (i === sound.length - 1 ? v + 0.01 : v));
    const same = wavFile([sound, sound], 16_000);
    expect((await decode(same)).isOneSound).toBe(true);
    expect((await decode(wavFile([sound, sound, sound], 16_000))).isOneSound).toBe(true);
    for (const other of [wavFile([sound, late], 16_000), wavFile([sound, sound, late], 16_000)])
      expect((await decode(other)).isOneSound).toBeUndefined();
    // Of one channel it is not known what is on the others, and one alone is nothing else.
    expect((await decode(same, { channel: 1 })).isOneSound).toBeUndefined();
    expect((await decode(wavFile([sound], 16_000))).isOneSound).toBeUndefined();
    for (const name of stereoNames) expect((await decode(formatFile(name))).isOneSound, name).toBeUndefined();
  });

  it('recognizes a container by its content', async () => {
    const kinds = await Promise.all(
      ['mono-16k.flac', 'mono-16k.mp3', 'mono-16k.opus', 'mono-16k.ogg', 'opus-mono.webm', 'alaw-8k.wav'].map(
        (n) => decode(formatFile(n)),
      ),
    );
    expect(kinds.map((k) => `${k.container}/${k.codec}`)).toEqual([
      'flac/flac',
      'mp3/mp3',
      'ogg/opus',
      'ogg/vorbis',
      'webm/opus',
      'wav/alaw',
    ]);
  });

  it('reads FLAC bit by bit as the WAV it came from', async () => {
    const flac = await decode(formatFile('mono-16k.flac'));
    const wav = await decode(formatFile('pcm-s16-16k.wav'));
    expect(flac.samples).toEqual(wav.samples);
  });

  it('reports damage inside a file without losing the rest', async () => {
    const bytes = Uint8Array.from(formatFile('mono-16k.flac'));
    bytes.fill(0x55, 20000, 20040);
    const audio = await decode(bytes);
    expect(audio.warnings.join()).toContain('damaged');
    expect(audio.truncated).toBe(true);
    expect(audio.durationMs).toBeGreaterThan(1000);
  });
});

describe('WAV oddities', () => {
  const wav = (): Buffer => Buffer.from(wavFile([tone(300, 1, 8000)], 8000));

  it.each([0, 0xffffffff, 0x7ffff000])(
    'takes the rest of the file when the data size says %d',
    async (size) => {
      const bytes = wav();
      bytes.writeUInt32LE(size, 40);
      expect((await decode(bytes)).samples.length).toBe(8000);
    },
  );

  it('skips unknown chunks, with padding after odd sizes', async () => {
    const bytes = wav();
    const odd = Buffer.concat([Buffer.from('junk'), Buffer.from([3, 0, 0, 0]), Buffer.from('abc\0')]);
    const audio = await decode(
      Buffer.concat([bytes.subarray(0, 12), odd, bytes.subarray(12, 36), odd, bytes.subarray(36)]),
    );
    expect(audio.samples.length).toBe(8000);
    expect(audio.truncated).toBe(false);
  });

  it('keeps what is there of a truncated file and says so', async () => {
    const audio = await decode(wav().subarray(0, 44 + 8001));
    expect(audio.samples.length).toBe(4000);
    expect(audio.truncated).toBe(true);
  });

  it('reads a format block that comes after the data', async () => {
    const bytes = wav();
    const audio = await decode(
      Buffer.concat([bytes.subarray(0, 12), bytes.subarray(36), bytes.subarray(12, 36)]),
    );
    expect(audio.samples.length).toBe(8000);
  });

  it('sets samples that are not numbers to zero', async () => {
    const bytes = Buffer.from(formatFile('pcm-f32-8k.wav'));
    const at = bytes.indexOf('data') + 8;
    bytes.writeFloatLE(NaN, at);
    bytes.writeFloatLE(Infinity, at + 4);
    bytes.writeFloatLE(-1e30, at + 8);
    const audio = await decode(bytes);
    expect([...audio.samples.subarray(0, 3)]).toEqual([0, 1, -1]);
    expect(audio.warnings.join()).toContain('not numbers');
  });
});

describe('a file that is still arriving', () => {
  const names = formatNames().filter((name) => isReadWhileArriving(formatFile(name), rawOptions(name)));

  /** As a worker gets it: a piece whenever the decoder cannot go on. */
  async function inPieces(whole: Uint8Array, options: DecodeOptions, pieceBytes: number) {
    const file = ArrivingBytes.from(whole.slice(0, pieceBytes), whole.length);
    const reader = AudioReader.open(file, options);
    if (!(reader instanceof AudioReader)) throw new Error(reader.reason);
    const samples: number[] = [];
    let here = pieceBytes;
    while (!reader.ended) {
      samples.push(...(await reader.next()));
      if (!reader.waitsForBytes) continue;
      expect(here).toBeLessThan(whole.length);
      file.add(whole.slice(here, (here += pieceBytes)));
    }
    return { ...reader.facts(), samples: Float32Array.from(samples) };
  }

  it.each(names.flatMap((name) => [997, 40_000].map((bytes) => [name, bytes] as const)))(
    'is the same in the end: %s in pieces of %i bytes',
    async (name, pieceBytes) => {
      const options = rawOptions(name);
      const whole = formatFile(name);
      expect(await inPieces(whole, options, pieceBytes)).toEqual(await decode(whole, options));
    },
  );

  it('is heard before its end is there', async () => {
    const whole = wavFile([tone(440, 60)], 16_000);
    const reader = AudioReader.open(ArrivingBytes.from(whole.slice(0, 100_000), whole.length));
    if (!(reader instanceof AudioReader)) throw new Error(reader.reason);
    let heard = 0;
    while (!reader.waitsForBytes) heard += (await reader.next()).length;
    expect(heard).toBeGreaterThan(2 * 16_000);
    expect(reader.facts()).toMatchObject({ ok: true, durationMs: 60_000, durationKnown: true });
  });

  it('is only what can be read from front to back', () => {
    expect(names.every((name) => /\.(raw|wav)$/.test(name))).toBe(true);
    expect(names.length).toBeGreaterThan(5);
  });
});

describe('unusable audio', () => {
  const rate = (hz: number): Uint8Array => {
    const bytes = Buffer.from(wavFile([tone(300, 0.5, 8000)], 8000));
    bytes.writeUInt32LE(hz, 24);
    return bytes;
  };
  const cases: [string, () => Uint8Array, DecodeOptions, string][] = [
    ['nothing', () => new Uint8Array(), {}, 'EMPTY'],
    ['too many bytes', () => new Uint8Array(2000), { limits: { maxBytes: 1000 } }, 'TOO_LARGE'],
    [
      'text',
      () => Buffer.from('hello, this is not audio at all, but it is long enough'),
      {},
      'UNSUPPORTED_FORMAT',
    ],
    ['a rate of 5999 Hz', () => rate(5999), {}, 'UNSUPPORTED_RATE'],
    ['a rate of 192001 Hz', () => rate(192_001), {}, 'UNSUPPORTED_RATE'],
    ['channel 3 of stereo audio', () => formatFile('stereo-8k.wav'), { channel: 3 }, 'NO_SUCH_CHANNEL'],
    ['a negative channel', () => rate(8000), { channel: -1 }, 'NO_SUCH_CHANNEL'],
    [
      'audio beyond the length limit',
      () => formatFile('mono-16k.mp3'),
      { limits: { maxDurationMs: 500 } },
      'TOO_LONG',
    ],
    [
      'Opus beyond the length limit',
      () => formatFile('mono-16k.opus'),
      { limits: { maxDurationMs: 500 } },
      'TOO_LONG',
    ],
    ['a WAV of zero channels', () => Buffer.from(rate(8000)).fill(0, 22, 24), {}, 'CORRUPT'],
    ['a WAV without data', () => rate(8000).subarray(0, 36), {}, 'NO_AUDIO'],
    [
      'raw audio of an impossible rate',
      () => new Uint8Array(100),
      { raw: { encoding: 'alaw', sampleRateHz: 1, channels: 1 } },
      'UNSUPPORTED_RATE',
    ],
    [
      'raw audio of no channels',
      () => new Uint8Array(100),
      { raw: { encoding: 'alaw', sampleRateHz: 8000, channels: 0 } },
      'UNSUPPORTED_FORMAT',
    ],
  ];
  it.each(cases)('refuses %s', async (_name, bytes, options, code) => {
    const result = await decodeAudio(bytes(), options);
    expect(result).toMatchObject({ ok: false, code });
    if (!result.ok) expect(result.reason.length).toBeGreaterThan(10);
  });

  it.each<[string, () => Uint8Array, DecodeOptions, object]>([
    [
      'too low a rate',
      () => rate(5000),
      {},
      { measure: 'sampling_rate_hz', value: 5000, min: 6000, max: 192_000 },
    ],
    [
      'too many bytes',
      () => new Uint8Array(2000),
      { limits: { maxBytes: 1000 } },
      { measure: 'bytes', value: 2000, max: 1000 },
    ],
    [
      'too many channels',
      () => Buffer.from(rate(8000)).fill(9, 22, 23),
      {},
      { measure: 'channels', value: 9, min: 1, max: 8 },
    ],
  ])('names the limit that %s exceed', async (_name, bytes, options, exceeded) => {
    expect(await decodeAudio(bytes(), options)).toMatchObject({ ok: false, exceeded });
  });

  it('knows how long a file is that is too long', async () => {
    const wav = wavFile([tone(300, 2, 8000)], 8000);
    expect(await decodeAudio(wav, { limits: { maxDurationMs: 500 } })).toMatchObject({
      ok: false,
      exceeded: { measure: 'duration_s', value: 2, max: 0.5 },
      media: { durationMs: 2000, durationKnown: true, sampleRateHz: 8000, channels: 1 },
    });
  });

  it('refuses a FLAC that states more audio than allowed before it decodes any', async () => {
    const bytes = Uint8Array.from(formatFile('mono-16k.flac'));
    bytes[21] = (bytes[21] ?? 0) | 0x0f;
    expect(await decodeAudio(bytes)).toMatchObject({ ok: false, code: 'TOO_LONG' });
  });

  it('ends on every truncation of every format', { tags: 'slow' }, async () => {
    for (const name of formatNames()) {
      const bytes = formatFile(name);
      for (let part = 1; part < 12; part++) {
        const result = await decodeAudio(
          bytes.subarray(0, Math.floor((bytes.length * part) / 12)),
          rawOptions(name),
        );
        if (result.ok) expect(result.samples.length).toBeGreaterThan(0);
      }
    }
  });
});
