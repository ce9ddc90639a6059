// `npm run bench -- gallery`: what a node pays for a watchlist of a million prints after its start: processor time from the
// sealed snapshot to a gallery that can be asked, the longest that other work waits meanwhile, and memory. The snapshot lies in
// files; with S3 the same bytes come over the network.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/platform.js';
import { openStorage, type Storage } from '../src/storage/open-storage.js';
import { wanted, type Bench } from './harness.js';
import { snapshotsOf } from './kept-galleries.js';
import { filled, inPieces, model, sample } from './made-up-prints.js';

const place = { gkScopeId: 'bench', collectionGkId: 'watchlist' };
const COLD_START_S_MAX = 10;
const PRINT_BYTES_MAX = 600;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const residentBytes = (): number => process.memoryUsage.rss();

async function measure(storage: Storage, prints: number) {
  const snapshots = snapshotsOf(storage, model);
  const heard = sample();
  const kept = await (async () => {
    const { gallery } = filled(prints);
    const written = await inPieces(() => snapshots.keep(place, { gallery, seq: 0 }));
    return {
      written,
      answer: await gallery.at(0, undefined).nearest({ model, samples: [heard], limit: 100 }),
    };
  })();
  globalThis.gc?.();
  const beforeBytes = residentBytes();
  const { result, pieces } = await inPieces(() => snapshots.load(place));
  if (!result) throw new Error('the snapshot was not used');
  globalThis.gc?.();
  const answer = await result.gallery.at(0, undefined).nearest({ model, samples: [heard], limit: 100 });
  if (JSON.stringify(answer) !== JSON.stringify(kept.answer)) throw new Error('the answers differ');
  return {
    prints,
    writeCpuS: sum(kept.written.pieces) / 1000,
    readCpuS: sum(pieces) / 1000,
    longestPieceMs: Math.max(...pieces),
    bytesPerPrint: result.gallery.memoryBytes() / prints,
    /** What the process grew by; less than it holds where memory of the first gallery was used again. */
    grownBytesPerPrint: (residentBytes() - beforeBytes) / prints,
  };
}

export const run: Bench = async ({ tiny }) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-gallery-'));
  const storage = await openStorage({ home, databaseUrl: '', masterKey: '', clock: systemClock });
  try {
    const figures = await measure(storage, tiny ? 3000 : 1_000_000);
    const { prints, readCpuS, bytesPerPrint } = figures;
    return {
      name: 'gallery',
      compared: `a gallery of ${prints} prints from its sealed snapshot, processor time of one core`,
      lines: [
        wanted('start from the snapshot', readCpuS, COLD_START_S_MAX, 's'),
        wanted('memory of a print', bytesPerPrint, PRINT_BYTES_MAX, 'bytes'),
      ],
      details: { figures },
    };
  } finally {
    await storage.close();
    rmSync(home, { recursive: true, force: true });
  }
};
