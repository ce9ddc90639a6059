// Checks public keys that a client registers for private_key_jwt. A private or symmetric key is refused with a clear message:
// its owner must know that it has leaked.
import { createPublicKey } from 'node:crypto';
import type { FieldFault } from '../../errors.js';
import type { PublicJwk } from '../model.js';
import { say, type Said } from '../../words/server/say.js';

const KEYS_MAX = 8;
const RSA_BITS_MIN = 2048;
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
export const assertionAlgorithms = ['ES256', 'ES384', 'EdDSA', 'PS256', 'RS256'];

export function publicKeyFaults(field: string, keys: readonly PublicJwk[]): FieldFault[] {
  if (keys.length > KEYS_MAX)
    return [{ field, violation: 'TOO_LONG', ...say('TOO_MANY_KEYS', { max: KEYS_MAX }) }];
  const faults: FieldFault[] = [];
  keys.forEach((key, index) => {
    const said = keyFault(key);
    if (said) faults.push({ field: `${field}[${index}]`, violation: 'INVALID_FORMAT', ...said });
  });
  return faults;
}

function keyFault(key: PublicJwk): Said | undefined {
  if (privateMembers.some((member) => member in key)) return say('PRIVATE_KEY');
  if (key.alg !== undefined && !assertionAlgorithms.includes(key.alg)) return say('ALGORITHM_NOT_ACCEPTED');
  try {
    const parsed = createPublicKey({ key: { ...key }, format: 'jwk' });
    const bits = parsed.asymmetricKeyDetails?.modulusLength;
    return bits !== undefined && bits < RSA_BITS_MIN
      ? say('KEY_TOO_SHORT', { min: RSA_BITS_MIN })
      : undefined;
  } catch {
    return say('NOT_A_JWK');
  }
}
