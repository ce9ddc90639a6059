// What passes through the phases of a call: the call as its transport brought it, the operation it asks for, and the result so
// far. Plain data; the phases (phases.ts) fill it in.
import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { X509Certificate } from 'node:crypto';
import type { AppError, ErrorCode } from '../../errors.js';
import type { Call, Caller } from '../../platform.js';
import type { OperationAccess } from '../access.js';
import type { ByteHold } from '../limits/byte-budget.js';
import type { Slots } from '../limits/slots.js';
import type { OperationMeter, TransportName } from '../metrics.js';
import type { CallSpan } from '../tracing.js';
import type { CallAbort } from './call-abort.js';

/** What a transport knows about a call before anything of its body was read. */
export interface Incoming {
  authorization: string | undefined;
  readonly dpop: string | undefined;
  /** W3C Trace Context of the caller. */
  readonly traceparent: string | undefined;
  /** Under which a repetition of this call is answered with its first answer. */
  readonly idempotencyKey: string | undefined;
  requestId: string;
  /** As a proof of possession names the target: HTTP method and full URL. */
  method: string;
  readonly url: string;
  /** Where the caller is, as far as trusted proxies say. */
  readonly address: string;
  /** What the caller has shown by TLS. */
  readonly certificate: X509Certificate | undefined;
  /** Milliseconds since 1970, as asked for by the caller. */
  deadlineAtMs: number | undefined;
  /** Behind `Call.signal`; the transport aborts it when the caller goes away. */
  abort: CallAbort;
  /** What the call keeps in memory; the transport releases it when the answer has left. */
  hold: ByteHold;
}

/** A call with one request: the body is read only when the caller is known. */
export interface UnaryIncoming extends Incoming {
  read(): ReadResult | Promise<ReadResult>;
}

/** A call that goes on: its requests are read as the handler asks for them. */
export interface StreamIncoming extends Incoming {
  requests: AsyncIterable<Message>;
}

/** Names of request members that no field matches; reported back as a diagnostic. */
export interface ReadResult {
  message: Message;
  ignored: readonly string[];
}

/** One method of one service as one transport offers it. */
export interface Operation {
  service: string;
  method: DescMethod;
  /** Full name of the request message as the caller knows it: violations name fields from the package down. */
  requestType: string;
  handler: (call: Call, request: never) => unknown;
  access: OperationAccess;
  statusPath: readonly string[];
  /** Whether an idempotency key means anything to it. */
  takesKey: boolean;
  meter: OperationMeter;
  transport: TransportName;
  /** Of streams that have places of their own. */
  places?: Slots;
}

export interface Answer {
  message: Message;
  code: 'OK' | ErrorCode;
  error?: AppError;
  /** The answer of an earlier call with the same key. */
  isRepeat?: boolean;
}

/** One call on its way through the phases. */
export interface Exchange<I extends Incoming = Incoming> {
  readonly operation: Operation;
  readonly incoming: I;
  /** Of `performance.now()`. */
  readonly startedAtMs: number;
  /** Known once the token has been checked. */
  caller: Caller | undefined;
  request: ReadResult | undefined;
  response: Message | undefined;
  readonly span: CallSpan;
  /** Gives back what the call was given. */
  onLeave: (() => void) | undefined;
  /** Answered by an earlier call with the same key. */
  isRepeat: boolean;
  /** `OK`, an error code, or `REFUSED_<http status>` when no handler was reached. */
  code: string;
  /** Why the caller may not do it. */
  denial: string | undefined;
}

/** One call that was answered, for those who keep count of them. */
export interface CallRecord {
  service: string;
  method: string;
  transport: TransportName;
  code: string;
  /** Why the caller may not do it. */
  denial: string | undefined;
  elapsedMs: number;
  requestId: string;
  /** Absent where nobody traces. */
  traceId: string | undefined;
  /** Absent when nobody could be identified. */
  caller: Caller | undefined;
  /** Of unary calls, as far as they came; for reading only. */
  request: Message | undefined;
  response: Message | undefined;
  /** Answered by an earlier call with the same key: nothing was done. */
  isRepeat: boolean;
}
