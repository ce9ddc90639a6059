// One readable error for everything that can go wrong between the console and the server, with a sentence for
// people and the problems of single fields. Refusals by the server are turned into one in refused.ts.
import { sentence } from '../format/sentence.js';
import { LANGUAGE } from '../text/language.js';
import { t } from '../text/shell.js';
import { connectionLost } from './connection.js';

interface FieldProblem {
  /** Dotted path inside the request, such as `environment.name`. */
  field: string;
  message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Closed code such as PERMISSION_DENIED; HTTP_404 if the server gave none; OFFLINE without an answer. */
  readonly code: string;
  readonly httpStatus: number;
  readonly fields: readonly FieldProblem[];
  /** Codes for programs, such as LAST_CLIENT. */
  readonly details: readonly string[];
  /** Values that come with these codes, such as the name of the conflicting item. */
  readonly extras: Readonly<Record<string, string>>;
  readonly requestId: string | undefined;

  constructor(
    message: string,
    facts: {
      code: string;
      httpStatus?: number;
      fields?: readonly FieldProblem[];
      details?: readonly string[];
      extras?: Readonly<Record<string, string>>;
      requestId?: string | undefined;
    },
  ) {
    super(message);
    this.code = facts.code;
    this.httpStatus = facts.httpStatus ?? 0;
    this.fields = facts.fields ?? [];
    this.details = facts.details ?? [];
    this.extras = facts.extras ?? {};
    this.requestId = facts.requestId;
  }

  /** The problem with one field, by the end of its path: `problem('name')`. */
  problem(field: string): string | undefined {
    return this.problems(field)[0];
  }

  /** All problems with the field. */
  problems(field: string): string[] {
    return this.fields.filter(({ field: path }) => isAbout(path, field)).map(({ message }) => message);
  }

  /** The problems that no field on the page shows. */
  problemsBeside(shown: Iterable<string>): readonly FieldProblem[] {
    const names = [...shown];
    return this.fields.filter(({ field }) => !names.some((name) => isAbout(field, name)));
  }
}

/** Problems with an entry of a list are shown beside the list. */
const isAbout = (path: string, field: string): boolean =>
  [path, path.replace(/\[\d+\]$/, '')].some((each) => each === field || each.endsWith(`.${field}`));

/**
 * A field's name on the pages, by the last part of its path; without a name in the catalogue, English can use
 * the field's own words.
 */
export function fieldLabel(path: string): string | undefined {
  const last = (path.split('.').at(-1) ?? '').replace(/\[\d+\]$/, '');
  const known = t.errors.fieldNames[last];
  if (known !== undefined || LANGUAGE !== 'en') return known;
  const plain = last
    .replace(/^gk(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const words = plain.replace(/\bids?$/, (id) => id.replace('id', 'ID'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function offline(): ApiError {
  connectionLost();
  return new ApiError(t.errors.offline, { code: 'OFFLINE' });
}

/** Replaces the offline error once the server is back. */
export const backAgain = (words: string = t.errors.backAgain): ApiError =>
  new ApiError(words, { code: 'BACK_AGAIN' });

/** The server was away: there was nothing wrong with the request. */
export const isUnanswered = ({ code }: ApiError): boolean => code === 'OFFLINE' || code === 'BACK_AGAIN';

/** Somebody else made a change first: nothing was saved. */
export const CHANGED_MEANWHILE = 'CHANGED_MEANWHILE';
export const isChangedMeanwhile = ({ details }: ApiError): boolean => details.includes(CHANGED_MEANWHILE);

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiError(text ? sentence(text) : t.errors.unknown, { code: 'UNKNOWN' });
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
