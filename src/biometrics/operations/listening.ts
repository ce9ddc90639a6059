// How much of the audio an operation that compares voices has to process.
import type { CheckpointReached } from '../../voice/engine.js';
import type { Parameters } from '../model/parameters.js';
import { checkpointSeconds, mayStopListening } from '../rules/checkpoints.js';
import type { OpenedCall } from './opened-call.js';
import type { ProcessPurpose } from './process-media.js';
import type { Comparison } from './score-candidates.js';

/**
 * How Verify and similar operations use audio: up to the checkpoint that decides all of the comparisons, or
 * all of it. Checkpoints are those of the config set, unless they are off.
 */
export function comparisonPurpose(
  parameters: Parameters,
  comparisons: readonly Comparison[],
  ignoreCheckpoints: boolean,
  spoof = { synthetic: false, playback: false },
): ProcessPurpose {
  const base = { forEnrollment: false, spoof, printType: 'VOICEPRINT', heardInCheck: true } as const;
  if (ignoreCheckpoints) return { ...base, checkpointSeconds: [] };
  return {
    ...base,
    checkpointSeconds: checkpointSeconds(parameters),
    ...(mayStopListening(parameters, spoof) && { enough: (point) => allDecided(comparisons, point) }),
  };
}

/** The purpose of an operation that is one comparison. */
export function purposeOfComparison(
  { context }: OpenedCall,
  comparison: Comparison,
  { ignoreCheckpoints }: { ignoreCheckpoints: boolean },
): ProcessPurpose {
  return comparisonPurpose(context.parameters, [comparison], ignoreCheckpoints);
}

async function allDecided(comparisons: readonly Comparison[], point: CheckpointReached): Promise<boolean> {
  let all = true;
  for (const comparison of comparisons) all = (await comparison.decidedAt(point)) && all;
  return all;
}
