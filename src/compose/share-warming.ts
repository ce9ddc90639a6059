// A new node reads its part of large lists before it reports that it is ready, so that callers need not wait for that; until
// then, the nodes that had that part before answer. If this takes too long or fails, the node is ready anyway.
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../errors.js';
import type { ReadinessCheck } from '../transport/readiness.js';
import type { Core } from './part.js';

/** So long others that start now may take to be found: who believes to be alone would read everything. */
const SETTLE_MS = 4000;
const READY_AFTER_MS = 60_000;

interface ShareWarming {
  readiness: ReadinessCheck;
  stop(): void;
}

export function startShareWarming(
  { log }: Pick<Core, 'log'>,
  /** Answers how many lists there were. */
  warm: () => Promise<number>,
  { settleMs, readyAfterMs } = { settleMs: SETTLE_MS, readyAfterMs: READY_AFTER_MS },
): ShareWarming {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isReady = false;
  const read = async (): Promise<void> => {
    await pause(settleMs, undefined, { signal, ref: false });
    const lists = await warm();
    if (lists > 0 && !isReady) log.info({ lists }, 'this node has read its part of large lists');
  };
  void read()
    .catch((cause: unknown) => {
      if (!signal.aborted && !isOutage(cause))
        log.warn(
          { err: cause },
          "cannot read this node's part of large lists in advance: it will be read when needed",
        );
    })
    .finally(() => (isReady = true));
  const late = setTimeout(() => (isReady = true), settleMs + readyAfterMs).unref();
  return {
    readiness: {
      name: 'large lists',
      check: async () => isReady || 'this node is reading its part of them',
    },
    // What is being read belongs to nobody, as after a question: it ends by itself.
    stop: () => {
      stopping.abort();
      clearTimeout(late);
    },
  };
}
