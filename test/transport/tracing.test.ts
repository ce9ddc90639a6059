// Traces: a caller's traceparent is taken over and shows up in what is recorded, and whoever loads a tracer gets spans of
// token and voice calls with their outcome.
import { ROOT_CONTEXT, trace, type Context, type Span } from '@opentelemetry/api';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ScopesManager } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import type { CallRecord } from '../../src/transport/dispatch/exchange.js';
import { echoScopes } from '../support/echo-service.js';
import { startTestServer, type TestServer } from '../support/server.js';
import { startTarget } from '../attacks/support.js';
import { basic, postForm } from '../auth/support.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
let server: TestServer;
const calls: CallRecord[] = [];
beforeAll(async () => {
  server = await startTestServer({
    bare: true,
    bindings: [echoScopes().binding],
    parts: [{ onCall: (call) => void calls.push(call) }],
  });
});
afterAll(() => server.stop());
afterEach(() => {
  trace.disable();
  calls.length = 0;
});

interface Seen {
  name: string;
  parent: string | undefined;
  outcome: unknown;
  ended: boolean;
}

/** A tracer that only remembers. */
function watch(): Seen[] {
  const seen: Seen[] = [];
  const startSpan = (name: string, _options: unknown, context: Context = ROOT_CONTEXT): Span => {
    const parent = trace.getSpanContext(context);
    const span: Seen = { name, parent: parent?.spanId, outcome: undefined, ended: false };
    seen.push(span);
    return {
      spanContext: () => ({
        traceId: parent?.traceId ?? 'f'.repeat(32),
        spanId: 'a'.repeat(16),
        traceFlags: 1,
      }),
      setAttribute: (_name: string, value: unknown) => void (span.outcome = value),
      setStatus: () => {},
      end: () => void (span.ended = true),
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as never });
  return seen;
}

it.each([
  ['its trace ID', TRACEPARENT, TRACE],
  ['nothing where it is malformed', 'nonsense', undefined],
  ['nothing where it is all zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
])(
  'a traceparent leaves %s, by REST and by gRPC, without any tracer',
  async (_name, traceparent, expected) => {
    await server.rest('GET', '/v1/scopes', { headers: { traceparent } });
    await server.grpc(ScopesManager).listScopes({}, { metadata: { traceparent } });
    expect(calls.map(({ traceId }) => traceId)).toEqual([expected, expected]);
  },
);

it('a tracer sees calls below the span of their caller, with their outcome', async () => {
  const seen = watch();
  await server.grpc(ScopesManager).createScope({ scopeId: 'x' }, { metadata: { traceparent: TRACEPARENT } });
  await server
    .grpc(ScopesManager)
    .createScope({ scopeId: 'x' }, { token: null })
    .catch(() => {});
  expect(seen).toMatchObject([
    { name: `${ScopesManager.typeName}/CreateScope`, parent: '00f067aa0ba902b7', outcome: 'OK', ended: true },
    { parent: undefined, outcome: 'REFUSED_401', ended: true },
  ]);
});

it('a tracer sees token requests', async () => {
  const target = await startTarget();
  try {
    const seen = watch();
    const ask = (secret: string) =>
      postForm(
        `${target.url}/oauth2/token`,
        { grant_type: 'client_credentials', scope: 'asr' },
        { authorization: basic(target.platform.client.clientId, secret), traceparent: TRACEPARENT },
      );
    await ask(target.platform.secret);
    await ask('wrong');
    expect(seen).toMatchObject([
      { name: 'oauth2/token', parent: '00f067aa0ba902b7', outcome: 'OK', ended: true },
      { name: 'oauth2/token', outcome: 'invalid_client', ended: true },
    ]);
    const [issued, refused] = target.events.slice(-2);
    expect(issued).toMatchObject({ type: 'token.issued', traceId: TRACE });
    expect(refused).toMatchObject({ type: 'token.refused', traceId: TRACE });
  } finally {
    await target.stop();
  }
});
