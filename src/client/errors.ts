// One error for everything that can go wrong between a program and the server. Programs look at its code and reason,
// people read its message.
import type { DiagnosticDetailJson, StatusCodeJson, StatusJson } from '../gen/vendor/rpc/status_pb.js';
import { pathInRequest } from './contract.js';

/** Codes of the contract, and four of our own: no valid token, no answer, an answer that cannot be read, a broken call. */
export type ErrorCode = StatusCodeJson | 'UNAUTHENTICATED' | 'OFFLINE' | 'BAD_ANSWER' | 'CALL_LOST';

/** One field of a request that is wrong. */
export interface FieldProblem {
  /** Path inside the request, such as `context.gkScopeId`. */
  field: string;
  /** What is wrong with it, as a text for people. */
  message: string;
  /** Kind of rule that was broken, such as `MANDATORY_FIELD_MISSING`. */
  violation: string;
}

/** What an error is made of beside its message. */
interface ErrorFacts {
  code: ErrorCode;
  reason?: string | undefined;
  fields?: readonly FieldProblem[];
  details?: readonly DiagnosticDetailJson[];
  httpStatus?: number;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A call that was refused, or that got no answer. */
export class VoxgateError extends Error {
  override readonly name = 'VoxgateError';
  /** The kind of failure, such as `NOT_FOUND`, `BUSY` or `OFFLINE`. */
  readonly code: ErrorCode;
  /** The exact reason, if the server gives one: `PROFILE_LOCKED`, `PERSON_OPTED_OUT`; from the token service `invalid_client`. */
  readonly reason: string | undefined;
  /** Every field of the request that is wrong. */
  readonly fields: readonly FieldProblem[];
  /** All diagnostic details that the server gives. */
  readonly details: readonly DiagnosticDetailJson[];
  /** 0 if there was no answer. */
  readonly httpStatus: number;
  /** Quote it when you ask the operator what happened. */
  readonly requestId: string | undefined;
  /** How long the server asks to wait before the same call is sent again. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.reason = facts.reason;
    this.fields = facts.fields ?? [];
    this.details = facts.details ?? [];
    this.httpStatus = facts.httpStatus ?? 0;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'NOT_AUTHORIZED',
  404: 'NOT_FOUND',
  409: 'BUSY',
  410: 'OBSOLETE',
  413: 'TOO_LARGE',
  429: 'RATE_EXCEEDED',
  501: 'NOT_IMPLEMENTED',
  503: 'BUSY',
  504: 'DEADLINE_EXCEEDED',
};

/** The three shapes in which a server refuses: the status of the contract, the flat body, and that of OAuth. */
interface RefusalBody {
  status?: StatusJson;
  error_message?: string;
  field?: string;
  error?: string;
  error_description?: string;
}

/** What an answer refuses; undefined where it refuses nothing. */
export function refusalIn(answer: Response, body: unknown): VoxgateError | undefined {
  const { status: inBody, ...flat } = (body ?? {}) as RefusalBody;
  const common = {
    httpStatus: answer.status,
    requestId: inBody?.requestInfo?.requestId ?? answer.headers.get('x-request-id') ?? undefined,
    retryAfterMs: waitOf(answer) ?? inBody?.retryInfo?.retryDelayMs,
  };
  if (inBody?.statusCode !== undefined) {
    if (inBody.statusCode === 'OK') return undefined;
    const fields = (inBody.fieldViolations ?? []).map(({ field = '', message = '', violation }) => ({
      field: pathInRequest(field),
      message,
      violation: violation ?? 'MANDATORY_FIELD_MISSING',
    }));
    const details = inBody.diagnosticDetails ?? [];
    const text = inBody.statusMessage?.message || inBody.statusCode;
    return new VoxgateError(withFields(text, fields), {
      ...common,
      code: inBody.statusCode,
      reason: details[0]?.code,
      fields,
      details,
    });
  }
  if (answer.ok) return undefined;
  const text = flat.error_message ?? flat.error_description ?? flat.error ?? `HTTP ${answer.status}`;
  return new VoxgateError(text, {
    ...common,
    code: codeByStatus[answer.status] ?? (answer.status >= 500 ? 'INTERNAL_ERROR' : 'UNKNOWN'),
    reason: flat.error,
    fields:
      flat.field === undefined
        ? []
        : [{ field: pathInRequest(flat.field), message: text, violation: 'OTHER' }],
  });
}

/** Everything that is wrong in one sentence; the message of the server names the first field only. */
function withFields(text: string, fields: readonly FieldProblem[]): string {
  if (fields.length === 0) return text;
  return fields.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
}

/** Retry-After in seconds or as a date. */
function waitOf({ headers }: Response): number | undefined {
  const said = headers.get('retry-after');
  if (said === null) return undefined;
  const waitMs = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
