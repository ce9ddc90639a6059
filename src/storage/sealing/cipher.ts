// AES-256-GCM as this program uses it, and nothing about where keys come from. A sealed value is
//   format (1 byte) | key version (4 bytes, big endian) | nonce (12) | ciphertext | tag (16)
// and is tied by its additional data to the place where it lies: moved to another row it does not open.
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { StorageError } from '../storage-error.js';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const FORMAT = 1;
const HEADER_BYTES = 1 + 4;

export function sealBytes(
  key: Uint8Array,
  keyVersion: number,
  plaintext: Uint8Array,
  aad: string,
): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(FORMAT, 0);
  header.writeUInt32BE(keyVersion, 1);
  // Random nonces stay safe for 2^32 values per key; rotate a tenant's key long before (docs/adr/0005).
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(header, aad));
  const sealed = Buffer.concat([
    header,
    nonce,
    cipher.update(plaintext),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return new Uint8Array(sealed.buffer, sealed.byteOffset, sealed.byteLength);
}

/** The version of the tenant's key that a value needs. */
export function keyVersionOf(sealed: Uint8Array): number {
  if (sealed.byteLength < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORMAT) {
    throw new StorageError('SEAL_BROKEN', 'not a sealed value');
  }
  return view(sealed).readUInt32BE(1);
}

export function openBytes(key: Uint8Array, sealed: Uint8Array, aad: string): Uint8Array {
  const bytes = view(sealed);
  const header = bytes.subarray(0, HEADER_BYTES);
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const tag = bytes.subarray(bytes.byteLength - TAG_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(additionalData(header, aad));
    decipher.setAuthTag(tag);
    const content = bytes.subarray(HEADER_BYTES + NONCE_BYTES, bytes.byteLength - TAG_BYTES);
    const plaintext = Buffer.concat([decipher.update(content), decipher.final()]);
    return new Uint8Array(plaintext);
  } catch (error) {
    throw new StorageError(
      'SEAL_BROKEN',
      'a sealed value was changed, moved, or sealed with another key',
      error,
    );
  }
}

function additionalData(header: Uint8Array, aad: string): Uint8Array {
  return Buffer.concat([header, Buffer.from(aad, 'utf8')]);
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Names a key without revealing anything about it. */
export function keyId(key: Uint8Array): string {
  return createHash('sha256').update('voxgate key id\n').update(key).digest('hex').slice(0, 16);
}
