// The path every RPC takes, whichever transport it came by: capacity, token, scopes, reading the request,
// the handler under its deadline, the in-body status, metrics and the log line. Transports only translate.
import { create, type DescMessage, type DescMethod, type Message } from '@bufbuild/protobuf';
import { AppError, type ErrorCode } from '../errors.js';
import type { Call, Caller, Clock, Ids, Log } from '../platform.js';
import type { CallAbort } from './call-abort.js';
import { Deadlines } from './deadlines.js';
import { errorMap } from './error-map.js';
import type { Metrics, OperationMeter, TransportName } from './metrics.js';
import { Refusal, insufficientScope, shuttingDown, unauthenticated } from './refusal.js';
import { checkRequest } from './request-check.js';
import { chooseRequestId } from './request-id.js';
import type { Authenticate, ServiceBinding } from './service.js';
import { errorStatus, fillStatus, findStatusPath, okStatus } from './status.js';

/** One call that was answered, for those who keep count of them. */
export interface CallRecord {
  service: string;
  method: string;
  transport: TransportName;
  /** `OK`, an error code, or `REFUSED_<http status>` when no handler was reached. */
  code: string;
  elapsedMs: number;
  requestId: string;
  /** Absent when nobody could be identified. */
  caller: Caller | undefined;
  /** Of unary calls, as far as they came; for reading only. */
  request: Message | undefined;
  response: Message | undefined;
}

export interface DispatchDeps {
  authenticate: Authenticate;
  /** Told of every call after its answer; must not throw and must not wait. */
  onCall?: (record: CallRecord) => void;
  metrics: Metrics;
  log: Log;
  /** Writes the line about a finished call. */
  logCall: (record: CallRecord) => void;
  clock: Clock;
  ids: Ids;
  limits: { concurrentCalls: number; callTimeoutMs: number; listLength: number };
}

/** What a transport knows about a call before anything of it was read. */
export interface Incoming {
  authorization: string | undefined;
  readonly dpop: string | undefined;
  requestId: string;
  /** As a proof of possession names the target: HTTP method and full URL. */
  method: string;
  readonly url: string;
  /** Milliseconds since 1970, as asked for by the caller. */
  deadline: number | undefined;
  /** Behind `Call.signal`; the transport aborts it when the caller goes away. */
  abort: CallAbort;
}

/** One method of one service as one transport offers it. */
export interface Operation {
  service: string;
  method: DescMethod;
  handler: (call: Call, request: never) => unknown;
  scopes: readonly string[];
  statusPath: readonly string[];
  meter: OperationMeter;
  transport: TransportName;
}

export interface Answer {
  message: Message;
  code: 'OK' | ErrorCode;
  error?: AppError;
}

/** Names of request members that no field matches; reported back as a diagnostic. */
export interface ReadResult {
  message: Message;
  ignored: readonly string[];
}

export class Dispatcher {
  readonly #deps: DispatchDeps;
  #inFlight = 0;
  #draining = false;
  readonly #deadlines = new Deadlines();

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  get callsInFlight(): number {
    return this.#inFlight;
  }

  /** From now on every new call is refused; those under way go on. */
  drain(): void {
    this.#draining = true;
  }

  requestId(offered: string | undefined): string {
    return chooseRequestId(offered, this.#deps.ids);
  }

  operations(binding: ServiceBinding, transport: TransportName): Operation[] {
    return binding.service.methods.map((method) => {
      const handler = binding.handlers[method.localName];
      if (!handler) throw new Error(`${binding.service.typeName}.${method.name} has no handler`);
      return {
        service: binding.service.typeName,
        method,
        handler,
        scopes: binding.access.methods?.[method.localName] ?? binding.access.anyOf,
        statusPath: findStatusPath(method.output),
        meter: this.#deps.metrics.operation(binding.service.typeName, method.name, transport),
        transport,
      };
    });
  }

  /** Resolves with a response message, also for in-body failures; rejects only with a Refusal. */
  async unary(operation: Operation, incoming: Incoming, read: () => ReadResult): Promise<Answer> {
    const startedAtMs = performance.now();
    this.#enter(operation);
    let caller: Caller | undefined;
    let code: string = 'INTERNAL_ERROR';
    let asked: Message | undefined;
    let answered: Message | undefined;
    try {
      this.#admit();
      caller = await this.#deps.authenticate(incoming);
      requireScope(operation, caller);
      const request = read();
      asked = request.message;
      checkRequest(operation.method.input, request.message, this.#deps.limits.listLength);
      const call = this.#makeCall(operation, incoming, caller);
      const timeLeftMs = this.#timeLeftMs(incoming.deadline);
      if (timeLeftMs <= 0) throw new AppError('DEADLINE_EXCEEDED', 'the call ran out of time');
      const work = operation.handler(call, request.message as never) as Promise<object>;
      const init = await withDeadline(work, incoming.abort, startedAtMs, timeLeftMs, this.#deadlines);
      code = 'OK';
      answered = this.#succeed(operation, init, incoming.requestId, request.ignored);
      return { message: answered, code: 'OK' };
    } catch (thrown) {
      const failure = this.#classify(thrown, operation, incoming);
      code = failure instanceof Refusal ? `REFUSED_${failure.httpStatus}` : failure.code;
      if (failure instanceof Refusal) throw failure;
      return {
        message: this.#fail(operation, failure, incoming.requestId),
        code: failure.code,
        error: failure,
      };
    } finally {
      this.#leave(operation, incoming, caller, code, startedAtMs, asked, answered);
    }
  }

  /** A bidirectional stream; in-body failures are the last message, refusals are thrown. */
  async *stream(
    operation: Operation,
    incoming: Incoming,
    requests: AsyncIterable<Message>,
  ): AsyncGenerator<Message, void, undefined> {
    const startedAtMs = performance.now();
    this.#enter(operation);
    let caller: Caller | undefined;
    let code: string = 'CANCELLED_CLIENT';
    try {
      this.#admit();
      caller = await this.#deps.authenticate(incoming);
      requireScope(operation, caller);
      const call = this.#makeCall(operation, incoming, caller);
      const checked = checkEach(operation.method.input, requests, this.#deps.limits.listLength);
      for await (const init of operation.handler(call, checked as never) as AsyncIterable<object>) {
        yield this.#succeed(operation, init, incoming.requestId, []);
      }
      code = 'OK';
    } catch (thrown) {
      const failure = this.#classify(thrown, operation, incoming);
      code = failure instanceof Refusal ? `REFUSED_${failure.httpStatus}` : failure.code;
      if (failure instanceof Refusal) throw failure;
      yield this.#fail(operation, failure, incoming.requestId);
    } finally {
      this.#leave(operation, incoming, caller, code, startedAtMs);
    }
  }

  #enter(operation: Operation): void {
    this.#inFlight += 1;
    operation.meter.started();
  }

  #leave(
    operation: Operation,
    incoming: Incoming,
    caller: Caller | undefined,
    code: string,
    startedAtMs: number,
    request?: Message,
    response?: Message,
  ): void {
    this.#inFlight -= 1;
    const elapsedMs = performance.now() - startedAtMs;
    operation.meter.finished(code, elapsedMs / 1000);
    const record: CallRecord = {
      service: operation.service,
      method: operation.method.name,
      transport: operation.transport,
      code,
      elapsedMs,
      requestId: incoming.requestId,
      caller,
      request,
      response,
    };
    this.#deps.onCall?.(record);
    this.#deps.logCall(record);
  }

  #admit(): void {
    if (this.#draining) throw shuttingDown();
    if (this.#inFlight > this.#deps.limits.concurrentCalls) {
      throw new AppError('BUSY', 'too many calls at once; retry unchanged', { retryAfterMs: 1000 });
    }
  }

  #makeCall(operation: Operation, incoming: Incoming, caller: Caller): Call {
    return new ServedCall(incoming, caller, this.#deps.log, operation.method.name);
  }

  #timeLeftMs(deadline: number | undefined): number {
    const most = this.#deps.limits.callTimeoutMs;
    return deadline === undefined ? most : Math.min(most, deadline - this.#deps.clock.now());
  }

  #succeed(operation: Operation, init: object, requestId: string, ignored: readonly string[]): Message {
    const message = create(operation.method.output, init as Record<string, unknown>);
    fillStatus(operation.method.output, operation.statusPath, message, okStatus(requestId, ignored));
    return message;
  }

  #fail(operation: Operation, error: AppError, requestId: string): Message {
    const message = create(operation.method.output);
    const status = errorStatus(error, requestId, operation.method.input.typeName);
    fillStatus(operation.method.output, operation.statusPath, message, status);
    return message;
  }

  #classify(thrown: unknown, operation: Operation, incoming: Incoming): AppError | Refusal {
    if (thrown instanceof Refusal) return thrown;
    let error: AppError;
    if (thrown instanceof AppError) {
      error = thrown;
    } else if (incoming.abort.aborted) {
      // Whatever an aborted handler threw on its way out, the caller left first.
      error = new AppError('CANCELLED_CLIENT', 'the caller went away', { cause: thrown });
    } else {
      error = new AppError('INTERNAL_ERROR', 'internal error', { cause: thrown });
    }
    if (error.code === 'UNAUTHENTICATED') return unauthenticated(error);
    if (error.code === 'INTERNAL_ERROR' || error.code === 'UNKNOWN') {
      this.#deps.log.error(
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
    return new Refusal(mapping.http, mapping.grpc, error.message);
  }
}

/** After the caller is known, so that a refusal is counted as theirs. */
function requireScope(operation: Operation, caller: Caller): void {
  if (!operation.scopes.some((scope) => caller.scopes.includes(scope)))
    throw insufficientScope(operation.scopes);
}

/** The signal and the log child are made only for those handlers that use them. */
class ServedCall implements Call {
  readonly caller: Caller;
  readonly #parentLog: Log;
  readonly #rpc: string;
  readonly requestId: string;
  readonly #abort: CallAbort;
  readonly deadline?: number;
  #childLog: Log | undefined;

  constructor(incoming: Incoming, caller: Caller, parentLog: Log, rpc: string) {
    this.caller = caller;
    this.#parentLog = parentLog;
    this.#rpc = rpc;
    this.requestId = incoming.requestId;
    this.#abort = incoming.abort;
    if (incoming.deadline !== undefined) this.deadline = incoming.deadline;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get log(): Log {
    return (this.#childLog ??= this.#parentLog.child({ requestId: this.requestId, rpc: this.#rpc }));
  }
}

/** Answers at the deadline even when the handler does not listen to its signal. */
function withDeadline<T>(
  work: Promise<T>,
  abort: CallAbort,
  now: number,
  timeLeftMs: number,
  deadlines: Deadlines,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = deadlines.add(now, timeLeftMs, () => {
      reject(new AppError('DEADLINE_EXCEEDED', 'the call ran out of time'));
      abort.abort();
    });
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (thrown: unknown) => {
        cancel();
        reject(thrown);
      },
    );
  });
}

async function* checkEach(
  desc: DescMessage,
  requests: AsyncIterable<Message>,
  listLengthMax: number,
): AsyncGenerator<Message> {
  for await (const request of requests) {
    checkRequest(desc, request, listLengthMax);
    yield request;
  }
}

/** The members of the log line about a call. */
export function callLogFields(record: CallRecord): {
  requestId: string;
  rpc: string;
  transport: string;
  client: string | undefined;
  code: string;
  ms: number;
} {
  return {
    requestId: record.requestId,
    rpc: `${record.service}/${record.method}`,
    transport: record.transport,
    client: record.caller?.clientId,
    code: record.code,
    ms: roundedMs(record),
  };
}

export function roundedMs(record: CallRecord): number {
  return Math.round(record.elapsedMs * 10) / 10;
}
