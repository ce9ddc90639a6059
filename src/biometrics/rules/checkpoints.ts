// The points, in seconds of net speech, at which a decision may be made before the audio ends.
import type { Parameters } from '../model/parameters.js';

/** Nothing is decided on less of a running call. */
export const FIRST_LIVE_CHECKPOINT_MS = 3000;

/** When a running call is judged: at these amounts of the customer's net speech, early at first, then every ten seconds for an hour. */
export const liveCheckpointsMs: readonly number[] = [
  FIRST_LIVE_CHECKPOINT_MS,
  6000,
  ...Array.from({ length: 360 }, (_, i) => 10_000 * (i + 1)),
];

/** When an audio is compared with persons before its end. */
export const authenticationCheckpointsMs = ({ authentication }: Parameters): number[] =>
  authentication.checkpointsForAuthentication
    .filter((seconds) => seconds >= authentication.netSpeechSecondsMin)
    .map((seconds) => 1000 * seconds);

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
