// A thread that scans galleries of the main thread, in the memory that they share.
import type { Check } from '../../voice/check.js';
import { admitting, BlockScan, type ScanFindings, type ScanJob } from '../../voice/search/block-scan.js';
import { createScanKernel, type ScanKernel } from '../../voice/search/scan-kernel.js';
import { ScanMemory } from '../../voice/search/scan-memory.js';
import { collectGarbage } from '../collect-garbage.js';
import { serveJobs } from '../pool/worker-host.js';

/** Some rows of a gallery, from a place in its memory that is this job's alone. */
interface ScanPart extends ScanJob {
  place: number;
  first: number;
  end: number;
}

/** What this thread has of the gallery that it was last asked about: to make it anew would take longer than most scans. */
interface Known {
  memoryId: number;
  /** As it was when the views were made; a gallery that has grown is looked at anew. */
  bytes: number;
  memory: ScanMemory;
  kernels: Map<number, ScanKernel>;
}

let known: Known | undefined;

/** What is known of other galleries would keep their memory after they are gone: it is let go at once. */
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
