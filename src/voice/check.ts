// What long work asks between its steps: whether to go on.

/** Throws when the work is of no use any more; takes its time where somebody else goes first. */
export type Check = () => Promise<void> | void;
