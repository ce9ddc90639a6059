// What a worker's host provides to the work inside it.

/** Runs work inside the ONNX runtime, during which the thread must not be ended. */
export type InRuntime = <T>(work: () => Promise<T>) => Promise<T>;
