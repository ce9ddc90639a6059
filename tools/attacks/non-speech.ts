// `npm run tools -- non-speech`: generated sounds that are nobody's voice, against prints. The answer must
// be zero accepted, whatever the print.
import { encodeWav } from '../../src/voice/audio/encode-wav.js';
import { nonSpeechKinds, nonSpeech } from './non-speech-sounds.js';
import type { VoiceEngine } from '../../src/voice/engine.js';
import { scoreSample } from '../../src/voice/scoring/score.js';
import type { VoiceSample } from '../../src/voice/scoring/speaker-model.js';
import { buildTemplate } from '../../src/voice/scoring/template.js';
import type { Template } from '../../src/voice/scoring/template.js';
import { findRecordings } from '../../src/cli/recordings/corpus.js';
import { processFiles, withEngine } from '../../src/cli/recordings/engine.js';
import type { EngineFlags } from '../../src/cli/recordings/engine.js';
import type { CliIo } from '../../src/cli/io.js';
import { progressBar } from '../../src/cli/progress.js';

export interface NonSpeechFlags extends EngineFlags {
  corpus?: string;
  files: string;
  prints: string;
}

interface NonSpeechReport {
  files: number;
  prints: number;
  /** Files in which any speech was found, and those whose audio passed the gates. */
  with_speech: number;
  passed_gates: number;
  /** Comparisons accepted at the least strict shipped threshold, gates ignored; and with the gates. */
  accepted_ignoring_gates: number;
  accepted: number;
  kinds: Record<string, { files: number; with_speech: number; passed_gates: number }>;
}

/** One print per speaker of a corpus, from at most three recordings. */
async function corpusPrints(
  engine: VoiceEngine,
  workers: number,
  folder: string,
  count: number,
): Promise<Template[]> {
  const bySpeaker = new Map<string, string[]>();
  for (const { speaker, file } of findRecordings(folder))
    bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), file].slice(0, 3));
  const speakers = [...bySpeaker].slice(0, count);
  const samples = new Map<string, VoiceSample>();
  await processFiles(
    engine,
    workers,
    speakers.flatMap(([, files]) => files),
    {},
    (file, result) => {
      if (!(result instanceof Error) && result.voice) samples.set(file, result.voice);
    },
  );
  return speakers.flatMap(([, files]) => {
    const own = files.flatMap((file) => samples.get(file) ?? []);
    return own.length > 0 ? [buildTemplate(engine.model, own)] : [];
  });
}

/** Without a corpus, the model's own cohort of strangers stands for the prints. */
function cohortPrints(engine: VoiceEngine, count: number): Template[] {
  const { cohort, revision } = engine.model;
  if (!cohort) throw new Error('this model has no cohort: give --corpus to make voiceprints from');
  const rows = Math.min(count, Math.floor(cohort.wide.length / cohort.dim));
  return Array.from({ length: rows }, (_, i) =>
    buildTemplate(engine.model, [
      {
        embedding: cohort.wide.slice(i * cohort.dim, (i + 1) * cohort.dim),
        netMs: 20_000,
        snrDb: 25,
        bandwidth: 'wide',
        modelRevision: revision,
      },
    ]),
  );
}

async function testNonSpeech(
  engine: VoiceEngine,
  prints: readonly Template[],
  files: number,
  done: (count: number) => void,
): Promise<NonSpeechReport> {
  const report: NonSpeechReport = {
    files,
    prints: prints.length,
    with_speech: 0,
    passed_gates: 0,
    accepted_ignoring_gates: 0,
    accepted: 0,
    kinds: {},
  };
  const accept = Math.min(...engine.model.thresholds.map((threshold) => threshold.llr));
  for (let i = 0; i < files; i++) {
    const kind = nonSpeechKinds[i % nonSpeechKinds.length] ?? 'silence';
    const { samples, sampleRateHz } = nonSpeech(kind, i);
    const result = await engine.processAudio(encodeWav(samples, sampleRateHz));
    const own = (report.kinds[kind] ??= { files: 0, with_speech: 0, passed_gates: 0 });
    own.files++;
    const { voice } = result;
    if (voice) {
      const passed = result.verdict.validity === 'AUDIO_OK';
      const accepted = prints.filter((print) => scoreSample(engine.model, print, voice).llr >= accept).length;
      own.with_speech++;
      report.with_speech++;
      report.accepted_ignoring_gates += accepted;
      if (passed) {
        own.passed_gates++;
        report.passed_gates++;
        report.accepted += accepted;
      }
    }
    done(i + 1);
  }
  return report;
}

export async function tryNonSpeech(io: CliIo, flags: NonSpeechFlags): Promise<void> {
  const [files, count] = [Number(flags.files), Number(flags.prints)];
  if (!Number.isInteger(files) || files < 1 || !Number.isInteger(count) || count < 1)
    throw new Error('--files and --prints take whole numbers above zero');
  await withEngine(io, flags, async (engine, workers) => {
    const prints = flags.corpus
      ? await corpusPrints(engine, workers, flags.corpus, count)
      : cohortPrints(engine, count);
    const report = await testNonSpeech(engine, prints, files, progressBar(io, 'sounds', files));
    if (flags.json) io.out(JSON.stringify(report));
    else {
      io.out(
        `${report.files} generated sounds against ${report.prints} voiceprints: ${report.accepted} accepted (${report.accepted_ignoring_gates} if the audio gates were ignored)`,
      );
      for (const [kind, own] of Object.entries(report.kinds))
        io.out(
          `  ${kind.padEnd(14)} ${own.files} files, speech found in ${own.with_speech}, ${own.passed_gates} past the gates`,
        );
    }
    if (report.accepted > 0) io.exit(1);
  });
}
