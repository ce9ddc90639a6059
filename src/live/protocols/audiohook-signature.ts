// The signature of an AudioHook request: HTTP message signatures with HMAC-SHA256 over the address and five headers.
import { createHmac, timingSafeEqual } from 'node:crypto';

interface SignedRequest {
  /** Lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Path and query, as requested. */
  target: string;
  /** The host as the client knows it. */
  authority: string;
}

interface SigningKey {
  apiKey: string;
  /** Base64, as the integration's settings show it. */
  secret: string;
}

/** All of these must be signed: a signature that leaves one out could be moved to another call. */
const neededParts = [
  '@request-target',
  '@authority',
  'audiohook-organization-id',
  'audiohook-session-id',
  'audiohook-correlation-id',
  'x-api-key',
];
const NONCE_CHARS_MIN = 22;
const AGE_SECONDS_MAX = 10;
/** Clocks may also differ slightly in the other direction. */
const AHEAD_SECONDS_MAX = 3;
const HEADER_CHARS_MAX = 2000;
/** Signatures are remembered this much longer than they are valid, because clocks of nodes differ. */
const REMEMBERED_SECONDS = 60;

/** Identifies a valid signature, and until when it could be replayed. */
export interface GoodSignature {
  mark: string;
  rememberedUntilMs: number;
}

const textOf = (value: string | string[] | undefined): string =>
  typeof value === 'string' && value.length <= HEADER_CHARS_MAX ? value.trim() : '';

/** The valid signature, or why the request is not signed correctly. */
export function checkSignature(
  { headers, target, authority }: SignedRequest,
  { apiKey, secret }: SigningKey,
  nowMs: number,
): string | GoodSignature {
  const input = /^([a-z*][a-z0-9_.*-]*)=(\(([^()]*)\)(.*))$/.exec(textOf(headers['signature-input']));
  const [, label = '', signed = '', list = '', rest = ''] = input ?? [];
  if (!input) return 'there is no Signature-Input';
  const parts = [...list.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name);
  const left = neededParts.find((part) => !parts.includes(part));
  if (left) return `${left} is not signed`;
  const parameters = new Map(
    [...rest.matchAll(/;([a-z]+)=(?:"([^"]*)"|(\d+))/g)].map(([, name = '', text, number]) => [
      name,
      text ?? number ?? '',
    ]),
  );
  const seconds = nowMs / 1000;
  const created = Number(parameters.get('created') ?? NaN);
  const expires = Number(parameters.get('expires') ?? Infinity);
  if (parameters.get('keyid') !== apiKey) return 'the signature was made with another key';
  if (parameters.get('alg') !== 'hmac-sha256') return 'the algorithm must be hmac-sha256';
  if ((parameters.get('nonce') ?? '').length < NONCE_CHARS_MIN) return 'the nonce is too short';
  if (!(created >= seconds - AGE_SECONDS_MAX && created <= seconds + AHEAD_SECONDS_MAX))
    return 'the signature is too old or from the future';
  if (expires <= seconds) return 'the signature has expired';
  const special: Record<string, string> = { '@request-target': target, '@authority': authority };
  const lines = parts.map((part) => `"${part}": ${special[part] ?? textOf(headers[part])}`);
  const base = [...lines, `"@signature-params": ${signed}`].join('\n');
  const wanted = createHmac('sha256', Buffer.from(secret, 'base64')).update(base).digest();
  const given = new RegExp(`(?:^|,)\\s*${label.replace(/[.*]/g, '\\$&')}=:([A-Za-z0-9+/=]+):`).exec(
    textOf(headers['signature']),
  );
  const bytes = Buffer.from(given?.[1] ?? '', 'base64');
  if (bytes.length !== wanted.length || !timingSafeEqual(bytes, wanted)) return 'the signature is wrong';
  // Not the text as sent, which can be varied.
  const mark = wanted.toString('base64');
  return { mark, rememberedUntilMs: 1000 * (created + AGE_SECONDS_MAX + REMEMBERED_SECONDS) };
}
