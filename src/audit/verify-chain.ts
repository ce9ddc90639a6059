// Checks that a chain is whole: no record changed, none missing, none slipped in, none cut off at the end.
// Truncation together with the head cannot be seen from inside; keep the head's hash elsewhere for that.
import { genesisHash } from './chain.js';
import type { AuditReader } from './ports.js';

export type ChainFault = 'CONTENT_CHANGED' | 'LINK_BROKEN' | 'RECORD_MISSING' | 'HEAD_MISMATCH';

export interface ChainReport {
  chain: string;
  records: number;
  head: { seq: number; hash: string };
  ok: boolean;
  /** The first record that does not fit. */
  broken?: { seq: number; fault: ChainFault; message: string };
}

const batchRecords = 500;

/** `expected` is a head noted down earlier: the chain must still contain it. */
export async function verifyChain(
  reader: AuditReader,
  chain: string,
  expected?: { seq: number; hash: string },
): Promise<ChainReport> {
  const head = (await reader.head(chain)) ?? { seq: 0, hash: genesisHash(chain) };
  let seq = 0;
  let hash = genesisHash(chain);
  const broken = (at: number, fault: ChainFault, message: string): ChainReport => ({
    chain,
    records: seq,
    head,
    ok: false,
    broken: { seq: at, fault, message },
  });
  // Records appended while this runs lie behind the head that was read and are left for the next time.
  while (seq < head.seq) {
    const batch = await reader.readChained(chain, seq, Math.min(batchRecords, head.seq - seq));
    if (batch.length === 0)
      return broken(seq + 1, 'RECORD_MISSING', `the chain ends at ${seq}, its head says ${head.seq}`);
    for (const link of batch) {
      const at = link.record.seq;
      if (at !== seq + 1)
        return broken(seq + 1, 'RECORD_MISSING', `record ${seq + 1} is not there, ${at} follows`);
      if (link.prevHash !== hash)
        return broken(at, 'LINK_BROKEN', `record ${at} does not follow from the one before it`);
      if (link.computedHash !== link.hash)
        return broken(at, 'CONTENT_CHANGED', `record ${at} is not what was written`);
      if (expected?.seq === at && expected.hash !== link.hash) {
        return broken(at, 'HEAD_MISMATCH', `record ${at} is not the one that was noted down`);
      }
      seq = at;
      hash = link.hash;
    }
  }
  if (hash !== head.hash)
    return broken(seq, 'HEAD_MISMATCH', 'the last record is not the one that the head names');
  if (expected && expected.seq > seq)
    return broken(seq + 1, 'RECORD_MISSING', `the chain was noted down with ${expected.seq} records`);
  return { chain, records: seq, head, ok: true };
}
