// Long work on the main thread is done in pieces of a few milliseconds; what else waits is served in between.
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
