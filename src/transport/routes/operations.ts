// Routes for those who run the server: liveness, readiness, metrics.
import type { FastifyInstance } from 'fastify';
import type { AnswerMetrics } from '../metrics-listener.js';
import type { Readiness } from '../readiness.js';

interface OperationsDeps {
  /** Absent where the metrics have a listener of their own. */
  metrics: AnswerMetrics | undefined;
  readiness: Readiness;
  version: string;
}

export function registerOperationsRoutes(http: FastifyInstance, deps: OperationsDeps): void {
  http.get('/healthz', () => ({ status: 'ok', version: deps.version }));

  http.get('/readyz', async (_request, reply) => {
    const { ready, checks, reasons } = await deps.readiness.look();
    const status = ready ? 'ready' : 'not ready';
    return reply.code(ready ? 200 : 503).send({ status, checks, ...(ready ? {} : { reasons }) });
  });

  const { metrics } = deps;
  if (!metrics) return;
  http.get('/metrics', async (request, reply) => {
    const { status, headers, text } = await metrics(request.headers.authorization);
    return reply.code(status).headers(headers).send(text);
  });
}
