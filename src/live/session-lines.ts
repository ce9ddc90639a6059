// Before a session ends, the connections of its live calls are read, on every node: audio that can wait is
// otherwise read only every half second, and a caller who has hung up in between would count as cut off.
import type { SessionLines } from '../biometrics/ports/deps.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { messageOf } from '../errors.js';
import { yieldToEventLoop, type Call, type Log } from '../platform.js';
import type { LiveCall } from './live-call.js';
import type { NodeRequests } from './node-requests.js';

/** Stopping a session waits no longer than this for another node. */
const ANSWER_MS_MAX = 1000;
/** Any protocol reports an end that has arrived within this many turns of the event loop. */
const TURNS = 5;

interface LinesDeps {
  store: BiometricsStore;
  log: Log;
}

interface LineNodes {
  nodeId: string;
  /** There are no other nodes. */
  isAlone: boolean;
  calls: ReadonlyMap<string, LiveCall>;
  requests: NodeRequests;
}

/** Reads what the connection of a call has received, to find out whether it is still there. */
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
      // The session is stopped anyway: what its node notices later, it reports with the time of the event.
      log.warn({ cause: messageOf(cause) }, 'connections of a session that ends were not looked at');
    }
  };
}
