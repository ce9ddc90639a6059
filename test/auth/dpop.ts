// A client that binds its tokens to a key (RFC 9449), the same key for the whole run.
import { createHash, randomUUID } from 'node:crypto';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';

const keys = generateKeyPair('ES256');

export async function dpopProof(htm: string, htu: string, token?: string): Promise<string> {
  const { privateKey, publicKey } = await keys;
  const ath = token && createHash('sha256').update(token).digest('base64url');
  return new SignJWT({ htm, htu, jti: randomUUID(), ...(ath ? { ath } : {}) })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey);
}
