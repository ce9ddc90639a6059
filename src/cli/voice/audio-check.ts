// `voxgate audio check FILE`: does this sound like synthetic speech or like a recording that is played? With the stretches
// that speak for it, and where a check cannot know, why.
import type { Command } from 'commander';
import { defaultParameters } from '../../biometrics/model/parameters.js';
import { judgeAttack, type AttackOutcome } from '../../biometrics/rules/judge-attack.js';
import { audioCommand } from './audio.js';
import { withEngine, type EngineFlags } from '../recordings/engine.js';
import { readInput } from '../input-file.js';
import { commonFlags, runCommand, type CliIo } from '../io.js';

const names = { synthetic: 'synthetic speech', playback: 'playback' } as const;
const findings: Partial<Record<AttackOutcome['decision'], string>> = {
  FRAUD: 'found',
  NO_RISK_DETECTED: 'not found',
};

const NO_KIND = 'this check cannot tell how it was made (text-to-speech, voice conversion, a vocoder)';

/** Scripts that sort recordings want to know without reading the text. */
const EXIT_FOUND = 2;
const EXIT_UNKNOWN = 3;

export function registerAudioCheck(program: Command, io: CliIo): void {
  commonFlags(audioCommand(program).command('check <file>'))
    .description('look for synthetic speech and playback; exit code 2: found, 3: inconclusive')
    .option('--models <dir>', 'directory of voice models')
    .action((file: string, flags: EngineFlags) => runCommand(io, flags, () => check(io, file, flags)));
}

async function check(io: CliIo, file: string, flags: EngineFlags): Promise<void> {
  await withEngine(io, { ...flags, workers: '1' }, async (engine) => {
    const kinds = (['synthetic', 'playback'] as const).filter((kind) => engine.detectors[kind]);
    if (kinds.length === 0) throw new Error('no attack detector among the models');
    const audio = await engine.processAudio(readInput(file), {
      spoof: { synthetic: true, playback: true },
    });
    const outcomes = kinds.map((kind) =>
      judgeAttack(
        kind,
        {
          validity: audio.verdict.validity,
          measure: audio.spoof[kind],
          detector: engine.detectors[kind],
          bandwidth: audio.quality?.bandwidth,
        },
        defaultParameters,
      ),
    );
    const advice = audio.verdict.validity === 'AUDIO_OK' ? undefined : audio.verdict.advice;
    if (flags.json)
      io.out(JSON.stringify({ file, validity: audio.verdict.validity, checks: outcomes.map(asJson) }));
    else
      for (const line of [file, ...(advice ? [`  ${advice}`] : []), ...outcomes.flatMap(asText)])
        io.out(line);
    const decisions = outcomes.map(({ decision }) => decision);
    if (decisions.includes('FRAUD')) io.exit(EXIT_FOUND);
    else if (decisions.includes('UNCERTAIN')) io.exit(EXIT_UNKNOWN);
  });
}

function asJson(outcome: AttackOutcome) {
  return {
    check: outcome.kind,
    detector: outcome.detectorRevision ?? null,
    experimental: outcome.experimental,
    decision: outcome.decision,
    reason: outcome.reason,
    score: outcome.score ?? null,
    risk: outcome.risk?.risk ?? null,
    reliability: outcome.risk?.reliability ?? null,
    alarm_risk: outcome.line?.risk ?? null,
    bandwidth: outcome.bandwidth ?? null,
    doubts: outcome.doubts,
    spans: outcome.spans.map(({ startMs, endMs, llr }) => ({ start_ms: startMs, end_ms: endMs, score: llr })),
  };
}

function asText(outcome: AttackOutcome): string[] {
  const { kind, decision, reason, risk, score, experimental, doubts, spans } = outcome;
  const numbers =
    risk && score !== undefined
      ? `, risk ${risk.risk}, reliability ${risk.reliability}, score ${score.toFixed(2)}`
      : '';
  const words = findings[decision] ?? `inconclusive (${reason})`;
  return [
    `  ${names[kind]}${experimental ? ' (experimental)' : ''}: ${words}${numbers}`,
    ...doubts.map(
      (doubt) => `    because of ${doubt.measure}: ${doubt.value.toFixed(2)}, limit ${doubt.limit}`,
    ),
    ...spans.map(
      ({ startMs, endMs, llr }) =>
        `    ${(startMs / 1000).toFixed(1)} to ${(endMs / 1000).toFixed(1)} s sounds like it, score ${llr.toFixed(2)}`,
    ),
    ...(kind === 'synthetic' && decision === 'FRAUD' ? [`    ${NO_KIND}`] : []),
  ];
}
