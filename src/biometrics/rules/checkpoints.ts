// The moments, in seconds of net speech, at which a decision may fall before the audio ends.
import type { Parameters } from '../model/parameters.js';

/** Of both kinds of decision: one pass over the audio must serve either. */
export function checkpointSeconds({ authentication, fraudDetection }: Parameters): number[] {
  const all = new Set([
    ...authentication.checkpointsForAuthentication,
    ...fraudDetection.checkpointsForFraudDetection,
  ]);
  return [...all].sort((a, b) => a - b);
}
