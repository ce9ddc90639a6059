// The question that long work asks between its steps: whether to go on.

/** Throws if the result is no longer needed; resolves late while other work goes first. */
export type Check = () => Promise<void> | void;
