// The hash chain. A record's hash covers its own content, the digest of its sealed personal part and the
// hash of the record before it; so a record cannot be changed, removed or slipped in without breaking
// every later hash, while erasing personal bytes (the digest stays) breaks none.
import { createHash } from 'node:crypto';
import type { JsonValue } from './model.js';

/** What the first record of a chain has as its predecessor; it differs per chain. */
export function genesisHash(chain: string): string {
  return sha256Hex(`voxgate audit chain v1:${chain}`);
}

/**
 * The operation of the record that tells of a cut: the records before some place are gone because they were older
 * than the retention. It stands in the chain itself, so a cut cannot be made up without breaking the chain.
 */
export const CUT_OPERATION = 'CutAuditTrail';

/** What such a record says: the last record that is gone, and its hash, from which the rest goes on. */
export interface Cut {
  lastSeq: number;
  lastHash: string;
}

interface HashedFields {
  chain: string;
  seq: number;
  atMs: number;
  recordType: string;
  operation: string;
  actor: { subject: string; issuer: string };
  /** The three documents as they are stored: the text itself is hashed, so storing it never changes a hash. */
  context: string;
  subjectIds: string;
  detail: string;
  personalDigest: string | null;
}

export function recordHash(prevHash: string, fields: HashedFields): string {
  return sha256Hex(
    canonicalJson([
      'v1',
      prevHash,
      fields.chain,
      fields.seq,
      fields.atMs,
      fields.recordType,
      fields.operation,
      fields.actor.subject,
      fields.actor.issuer,
      fields.context,
      fields.subjectIds,
      fields.detail,
      fields.personalDigest,
    ]),
  );
}

export function bytesDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** JSON with sorted member names, no white space and no undefined members: equal values, equal text. */
export function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') {
    // JSON has no NaN or infinity; a score that is one of them is stored as null, as JSON.stringify does.
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`;
  const members = Object.entries(value as { [name: string]: JsonValue | undefined })
    .filter((member) => member[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
