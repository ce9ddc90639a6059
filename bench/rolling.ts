// `npm run bench -- rolling --earlier FOLDER [--seconds N]`: two nodes of an earlier version on one PostgreSQL and one S3 store are
// replaced one after the other by nodes of this version while clients work, and then the other way round. No call may fail, not
// even once; afterwards everything that was acknowledged is looked for. Without --earlier both versions are this one.
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitErasures, checkState, checkTokens, type Place } from './chaos/check.js';
import type { Targets } from './chaos/client.js';
import { Ledger } from './chaos/ledger.js';
import { runLoad } from './chaos/load.js';
import { wanted, type Bench } from './harness.js';
import { Fleet, install } from './nodes/fleet.js';

const NODES = 2;
const WORKERS = 4;
/** There and back, each node once, and the time before the first. */
const STAGES = 1 + 2 * NODES;
const FAILED_PERCENT_MAX = 0.001;

/** Each call is tried once. */
const once = (fleet: Fleet): Targets => ({
  get target() {
    return fleet.target;
  },
});

export const run: Bench = async ({ seconds, tiny, seed = 1, earlier }) => {
  const installation = await install();
  const nodeOf = (program?: string) => installation.node({}, {}, program);
  const fleet = new Fleet(Array.from({ length: NODES }, () => nodeOf(earlier)));
  const ledger = new Ledger();
  try {
    await fleet.start();
    const place: Place = { ...installation.place, tenantId: fleet.target?.tenantId ?? '' };
    let isOver = false;
    const workers = tiny ? 1 : WORKERS;
    const load = runLoad({
      server: once(fleet),
      ledger,
      seed,
      workers,
      pauseMs: 0,
      stopped: () => isOver,
    });
    const stage = () => sleep((1000 * seconds) / STAGES);
    await stage();
    const callsAtStage = [ledger.calls];
    for (const program of [undefined, earlier])
      for (const node of [...fleet.nodes]) {
        await fleet.replace(node, nodeOf(program));
        await stage();
        callsAtStage.push(ledger.calls);
      }
    isOver = true;
    await load;
    const wrong = await awaitErasures(place, ledger);
    const { target } = fleet;
    if (target) wrong.push(...(await checkTokens(target, ledger)));
    await fleet.end('SIGTERM');
    wrong.push(...(await checkState(place, ledger)));
    const failures = { ...ledger.refused, ...ledger.unexpected };
    const failed = Object.values(failures).reduce((sum, each) => sum + each, 0);
    return {
      name: 'rolling',
      compared: `${NODES} nodes of ${earlier === undefined ? 'this version' : 'an earlier version'} replaced by this one and back, ${workers} clients, PostgreSQL and S3: ${ledger.calls} calls, ${failed} failed, ${ledger.total} operations acknowledged, ${wrong.length} lost or wrong`,
      lines: [wanted('calls that failed', (100 * failed) / ledger.calls, FAILED_PERCENT_MAX, '%')],
      details: { seed, seconds, callsAtStage, ...ledger.figures(wrong) },
    };
  } finally {
    await fleet.end('SIGKILL');
    await installation.end();
  }
};
