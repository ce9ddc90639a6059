// A request that is rejected before its handler runs. gRPC callers get a gRPC status. HTTP callers get the response message
// with its in-body status, as for every later error, if the operation is known and the error has a code there; otherwise, as
// for a missing token, the flat body.
import { GrpcStatus } from './grpc-status.js';
import { localized } from './status.js';
import { bearerChallenge, scopeChallenge } from '../auth/tokens/forward-auth.js';
import { AppError, type Violation } from '../errors.js';
import { type Said, inEnglish, say } from '../words/server/say.js';

export class Refusal extends Error {
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string | undefined;
  readonly said: Said | undefined;
  /** The same as a fault of an operation. */
  readonly inBody: AppError | undefined;
  override readonly name = 'Refusal';

  constructor(
    httpStatus: number,
    grpcStatus: GrpcStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    inBody?: AppError,
  ) {
    super(message);
    this.httpStatus = httpStatus;
    this.grpcStatus = grpcStatus;
    this.headers = headers;
    this.field = inBody?.fields[0]?.field;
    this.said = inBody?.said;
    this.inBody = inBody;
  }
}

/** The flat error body of the contract: snake_case, nothing else is promised. */
interface FlatError {
  status_code: number;
  error_message: string;
  field?: string;
  /** The message once more, by its code, for whoever says it in another language. */
  status_message?: object;
}

export function flatError(httpStatus: number, message: string, field?: string, said?: Said): FlatError {
  return {
    status_code: httpStatus,
    error_message: message,
    ...(field !== undefined && { field }),
    ...(said?.code !== undefined && { status_message: localized(said) }),
  };
}

/** The request cannot be read as the message of this operation. */
export function unreadable(
  message: string,
  field?: string,
  violation: Violation = 'INVALID_FORMAT',
): Refusal {
  const text = field === undefined ? message : `${field}: ${message}`;
  const fields = field === undefined ? [] : [{ field, violation, ...inEnglish(message) }];
  return new Refusal(
    400,
    GrpcStatus.INVALID_ARGUMENT,
    text,
    {},
    new AppError('BAD_REQUEST', text, { fields }),
  );
}

const TYPE_CHARACTERS_MAX = 60;

export function unsupportedType(type: string): Refusal {
  const message = `the body must be application/json, not ${type.slice(0, TYPE_CHARACTERS_MAX)}`;
  return new Refusal(415, GrpcStatus.INVALID_ARGUMENT, message, {}, new AppError('BAD_REQUEST', message));
}

/** RFC 6750 section 3: the challenge tells the client library to fetch a new token and retry once. */
export function unauthenticated(error: AppError): Refusal {
  return new Refusal(401, GrpcStatus.UNAUTHENTICATED, error.message, {
    'www-authenticate': challengeOf(error),
  });
}

/** By the reason that the bearer check gave; anything else is a token that is not valid. */
export function challengeOf({ message, diagnostics }: AppError): string {
  return bearerChallenge(diagnostics[0]?.code ?? 'invalid', message);
}

export function insufficientScope(scopes: readonly string[]): Refusal {
  const list = scopes.join(' ');
  const said = say('SCOPE_NEEDED', { scopes: list });
  return new Refusal(
    403,
    GrpcStatus.PERMISSION_DENIED,
    said.message,
    { 'www-authenticate': scopeChallenge([leastOf(scopes)]) },
    new AppError('NOT_AUTHORIZED', said, {
      diagnostics: [{ code: 'INSUFFICIENT_SCOPE', extras: { scopes: list } }],
    }),
  );
}

/** Of scopes that each suffice: clients request all that a challenge names, and the whole service is more than they need. */
const leastOf = (scopes: readonly string[]): string =>
  scopes.find((scope) => scope.includes('.')) ?? scopes[0] ?? '';

/** As gRPC has it for a call that ends before it has asked anything. */
export const noMessage = (): Refusal =>
  new Refusal(400, GrpcStatus.UNIMPLEMENTED, 'the call contained no message');

export function shuttingDown(): Refusal {
  const message = 'the server is shutting down';
  return new Refusal(
    503,
    GrpcStatus.UNAVAILABLE,
    message,
    { 'retry-after': '1' },
    new AppError('BUSY', message, { retryAfterMs: 1000 }),
  );
}
