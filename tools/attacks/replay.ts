// Simulates playing back a recording: through a small loudspeaker, into a room, to another microphone.
// Loudspeakers and rooms are drawn at random from simple models; real ones differ.
import { Fourier } from './fourier.js';

const RATE_HZ = 16_000;

/** Each call draws a new loudspeaker, room and distance. */
export function replay(samples: Float32Array, random: () => number): Float32Array {
  const played = loudspeaker(samples, random);
  const heard = convolve(played, roomResponse(random));
  return withNoise(heard, 25 + 10 * random(), random);
}

/** A narrow band with two resonances, and a cone that cannot move as far as it should. */
function loudspeaker(samples: Float32Array, random: () => number): Float32Array {
  let out = filtered(samples, highPass(250 + 350 * random()));
  out = filtered(out, lowPass(4500 + 2500 * random()));
  for (let i = 0; i < 2; i++) out = filtered(out, peak(600 + 2400 * random(), 2 + 6 * random()));
  const loudest = out.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9);
  const drive = 1 + 1.5 * random();
  return out.map((value) => (loudest * Math.tanh((drive * value) / loudest)) / Math.tanh(drive));
}

/** Direct sound, a few early echoes, and a decaying tail of noise. */
function roomResponse(random: () => number): Float32Array {
  const decayS = 0.2 + 0.4 * random();
  const response = new Float32Array(Math.round(0.8 * decayS * RATE_HZ));
  // The tail has between half and all of the energy of the direct sound.
  const tail = Math.sqrt((0.5 + 0.5 * random()) / (0.5 * (decayS / 6.9) * RATE_HZ));
  for (let i = 1; i < response.length; i++)
    response[i] = tail * Math.exp((-6.9 * i) / (decayS * RATE_HZ)) * (2 * random() - 1) * Math.sqrt(3);
  for (let echo = 0; echo < 6; echo++) {
    const at = Math.round((0.002 + 0.025 * random()) * RATE_HZ);
    response[at] = (response[at] ?? 0) + (0.15 + 0.35 * random()) * (random() < 0.5 ? -1 : 1);
  }
  response[0] = 1;
  return response;
}

/** Adds white noise at this signal-to-noise ratio. */
export function withNoise(samples: Float32Array, snrDb: number, random: () => number): Float32Array {
  const power = samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length);
  const level = Math.sqrt(3 * power * 10 ** (-snrDb / 10));
  return samples.map((value) => value + level * (2 * random() - 1));
}

/** As long as the signal: the decay after its end is cut off. */
function convolve(samples: Float32Array, response: Float32Array): Float32Array {
  const size = 2 ** Math.ceil(Math.log2(samples.length + response.length));
  const fourier = new Fourier(size);
  const spectrum = (values: Float32Array) => {
    const [re, im] = [new Float64Array(size), new Float64Array(size)];
    re.set(values);
    fourier.transform(re, im, -1);
    return { re, im };
  };
  const [a, b] = [spectrum(samples), spectrum(response)];
  for (let i = 0; i < size; i++) {
    const [x, y, u, v] = [a.re[i] as number, a.im[i] as number, b.re[i] as number, b.im[i] as number];
    a.re[i] = x * u - y * v;
    a.im[i] = x * v + y * u;
  }
  fourier.transform(a.re, a.im, 1);
  return Float32Array.from({ length: samples.length }, (_, i) => (a.re[i] as number) / size);
}

/** Second-order sections as in the audio equalizer cookbook. */
interface Section {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

function section(b: [number, number, number], [a0, a1, a2]: [number, number, number]): Section {
  return { b: [b[0] / a0, b[1] / a0, b[2] / a0], a: [a1 / a0, a2 / a0] };
}

const Q = Math.SQRT1_2;

function highPass(hz: number): Section {
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const [c, alpha] = [Math.cos(w), Math.sin(w) / (2 * Q)];
  return section([(1 + c) / 2, -(1 + c), (1 + c) / 2], [1 + alpha, -2 * c, 1 - alpha]);
}

function lowPass(hz: number): Section {
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const [c, alpha] = [Math.cos(w), Math.sin(w) / (2 * Q)];
  return section([(1 - c) / 2, 1 - c, (1 - c) / 2], [1 + alpha, -2 * c, 1 - alpha]);
}

function peak(hz: number, gainDb: number): Section {
  const w = (2 * Math.PI * hz) / RATE_HZ;
  const gain = 10 ** (gainDb / 40);
  const [c, alpha] = [Math.cos(w), Math.sin(w) / 4];
  return section([1 + alpha * gain, -2 * c, 1 - alpha * gain], [1 + alpha / gain, -2 * c, 1 - alpha / gain]);
}

function filtered(samples: Float32Array, { b, a }: Section): Float32Array {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}
