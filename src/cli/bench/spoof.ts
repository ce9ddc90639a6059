// `voxgate bench spoof`: how well the attack detectors tell attacks from people.
import { writeFileSync } from 'node:fs';
import type { VoiceEngine } from '../../voice/engine.js';
import { findRecordings, type Utterance } from '../recordings/corpus.js';
import { processFiles, withEngine } from '../recordings/engine.js';
import type { EngineFlags } from '../recordings/engine.js';
import type { CliIo } from '../io.js';
import { progressBar } from '../progress.js';
import { asText, combined, scoresTable, spoofReport, type Scored } from './spoof-report.js';

export interface SpoofFlags extends EngineFlags {
  bonafide: string;
  spoof: string;
  /** Where to write what every recording scores. */
  scores?: string;
}

export async function benchSpoof(io: CliIo, flags: SpoofFlags): Promise<void> {
  // A place that cannot be written should show before the recordings are heard.
  if (flags.scores) writeFileSync(flags.scores, '');
  const [people, attacks] = [findRecordings(flags.bonafide), findRecordings(flags.spoof)];
  await withEngine(io, flags, async (engine, workers) => {
    if (!engine.detectors.synthetic && !engine.detectors.playback)
      throw new Error('no attack detector among the models');
    const { scored, unusable } = await scoreSides(io, engine, workers, [people, attacks]);
    for (const { file, reason } of unusable.slice(0, 20)) io.err(`unusable: ${file}: ${reason}`);
    const report = spoofReport(scored);
    if (flags.scores) writeFileSync(flags.scores, scoresTable(scored));
    const whole = { ...report, unusable };
    io.out(flags.json ? JSON.stringify(whole) : asText(whole));
  });
}

/** Every recording of both sides, people first, by all detectors. */
async function scoreSides(
  io: CliIo,
  engine: VoiceEngine,
  workers: number,
  sides: readonly [people: Utterance[], attacks: Utterance[]],
): Promise<{ scored: Scored[]; unusable: { file: string; reason: string }[] }> {
  const scored: Scored[] = [];
  const unusable: { file: string; reason: string }[] = [];
  for (const [side, recordings] of sides.entries()) {
    const known = new Map(recordings.map((recording) => [recording.file, recording]));
    const progress = progressBar(io, side === 0 ? 'bona fide' : 'attacks', recordings.length);
    let done = 0;
    await processFiles(
      engine,
      workers,
      [...known.keys()],
      { spoof: { synthetic: true, playback: true }, treatAllAsSpeech: true },
      (file, result) => {
        progress(++done);
        const { speaker = '', name = file } = known.get(file) ?? {};
        if (result instanceof Error) unusable.push({ file, reason: result.message });
        else if (combined(result.spoof) === undefined)
          unusable.push({ file, reason: result.verdict.explanation });
        else
          scored.push({
            attack: side === 1,
            name,
            speaker,
            folder: speaker.split('/')[0] ?? '',
            spoof: result.spoof,
          });
      },
    );
  }
  return { scored, unusable };
}
