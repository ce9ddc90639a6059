// Checks public keys that a client registers for private_key_jwt. A private or symmetric key is refused with a clear message:
// its owner must know that it has leaked.
import { createPublicKey } from 'node:crypto';
import type { FieldFault } from '../../errors.js';
import type { PublicJwk } from '../model.js';

const KEYS_MAX = 8;
const RSA_BITS_MIN = 2048;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
export const assertionAlgorithms = ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256'];

export function publicKeyFaults(field: string, keys: readonly PublicJwk[]): FieldFault[] {
  if (keys.length > KEYS_MAX)
    return [{ field, violation: 'TOO_LONG', message: `must have at most ${KEYS_MAX} keys` }];
  const faults: FieldFault[] = [];
  keys.forEach((key, index) => {
    const message = keyFault(key);
    if (message) faults.push({ field: `${field}[${index}]`, violation: 'INVALID_FORMAT', message });
  });
  return faults;
}

function keyFault(key: PublicJwk): string | undefined {
  if (privateMembers.some((member) => member in key))
    return 'contains private key material; treat that key as leaked';
  if (key.alg !== undefined && !assertionAlgorithms.includes(key.alg))
    return 'names an algorithm that is not accepted';
  try {
    const parsed = createPublicKey({ key: { ...key }, format: 'jwk' });
    const bits = parsed.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < RSA_BITS_MIN ? `is shorter than ${RSA_BITS_MIN} bits` : undefined;
  } catch {
    return 'is not a public key in JWK format';
  }
}
