// Checks that a chain is whole: no record changed, none missing, none slipped in, none cut off at the end. Where
// retention removed the oldest records, the chain starts behind them and a later record has to vouch for that.
// Truncation together with the head cannot be seen from inside; keep the head's hash elsewhere for that.
import { CUT_OPERATION, genesisHash, type Cut } from './chain.js';
import type { AuditReader, ChainedRecord } from './ports.js';

type ChainFault = 'CONTENT_CHANGED' | 'LINK_BROKEN' | 'RECORD_MISSING' | 'HEAD_MISMATCH';

export interface ChainReport {
  chain: string;
  /** How many were checked. */
  records: number;
  /** The first record that is there; above 1 when retention removed older ones. */
  from: number;
  head: { seq: number; hash: string };
  ok: boolean;
  /** The first record that does not fit. */
  broken?: { seq: number; fault: ChainFault; message: string };
}

const BATCH_RECORDS = 500;

/** `expected` is a head noted down earlier: the chain must still contain it. */
export async function verifyChain(
  reader: AuditReader,
  chain: string,
  expected?: { seq: number; hash: string },
): Promise<ChainReport> {
  const head = (await reader.head(chain)) ?? { seq: 0, hash: genesisHash(chain) };
  const start = await startOf(reader, chain, head.seq);
  let { seq, hash } = start;
  let isCutRecorded = start.seq === 0;
  const broken = (at: number, fault: ChainFault, message: string): ChainReport => ({
    chain,
    records: seq - start.seq,
    from: start.seq + 1,
    head,
    ok: false,
    broken: { seq: at, fault, message },
  });
  // Records appended while this runs lie behind the head that was read and are left for the next time.
  while (seq < head.seq) {
    const batch = await reader.readChained(chain, seq, Math.min(BATCH_RECORDS, head.seq - seq));
    if (batch.length === 0)
      return broken(seq + 1, 'RECORD_MISSING', `the chain ends at ${seq}, but its head says ${head.seq}`);
    for (const link of batch) {
      const at = link.record.seq;
      if (at !== seq + 1)
        return broken(seq + 1, 'RECORD_MISSING', `record ${seq + 1} is missing; the next one is ${at}`);
      if (link.prevHash !== hash)
        return broken(at, 'LINK_BROKEN', `record ${at} does not follow from the one before it`);
      if (link.computedHash !== link.hash)
        return broken(at, 'CONTENT_CHANGED', `record ${at} is not what was written`);
      if (expected?.seq === at && expected.hash !== link.hash) {
        return broken(at, 'HEAD_MISMATCH', `record ${at} is not the one that was noted down`);
      }
      isCutRecorded ||= recordsCutAt(link, start);
      seq = at;
      hash = link.hash;
    }
  }
  if (!isCutRecorded)
    return broken(
      1,
      'RECORD_MISSING',
      `records 1 to ${start.seq} are missing, and no record says that they were removed`,
    );
  if (
    expected &&
    expected.seq <= start.seq &&
    expected.hash !== (expected.seq === start.seq ? start.hash : '')
  )
    return broken(expected.seq, 'RECORD_MISSING', `record ${expected.seq} was removed by retention`);
  if (hash !== head.hash)
    return broken(seq, 'HEAD_MISMATCH', 'the last record is not the one that the head names');
  if (expected && expected.seq > seq)
    return broken(seq + 1, 'RECORD_MISSING', `the chain was noted down with ${expected.seq} records`);
  return { chain, records: seq - start.seq, from: start.seq + 1, head, ok: true };
}

/** The place before the first record that is there: the beginning, or where the retention cut. */
async function startOf(
  reader: AuditReader,
  chain: string,
  headSeq: number,
): Promise<{ seq: number; hash: string }> {
  const [first] = headSeq > 0 ? await reader.readChained(chain, 0, 1) : [];
  if (!first || first.record.seq === 1) return { seq: 0, hash: genesisHash(chain) };
  return { seq: first.record.seq - 1, hash: first.prevHash };
}

function recordsCutAt({ record }: ChainedRecord, start: { seq: number; hash: string }): boolean {
  if (record.operation !== CUT_OPERATION) return false;
  const { lastSeq, lastHash } = record.detail as Partial<Cut>;
  return lastSeq === start.seq && lastHash === start.hash;
}
