/**
 * Receives the samples of every decoder, and hands them out while decoding goes on. The sink selects or mixes
 * the channel at once, so that memory is that of one channel however many the medium has, and it stops a
 * decoder as soon as the length limit is passed: otherwise a few kilobytes of compressed silence could unfold
 * into gigabytes.
 */
import type { WorkBudget } from './work-budget.js';
import { CHANNELS_MAX, DecodeFault, SAMPLE_RATE_HZ_MAX, SAMPLE_RATE_HZ_MIN } from './types.js';

const BLOCK_SAMPLES = 1 << 16;
/** A decoder pauses after this much audio, so that its caller can stop it there. */
const PAUSE_MS = 1000;

export class SampleSink {
  /** 0: all of them mixed. */
  readonly wantedChannel: number;
  readonly #maxDurationMs: number;
  readonly #blocks: Float32Array[] = [];
  /** Number of the first sample of the first block. */
  #blocksFrom = 0;
  #fill = BLOCK_SAMPLES;
  #total = 0;
  #taken = 0;
  #pausedAt = 0;
  #expected: number | undefined;
  #rateHz = 0;
  #channelCount = 0;
  #maxSamples = 0;
  #repaired = 0;
  readonly warnings: string[] = [];
  readonly budget: WorkBudget;
  truncated = false;
  /** Set by the decoder, before or with the first samples. */
  codec = '';
  /** The rate that the medium states, if it differs from that of the samples. */
  mediaRateHz: number | undefined;

  #channel: number;
  #isOneSound = true;

  constructor(wantedChannel: number, maxDurationMs: number, budget: WorkBudget) {
    this.wantedChannel = wantedChannel;
    this.#maxDurationMs = maxDurationMs;
    this.budget = budget;
    this.#channel = wantedChannel;
  }

  get length(): number {
    return this.#total;
  }

  get sampleRateHz(): number {
    return this.#rateHz;
  }

  get channels(): number {
    return this.#channelCount;
  }

  /** All channels were mixed and have been identical so far: it is one channel, stored several times. */
  get isOneSound(): boolean {
    return this.#channelCount > 1 && this.#channel === 0 && this.#isOneSound;
  }

  /** The number of samples that the header announced, if it did. */
  get expected(): number | undefined {
    return this.#expected;
  }

  /** Whether enough has been delivered since the last pause for the next one. */
  pauseIsDue(): boolean {
    if (this.#rateHz === 0 || this.#total - this.#pausedAt < (PAUSE_MS / 1000) * this.#rateHz) return false;
    this.#pausedAt = this.#total;
    return true;
  }

  warn(text: string): void {
    if (this.warnings.length < 16 && !this.warnings.includes(text)) this.warnings.push(text);
  }

  /**
   * Announces the stream. With `expectedSamples` (if a header states it) an overlong file fails before any
   * work is done.
   */
  begin(sampleRateHz: number, channels: number, expectedSamples?: number): void {
    this.#rateHz = sampleRateHz;
    this.#channelCount = channels;
    this.#expected = expectedSamples;
    if (
      !Number.isInteger(sampleRateHz) ||
      sampleRateHz < SAMPLE_RATE_HZ_MIN ||
      sampleRateHz > SAMPLE_RATE_HZ_MAX
    ) {
      throw new DecodeFault(
        'UNSUPPORTED_RATE',
        `The sampling rate is ${sampleRateHz} Hz; ${SAMPLE_RATE_HZ_MIN} to ${SAMPLE_RATE_HZ_MAX} Hz can be used.`,
        {
          measure: 'sampling_rate_hz',
          value: sampleRateHz,
          min: SAMPLE_RATE_HZ_MIN,
          max: SAMPLE_RATE_HZ_MAX,
        },
      );
    }
    if (!Number.isInteger(channels) || channels < 1 || channels > CHANNELS_MAX) {
      throw new DecodeFault(
        'UNSUPPORTED_FORMAT',
        `The audio has ${channels} channels; 1 to ${CHANNELS_MAX} can be used.`,
        { measure: 'channels', value: channels, min: 1, max: CHANNELS_MAX },
      );
    }
    // With one channel there is nothing to select: the specification says to ignore the selector.
    this.#channel = channels === 1 ? 0 : this.wantedChannel;
    if (this.#channel > channels) {
      throw new DecodeFault(
        'NO_SUCH_CHANNEL',
        `Channel ${this.#channel} was requested, but the audio has ${channels}.`,
      );
    }
    this.#maxSamples = Math.floor((this.#maxDurationMs / 1000) * sampleRateHz);
    if (expectedSamples !== undefined) this.#checkLength(expectedSamples);
  }

  #checkLength(samples: number): void {
    if (samples > this.#maxSamples) {
      const max = this.#maxDurationMs / 1000;
      throw new DecodeFault('TOO_LONG', `The audio is longer than ${max} s.`, {
        measure: 'duration_s',
        value: Math.max(samples, this.#expected ?? 0) / this.#rateHz,
        max,
      });
    }
  }

  /** Takes `count` samples of each channel from one array per channel. */
  pushPlanar(planes: readonly Float32Array[], from: number, count: number): void {
    if (count <= 0) return;
    this.#checkLength(this.#total + count);
    const first = this.#channel === 0 ? 0 : this.#channel - 1;
    const last = this.#channel === 0 ? Math.min(this.#channelCount, planes.length) - 1 : first;
    const scale = 1 / (last - first + 1);
    let done = 0;
    while (done < count) {
      const block = this.#freeBlock();
      const take = Math.min(count - done, BLOCK_SAMPLES - this.#fill);
      for (let c = first; c <= last; c++) {
        const plane = planes[c];
        if (plane === undefined)
          throw new DecodeFault('CORRUPT', 'A channel is missing from the decoded audio.');
        const isOther = (v: number, i: number) => v !== (planes[first]?.[from + done + i] ?? 0);
        if (this.#isOneSound && c > first)
          this.#isOneSound = !plane.subarray(from + done, from + done + take).some(isOther);
        for (let i = 0; i < take; i++) {
          const v = plane[from + done + i] ?? 0;
          block[this.#fill + i] = (c === first ? 0 : (block[this.#fill + i] ?? 0)) + v * scale;
        }
      }
      this.#settle(block, this.#fill, this.#fill + take);
      this.#fill += take;
      this.#total += take;
      done += take;
    }
  }

  /** Takes interleaved samples; `read(i)` gives the i-th value of the interleaved stream. */
  pushInterleaved(frames: number, read: (index: number) => number): void {
    this.#checkLength(this.#total + frames);
    const n = this.#channelCount;
    const first = this.#channel === 0 ? 0 : this.#channel - 1;
    const last = this.#channel === 0 ? n - 1 : first;
    const scale = 1 / (last - first + 1);
    for (let done = 0; done < frames;) {
      const block = this.#freeBlock();
      const take = Math.min(frames - done, BLOCK_SAMPLES - this.#fill);
      for (let i = 0; i < take; i++) {
        const at = (done + i) * n;
        const one = read(at + first);
        let v = one;
        for (let c = first + 1; c <= last; c++) {
          const other = read(at + c);
          if (other !== one) this.#isOneSound = false;
          v += other;
        }
        block[this.#fill + i] = v * scale;
      }
      this.#settle(block, this.#fill, this.#fill + take);
      this.#fill += take;
      this.#total += take;
      done += take;
    }
  }

  /**
   * Takes the samples of a one-channel stream as codes: each is an index into a table of values, or is
   * multiplied by a factor.
   */
  pushMono(codes: Uint8Array | Int16Array, value: Float32Array | number): void {
    this.#checkLength(this.#total + codes.length);
    for (let done = 0; done < codes.length;) {
      const block = this.#freeBlock();
      const take = Math.min(codes.length - done, BLOCK_SAMPLES - this.#fill);
      const at = this.#fill;
      if (typeof value === 'number')
        for (let i = 0; i < take; i++) block[at + i] = (codes[done + i] as number) * value;
      else for (let i = 0; i < take; i++) block[at + i] = value[codes[done + i] as number] as number;
      this.#fill += take;
      this.#total += take;
      done += take;
    }
  }

  #freeBlock(): Float32Array {
    if (this.#fill >= BLOCK_SAMPLES) {
      this.#blocks.push(new Float32Array(BLOCK_SAMPLES));
      this.#fill = 0;
    }
    return this.#blocks[this.#blocks.length - 1] as Float32Array;
  }

  // Float formats may contain anything: a NaN would spoil every later mean, and values beyond full scale are
  // clipped anyway by whatever plays or transmits them.
  #settle(block: Float32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const v = block[i] as number;
      if (v >= -1 && v <= 1) continue;
      block[i] = v > 1 ? 1 : v < -1 ? -1 : 0;
      if (Number.isNaN(v)) this.#repaired++;
    }
  }

  /**
   * Drops samples from the end, for containers that state how much of the last packet counts. Samples already
   * taken stay.
   */
  keep(samples: number): void {
    if (samples >= 0 && samples < this.#total) this.#total = Math.max(samples, this.#taken);
  }

  /** The samples that were delivered since the last call, except the newest `holdBack`. */
  take(holdBack = 0): Float32Array {
    const to = Math.max(this.#taken, this.#total - holdBack);
    const out = new Float32Array(to - this.#taken);
    for (let at = this.#taken; at < to;) {
      const index = Math.floor((at - this.#blocksFrom) / BLOCK_SAMPLES);
      const within = (at - this.#blocksFrom) % BLOCK_SAMPLES;
      const count = Math.min(BLOCK_SAMPLES - within, to - at);
      out.set((this.#blocks[index] as Float32Array).subarray(within, within + count), at - this.#taken);
      at += count;
    }
    this.#taken = to;
    const done = Math.floor((to - this.#blocksFrom) / BLOCK_SAMPLES);
    // The last block may still be filling.
    if (done > 0 && done < this.#blocks.length) {
      this.#blocks.splice(0, done);
      this.#blocksFrom += done * BLOCK_SAMPLES;
    }
    return out;
  }

  finish(): void {
    if (this.#repaired > 0) this.warn(`${this.#repaired} samples were not numbers and were set to zero.`);
  }
}
