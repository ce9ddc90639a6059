// A worker for the tests of the pool: it sleeps, spins, throws or dies on request.
import { collectGarbage } from '../../src/inference/collect-garbage.js';
import { serveJobs, type Handler } from '../../src/inference/pool/worker-host.js';

/** What a job that spins says it holds. */
const HELD_BYTES = 1000;

/** 120 MB, as the samples of half an hour. */
const KEPT_FLOATS = 30_000_000;

interface Order {
  do: 'echo' | 'throw' | 'die' | 'spin' | 'hang' | 'count' | 'keep' | 'drop' | 'weigh';
  value?: unknown;
  ms?: number;
}

await serveJobs(async (settings) => {
  // Shared memory says whether the models are there yet.
  if (settings instanceof SharedArrayBuffer && new Int32Array(settings)[0] === 0)
    throw new Error('no model here');
  let count = 0;
  let kept: Float32Array | undefined;
  let held = 0;
  const handle: Handler = async (request, check) => {
    const order = request as Order;
    if (order.do === 'count') return ++count;
    if (order.do === 'keep') {
      kept = new Float32Array(KEPT_FLOATS).fill(1);
      // Old enough that only a full collection finds it when it is dropped.
      for (let times = 0; times < 3; times++) collectGarbage();
    }
    if (order.do === 'drop') kept = undefined;
    if (order.do === 'weigh')
      return { keptFloats: kept?.length, heldBytes: process.memoryUsage().arrayBuffers };
    if (order.do === 'throw') throw new Error('bad luck');
    if (order.do === 'die') process.exit(3);
    const end = Date.now() + (order.ms ?? 0);
    if (order.do === 'spin') held += HELD_BYTES;
    try {
      while (Date.now() < end) if (order.do === 'spin') await check();
      return order.value;
    } finally {
      if (order.do === 'spin') held -= HELD_BYTES;
    }
  };
  return { handle, heldBytes: () => held };
});
