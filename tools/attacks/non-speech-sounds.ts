// Generated sounds that are nobody's voice: silence, tones, telephone signals, noises and music. None may
// ever be accepted as a person; `voxgate bench non-speech` and the tests feed them to the engine.

export const nonSpeechKinds = [
  'silence', 'faint-noise', 'white-noise', 'pink-noise', 'brown-noise', 'pulsed-noise', 'hum', 'tone', 'dial-tone', 'ring-tone', 'dtmf', 'sweep',
  'clicks', 'siren', 'chords', 'melody', 'drums', 'organ', 'modem', 'wind',
] as const; // prettier-ignore

type NonSpeechKind = (typeof nonSpeechKinds)[number];

type Random = () => number;
/** Amplitude at a time in seconds. */
type Wave = (t: number) => number;

function seeded(seed: number): Random {
  let state = (seed * 2654435761) >>> 0;
  const step = (): number => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 5; i++) step();
  return step;
}

const sine =
  (hz: number, phase = 0): Wave =>
  (t) =>
    Math.sin(2 * Math.PI * hz * t + phase);
const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;
const sum =
  (...waves: Wave[]): Wave =>
  (t) =>
    waves.reduce((total, wave) => total + wave(t), 0) / waves.length;

/** Noise through a one-pole filter: 0 is white, near 1 is deep. */
function noise(random: Random, pole: number): Wave {
  let state = 0;
  return () => (state = pole * state + (1 - pole) * (2 * random() - 1)) * (1 + 4 * pole);
}

/** A struck or blown tone with harmonics. */
function note(hz: number, start: number, decay: number, harmonics: number): Wave {
  return (t) => {
    if (t < start) return 0;
    let value = 0;
    for (let h = 1; h <= harmonics; h++) value += Math.sin(2 * Math.PI * h * hz * t) / (h * h);
    return value * Math.exp(-(t - start) * decay);
  };
}

function melody(random: Random, seconds: number, voices: number, beat: number, decay: number): Wave {
  const scale = [0, 2, 4, 5, 7, 9, 11, 12];
  const root = between(random, 110, 330);
  const beats = Array.from({ length: Math.ceil(seconds / beat) }, (_, i) =>
    Array.from({ length: voices }, () => note(root * 2 ** (pick(random, scale) / 12), i * beat, decay, 5)),
  );
  // Only the last few beats can still be heard.
  return (t) => {
    const at = Math.floor(t / beat);
    let value = 0;
    for (let i = Math.max(0, at - 2); i <= at; i++)
      for (const one of beats[i] ?? []) value += one(t) / voices;
    return value;
  };
}

function drums(random: Random, beat: number): Wave {
  const hiss = noise(random, 0);
  return (t) => {
    const within = t % beat;
    const kick = Math.sin(2 * Math.PI * (50 + 80 * Math.exp(-20 * within)) * within) * Math.exp(-8 * within);
    const off = (t + beat / 2) % beat;
    return kick + 0.6 * hiss(t) * Math.exp(-25 * off);
  };
}

function pink(random: Random): Wave {
  const layers = [0, 0.6, 0.9, 0.97, 0.99].map((pole) => noise(random, pole));
  return (t) => layers.reduce((total, layer) => total + layer(t), 0) / layers.length;
}

const gated =
  (wave: Wave, on: number, off: number): Wave =>
  (t) =>
    t % (on + off) < on ? wave(t) : 0;

type Noise =
  | 'silence'
  | 'faint-noise'
  | 'white-noise'
  | 'pink-noise'
  | 'brown-noise'
  // In the rhythm of syllables.
  | 'pulsed-noise'
  | 'wind';

function noiseOf(kind: Noise, random: Random): Wave {
  switch (kind) {
    case 'silence':
      return () => 0;
    case 'faint-noise': {
      const hiss = noise(random, between(random, 0, 0.9));
      return (t) => 0.002 * hiss(t);
    }
    case 'white-noise':
      return noise(random, 0);
    case 'pink-noise':
      return pink(random);
    case 'brown-noise':
      return noise(random, 0.995);
    case 'pulsed-noise': {
      // The rhythm of syllables without their sound.
      const hiss = noise(random, between(random, 0, 0.9));
      const rate = between(random, 2, 6);
      return (t) => hiss(t) * Math.max(0, Math.sin(2 * Math.PI * rate * t)) ** 2;
    }
    case 'wind': {
      const rumble = noise(random, 0.98);
      const gust = between(random, 0.1, 0.4);
      return (t) => rumble(t) * (0.4 + 0.6 * Math.sin(2 * Math.PI * gust * t) ** 2);
    }
  }
}

function waveOf(kind: NonSpeechKind, random: Random, seconds: number): Wave {
  switch (kind) {
    case 'hum': {
      const hz = pick(random, [50, 60]);
      return sum(sine(hz), sine(2 * hz, 1), sine(3 * hz, 2), sine(5 * hz, 3));
    }
    case 'tone':
      return sine(between(random, 80, 3500));
    case 'dial-tone':
      return sum(sine(350), sine(440));
    case 'ring-tone':
      return gated(sum(sine(440), sine(480)), between(random, 0.8, 2), between(random, 1, 4));
    case 'dtmf': {
      const keys = Array.from({ length: 64 }, () =>
        sum(sine(pick(random, [697, 770, 852, 941])), sine(pick(random, [1209, 1336, 1477]))),
      );
      return gated((t) => keys[Math.floor(t / 0.2) % keys.length]?.(t) ?? 0, 0.1, 0.1);
    }
    case 'sweep': {
      const [from, to] = [between(random, 80, 500), between(random, 1000, 3800)];
      return (t) => Math.sin(2 * Math.PI * (from * t + ((to - from) * t * t) / (2 * seconds)));
    }
    case 'clicks': {
      const rate = between(random, 1, 12);
      const hiss = noise(random, 0);
      return (t) => hiss(t) * Math.exp(-400 * (t % (1 / rate)));
    }
    case 'siren': {
      const [middle, depth, rate] = [
        between(random, 500, 900),
        between(random, 100, 300),
        between(random, 0.2, 2),
      ];
      return (t) => Math.sin(2 * Math.PI * middle * t - (depth / rate) * Math.cos(2 * Math.PI * rate * t));
    }
    case 'chords':
      return melody(random, seconds, 3, between(random, 0.6, 1.5), 1);
    case 'melody':
      return melody(random, seconds, 1, between(random, 0.15, 0.5), 3);
    case 'drums':
      return drums(random, between(random, 0.3, 0.8));
    case 'organ':
      return sum(melody(random, seconds, 4, between(random, 1, 2), 0.2), drums(random, 0.5));
    case 'modem': {
      const [low, high] = [between(random, 900, 1300), between(random, 1900, 2300)];
      const bits = Array.from({ length: 997 }, () => random() < 0.5);
      return (t) => Math.sin(2 * Math.PI * (bits[Math.floor(t * 300) % 997] ? high : low) * t);
    }
    case 'silence':
    case 'faint-noise':
    case 'white-noise':
    case 'pink-noise':
    case 'brown-noise':
    case 'pulsed-noise':
    case 'wind':
      return noiseOf(kind, random);
  }
}

/** The same seed gives the same sound. Level, length and rate vary with it. */
export function nonSpeech(
  kind: NonSpeechKind,
  seed: number,
): { samples: Float32Array; sampleRateHz: number } {
  const random = seeded(seed * 31 + nonSpeechKinds.indexOf(kind));
  const sampleRateHz = random() < 0.5 ? 8000 : 16000;
  const seconds = between(random, 2, 10);
  const wave = waveOf(kind, random, seconds);
  const level = kind === 'silence' ? 0 : 10 ** between(random, -1.5, -0.1);
  const floor = random() < 0.5 ? 0 : 0.001;
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRateHz) }, (_, n) => {
    const value = level * wave(n / sampleRateHz) + floor * (2 * random() - 1);
    return Math.max(-1, Math.min(0.99997, value));
  });
  return { samples, sampleRateHz };
}
