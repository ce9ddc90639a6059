/** Sounds made by code for the tests: everything a line carries that is not speech. All are deterministic for a seed. */

export type Rng = () => number;

export function createRng(seed: number): Rng {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const gauss = (rng: Rng): number => Math.sqrt(-2 * Math.log(rng() + 1e-12)) * Math.cos(2 * Math.PI * rng());

function make(seconds: number, rateHz: number, f: (t: number, i: number) => number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rateHz) }, (_, i) => f(i / rateHz, i));
}

export function scaleTo(x: Float32Array, peak: number): Float32Array {
  let max = 1e-9;
  for (const v of x) max = Math.max(max, Math.abs(v));
  return x.map((v) => (v / max) * peak);
}

export const silence = (seconds: number, rateHz = 16000): Float32Array =>
  new Float32Array(Math.round(seconds * rateHz));

export const tone = (hz: number, seconds: number, rateHz = 16000, level = 0.5): Float32Array =>
  make(seconds, rateHz, (t) => level * Math.sin(2 * Math.PI * hz * t));

export const whiteNoise = (seconds: number, rng: Rng, rateHz = 16000, level = 0.1): Float32Array =>
  make(seconds, rateHz, () => level * gauss(rng));

export function pinkNoise(seconds: number, rng: Rng, rateHz = 16000, level = 0.1): Float32Array {
  const poles = [0.99, 0.95, 0.8, 0.4];
  const state = poles.map(() => 0);
  return scaleTo(
    make(seconds, rateHz, () => {
      const w = gauss(rng);
      poles.forEach((p, i) => (state[i] = p * (state[i] ?? 0) + (1 - p) * w * (i + 1)));
      return state.reduce((a, b) => a + b, 0);
    }),
    level * 3,
  );
}

/** Noise with the rhythm of syllables. */
export function babbleLikeNoise(seconds: number, rng: Rng, rateHz = 16000): Float32Array {
  const x = pinkNoise(seconds, rng, rateHz, 0.2);
  const rates = [2 + 3 * rng(), 3 + 4 * rng()];
  return x.map(
    (v, i) =>
      v *
      (0.5 + 0.5 * Math.sin((2 * Math.PI * rates[0]! * i) / rateHz)) *
      (0.6 + 0.4 * Math.sin((2 * Math.PI * rates[1]! * i) / rateHz)),
  );
}

export function dtmf(seconds: number, rng: Rng, rateHz = 16000): Float32Array {
  const rows = [697, 770, 852, 941];
  const columns = [1209, 1336, 1477];
  let a = 697;
  let b = 1209;
  return make(seconds, rateHz, (t, i) => {
    if (i % Math.round(0.2 * rateHz) === 0) {
      a = rows[Math.floor(rng() * 4)]!;
      b = columns[Math.floor(rng() * 3)]!;
    }
    return t % 0.2 < 0.12 ? 0.3 * (Math.sin(2 * Math.PI * a * t) + Math.sin(2 * Math.PI * b * t)) : 0;
  });
}

export const ringTone = (seconds: number, rateHz = 16000): Float32Array =>
  make(seconds, rateHz, (t) =>
    t % 3 < 1 ? 0.3 * (Math.sin(2 * Math.PI * 440 * t) + Math.sin(2 * Math.PI * 480 * t)) : 0,
  );

export const siren = (seconds: number, rateHz = 16000): Float32Array =>
  make(
    seconds,
    rateHz,
    (t) =>
      0.4 * Math.sin(2 * Math.PI * (800 * t + (300 / (2 * Math.PI * 0.5)) * Math.sin(2 * Math.PI * 0.5 * t))),
  );

/** Plucked and held notes of a scale, with a bass and a beat. */
export function music(seconds: number, rng: Rng, rateHz = 16000): Float32Array {
  const out = new Float32Array(Math.round(seconds * rateHz));
  const scale = [0, 2, 4, 5, 7, 9, 11, 12];
  const root = 110 * 2 ** Math.floor(rng() * 2);
  const beat = 0.2 + 0.4 * rng();
  const held = rng() < 0.5;
  for (let at = 0; at < seconds; at += beat) {
    for (const octave of [0.5, 1, 2]) {
      const hz = root * octave * 2 ** (scale[Math.floor(rng() * scale.length)]! / 12);
      const start = Math.round(at * rateHz);
      const length = Math.min(out.length - start, Math.round(beat * (octave === 0.5 ? 2 : 1) * rateHz));
      for (let i = 0; i < length; i++) {
        const t = i / rateHz;
        const envelope = held
          ? Math.min(1, t / 0.03) * Math.min(1, (length / rateHz - t) / 0.05)
          : Math.exp(-t / 0.25);
        let v = 0;
        for (let h = 1; h <= 6; h++) v += Math.sin(2 * Math.PI * hz * h * t) / h;
        out[start + i] = (out[start + i] ?? 0) + 0.12 * envelope * v;
      }
    }
    const hit = Math.round(at * rateHz);
    for (let i = 0; i < 0.06 * rateHz && hit + i < out.length; i++)
      out[hit + i] = (out[hit + i] ?? 0) + 0.15 * gauss(rng) * Math.exp(-i / (0.015 * rateHz));
  }
  return scaleTo(out, 0.6);
}

/** One of the sounds above, chosen and varied by the seed. */
export function nonSpeech(
  seed: number,
  seconds: number,
  rateHz = 16000,
): { name: string; samples: Float32Array } {
  const rng = createRng(seed);
  const kinds: [string, () => Float32Array][] = [
    ['silence', () => silence(seconds, rateHz)],
    ['hum', () => tone(50 + 10 * Math.floor(rng() * 2), seconds, rateHz, 0.2)],
    ['tone', () => tone(200 + 3000 * rng(), seconds, rateHz, 0.05 + 0.9 * rng())],
    ['white noise', () => whiteNoise(seconds, rng, rateHz, 0.001 + 0.2 * rng())],
    ['pink noise', () => pinkNoise(seconds, rng, rateHz, 0.01 + 0.2 * rng())],
    ['modulated noise', () => babbleLikeNoise(seconds, rng, rateHz)],
    ['dtmf', () => dtmf(seconds, rng, rateHz)],
    ['ring tone', () => ringTone(seconds, rateHz)],
    ['siren', () => siren(seconds, rateHz)],
    ['music', () => music(seconds, rng, rateHz)],
    ['music again', () => music(seconds, rng, rateHz)],
  ];
  const [name, create] = kinds[seed % kinds.length]!;
  return { name, samples: create() };
}

/** A 16-bit WAV file of one or more channels. */
export function wavFile(channels: readonly Float32Array[], rateHz: number): Uint8Array {
  const frames = channels[0]?.length ?? 0;
  const data = Buffer.alloc(44 + frames * channels.length * 2);
  data.write('RIFF', 0);
  data.writeUInt32LE(data.length - 8, 4);
  data.write('WAVEfmt ', 8);
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(channels.length, 22);
  data.writeUInt32LE(rateHz, 24);
  data.writeUInt32LE(rateHz * channels.length * 2, 28);
  data.writeUInt16LE(channels.length * 2, 32);
  data.writeUInt16LE(16, 34);
  data.write('data', 36);
  data.writeUInt32LE(frames * channels.length * 2, 40);
  const view = new DataView(data.buffer, data.byteOffset + 44);
  for (const [k, channel] of channels.entries())
    for (let i = 0; i < frames; i++) {
      const sample = Math.max(-32768, Math.min(32767, Math.round((channel[i] ?? 0) * 32767)));
      view.setInt16((i * channels.length + k) * 2, sample, true);
    }
  return data;
}
