// Whether all speech of a call is one person's, before it becomes part of a print: stricter than for a decision, since a print
// of two people would accept both from then on. Pure.
import { dot } from '../../voice/embedding/vector.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';

/** Less speech says too little about a voice. */
const SIDE_MS_MIN = 3000;
/**
 * Below it, two parts of a call are more likely two people's. Chosen on calls of one half of 25 callers (12
 * to 25 s over the telephone); on the other half, 4 of 90 calls of one person are refused (3 with a threshold
 * of 0), 2 of 264 in which two people speak one after the other pass (11), and 18 of 132 in which they take
 * turns (29).
 */
const ONE_VOICE_LLR_MIN = 2.5;

type Sides = readonly [readonly VoiceWindow[], readonly VoiceWindow[]];

const netMs = (windows: readonly VoiceWindow[]): number =>
  windows.reduce((sum, window) => sum + window.netMs, 0);

export function isOneVoice(
  model: SpeakerModel,
  voice: VoiceSample,
  windows: readonly VoiceWindow[],
): boolean {
  const sides = leastAlike(windows);
  if (!sides) return true;
  const [one, other] = sides.map((side) => ({
    ...voice,
    embedding: voiceOfWindows(side),
    netMs: netMs(side),
  })) as [VoiceSample, VoiceSample];
  return scoreSample(model, buildTemplate(model, [one]), other).llr >= ONE_VOICE_LLR_MIN;
}

/**
 * The two parts of a call that differ most: split at one place, then moving one window after another if that
 * makes them differ more.
 */
function leastAlike(windows: readonly VoiceWindow[]): Sides | undefined {
  const likeness = new PartLikeness(windows);
  const split = leastOf(likeness.whenSplit());
  if (!split) return undefined;
  const isFirst = windows.map((_, index) => index <= split.index);
  for (let last = split.value; ;) {
    const moved = leastOf(likeness.whenMoved(isFirst));
    if (!moved || moved.value >= last) break;
    isFirst[moved.index] = !isFirst[moved.index];
    last = moved.value;
  }
  return [windows.filter((_, index) => isFirst[index]), windows.filter((_, index) => !isFirst[index])];
}

function leastOf(values: readonly number[]): { index: number; value: number } | undefined {
  let [index, value] = [-1, Infinity];
  values.forEach((each, at) => {
    if (each < value) [index, value] = [at, each];
  });
  return index < 0 ? undefined : { index, value };
}

/**
 * How alike two parts of a call are, from sums over its windows: an hour of speech has a thousand of them,
 * and each is tried on both sides. Infinite if there is too little of one part.
 */
class PartLikeness {
  readonly #spoken: readonly { sum: Float32Array; netMs: number; withAll: number; withItself: number }[];
  readonly #all: Float32Array;
  readonly #allMs: number;
  readonly #allWithItself: number;

  constructor(windows: readonly VoiceWindow[]) {
    const sums = windows.map(({ embedding, netMs: ms }) => embedding.map((value) => value * ms));
    this.#all = new Float32Array(sums[0]?.length ?? 0);
    for (const sum of sums) add(this.#all, sum);
    this.#allMs = netMs(windows);
    this.#allWithItself = dot(this.#all, this.#all);
    this.#spoken = sums.map((sum, index) => ({
      sum,
      netMs: windows[index]?.netMs ?? 0,
      withAll: dot(sum, this.#all),
      withItself: dot(sum, sum),
    }));
  }

  /** Split after each of the windows. */
  whenSplit(): number[] {
    const first = new Float32Array(this.#all.length);
    let firstMs = 0;
    return this.#spoken.map((each) => {
      add(first, each.sum);
      firstMs += each.netMs;
      return this.#likeness(firstMs, dot(first, this.#all), dot(first, first));
    });
  }

  /** With each of the windows moved to the other side. */
  whenMoved(isFirst: readonly boolean[]): number[] {
    const first = new Float32Array(this.#all.length);
    let firstMs = 0;
    this.#spoken.forEach((each, index) => {
      if (!isFirst[index]) return;
      add(first, each.sum);
      firstMs += each.netMs;
    });
    const [withAll, withItself] = [dot(first, this.#all), dot(first, first)];
    return this.#spoken.map((each, index) => {
      const sign = isFirst[index] ? -1 : 1;
      return this.#likeness(
        firstMs + sign * each.netMs,
        withAll + sign * each.withAll,
        withItself + sign * 2 * dot(each.sum, first) + each.withItself,
      );
    });
  }

  #likeness(firstMs: number, withAll: number, withItself: number): number {
    if (Math.min(firstMs, this.#allMs - firstMs) < SIDE_MS_MIN) return Infinity;
    const rest = this.#allWithItself - 2 * withAll + withItself;
    return (withAll - withItself) / Math.sqrt(withItself * rest);
  }
}

function add(sum: Float32Array, more: Float32Array): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (more[i] as number);
}
