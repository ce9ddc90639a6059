// Owns the making of attack speech with npm synthesizers: Kokoro v0.19 int8 and Piper voices (through sherpa-onnx-node), SAM (sam-js).
// Usage: node synthesize-npm.cjs kokoro-v019 MODEL_DIR OUT SENTENCES.txt | node synthesize-npm.cjs sam SAM_JS OUT SENTENCES.txt
//        node synthesize-npm.cjs piper MODEL.onnx OUT SENTENCES.txt TOKENS.txt ESPEAK_DATA_DIR SPEAKERS PREFIX SEED
const fs = require('fs');
const path = require('path');
const [kind, source, out, sentences, ...more] = process.argv.slice(2);
fs.mkdirSync(out, { recursive: true });
const lines = fs.readFileSync(sentences, 'utf8').split('\n').filter(Boolean);

function writeWav(file, samples, rate) {
  const b = Buffer.alloc(44 + samples.length * 2);
  b.write('RIFF', 0); b.writeUInt32LE(36 + samples.length * 2, 4); b.write('WAVEfmt ', 8); b.writeUInt32LE(16, 16);
  b.writeUInt16LE(1, 20); b.writeUInt16LE(1, 22); b.writeUInt32LE(rate, 24); b.writeUInt32LE(rate * 2, 28);
  b.writeUInt16LE(2, 32); b.writeUInt16LE(16, 34); b.write('data', 36); b.writeUInt32LE(samples.length * 2, 40);
  for (let i = 0; i < samples.length; i++) b.writeInt16LE(Math.max(-32768, Math.min(32767, Math.round(samples[i] * 32767))), 44 + i * 2);
  fs.writeFileSync(file, b);
}

if (kind === 'kokoro-v019') {
  const sherpa = require(require.resolve('sherpa-onnx-node', { paths: [process.cwd()] }));
  const tts = new sherpa.OfflineTts({ model: { kokoro: { model: path.join(source, 'model.int8.onnx'), voices: path.join(source, 'voices.bin'),
    tokens: path.join(source, 'tokens.txt'), dataDir: path.join(source, 'espeak-ng-data') }, numThreads: 1, provider: 'cpu' }, maxNumSentences: 1 });
  lines.forEach((text, i) => {
    const sid = i % 11;
    const audio = tts.generate({ text, sid, speed: 0.85 + 0.3 * ((i * 7) % 11) / 10 });
    writeWav(path.join(out, `v${sid}-${i}.wav`), audio.samples, audio.sampleRate);
  });
} else if (kind === 'piper') {
  const [tokens, dataDir, speakers, prefix, seed] = more;
  const sherpa = require(require.resolve('sherpa-onnx-node', { paths: [process.cwd()] }));
  const vits = { model: source, tokens, dataDir, noiseScale: 0.667, noiseScaleW: 0.8, lengthScale: 1 };
  const tts = new sherpa.OfflineTts({ model: { vits, numThreads: 1, provider: 'cpu' }, maxNumSentences: 1 });
  let state = Number(seed) >>> 0;
  const random = () => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return state / 4294967296; };
  lines.forEach((text, i) => {
    const sid = Math.floor(random() * Number(speakers));
    const audio = tts.generate({ text, sid, speed: 0.85 + 0.3 * random() });
    writeWav(path.join(out, `${prefix}${sid}-${i}.wav`), audio.samples, audio.sampleRate);
  });
} else {
  const Sam = require(path.resolve(source));
  lines.forEach((text, i) => {
    const voice = { pitch: 40 + (i * 13) % 80, speed: 60 + (i * 7) % 40, mouth: 90 + (i * 17) % 100, throat: 90 + (i * 29) % 110 };
    const samples = new Sam(voice).buf32(text.replace(/[0-9]/g, (d) => ` ${d} `));
    if (samples) writeWav(path.join(out, `sam${i % 9}-${i}.wav`), samples, 22050);
  });
}
