// What work inside a worker is given by its host.

/** Runs something inside the ONNX runtime, where the thread must not be ended. */
export type InRuntime = <T>(work: () => Promise<T>) => Promise<T>;
