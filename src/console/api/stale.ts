// What pages show may be out of date: a change was refused because somebody else had made one first. It is loaded again when the form
// is closed, so that whoever opens it again sees what it says now. Not before: a form that is open compares with what it was filled with.
const listeners = new Set<() => void>();
let stale = false;

/** Called where a change was refused for the sake of another one. */
export function noteStale(): void {
  stale = true;
}

/** Called when a form is closed. */
export function refreshStale(): void {
  if (!stale) return;
  stale = false;
  for (const listener of [...listeners]) listener();
}

export function watchStale(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
