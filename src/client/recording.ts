// A recording on its way to the server: bytes from wherever they are, and the address that they are put to.
import type { CallOptions, Http } from './http.js';
import { refusalIn, VoxgateError } from './errors.js';

/** A whole audio file: WAV, FLAC, MP3, Ogg or WebM. */
export type Recording = Uint8Array | ArrayBuffer | Blob;

export async function bytesOf(recording: Recording): Promise<Uint8Array<ArrayBuffer>> {
  if (!(recording instanceof Uint8Array || recording instanceof ArrayBuffer || recording instanceof Blob))
    throw new VoxgateError('a recording is the bytes of a file, not its name', { code: 'INVALID_REQUEST' });
  const bytes =
    recording instanceof Uint8Array
      ? new Uint8Array(recording)
      : new Uint8Array(recording instanceof ArrayBuffer ? recording : await recording.arrayBuffer());
  if (bytes.length === 0) throw new VoxgateError('the recording is empty', { code: 'INVALID_REQUEST' });
  return bytes;
}

/** The server looks into the bytes; the contract only asks whether they are MP3. */
export function containerOf(bytes: Uint8Array): 'CONTAINER_WAV' | 'CONTAINER_MP3' {
  const isTagged = bytes[0] === 0x49 && bytes[1] === 0x44 && bytes[2] === 0x33;
  const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
  return isTagged || isFrame ? 'CONTAINER_MP3' : 'CONTAINER_WAV';
}

/** The address is signed: no token is needed, and the same bytes may be put again. */
export async function putBytes(
  http: Http,
  url: string,
  bytes: Uint8Array<ArrayBuffer>,
  options: CallOptions,
): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream' };
  const answer = await http.send(url, { method: 'PUT', headers, body: bytes }, options);
  const refusal = refusalIn(answer, await answer.json().catch(() => undefined));
  if (refusal) throw refusal;
}
