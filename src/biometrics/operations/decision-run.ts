// A call together with its audio: the input for judging and storing.
import type { OpenedCall } from './opened-call.js';
import type { PreparedAudio } from './process-media.js';

export interface DecisionRun extends OpenedCall {
  prepared: PreparedAudio;
}
