// Bytes that are at hand already, as the stream that the blob store takes.
export async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
