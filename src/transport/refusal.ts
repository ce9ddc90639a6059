// A request that is turned away before its handler runs: no response message exists yet, so HTTP callers
// get the flat body and gRPC callers a gRPC status. Everything later travels in the in-body status.
import { GrpcStatus } from './grpc-status.js';
import { bearerChallenge } from '../auth/tokens/forward-auth.js';
import type { AppError } from '../errors.js';

export class Refusal extends Error {
  readonly httpStatus: number;
  readonly grpcStatus: GrpcStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly field: string | undefined;
  override readonly name = 'Refusal';

  constructor(
    httpStatus: number,
    grpcStatus: GrpcStatus,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    /** Dotted path of the field at fault, where one is known. */
    field?: string,
  ) {
    super(message);
    this.httpStatus = httpStatus;
    this.grpcStatus = grpcStatus;
    this.headers = headers;
    this.field = field;
  }
}

/** The flat error body of the contract: snake_case, nothing else is promised. */
export interface FlatError {
  status_code: number;
  error_message: string;
  field?: string;
}

export function flatError(httpStatus: number, message: string, field?: string): FlatError {
  return field === undefined
    ? { status_code: httpStatus, error_message: message }
    : { status_code: httpStatus, error_message: message, field };
}

/** The request cannot be read as the message of this operation. */
export function unreadable(message: string, field?: string): Refusal {
  return new Refusal(
    400,
    GrpcStatus.INVALID_ARGUMENT,
    field === undefined ? message : `${field}: ${message}`,
    {},
    field,
  );
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
  return new Refusal(403, GrpcStatus.PERMISSION_DENIED, `the token must have one of these scopes: ${list}`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${list}"`,
  });
}

export function shuttingDown(): Refusal {
  return new Refusal(503, GrpcStatus.UNAVAILABLE, 'the server is shutting down', { 'retry-after': '1' });
}
