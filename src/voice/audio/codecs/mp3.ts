/**
 * MPEG audio layer III, decoded by minimp3 compiled to WebAssembly. Each file gets an instance of its own, so
 * that a file that corrupts its memory cannot affect the next one.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SampleSink } from '../sample-sink.js';
import { DecodeFault, type Decoding } from '../types.js';
import { collectMp3Frames, findMp3Start } from './mp3-frames.js';

/** The part of the minimp3-wasm module that is used here. */
interface Minimp3 {
  memory: { buffer: ArrayBuffer };
  decoder_init(): void;
  decoder_set_mp3_data_size(bytes: number): void;
  decoder_mp3_data_offset(): number;
  /** Decodes this many seconds, or to the end. */
  decoder_decode(seconds: number): void;
  decoder_pcm_data_offset(): number;
  decode_results_num_samples(): number;
  decode_results_num_channels(): number;
}

interface WasmRuntime {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: unknown };
}

const runtime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;
const SEARCH_BYTES = 1 << 20;
const STEP_SECONDS = 0.5;
let module: object | undefined;

function newDecoder(data: Uint8Array): Minimp3 {
  module ??= new runtime.Module(
    readFileSync(createRequire(import.meta.url).resolve('minimp3-wasm/dist/decoder.opt.wasm')),
  );
  const decoder = new runtime.Instance(module, {}).exports as Minimp3;
  decoder.decoder_init();
  decoder.decoder_set_mp3_data_size(data.length);
  new Uint8Array(decoder.memory.buffer, decoder.decoder_mp3_data_offset(), data.length).set(data);
  return decoder;
}

export async function* decodeMp3(sink: SampleSink, bytes: Uint8Array): Decoding {
  const start = findMp3Start(bytes, SEARCH_BYTES);
  const found = start < 0 ? undefined : collectMp3Frames(bytes, start, sink.budget);
  if (found === undefined) throw new DecodeFault('CORRUPT', 'The MP3 file has no readable frame.');
  const { first, data, frames, padding, damaged } = found;
  const total = Math.max(0, frames * first.samples - padding.before - padding.after);
  sink.codec = 'mp3';
  sink.begin(first.sampleRateHz, first.channels, total);
  if (damaged) sink.warn('Parts of the MP3 file are damaged and were left out.');
  if (data.length === 0) return;
  const decoder = newDecoder(data);
  // Every frame yields sound, so this many steps reach the end whatever the decoder makes of them.
  const steps = Math.ceil((frames * first.samples) / first.sampleRateHz / STEP_SECONDS) + frames;
  let decoded = 0;
  for (let step = 0; step < steps; step++) {
    decoder.decoder_decode(STEP_SECONDS);
    const count = decoder.decode_results_num_samples();
    if (count === 0) return;
    if (decoder.decode_results_num_channels() !== first.channels) continue;
    const pcm = new Int16Array(decoder.memory.buffer, decoder.decoder_pcm_data_offset(), count);
    const fresh = count / first.channels;
    const from = Math.min(fresh, Math.max(0, padding.before - decoded));
    const to = Math.min(fresh, padding.before + total - decoded);
    decoded += fresh;
    const skipped = from * first.channels;
    if (to > from) sink.pushInterleaved(to - from, (i) => (pcm[skipped + i] as number) / 32768);
    if (sink.pauseIsDue()) yield;
  }
}
