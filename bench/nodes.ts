// `npm run bench -- nodes [--minutes N] [--seed S]`: three nodes on one PostgreSQL and one S3 store work while one after another
// is killed (-9) and started again; afterwards everything that was acknowledged is looked for. Calls are tried once more
// when they fail, and those that fail twice are counted.
import { setTimeout as sleep } from 'node:timers/promises';
import { awaitErasures, checkState, checkTokens, type Place } from './chaos/check.js';
import { Ledger } from './chaos/ledger.js';
import { runLoad } from './chaos/load.js';
import { wanted, type Bench } from './harness.js';
import { Fleet, install } from './nodes/fleet.js';

const NODES = 3;
const KILL_EVERY_MS = 20_000;
const TINY_KILL_EVERY_MS = 1000;
const TINY_PAUSE_MS = 250;
/** Each worker of a node loads the models anew whenever the node starts. */
const tinyNode = { 'engine.workers': '1' };
const FAILED_PERCENT_MAX = 0.1;
/** Less than any container has: what a node cannot do with that much memory must be refused, not end it. */
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=256' };

export const run: Bench = async ({ seconds, tiny, seed = 1 }) => {
  const installation = await install();
  const fleet = new Fleet(
    Array.from({ length: NODES }, () => installation.node(tiny ? tinyNode : {}, smallHeap)),
  );
  const ledger = new Ledger();
  try {
    await fleet.start();
    const place: Place = { ...installation.place, tenantId: fleet.target?.tenantId ?? '' };
    let isOver = false;
    const load = runLoad({
      server: fleet,
      ledger,
      seed,
      workers: tiny ? 3 : 6,
      pauseMs: tiny ? TINY_PAUSE_MS : 0,
      stopped: () => isOver,
    });
    let kills = 0;
    const untilMs = performance.now() + seconds * 1000;
    while (performance.now() < untilMs || kills < NODES) {
      await sleep(tiny ? TINY_KILL_EVERY_MS : KILL_EVERY_MS);
      const node = fleet.nodes[kills++ % NODES];
      if (node) await fleet.killAndRestart(node);
    }
    isOver = true;
    await load;
    const wrong = await awaitErasures(place, ledger);
    const target = fleet.target;
    if (target) wrong.push(...(await checkTokens(target, ledger)));
    await fleet.end('SIGTERM');
    wrong.push(...(await checkState(place, ledger)));
    const failed = Object.values(ledger.failedTwice).reduce((sum, each) => sum + each, 0);
    const failedPercent = (100 * failed) / ledger.calls;
    return {
      name: 'nodes',
      compared: `${NODES} nodes with 256 MB of heap each, PostgreSQL and S3, ${Math.round(seconds / 6) / 10} minutes, seed ${seed}: ${kills} kills, ${ledger.total} operations acknowledged, ${wrong.length} lost or wrong`,
      lines: [wanted('calls that failed twice', failedPercent, FAILED_PERCENT_MAX, '%')],
      details: {
        seed,
        seconds,
        kills,
        calls: ledger.calls,
        failedTwice: ledger.failedTwice,
        failedPercent,
        ...ledger.figures(wrong),
        unexpectedEnds: fleet.nodes.reduce((sum, node) => sum + node.unexpectedEnds, 0),
      },
    };
  } finally {
    await fleet.end('SIGKILL');
    await installation.end();
  }
};
