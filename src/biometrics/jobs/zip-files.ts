// ZIP archives, made as they are written: nothing of them but the current piece is in memory.
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

export interface ZipPiece {
  /** The file that it belongs to; the pieces of a file follow one another. */
  name: string;
  bytes: Uint8Array;
  /** Not compressed: recordings are as small as they get, or too long to wait for. */
  isStored?: boolean;
}

export async function* zipped(pieces: AsyncIterable<ZipPiece>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  let open: { name: string; entry: ZipDeflate | ZipPassThrough } | undefined;
  for await (const { name, bytes, isStored } of pieces) {
    if (open?.name !== name) {
      open?.entry.push(new Uint8Array(0), true);
      open = { name, entry: isStored ? new ZipPassThrough(name) : new ZipDeflate(name) };
      zip.add(open.entry);
    }
    open.entry.push(bytes);
    yield* ready;
    ready = [];
  }
  open?.entry.push(new Uint8Array(0), true);
  zip.end();
  yield* ready;
}
