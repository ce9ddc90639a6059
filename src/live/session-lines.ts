// Before a session ends, the connections of its live calls are read, on whichever node they are: audio that can wait is
// otherwise read only every half a second, and a caller who has hung up by then was cut off.
import type { SessionLines } from '../biometrics/ports/deps.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { messageOf } from '../errors.js';
import { yieldToEventLoop, type Call, type Log } from '../platform.js';
import type { LiveCall } from './live-call.js';
import type { NodeRequests } from './node-requests.js';

/** Stopping a session waits no longer than this for another node. */
const ANSWER_MS_MAX = 1000;
/** An end that has arrived is told of within so many turns of the event loop, by any protocol. */
const TURNS = 5;

interface LinesDeps {
  store: BiometricsStore;
  log: Log;
}

interface LineNodes {
  nodeId: string;
  /** There is no other node. */
  isAlone: boolean;
  calls: ReadonlyMap<string, LiveCall>;
  requests: NodeRequests;
}

/** Reads what the connection of a call has brought, so that it is known whether it is still there. */
export async function readLine(live: LiveCall): Promise<void> {
  await live.readLine();
  for (let turn = 0; turn < TURNS; turn++) await yieldToEventLoop();
}

export function sessionLines({ store, log }: LinesDeps, nodes: LineNodes): SessionLines['look'] {
  const here = (ids: ReadonlySet<string>): Promise<void>[] =>
    [...nodes.calls.values()].flatMap((live) =>
      !live.isOver && ids.has(live.info.gkSessionId) ? readLine(live) : [],
    );
  const elsewhere = async (call: Call, gkScopeId: string, ids: readonly string[]): Promise<void> => {
    if (nodes.isAlone) return;
    const running = await store.read.liveCalls.runningIn(gkScopeId, ids);
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
    await Promise.all(
      running
        .filter(({ nodeId }) => nodeId !== nodes.nodeId)
        .map((entry) => nodes.requests.ask({ ...call, signal }, entry, { do: 'readLine' })),
    );
  };
  return async (call, gkScopeId, ids) => {
    try {
      await Promise.all([...here(new Set(ids)), elsewhere(call, gkScopeId, ids)]);
    } catch (cause) {
      // A session is stopped all the same: what its node sees later it tells by the time at which it saw it.
      log.warn({ cause: messageOf(cause) }, 'connections of a session that ends were not looked at');
    }
  };
}
