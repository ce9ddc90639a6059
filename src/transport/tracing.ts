// Traces by OpenTelemetry's API alone: without an SDK in the process these calls do nothing; an operator who wants traces
// loads one (docs/guides/running-it-for-a-company.md). A caller's `traceparent` (W3C Trace Context) is taken over in
// either case, so that logs and events can be found by its trace ID.
import {
  INVALID_TRACEID,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context,
  trace,
  type Attributes,
  type Context,
} from '@opentelemetry/api';

const INSTRUMENTATION = 'voxgate';
const traceparentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const zeroPattern = /^0+$/;

export interface CallSpan {
  /** Of the caller or of our own trace; absent where nobody traces. */
  traceId: string | undefined;
  /** Runs with the span as the parent of whatever is traced inside. */
  run<T>(work: () => T): T;
  end(outcome: string, failed: boolean): void;
}

const untraced: CallSpan = {
  traceId: undefined,
  run: (work) => work(),
  end: () => undefined,
};

export function startSpan(name: string, traceparent: string | undefined, attributes: Attributes): CallSpan {
  const parent = parentOf(traceparent);
  const options = { kind: SpanKind.SERVER, attributes };
  const span = trace.getTracer(INSTRUMENTATION).startSpan(name, options, parent);
  const { traceId } = span.spanContext();
  // Nobody traces: nearly every call of most servers, so it costs nothing more.
  if (traceId === INVALID_TRACEID) return untraced;
  const inner = trace.setSpan(parent, span);
  return {
    traceId,
    run: (work) => context.with(inner, work),
    end(outcome, failed) {
      span.setAttribute('voxgate.outcome', outcome);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR, message: outcome });
      span.end();
    },
  };
}

function parentOf(traceparent: string | undefined): Context {
  const match = traceparent === undefined ? null : traceparentPattern.exec(traceparent);
  const [, traceId = '', spanId = '', flags = ''] = match ?? [];
  // What is malformed or all zeros is ignored, as the standard asks.
  if (!match || zeroPattern.test(traceId) || zeroPattern.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
