// Routes for those who run the server: liveness, readiness, metrics.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.js';
import type { Readiness } from '../readiness.js';

export interface OperationsDeps {
  metrics: Metrics;
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

  http.get('/metrics', async (_request, reply) => {
    const text = await deps.metrics.registry.metrics();
    return reply.type(deps.metrics.registry.contentType).send(text);
  });
}
