// Recordings of a corpus measured once and scored in pairs, for the commands that measure and calibrate.
import type { Trial } from '../../voice/evaluation/arrange.js';
import type { ProcessedAudio, VoiceEngine } from '../../voice/engine.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import type { Template } from '../../voice/scoring/template.js';
import type { TrialPair } from './corpus.js';
import { processFiles } from './engine.js';
import type { CliIo } from '../io.js';
import { progressBar } from '../progress.js';

/** At most so many unusable files are named on the way; the report has them all. */
const NAMED_MAX = 20;

interface MeasuredRecordings {
  voices: Map<string, VoiceSample>;
  /** The same with windows and, if they were asked for, checkpoints. */
  heard: Map<string, HeardVoice>;
  /** No speech was found in these; all of their audio was used, so that no trial is lost. */
  withoutSpeech: string[];
  unusable: { file: string; reason: string }[];
}

/** A voice from the first checkpoint to the end. */
type HeardVoice = Pick<ProcessedAudio, 'windows' | 'checkpoints'> & { voice: VoiceSample };

export async function measureRecordings(
  io: CliIo,
  engine: VoiceEngine,
  workers: number,
  files: readonly string[],
  checkpointsMs: readonly number[] = [],
): Promise<MeasuredRecordings> {
  const measured: MeasuredRecordings = {
    voices: new Map(),
    heard: new Map(),
    withoutSpeech: [],
    unusable: [],
  };
  const progress = progressBar(io, 'recordings', files.length);
  let done = 0;
  await processFiles(engine, workers, files, { treatAllAsSpeech: true, checkpointsMs }, (file, result) => {
    progress(++done);
    if (result instanceof Error) measured.unusable.push({ file, reason: result.message });
    else if (!result.voice) measured.unusable.push({ file, reason: result.verdict.explanation });
    else {
      const { voice, windows, checkpoints } = result;
      measured.voices.set(file, voice);
      measured.heard.set(file, { voice, windows, checkpoints });
      if (result.allAudioUsed) measured.withoutSpeech.push(file);
    }
  });
  for (const { file, reason } of measured.unusable.slice(0, NAMED_MAX))
    io.err(`unusable: ${file}: ${reason}`);
  return measured;
}

export interface Scored extends Trial {
  /** The cosine in units of the cohort's spread. */
  normalized: number;
  groups: readonly [string, string];
  netMs: number;
  bands: string;
  snrDb: number;
  pair: TrialPair;
}

export function scorePairs(
  model: SpeakerModel,
  pairs: readonly TrialPair[],
  voices: ReadonlyMap<string, VoiceSample>,
): Scored[] {
  const templates = new Map<string, Template>();
  const scored: Scored[] = [];
  for (const pair of pairs) {
    const { first, second, target } = pair;
    const [a, b] = [voices.get(first.file), voices.get(second.file)];
    if (!a || !b) continue;
    let template = templates.get(first.file);
    if (!template) templates.set(first.file, (template = buildTemplate(model, [a])));
    const { llr, normalized } = scoreSample(model, template, b);
    scored.push({
      score: llr,
      normalized,
      target,
      groups: [first.speaker, second.speaker],
      netMs: Math.min(a.netMs, b.netMs),
      bands: a.bandwidth === b.bandwidth ? a.bandwidth : 'mixed',
      snrDb: Math.min(a.snrDb, b.snrDb),
      pair,
    });
  }
  return scored;
}
