// What work inside a worker is given by its host.

/** Throws when the job was cancelled or is too late. */
export type Check = () => void;

/** Runs something inside the ONNX runtime, where the thread must not be ended. */
export type InRuntime = <T>(work: () => Promise<T>) => Promise<T>;
