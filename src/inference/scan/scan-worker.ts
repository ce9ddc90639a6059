// A thread that scans galleries of the main thread, in the memory that they share.
import type { Check } from '../../voice/check.js';
import { admitting, BlockScan, type ScanFindings, type ScanJob } from '../../voice/search/block-scan.js';
import { createScanKernel } from '../../voice/search/scan-kernel.js';
import { ScanMemory } from '../../voice/search/scan-memory.js';
import { collectGarbage } from '../collect-garbage.js';
import { serveJobs } from '../pool/worker-host.js';

/** Some rows of a gallery, from a place in its memory that is this job's alone. */
export interface ScanPart extends ScanJob {
  place: number;
  first: number;
  end: number;
}

/** The memory of the last job. */
let lastId: number | undefined;

async function scanPart(part: ScanPart, check: Check): Promise<ScanFindings[]> {
  const memory = new ScanMemory(part.dim, part.memory);
  const kernel = createScanKernel(memory, part.place);
  const steps = new BlockScan(memory, kernel, part.questions, admitting(part)).run(part.first, part.end);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await check();
  }
}

/** What this thread has seen of other galleries would keep their memory after they are gone: it is let go at once. */
function letGo(memoryId: number): void {
  if (memoryId !== lastId) collectGarbage();
  lastId = memoryId;
}

await serveJobs(async () => ({
  handle: async (request, check) => {
    const part = request as ScanPart;
    letGo(part.memoryId);
    return scanPart(part, check);
  },
}));
