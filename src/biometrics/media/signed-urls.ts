// URLs that carry their own permission: whoever has one may do one thing to one object until it expires. No bearer token is
// needed, and nothing has to be stored to check one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../../errors.js';
import type { Clock } from '../../platform.js';
import { say } from '../../words/server/say.js';

type UrlPurpose =
  | 'upload'
  | 'download'
  | 'report'
  | 'personal-data'
  | 'calibration-upload'
  | 'calibration-download';

const paths: Record<UrlPurpose, string> = {
  upload: '/media/uploads',
  download: '/media/downloads',
  report: '/media/reports',
  'personal-data': '/media/personal-data',
  'calibration-upload': '/media/calibrations',
  'calibration-download': '/media/calibrations',
};

export const signedPath = (purpose: UrlPurpose): string => paths[purpose];

export class SignedUrls {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #baseUrl: () => string;

  constructor(
    key: Uint8Array,
    clock: Clock,
    /** As clients reach us; known once the server knows its address. */
    baseUrl: () => string,
  ) {
    this.#key = key;
    this.#clock = clock;
    this.#baseUrl = baseUrl;
  }

  make(
    purpose: UrlPurpose,
    id: string,
    lifetimeSeconds: number,
    parameters: Readonly<Record<string, string>> = {},
  ): { url: string; expiresAtMs: number } {
    const expiresAtMs = this.#clock.now() + lifetimeSeconds * 1000;
    const query = new URLSearchParams({ ...parameters, expires: String(Math.ceil(expiresAtMs / 1000)) });
    query.set('signature', this.#sign(purpose, id, query));
    return { url: `${this.#baseUrl()}${paths[purpose]}/${encodeURIComponent(id)}?${query}`, expiresAtMs };
  }

  /** Returns the signed parameters, or throws: a changed, foreign or expired address opens nothing. */
  check(purpose: UrlPurpose, id: string, query: URLSearchParams): URLSearchParams {
    const signed = new URLSearchParams(query);
    const given = Buffer.from(signed.get('signature') ?? '', 'base64url');
    signed.delete('signature');
    const wanted = Buffer.from(this.#sign(purpose, id, signed), 'base64url');
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      throw new AppError('PERMISSION_DENIED', say('URL_NOT_VALID'));
    }
    if (Number(signed.get('expires')) * 1000 < this.#clock.now()) {
      throw new AppError('PERMISSION_DENIED', say('URL_EXPIRED'));
    }
    return signed;
  }

  #sign(purpose: UrlPurpose, id: string, query: URLSearchParams): string {
    const ordered = [...query].filter(([name]) => name !== 'signature').sort(([a], [b]) => (a < b ? -1 : 1));
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([purpose, id, ordered]))
      .digest('base64url');
  }
}
