// A call as others follow it over gRPC: the events so far, then each as it comes, whichever node listens.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalidFields } from '../../../errors.js';
import type { WatchCallRequest, WatchCallResponseSchema } from '../../../gen/voxgate/live/v1/live_pb.js';
import { EventQueue } from '../../../live/event-queue.js';
import type { LiveCalls } from '../../../live/live-calls.js';
import type { Call } from '../../../platform.js';
import { shuttingDown } from '../../refusal.js';
import { tellProgress } from './progress.js';
import { eventOf } from './translate.js';
import { inEnglish } from '../../../words/server/say.js';

type Answer = MessageInitShape<typeof WatchCallResponseSchema>;

export async function* watchCall(
  calls: LiveCalls,
  call: Call,
  { liveCallId, afterSequence, progress }: WatchCallRequest,
): AsyncGenerator<Answer> {
  if (afterSequence < 0n)
    throw invalidFields([
      { field: 'after_sequence', violation: 'OUT_OF_RANGE', ...inEnglish('must not be negative') },
    ]);
  const info = await calls.find(call, liveCallId);
  // Whoever has lost count is told all that comes.
  const known = Math.min(Number(afterSequence), info.events.length);
  const answers = new EventQueue<Answer>();
  const leave = calls.watch(info, {
    onEvent: (event) => {
      if (event.sequence > known) answers.push({ event: eventOf(event) });
    },
    // Another server may know how it goes on.
    over: (why) => (why === 'draining' ? answers.fail(shuttingDown()) : answers.close()),
  });
  const tell = (now: NonNullable<Answer['progress']>): void => answers.push({ progress: now });
  const stop = progress ? tellProgress(() => calls.lookAt(call, liveCallId), tell) : undefined;
  call.signal.addEventListener('abort', () => answers.close(), { once: true });
  if (call.signal.aborted) answers.close();
  try {
    yield* answers;
  } finally {
    stop?.();
    leave();
  }
}
