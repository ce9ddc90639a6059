// Level and a rough count of spoken seconds while the microphone runs. The server measures speech properly;
// this only shows speakers how far along they are, so it is simple: frames well above the quietest recent
// moment count as speech.

const FRAME_SECONDS = 0.02;
const ABOVE_FLOOR_DB = 9;
const SOFTEST_SPEECH_DB = -55;
/** The floor is the quietest moment in this span: steady noise becomes the floor, a long word does not. */
const FLOOR_FRAMES = 150;
/** Gaps inside words and between them still belong to the speech. */
const HANGOVER_SECONDS = 0.12;

export interface MeterReading {
  /** Of the last block, in dB below full scale. */
  levelDb: number;
  /** Samples at full scale were seen in the last block. */
  clipped: boolean;
  speechSeconds: number;
  totalSeconds: number;
}

export class SpeechMeter {
  #rest = new Float32Array(0);
  readonly #recentDb: number[] = [];
  #speech = 0;
  #total = 0;
  #hangover = 0;
  #lastDb = -100;
  readonly #frame: number;

  constructor(sampleRate: number) {
    this.#frame = Math.max(1, Math.round(sampleRate * FRAME_SECONDS));
  }

  push(block: Float32Array): MeterReading {
    const samples = new Float32Array(this.#rest.length + block.length);
    samples.set(this.#rest);
    samples.set(block, this.#rest.length);
    let at = 0;
    for (; at + this.#frame <= samples.length; at += this.#frame)
      this.#take(samples.subarray(at, at + this.#frame));
    this.#rest = samples.slice(at);
    let peak = 0;
    for (const sample of block) peak = Math.max(peak, Math.abs(sample));
    return {
      levelDb: this.#lastDb,
      clipped: peak >= 0.999,
      speechSeconds: this.#speech,
      totalSeconds: this.#total,
    };
  }

  #take(frame: Float32Array): void {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    const db = 10 * Math.log10(energy / frame.length + 1e-10);
    this.#lastDb = db;
    this.#total += FRAME_SECONDS;
    this.#recentDb.push(Math.max(db, -80));
    if (this.#recentDb.length > FLOOR_FRAMES) this.#recentDb.shift();
    const floorDb = Math.min(...this.#recentDb);
    const isSpeech = db > floorDb + ABOVE_FLOOR_DB && db > SOFTEST_SPEECH_DB;
    if (isSpeech) this.#hangover = HANGOVER_SECONDS;
    else this.#hangover = Math.max(0, this.#hangover - FRAME_SECONDS);
    if (isSpeech || this.#hangover > 0) this.#speech += FRAME_SECONDS;
  }
}

/** -60 dB is an empty bar, 0 dB a full one. */
export function levelShare(db: number): number {
  return Math.max(0, Math.min(1, (db + 60) / 60));
}
