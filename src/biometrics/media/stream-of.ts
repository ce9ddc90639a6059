// Bytes in memory, as the stream that the blob store expects.
export async function* streamOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
