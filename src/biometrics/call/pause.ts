// Long computations on the main thread yield to other calls in between, and end when nobody is waiting any longer.
import { AppError } from '../../errors.js';
import { yieldToEventLoop, type Call } from '../../platform.js';

const SLICE_MS = 15;

export function pauseBetweenSlices(call: Call): () => Promise<void> {
  let sinceMs = performance.now();
  // Shared by all concurrent work: a slice each would add up.
  let giving: Promise<void> | undefined;
  return async () => {
    if (performance.now() - sinceMs < SLICE_MS) return;
    if (call.signal.aborted) throw new AppError('CANCELLED_CLIENT', 'the computation was canceled');
    giving ??= yieldToEventLoop().then(() => {
      giving = undefined;
      sinceMs = performance.now();
    });
    await giving;
  };
}
