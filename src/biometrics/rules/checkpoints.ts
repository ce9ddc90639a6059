// The points, in seconds of net speech, at which a decision may be made before the audio ends.
import type { Parameters } from '../model/parameters.js';

/** Of both kinds of decision: one pass over the audio must serve either. */
export function checkpointSeconds({ authentication, fraudDetection }: Parameters): number[] {
  const all = new Set([
    ...authentication.checkpointsForAuthentication,
    ...fraudDetection.checkpointsForFraudDetection,
  ]);
  return [...all].sort((a, b) => a - b);
}

/**
 * Whether a decision at a checkpoint also ends the listening. It does not where somebody asks about all of the audio: the
 * attack checks, the count of speakers, and a print that is to learn from the call.
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
