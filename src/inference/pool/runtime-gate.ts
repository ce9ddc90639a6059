// Tells whether a worker is inside the ONNX runtime. Ending a thread there would end the whole process, so
// the worker signals when it enters and leaves, and the pool ends a worker only when it is outside and can no
// longer enter.

const CANCELED_AT = 0;
const GATE_AT = 1;
const OUT_OF_RUNTIME = 0;
const IN_RUNTIME = 1;
const CLOSED = 2;

/** Memory that the pool and one worker share; the third word belongs to preemption.ts. */
export type SharedWords = Int32Array<SharedArrayBuffer>;

export const sharedWords = (): SharedWords => new Int32Array(new SharedArrayBuffer(12));

/** The worker's side: runs `work` unless the pool has closed the gate, in which case it waits to be ended. */
export async function insideRuntime<T>(words: SharedWords, work: () => Promise<T>): Promise<T> {
  if (Atomics.compareExchange(words, GATE_AT, OUT_OF_RUNTIME, IN_RUNTIME) === CLOSED)
    return new Promise<T>(() => {});
  try {
    return await work();
  } finally {
    Atomics.compareExchange(words, GATE_AT, IN_RUNTIME, OUT_OF_RUNTIME);
  }
}

/** The pool's side: true once the worker is outside and will stay there. */
export function closeGate(words: SharedWords): boolean {
  return Atomics.compareExchange(words, GATE_AT, OUT_OF_RUNTIME, CLOSED) !== IN_RUNTIME;
}

/** The job to give up; in shared memory, because a worker that is computing reads no messages. */
export const cancelJob = (words: SharedWords, jobId: number): void =>
  void Atomics.store(words, CANCELED_AT, jobId);

export const isCanceled = (words: SharedWords, jobId: number): boolean =>
  Atomics.load(words, CANCELED_AT) === jobId;
