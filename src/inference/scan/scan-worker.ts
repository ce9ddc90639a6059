// A thread that scans the main thread's galleries, in shared memory.
import type { Check } from '../../voice/check.js';
import { admitting, BlockScan, type ScanFindings, type ScanJob } from '../../voice/search/block-scan.js';
import { createScanKernel, type ScanKernel } from '../../voice/search/scan-kernel.js';
import { ScanMemory } from '../../voice/search/scan-memory.js';
import { collectGarbage } from '../collect-garbage.js';
import { serveJobs } from '../pool/worker-host.js';

/** Some rows of a gallery, with a place in its memory that belongs to this job alone. */
interface ScanPart extends ScanJob {
  place: number;
  first: number;
  end: number;
}

/**
 * This thread's view of the gallery that it scanned last: making it again would take longer than most scans.
 */
interface Known {
  memoryId: number;
  /** The size when the views were made; a gallery that has grown needs new views. */
  bytes: number;
  memory: ScanMemory;
  kernels: Map<number, ScanKernel>;
}

let known: Known | undefined;

/** Views of other galleries are dropped at once: they would keep memory of deleted galleries alive. */
function knownOf({ memoryId, memory, dim }: ScanPart): Known {
  const bytes = memory.buffer.byteLength;
  if (known?.memoryId === memoryId && known.bytes === bytes) return known;
  const isOther = known?.memoryId !== memoryId;
  known = undefined;
  if (isOther) collectGarbage();
  known = { memoryId, bytes, memory: new ScanMemory(dim, memory), kernels: new Map() };
  return known;
}

async function scanPart(part: ScanPart, check: Check): Promise<ScanFindings[]> {
  const { memory, kernels } = knownOf(part);
  let kernel = kernels.get(part.place);
  if (!kernel) kernels.set(part.place, (kernel = createScanKernel(memory, part.place)));
  const steps = new BlockScan(memory, kernel, part, admitting(part)).run(part.first, part.end);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await check();
  }
}

await serveJobs(async () => ({ handle: (request, check) => scanPart(request as ScanPart, check) }));
