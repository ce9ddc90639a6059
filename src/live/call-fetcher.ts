// Brings a call to this node for a connection that comes back here: either a call stored in the database, or one that another
// node is listening to and is asked to hand over. That node may be shutting down at this moment, and store the call without
// noticing the request.
import { setTimeout as pause } from 'node:timers/promises';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { AppError } from '../errors.js';
import type { Call } from '../platform.js';
import type { MovingCall } from './call-handover.js';
import type { MovingCalls } from './moving-calls.js';
import type { NodeRequests } from './node-requests.js';
import type { RunningCalls } from './running-calls.js';

const LOOK_MS = 50;

/** How a connection comes back: with the token, or by the telephone system's own ID. */
export type ResumeKey = { resumeToken: string } | { gkScopeId: string; externalCallId: string };

interface FetcherParts {
  store: BiometricsStore;
  moving: Pick<MovingCalls, 'takeByToken' | 'takeByExternal'>;
  running: Pick<RunningCalls, 'elsewhere'>;
  requests: Pick<NodeRequests, 'ask'>;
}

export class CallFetcher {
  readonly #parts: FetcherParts;

  constructor(parts: FetcherParts) {
    this.#parts = parts;
  }

  /** Undefined if there is no such call, or it is over. */
  async fetch(call: Call, which: ResumeKey): Promise<MovingCall | undefined> {
    const kept = await this.#take(which);
    if (kept) return kept;
    const entry = await this.#parts.running.elsewhere(which);
    if (!entry) return undefined;
    const done = new AbortController();
    const signal = AbortSignal.any([call.signal, done.signal]);
    let isAsking = true;
    const asked = this.#parts.requests
      .ask({ ...call, signal }, entry, { do: 'handOver' })
      .finally(() => (isAsking = false));
    // The answer does not matter: the call is stored, over, or still there.
    asked.catch(() => undefined);
    try {
      for (let wasAsking = true; wasAsking; await pause(LOOK_MS)) {
        // In this order: after the other node has answered, there is one more look.
        wasAsking = isAsking;
        const stage = (await this.#parts.store.read.liveCalls.find(entry.liveCallId))?.stage;
        if (stage === 'MOVING') return await this.#taken(which);
        if (stage !== 'RUNNING') return undefined;
      }
    } finally {
      done.abort();
    }
    throw notHandedOver();
  }

  /** Another connection may have been faster. */
  async #taken(which: ResumeKey): Promise<MovingCall> {
    const moving = await this.#take(which);
    if (!moving) throw notHandedOver();
    return moving;
  }

  #take(which: ResumeKey): Promise<MovingCall | undefined> {
    const { moving } = this.#parts;
    return 'resumeToken' in which
      ? moving.takeByToken(which.resumeToken)
      : moving.takeByExternal(which.gkScopeId, which.externalCallId);
  }
}

const notHandedOver = (): AppError =>
  new AppError('BUSY', 'the node that listens to the call has not handed it over: connect again', {
    retryAfterMs: 1000,
  });
