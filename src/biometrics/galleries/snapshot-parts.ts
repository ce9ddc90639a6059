// A gallery as bytes: parts of rows and one part with the rest, each saying what it belongs to. The store seals and checks the
// bytes; what is checked here is that they belong together and to what is asked for.
import { Pieces } from '../../voice/search/columns.js';
import type { GalleryMetadata } from './gallery.js';

const FORMAT = 3;
const LENGTH_BYTES = 4;

/** What all parts of one snapshot have in common. */
export interface SnapshotIdentity {
  snapshotId: string;
  gkScopeId: string;
  collectionGkId: string;
  modelRevision: string;
  dim: number;
  /** The journal change up to which it is current. */
  seq: number;
}

interface PartHead extends SnapshotIdentity {
  format: number;
  /** The first row, and the number of rows; 0 in the part with the rest. */
  first: number;
  rows: number;
  rest?: GalleryMetadata;
}

/** Snapshots made for another program, model or dimension are never used. */
export const snapshotFormatOf = ({
  modelRevision,
  dim,
}: Pick<SnapshotIdentity, 'modelRevision' | 'dim'>): string => `${FORMAT}/${modelRevision}/${dim}`;

export function encodePart(
  identity: SnapshotIdentity,
  place: { first: number; rows: number; rest?: GalleryMetadata },
  columns: readonly Uint8Array[] = [],
): Uint8Array[] {
  const head = Buffer.from(JSON.stringify({ format: FORMAT, ...identity, ...place } satisfies PartHead));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.byteLength);
  return [length, head, ...columns];
}

/** The remaining `columns` are those of the rows. */
export type SnapshotPart = Pick<PartHead, 'first' | 'rows' | 'rest'> & { columns: Pieces };

export function decodePart(pieces: readonly Uint8Array[], wanted: SnapshotIdentity): SnapshotPart {
  const columns = new Pieces(pieces);
  const next = (bytes: number): Buffer => {
    if (bytes > columns.left) throw new RangeError('a part without its head');
    const taken = Buffer.alloc(bytes);
    columns.fill(taken);
    return taken;
  };
  const head = next(next(LENGTH_BYTES).readUInt32LE(0));
  const { format, first, rows, rest, ...identity } = JSON.parse(head.toString('utf8')) as PartHead;
  const members = Object.keys(wanted) as (keyof SnapshotIdentity)[];
  const other = members.find((member) => identity[member] !== wanted[member]);
  if (format !== FORMAT || other) throw new RangeError(`a part of another ${other ?? 'format'}`);
  return { first, rows, ...(rest && { rest }), columns };
}
