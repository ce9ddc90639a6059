// Gives memory back when the process has nothing to do. V8 keeps the young generation at the size that the
// last burst of work needed and collects only on allocation, so an idle server would hold some 30 MB of
// garbage for as long as it stays idle.
import { performance } from 'node:perf_hooks';
import { collectGarbage } from '../inference/collect-garbage.js';
import type { Part } from './part.js';

interface IdleMemorySettings {
  /** How often the process looks at itself. */
  everyMs: number;
  /** Milliseconds of work in such a span below which it counts as idle. */
  idleBelowMs: number;
  /** Total milliseconds that the event loop has worked. */
  activeMs: () => number;
  collect: () => void;
}

const defaults: IdleMemorySettings = {
  everyMs: 10_000,
  idleBelowMs: 100,
  activeMs: () => performance.eventLoopUtilization().active,
  collect: collectGarbage,
};

/** Collects once after each stretch of work, as soon as a whole span was idle. */
export function composeIdleMemory(settings: Partial<IdleMemorySettings> = {}): Part {
  const { everyMs, idleBelowMs, activeMs, collect } = { ...defaults, ...settings };
  let worked = true;
  let before = activeMs();
  const timer = setInterval(() => {
    const now = activeMs();
    const idle = now - before < idleBelowMs;
    if (idle && worked) collect();
    worked = !idle;
    before = activeMs();
  }, everyMs).unref();
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.resolve();
    },
  };
}
