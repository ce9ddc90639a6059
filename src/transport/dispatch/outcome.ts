// How a call ends: the response message with its in-body status, for success and for failure, and the refusal of a call
// whose response has no place for a status.
import { create, type Message } from '@bufbuild/protobuf';
import { AppError } from '../../errors.js';
import type { Log } from '../../platform.js';
import { errorMap } from '../error-map.js';
import { Refusal, unauthenticated } from '../refusal.js';
import { errorStatus, fillStatus, okStatus } from '../status.js';
import type { Exchange, Incoming, Operation } from './exchange.js';

export function succeed(
  operation: Operation,
  init: object,
  requestId: string,
  ignored: readonly string[],
): Message {
  const message = create(operation.method.output, init as Record<string, unknown>);
  fillStatus(operation.method.output, operation.statusPath, message, okStatus(requestId, ignored));
  return message;
}

/** The answer of a call whose request has been read. */
export function succeeded({ operation, incoming, request }: Exchange, init: object): Message {
  return succeed(operation, init, incoming.requestId, request?.ignored ?? []);
}

export function fail(operation: Operation, error: AppError, requestId: string): Message {
  const message = create(operation.method.output);
  const status = errorStatus(error, requestId, operation.requestType);
  fillStatus(operation.method.output, operation.statusPath, message, status);
  return message;
}

/** What was thrown, as what the caller may be told; what they may not be told goes to the log. */
export function classify(
  thrown: unknown,
  operation: Operation,
  incoming: Incoming,
  log: Log,
): AppError | Refusal {
  if (thrown instanceof Refusal) return thrown;
  const error = asAppError(thrown, incoming);
  if (error.code === 'UNAUTHENTICATED') return unauthenticated(error);
  if (error.code === 'INTERNAL_ERROR' || error.code === 'UNKNOWN') {
    log.error(
      {
        requestId: incoming.requestId,
        rpc: `${operation.service}/${operation.method.name}`,
        err: error.cause ?? error,
      },
      'call failed',
    );
  }
  if (operation.statusPath.length > 0) return error;
  const mapping = errorMap[error.code];
  return new Refusal(mapping.http, mapping.grpc, error.message, {}, error);
}

function asAppError(thrown: unknown, incoming: Incoming): AppError {
  if (thrown instanceof AppError) return thrown;
  // Whatever an aborted handler threw on its way out, the caller left first.
  if (incoming.abort.aborted)
    return new AppError('CANCELLED_CLIENT', 'the caller went away', { cause: thrown });
  return new AppError('INTERNAL_ERROR', 'internal error', { cause: thrown });
}
