// One readable error for everything the server may refuse: the flat shape, the in-body status and OAuth's own
// dialect all become an ApiError with a sentence for people and the problems of single fields. Where the server names
// a code, the sentence comes from the catalogue, in the reader's language.
import { pathInRequest } from '../../client/contract.js';
import type { StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { sentence } from '../format/sentence.js';
import { t } from '../text/shell.js';
import { connectionLost } from './connection.js';

export interface FieldProblem {
  /** Dotted path inside the request, such as `environment.name`. */
  field: string;
  message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Closed code such as PERMISSION_DENIED; HTTP_404 where the server gave none; OFFLINE without an answer. */
  readonly code: string;
  readonly httpStatus: number;
  readonly fields: readonly FieldProblem[];
  /** Codes for programs, such as LAST_CLIENT. */
  readonly details: readonly string[];
  /** What comes with these codes, such as the name of what is in the way. */
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

  /** What is wrong with one field, by the end of its path: `problem('name')`. */
  problem(field: string): string | undefined {
    return this.fields.find(({ field: path }) => isAbout(path, field))?.message;
  }

  /** The problems that no field on the page shows. */
  problemsBeside(shown: Iterable<string>): readonly FieldProblem[] {
    const names = [...shown];
    return this.fields.filter(({ field }) => !names.some((name) => isAbout(field, name)));
  }
}

const isAbout = (path: string, field: string): boolean => path === field || path.endsWith(`.${field}`);

/** What a field is called on the pages: the last part of its path, as words where the catalogue has none. */
export function fieldLabel(path: string): string {
  const last = (path.split('.').at(-1) ?? '').replace(/\[\d+\]$/, '');
  const known = t.errors.fieldNames[last];
  if (known) return known;
  const plain = last
    .replace(/^gk(?=[A-Z])/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const words = plain.replace(/\bids?$/, (id) => id.replace('id', 'ID'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const violationWords = {
  MANDATORY_FIELD_MISSING: t.errors.mandatory,
  TOO_LONG: t.errors.tooLong,
  TOO_SHORT: t.errors.tooShort,
} as const;

function violationText(violation: NonNullable<StatusJson['fieldViolations']>[number]): string {
  const kind = violation.violation ?? 'MANDATORY_FIELD_MISSING';
  const own = violation.userMessage?.message || violation.message;
  const known = own ? t.errors.said[own] : undefined;
  if (known) return known;
  if (own && own !== 'is mandatory') return sentence(own, violation.field === 'manifest');
  return kind in violationWords ? violationWords[kind as keyof typeof violationWords] : t.errors.invalidField;
}

export function errorFromStatus(status: StatusJson, httpStatus: number): ApiError {
  const code = status.statusCode ?? 'UNKNOWN';
  const fields = isGeneral(code)
    ? []
    : (status.fieldViolations ?? []).map((violation) => ({
        field: pathInRequest(violation.field ?? ''),
        message: violationText(violation),
      }));
  const details = (status.diagnosticDetails ?? []).flatMap((detail) => detail.code ?? []);
  const known = details.map((detail) => t.errors.details[detail]).find((text) => text !== undefined);
  // The message of a request with wrong fields repeats the first of them under its internal name; others say no more
  // than their code, and the catalogue says it better.
  const own = fields.length > 0 || isGeneral(code) ? undefined : status.statusMessage?.message;
  const general = t.errors.codes[code] ?? t.errors.refused;
  return new ApiError(known ?? (own ? sentence(own) : fields.length > 0 ? t.errors.fixFields : general), {
    code,
    httpStatus: status.httpTransCode ?? httpStatus,
    fields,
    details,
    extras: Object.assign({}, ...(status.diagnosticDetails ?? []).map(({ extras }) => extras)) as Record<
      string,
      string
    >,
    requestId: status.requestInfo?.requestId,
  });
}

const isGeneral = (code: string): boolean =>
  ['INTERNAL_ERROR', 'NOT_FOUND', 'BUSY', 'RATE_EXCEEDED', 'TOO_LARGE', 'DEADLINE_EXCEEDED'].includes(code);

export function errorFromAnswer(httpStatus: number, body: unknown, requestId?: string): ApiError {
  const flat = (body ?? {}) as {
    error_message?: string;
    field?: string;
    error_description?: string;
    error?: string;
  };
  const text = flat.error_message ?? flat.error_description ?? flat.error;
  const fallback =
    httpStatus === 413 ? t.errors.tooLarge : httpStatus >= 500 ? t.errors.unavailable : t.errors.refused;
  return new ApiError(text ? sentence(text) : fallback, {
    code: `HTTP_${String(httpStatus)}`,
    httpStatus,
    fields:
      flat.field === undefined
        ? []
        : [{ field: pathInRequest(flat.field), message: text ? sentence(text) : t.errors.invalidField }],
    requestId,
  });
}

export function offline(): ApiError {
  connectionLost();
  return new ApiError(t.errors.offline, { code: 'OFFLINE' });
}

/** What is said in the place of that, once the server is back. */
export const backAgain = (words: string = t.errors.backAgain): ApiError =>
  new ApiError(words, { code: 'BACK_AGAIN' });

/** The server was away: nothing was wrong with what was sent. */
export const isUnanswered = ({ code }: ApiError): boolean => code === 'OFFLINE' || code === 'BACK_AGAIN';

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiError(text ? sentence(text) : t.errors.unknown, { code: 'UNKNOWN' });
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
