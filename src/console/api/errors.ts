// One readable error for everything the server may refuse: the flat shape, the in-body status and OAuth's
// own dialect all become an ApiError with a sentence for people and the faults of single fields.

import { connectionLost } from './connection.js';

export interface FieldProblem {
  /** Dotted path inside the request, such as `environment.name`. */
  field: string;
  message: string;
}

interface StatusBody {
  statusCode?: string;
  httpTransCode?: number;
  requestInfo?: { requestId?: string };
  statusMessage?: { message?: string };
  fieldViolations?: { field?: string; message?: string; userMessage?: { message?: string } }[];
  diagnosticDetails?: { code?: string; extras?: Record<string, string> }[];
  retryInfo?: { retryDelayMs?: number };
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Closed code such as PERMISSION_DENIED; HTTP_404 where the server gave none; OFFLINE without an answer. */
  readonly code: string;
  readonly httpStatus: number;
  readonly fields: readonly FieldProblem[];
  /** Codes for programs, such as LAST_CLIENT. */
  readonly details: readonly string[];
  readonly requestId: string | undefined;

  constructor(
    message: string,
    facts: {
      code: string;
      httpStatus?: number;
      fields?: readonly FieldProblem[];
      details?: readonly string[];
      requestId?: string | undefined;
    },
  ) {
    super(message);
    this.code = facts.code;
    this.httpStatus = facts.httpStatus ?? 0;
    this.fields = facts.fields ?? [];
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
  }

  /** What is wrong with one field, by the end of its path: `problem('name')`. */
  problem(field: string): string | undefined {
    const found = this.fields.find(({ field: path }) => path === field || path.endsWith(`.${field}`));
    return found?.message;
  }
}

/** First letter up, one full stop: server messages are lower-case fragments. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const opened = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(opened) ? opened : `${opened}.`;
}

const general: Record<string, string> = {
  NOT_AUTHORIZED: 'Your account may not do this.',
  PERMISSION_DENIED: 'Your account may not do this here.',
  NOT_FOUND: 'This does not exist, or your account may not see it.',
  BUSY: 'The server is busy. Try again in a moment.',
  RATE_EXCEEDED: 'Too many requests in a short time. Try again in a moment.',
  DEADLINE_EXCEEDED: 'The server took too long to answer.',
  INTERNAL_ERROR: 'Something went wrong on the server.',
};

/** snake_case message names in violations become camelCase, as pages write them. */
function toPath(field: string): string {
  // The violation names the request type first: drop everything up to the message name.
  const parts = field.split('.');
  const type = parts.findLastIndex((part) => /^[A-Z]/.test(part));
  return parts
    .slice(type + 1)
    .map((part) => part.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()))
    .join('.');
}

export function errorFromStatus(status: StatusBody, httpStatus: number): ApiError {
  const code = status.statusCode ?? 'UNKNOWN';
  const fields = (status.fieldViolations ?? []).map((violation) => ({
    field: toPath(violation.field ?? ''),
    message: sentence(violation.userMessage?.message || violation.message || 'is not valid'),
  }));
  const own = status.statusMessage?.message;
  const message = own ? sentence(own) : (general[code] ?? 'The server refused this.');
  return new ApiError(message, {
    code,
    httpStatus: status.httpTransCode ?? httpStatus,
    fields,
    details: (status.diagnosticDetails ?? []).flatMap((detail) => detail.code ?? []),
    requestId: status.requestInfo?.requestId,
  });
}

export function errorFromAnswer(httpStatus: number, body: unknown, requestId?: string): ApiError {
  const flat = (body ?? {}) as {
    error_message?: string;
    field?: string;
    error_description?: string;
    error?: string;
  };
  const text = flat.error_message ?? flat.error_description ?? flat.error;
  const fallback =
    httpStatus === 413
      ? 'This is larger than the server accepts.'
      : httpStatus >= 500
        ? 'The server could not answer.'
        : 'The server refused this.';
  return new ApiError(text ? sentence(text) : fallback, {
    code: `HTTP_${String(httpStatus)}`,
    httpStatus,
    fields:
      flat.field === undefined
        ? []
        : [{ field: toPath(flat.field), message: sentence(text ?? 'is not valid') }],
    requestId,
  });
}

export function offline(): ApiError {
  connectionLost();
  return new ApiError('The server cannot be reached. Check the connection and try again.', {
    code: 'OFFLINE',
  });
}

export function asApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return new ApiError(sentence(text || 'Something went wrong'), { code: 'UNKNOWN' });
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}
