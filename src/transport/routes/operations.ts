// Routes for those who run the server: liveness, readiness, metrics.
import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.js';

/** One thing the server depends on; `ok` false keeps the server out of the load balancer. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<boolean>;
}

export interface OperationsDeps {
  metrics: Metrics;
  readiness: readonly ReadinessCheck[];
  isDraining: () => boolean;
  version: string;
}

export function registerOperationsRoutes(http: FastifyInstance, deps: OperationsDeps): void {
  http.get('/healthz', () => ({ status: 'ok', version: deps.version }));

  http.get('/readyz', async (_request, reply) => {
    const checks: Record<string, boolean> = {};
    for (const { name, check } of deps.readiness) checks[name] = await check().catch(() => false);
    const ready = !deps.isDraining() && Object.values(checks).every(Boolean);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });

  http.get('/metrics', async (_request, reply) => {
    const text = await deps.metrics.registry.metrics();
    return reply.type(deps.metrics.registry.contentType).send(text);
  });
}
