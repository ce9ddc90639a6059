// Tracks that pages may show outdated data because a change was refused after somebody else's. The data is
// loaded again when the form is closed, so that the user sees the new state when reopening it. Not earlier:
// an open form compares with the values that it was filled with.
const listeners = new Set<() => void>();
let stale = false;

/** Call if a change was refused because somebody else made one first. */
export function noteStale(): void {
  stale = true;
}

/** Call when a form is closed. */
export function refreshStale(): void {
  if (!stale) return;
  stale = false;
  for (const listener of [...listeners]) listener();
}

export function watchStale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
