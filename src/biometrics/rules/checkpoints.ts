// The points, in seconds of net speech, at which a decision may be made before the audio ends.
import type { Parameters } from '../model/parameters.js';

/** For both kinds of decision: one pass over the audio must serve both. */
export function checkpointSeconds({ authentication, fraudDetection }: Parameters): number[] {
  const all = new Set([
    ...authentication.checkpointsForAuthentication,
    ...fraudDetection.checkpointsForFraudDetection,
  ]);
  return [...all].sort((a, b) => a - b);
}

/**
 * Whether a decision at a checkpoint also ends processing. It does not if all of the audio is needed: for the
 * attack checks, the count of speakers, and a print that is to be adapted to the call.
 */
export function mayStopListening(
  { audio, authentication }: Parameters,
  attackChecks: { synthetic: boolean; playback: boolean },
): boolean {
  return (
    !attackChecks.synthetic &&
    !attackChecks.playback &&
    !audio.EnableSegmentation &&
    !authentication.nearTermAdaptation
  );
}
