// The path every RPC takes, whichever transport it came by: the phases in their order, then the answer, the metrics
// and the log line. Transports only translate.
import type { DescMessage, Message } from '@bufbuild/protobuf';
import { AppError } from '../../errors.js';
import type { Once } from '../../idempotency/once.js';
import type { Caller, Clock, Ids, Log } from '../../platform.js';
import { accessOf } from '../access.js';
import { CallRate, type ShareCalls } from '../limits/call-rate.js';
import { Slots } from '../limits/slots.js';
import type { Metrics, TransportName } from '../metrics.js';
import { noMessage, Refusal } from '../refusal.js';
import { checkRequest } from '../request-check.js';
import { chooseRequestId } from '../request-id.js';
import type { Authenticate, ServiceBinding } from '../service.js';
import { findStatusPath } from '../status.js';
import { namingUnknown } from '../unknown-fields.js';
import { startSpan } from '../tracing.js';
import { Deadlines } from './deadlines.js';
import type {
  Answer,
  CallRecord,
  Exchange,
  Incoming,
  Operation,
  StreamIncoming,
  UnaryIncoming,
} from './exchange.js';
import { classify, fail, succeed, succeeded } from './outcome.js';
import {
  admission,
  authorization,
  type Capacity,
  fairShare,
  identification,
  type InvocationDeps,
  invoke,
  type Phase,
  reading,
  requireNamedTenant,
  ServedCall,
} from './phases.js';
import { KeyedCalls, takesKey } from './keyed-calls.js';
import { StreamWatch, type StreamLimits } from './stream-watch.js';

interface DispatchDeps {
  authenticate: Authenticate;
  /** Keeps the answers of calls with an idempotency key; absent where nothing is kept. */
  once?: Once | undefined;
  /** Told of every call after its answer; must not throw and must not wait. */
  onCall?: (record: CallRecord) => void;
  metrics: Metrics;
  log: Log;
  /** Writes the line about a finished call. */
  logCall: (record: CallRecord) => void;
  clock: Clock;
  ids: Ids;
  limits: StreamLimits & {
    concurrentCalls: number;
    concurrentCallsPerClient: number;
    streamsPerClient: number;
    callTimeoutMs: number;
    listLength: number;
  };
  /** Per client and second; 0 means no limit. */
  callsPerSecond: number;
  /** Where that limit is one with other nodes'. */
  shareCalls?: ShareCalls | undefined;
}

/** Outcomes that are this server's fault and not the caller's. */
const ownFaults = new Set(['INTERNAL_ERROR', 'UNKNOWN', 'BUSY', 'DEADLINE_EXCEEDED']);

export class Dispatcher {
  readonly #deps: DispatchDeps;
  readonly #capacity: Capacity = { inFlight: 0, apart: 0, draining: false };
  readonly #invocation: InvocationDeps;
  readonly #keyed: KeyedCalls | undefined;
  readonly #onIdle: (() => void)[] = [];
  readonly #beforeStream: readonly Phase[];
  readonly #beforeHandler: readonly Phase<UnaryIncoming>[];

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
    const { log, clock, limits } = deps;
    this.#invocation = { log, clock, callTimeoutMs: limits.callTimeoutMs, deadlines: new Deadlines() };
    this.#keyed = deps.once && new KeyedCalls(deps.once);
    const { callsPerSecond, shareCalls } = deps;
    const rate = callsPerSecond === 0 ? undefined : new CallRate(callsPerSecond, clock, shareCalls);
    const beforeBody = (slots: Slots, what: string): Phase[] => [
      admission(this.#capacity, limits.concurrentCalls),
      identification(deps.authenticate),
      fairShare(slots, rate, what),
      authorization(),
    ];
    this.#beforeStream = beforeBody(new Slots(limits.streamsPerClient), 'streams');
    this.#beforeHandler = [
      ...beforeBody(new Slots(limits.concurrentCallsPerClient), 'calls'),
      reading(limits.listLength, this.#invocation),
    ];
  }

  /** From now on, every new call is refused; calls in progress continue. */
  drain(): void {
    this.#capacity.draining = true;
  }

  /** Resolves when no call is in progress. */
  idle(): Promise<void> {
    if (this.#capacity.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Calls still in progress are answered now: a server that stops should not just hang up on them. */
  cutShort(): void {
    this.#invocation.deadlines.end();
  }

  requestId(offered: string | undefined): string {
    return chooseRequestId(offered, this.#deps.ids);
  }

  operations(binding: ServiceBinding, transport: TransportName): Operation[] {
    const { streams } = binding;
    const places = streams && new Slots(streams.perClient, streams.inAll);
    return binding.service.methods.map((method) => {
      const handler = binding.handlers[method.localName];
      if (!handler) throw new Error(`${binding.service.typeName}.${method.name} has no handler`);
      return {
        service: binding.service.typeName,
        method,
        requestType: method.input.typeName,
        handler,
        access: accessOf(binding.access, method),
        statusPath: findStatusPath(method.output),
        takesKey: takesKey(method),
        meter: this.#deps.metrics.operation(binding.service.typeName, method.name, transport),
        transport,
        ...(places && method.methodKind !== 'unary' && { places }),
      };
    });
  }

  /** Resolves with a response message, also for in-body failures; rejects only with a Refusal. */
  async unary(operation: Operation, incoming: UnaryIncoming): Promise<Answer> {
    const exchange = this.#enter(operation, incoming, 'INTERNAL_ERROR');
    try {
      await runPhases(this.#beforeHandler, exchange);
      const keyed = incoming.idempotencyKey === undefined ? undefined : this.#keyed?.around(exchange);
      exchange.response = keyed
        ? ((await invoke(exchange, this.#invocation, keyed)) as Message)
        : succeeded(exchange, await invoke(exchange, this.#invocation));
      exchange.code = 'OK';
      return { message: exchange.response, code: 'OK', isRepeat: exchange.isRepeat };
    } catch (thrown) {
      const failure = this.#failure(thrown, exchange);
      const error = namingUnknown(failure, operation.method.input, exchange.request?.ignored ?? []);
      return { message: fail(operation, error, incoming.requestId), code: error.code, error };
    } finally {
      this.#leave(exchange);
    }
  }

  /** A stream, both ways or only of answers; in-body failures are the last message, refusals are thrown. */
  async *stream(operation: Operation, incoming: StreamIncoming): AsyncGenerator<Message, void, undefined> {
    const exchange = this.#enter(operation, incoming, 'CANCELLED_CLIENT');
    const watch = this.#watch(incoming);
    try {
      await runPhases(this.#beforeStream, exchange);
      const call = new ServedCall(incoming, exchange.caller as Caller, this.#deps.log, operation.method.name);
      const { listLength } = this.#deps.limits;
      const requests = watch.watched(incoming.requests);
      const checked = checkEach(operation.method.input, requests, call.caller, listLength);
      const isAskedOnce = operation.method.methodKind === 'server_streaming';
      const asked = isAskedOnce ? await firstOf(checked) : checked;
      for await (const init of operation.handler(call, asked as never) as AsyncIterable<object>) {
        watch.check();
        yield succeed(operation, init, incoming.requestId, []);
      }
      watch.check();
      exchange.code = 'OK';
    } catch (thrown) {
      yield fail(operation, this.#failure(thrown, exchange), incoming.requestId);
    } finally {
      watch.stop();
      this.#leave(exchange);
    }
  }

  #watch({ deadlineAtMs, abort }: Incoming): StreamWatch {
    const { streamIdleMs, streamTimeoutMs } = this.#deps.limits;
    const leftMs = deadlineAtMs === undefined ? streamTimeoutMs : deadlineAtMs - this.#deps.clock.now();
    const totalMs = Math.min(streamTimeoutMs, Math.max(0, leftMs));
    return new StreamWatch(this.#invocation.deadlines, streamIdleMs, totalMs, () => abort.abort());
  }

  #enter<I extends Incoming>(operation: Operation, incoming: I, code: string): Exchange<I> {
    this.#capacity.inFlight += 1;
    if (operation.places) this.#capacity.apart += 1;
    operation.meter.started();
    const startedAtMs = performance.now();
    return {
      operation,
      incoming,
      startedAtMs,
      caller: undefined,
      request: undefined,
      response: undefined,
      span: startSpan(`${operation.service}/${operation.method.name}`, incoming.traceparent, {
        'rpc.system': operation.transport,
        'rpc.service': operation.service,
        'rpc.method': operation.method.name,
      }),
      onLeave: undefined,
      isRepeat: false,
      code,
      denial: undefined,
    };
  }

  /** The failure to answer in the body; one that cannot be is thrown as the refusal it is. */
  #failure(thrown: unknown, exchange: Exchange): Exclude<ReturnType<typeof classify>, Refusal> {
    const failure = classify(thrown, exchange.operation, exchange.incoming, this.#deps.log);
    exchange.code = failure instanceof Refusal ? `REFUSED_${failure.httpStatus}` : failure.code;
    if (thrown instanceof AppError && thrown.code === 'PERMISSION_DENIED')
      exchange.denial = thrown.diagnostics[0]?.code ?? thrown.fields[0]?.code ?? thrown.said.code;
    if (failure instanceof Refusal) throw failure;
    return failure;
  }

  #leave(exchange: Exchange): void {
    const { operation, incoming, caller, code, denial, startedAtMs, request, response, span } = exchange;
    span.end(code, ownFaults.has(code));
    exchange.onLeave?.();
    this.#capacity.inFlight -= 1;
    if (operation.places) this.#capacity.apart -= 1;
    if (this.#capacity.inFlight === 0) for (const tell of this.#onIdle.splice(0)) tell();
    const elapsedMs = performance.now() - startedAtMs;
    operation.meter.finished(code, elapsedMs / 1000);
    const record: CallRecord = {
      service: operation.service,
      method: operation.method.name,
      transport: operation.transport,
      code,
      denial,
      elapsedMs,
      requestId: incoming.requestId,
      traceId: span.traceId,
      caller,
      request: request?.message,
      response,
      isRepeat: exchange.isRepeat,
    };
    this.#deps.onCall?.(record);
    this.#deps.logCall(record);
  }
}

/** Waits only for phases that have something to wait for: every wait is a trip through the queue. */
async function runPhases<I extends Incoming>(
  phases: readonly Phase<I>[],
  exchange: Exchange<I>,
): Promise<void> {
  for (const phase of phases) {
    const pending = phase(exchange);
    if (pending) await pending;
  }
}

/** The only request of a server stream; anything after it is not read. */
async function firstOf(requests: AsyncGenerator<Message>): Promise<Message> {
  const first = await requests.next();
  if (first.done === true) throw noMessage();
  return first.value;
}

async function* checkEach(
  desc: DescMessage,
  requests: AsyncIterable<Message>,
  caller: Caller,
  listLengthMax: number,
): AsyncGenerator<Message> {
  for await (const request of requests) {
    requireNamedTenant(caller, request);
    checkRequest(desc, request, listLengthMax);
    yield request;
  }
}
