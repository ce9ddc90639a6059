// The phases of a call, each a function of the exchange: capacity, token, permission, reading the request, the handler
// under its deadline. A phase that needs to wait returns a promise; one that refuses throws. The dispatcher puts them
// together, so that no transport can leave one out.
import type { Message } from '@bufbuild/protobuf';
import { AppError, requireTenant } from '../../errors.js';
import { narrowedTo, type Call, type Caller, type Clock, type Log } from '../../platform.js';
import type { OperationAccess } from '../access.js';
import type { CallRate } from '../limits/call-rate.js';
import type { Slots } from '../limits/slots.js';
import { insufficientScope, shuttingDown } from '../refusal.js';
import { checkRequest } from '../request-check.js';
import type { Authenticate } from '../service.js';
import type { CallAbort } from './call-abort.js';
import type { Deadlines, Expiry } from './deadlines.js';
import type { Exchange, Incoming, UnaryIncoming } from './exchange.js';
import { say } from '../../words/server/say.js';

export type Phase<I extends Incoming = Incoming> = (exchange: Exchange<I>) => void | Promise<void>;

/** Calls in flight, and whether new ones are still taken. */
export interface Capacity {
  inFlight: number;
  /** Streams among them that have places of their own. */
  apart: number;
  draining: boolean;
}

export function admission(capacity: Capacity, concurrentCallsMax: number): Phase {
  return ({ operation }) => {
    if (capacity.draining) throw shuttingDown();
    if (operation.places) return;
    if (capacity.inFlight - capacity.apart > concurrentCallsMax) {
      throw new AppError('BUSY', 'too many calls at once; retry unchanged', { retryAfterMs: 1000 });
    }
  };
}

export function identification(authenticate: Authenticate): Phase {
  return (exchange) =>
    authenticate(exchange.incoming).then((caller) => {
      exchange.caller = caller;
      exchange.incoming.hold.chargeTo(clientKey(caller));
    });
}

/** Who shares a limit: everything that one client does for one user or for itself. */
export function clientKey({ clientId, subject }: Caller): string {
  return clientId === subject ? clientId : `${clientId} ${subject}`;
}

/** No client gets more than its share, however many calls it makes. `what` is counted: calls or streams. */
export function fairShare(slots: Slots, rate: CallRate | undefined, what: string): Phase {
  return (exchange) => {
    const client = clientKey(exchange.caller as Caller);
    const waitMs = rate?.take(client) ?? 0;
    if (waitMs > 0)
      throw new AppError('RATE_EXCEEDED', 'too many calls per second; retry unchanged', {
        retryAfterMs: waitMs,
      });
    const places = exchange.operation.places ?? slots;
    if (!places.enter(client)) {
      throw new AppError('BUSY', `too many ${what} from this client at once; retry unchanged`, {
        retryAfterMs: 1000,
        diagnostics: [{ code: 'CLIENT_SHARE_USED' }],
      });
    }
    exchange.onLeave = () => places.leave(client);
  };
}

/** After the caller is known, so that a refusal is counted as theirs. The handler sees the tenants it may act in. */
export function authorization(): Phase {
  return (exchange) => {
    exchange.caller = authorized(exchange.caller as Caller, exchange.operation.access);
  };
}

/** The caller with the tenants in which the operation is theirs. */
export function authorized(
  caller: Caller,
  { scopes, permissions, installationRule }: OperationAccess,
): Caller {
  if (!scopes.some((scope) => caller.scopes.includes(scope))) throw insufficientScope(scopes);
  installationRule?.({ caller });
  if (!permissions || !caller.rights) return caller;
  const narrowed = narrowedTo(caller, permissions);
  if (narrowed.tenants.length === 0) {
    throw new AppError('PERMISSION_DENIED', say('ROLE_IN_ANY_TENANT'), {
      diagnostics: [{ code: 'ROLE_NOT_SUFFICIENT' }],
    });
  }
  return narrowed;
}

/** Whoever may do nothing in the tenant that a request names learns nothing of what else is wrong with it. */
export function requireNamedTenant(caller: Caller, request: Message): void {
  const { context } = request as { context?: { gkScopeId?: { value: string } } };
  const tenantId = context?.gkScopeId?.value ?? '';
  if (tenantId !== '') requireTenant(caller, tenantId, 'context.gk_scope_id');
}

/** A body that takes its time is bounded like the rest of the call. */
export function reading(listLengthMax: number, deps: InvocationDeps): Phase<UnaryIncoming> {
  return (exchange) => {
    const { operation, incoming } = exchange;
    const keep = (read: Exchange['request'] & object): void => {
      exchange.request = read;
      requireNamedTenant(exchange.caller as Caller, read.message);
      checkRequest(operation.method.input, read.message, listLengthMax);
    };
    const read = incoming.read();
    if (!(read instanceof Promise)) return keep(read);
    return inTime(read, exchange, deps).then(keep);
  };
}

/**
 * Calls the handler, through `around` where there is one; answers at the deadline even when the handler does not listen to its signal.
 */
export async function invoke(
  exchange: Exchange<UnaryIncoming>,
  deps: InvocationDeps,
  around?: (handle: () => Promise<object>) => Promise<object>,
): Promise<object> {
  const { operation, incoming, request } = exchange;
  const timeLeftMs = timeLeft(incoming, deps);
  if (timeLeftMs <= 0) throw outOfTime(timeLeftMs, deps);
  const call = new ServedCall(incoming, exchange.caller as Caller, deps.log, operation.method.name);
  const handle = (): Promise<object> => operation.handler(call, request?.message as never) as Promise<object>;
  const work = exchange.span.run(() => (around ? around(handle) : handle()));
  return inTime(work, exchange, deps);
}

export interface InvocationDeps {
  log: Log;
  clock: Clock;
  deadlines: Deadlines;
  callTimeoutMs: number;
}

function inTime<T>(work: Promise<T>, { incoming, startedAtMs }: Exchange, deps: InvocationDeps): Promise<T> {
  const timeLeftMs = timeLeft(incoming, deps);
  const late = () => outOfTime(timeLeftMs, deps);
  const watch: Watch = (expire) => deps.deadlines.add(startedAtMs, timeLeftMs, expire);
  return withDeadline(work, incoming.abort, watch, late);
}

function timeLeft({ deadlineAtMs }: Incoming, { clock, callTimeoutMs }: InvocationDeps): number {
  return deadlineAtMs === undefined ? callTimeoutMs : Math.min(callTimeoutMs, deadlineAtMs - clock.now());
}

type Watch = (expire: (why: Expiry) => void) => () => void;

function withDeadline<T>(work: Promise<T>, abort: CallAbort, watch: Watch, late: () => AppError): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = watch((why) => {
      reject(why === 'shutdown' ? shuttingDown() : late());
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

/** Says whose limit it was. */
function outOfTime(allowedMs: number, { callTimeoutMs }: InvocationDeps): AppError {
  return new AppError(
    'DEADLINE_EXCEEDED',
    allowedMs < callTimeoutMs
      ? 'the call ran out of the time that its caller allowed'
      : `the call took longer than the ${callTimeoutMs} ms that this server allows (limits.callTimeoutMs)`,
  );
}

export class ServedCall implements Call {
  readonly caller: Caller;
  readonly #parentLog: Log;
  readonly #rpc: string;
  readonly requestId: string;
  readonly #abort: CallAbort;
  readonly deadlineAtMs?: number;
  #childLog: Log | undefined;

  constructor(incoming: Incoming, caller: Caller, parentLog: Log, rpc: string) {
    this.caller = caller;
    this.#parentLog = parentLog;
    this.#rpc = rpc;
    this.requestId = incoming.requestId;
    this.#abort = incoming.abort;
    if (incoming.deadlineAtMs !== undefined) this.deadlineAtMs = incoming.deadlineAtMs;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get log(): Log {
    return (this.#childLog ??= this.#parentLog.child({ requestId: this.requestId, rpc: this.#rpc }));
  }
}
