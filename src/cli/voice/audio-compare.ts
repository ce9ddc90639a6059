// `voxgate audio compare A B`: are these two recordings of one voice?
import type { Command } from 'commander';
import type { ProcessedAudio } from '../../voice/engine.js';
import { percent } from '../../voice/evaluation/percent.js';
import { authenticationRisk, thresholdForFar } from '../../voice/scoring/risk.js';
import { scoreSample } from '../../voice/scoring/score.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import { audioCommand } from './audio.js';
import { withEngine } from '../recordings/engine.js';
import type { EngineFlags } from '../recordings/engine.js';
import { readInput } from '../input-file.js';
import { commonFlags, runCommand } from '../io.js';
import type { CliIo } from '../io.js';

interface CompareFlags extends EngineFlags {
  far: string;
}

const verdicts = [
  [0.0001, 'the same voice, strong evidence'],
  [0.001, 'the same voice, good evidence'],
  [0.01, 'probably the same voice'],
] as const;

const summary = (file: string, audio: ProcessedAudio) => ({
  file,
  validity: audio.verdict.validity,
  net_speech_s: (audio.quality?.netMs ?? 0) / 1000,
  snr_db: audio.quality?.snrDb ?? null,
  bandwidth: audio.quality?.bandwidth ?? null,
  voice_class_score: audio.voiceClassScore ?? null,
});

export function registerAudioCompare(program: Command, io: CliIo): void {
  commonFlags(audioCommand(program).command('compare <a> <b>'))
    .description('score two recordings against each other: the first as a voiceprint, the second as a call')
    .option('--models <dir>', 'directory of voice models')
    .option('--model <name>', 'speaker model, by folder name')
    .option('--far <rate>', 'false-accept rate of the decision', '0.001')
    .action((a: string, b: string, flags: CompareFlags) =>
      runCommand(io, flags, () => compare(io, a, b, flags)),
    );
}

async function compare(io: CliIo, a: string, b: string, flags: CompareFlags): Promise<void> {
  await withEngine(io, { ...flags, workers: '1' }, async (engine) => {
    const [first, second] = [
      await engine.processAudio(readInput(a)),
      await engine.processAudio(readInput(b)),
    ];
    const sides = [summary(a, first), summary(b, second)];
    const silent = !first.voice ? sides[0] : !second.voice ? sides[1] : undefined;
    if (!first.voice || !second.voice) {
      io.exit(2);
      if (flags.json) io.out(JSON.stringify({ score: null, decision: 'no speech', recordings: sides }));
      else io.err(`voxgate: no usable speech in ${silent?.file}: ${silent?.validity}`);
      return;
    }
    const accept = thresholdForFar(engine.model, Number(flags.far));
    const score = scoreSample(engine.model, buildTemplate(engine.model, [first.voice]), second.voice);
    const words =
      verdicts.find(([far]) => score.llr >= thresholdForFar(engine.model, far))?.[1] ??
      (score.llr > 0 ? 'undecided, leaning to the same voice' : 'different voices');
    const risk = authenticationRisk(score.llr, accept);
    if (flags.json) {
      io.out(
        JSON.stringify({
          score: { llr: score.llr, cosine: score.cosine, reliability: score.reliability, risk },
          same: score.llr >= accept,
          threshold: { far: Number(flags.far), llr: accept },
          model: engine.model.revision,
          recordings: sides,
        }),
      );
      return;
    }
    for (const side of sides)
      io.out(
        `${side.file}: ${side.net_speech_s.toFixed(1)} s of speech, ${side.snr_db?.toFixed(0)} dB SNR, ${side.bandwidth} band, ${side.validity}`,
      );
    io.out(
      `score (LLR)  ${score.llr.toFixed(2)}   threshold ${accept.toFixed(2)} at ${percent(Number(flags.far))} false accepts`,
    );
    io.out(`risk         ${risk}   reliability ${score.reliability}`);
    io.out(`verdict      ${words}`);
  });
}
