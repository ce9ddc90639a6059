// A call with its audio at hand: what judging and storing work with.
import type { OpenedCall } from './opened-call.js';
import type { PreparedAudio } from './process-media.js';

export interface DecisionRun extends OpenedCall {
  prepared: PreparedAudio;
}
