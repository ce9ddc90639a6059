// A passkey in software: makes a key pair, and answers challenges as a browser would hand them on. What a thief would change
// can be changed.
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Circumstances {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  counter?: number;
  userHandle?: string;
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();
const b64 = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** The little of CBOR that WebAuthn needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number): Buffer =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, member]) => [cbor(key), cbor(member as Buffer)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export class SoftwarePasskey {
  readonly id = randomBytes(16);
  readonly #privateKey: string;
  readonly #point: Buffer;
  readonly #rpId: string;
  readonly #origin: string;

  constructor(rpId: string, origin: string) {
    const pair = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    this.#privateKey = pair.privateKey;
    this.#point = pair.publicKey.subarray(-64);
    this.#rpId = rpId;
    this.#origin = origin;
  }

  /** Answers navigator.credentials.create(). */
  create(optionsJson: string, change: Circumstances = {}): string {
    const { challenge } = JSON.parse(optionsJson) as { challenge: string };
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, this.#point.subarray(0, 32)],
      [-3, this.#point.subarray(32)],
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, cbor(key)]);
    const authData = Buffer.concat([this.#authData(change, 0x40), attested]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.#answer({
      clientDataJSON: b64(this.#clientData('webauthn.create', challenge, change)),
      attestationObject: b64(cbor(attestation)),
    });
  }

  /** Answers navigator.credentials.get(). */
  get(optionsJson: string, userId: string, change: Circumstances = {}): string {
    const { challenge } = JSON.parse(optionsJson) as { challenge: string };
    const authData = this.#authData(change, 0);
    const clientData = this.#clientData('webauthn.get', challenge, change);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    return this.#answer({
      clientDataJSON: b64(clientData),
      authenticatorData: b64(authData),
      signature: b64(sign('sha256', signed, createPrivateKey(this.#privateKey))),
      userHandle: b64(change.userHandle ?? userId),
    });
  }

  #answer(response: object): string {
    const id = b64(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Circumstances): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false });
  }

  #authData({ rpId = this.#rpId, userVerified = true, counter = 0 }: Circumstances, flags: number): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = 0x01 | (userVerified ? 0x04 : 0) | flags;
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }
}
