// Checks the signature (AWS Signature Version 4) of a request as an S3 store does: whoever signs wrongly is refused.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

const shape =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Uint8Array, data: string): Buffer =>
  createHmac('sha256', key).update(data).digest();

/** The name of the error that S3 would answer; undefined when the request is well signed. */
export function signatureFault(
  request: IncomingMessage,
  url: URL,
  body: Uint8Array,
  { accessKeyId, secretAccessKey }: Credentials,
): string | undefined {
  const [, key, day = '', region = '', names = '', signature = ''] =
    shape.exec(request.headers.authorization ?? '') ?? [];
  if (key === undefined) return 'AccessDenied';
  if (key !== accessKeyId) return 'InvalidAccessKeyId';
  const payload = String(request.headers['x-amz-content-sha256']);
  if (payload !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const headers = names
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('');
  const canonical = [request.method, url.pathname, query, headers, names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const signingKey = ['s3', 'aws4_request'].reduce(
    (held, part) => hmac(held, part),
    hmac(hmac(`AWS4${secretAccessKey}`, day), region),
  );
  const isRight = timingSafeEqual(hmac(signingKey, text), Buffer.from(signature, 'hex'));
  return isRight ? undefined : 'SignatureDoesNotMatch';
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
