// How much has been said in a call so far, which between two events nobody is told otherwise.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { LiveCallInfoSchema } from '../../../gen/voxgate/live/v1/live_pb.js';
import type { LiveCallInfo } from '../../../live/model.js';
import { liveAssessmentOf } from '../biosec/assessment.js';
import { durationOf, present } from '../biosec/shared.js';

const PROGRESS_MS = 1000;

export type Progress = MessageInitShape<typeof LiveCallInfoSchema>;

/** Looks at the call again and again and tells what has changed, until the function that it gives is called. */
export function tellProgress(
  look: () => Promise<LiveCallInfo | undefined>,
  tell: (progress: Progress) => void,
): () => void {
  let last = '';
  let isLooking = false;
  let isOver = false;
  const lookOnce = async (): Promise<void> => {
    const info = await look();
    if (!info || isOver) return;
    const { netSpeechMs, positionMs, agentWord = '', assessment } = info;
    const now = `${netSpeechMs} ${positionMs} ${agentWord} ${JSON.stringify(assessment)}`;
    if (now !== last)
      tell({
        netSpeech: durationOf(netSpeechMs),
        position: durationOf(positionMs),
        agentWord,
        ...present('assessment', assessment, liveAssessmentOf),
      });
    last = now;
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // Whoever cannot be asked now is asked again.
    void lookOnce()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, PROGRESS_MS).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
