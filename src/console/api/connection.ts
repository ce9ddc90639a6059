// Whether the server answers. A call that gets no answer at all reports it here; from then on the server is
// polled until it is back, and everything that could not be loaded is loaded again automatically.
import { useSyncExternalStore } from 'react';

const ASK_EVERY_MS = 3000;
const listeners = new Set<() => void>();
let lost = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function tell(next: boolean): void {
  if (lost === next) return;
  lost = next;
  for (const listener of [...listeners]) listener();
}

async function ask(): Promise<void> {
  try {
    const { ok } = await fetch('/healthz', { cache: 'no-store' });
    if (ok) return tell(false);
  } catch {
    // Still away.
  }
  timer = setTimeout(() => void ask(), ASK_EVERY_MS);
}

/**
 * Called if something could not be fetched, to find out whether the server is away or only that file is
 * missing.
 */
export async function checkConnection(): Promise<void> {
  try {
    await fetch('/healthz', { cache: 'no-store' });
  } catch {
    connectionLost();
  }
}

/** Called if a request got no answer. */
export function connectionLost(): void {
  if (lost) return;
  tell(true);
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), ASK_EVERY_MS);
}

export function watchConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isConnectionLost = (): boolean => lost;

export function useConnectionLost(): boolean {
  return useSyncExternalStore(watchConnection, isConnectionLost);
}
