// The contract for readers: the OpenAPI document, a page that shows it, and the AsyncAPI one. They are made on first demand and
// kept, because the services of a server do not change while it runs.
import type { FastifyInstance } from 'fastify';
import { buildAsyncApi } from '../asyncapi/document.js';
import { buildOpenApi, type OpenApiDocument } from '../openapi/document.js';
import { PAGE_CSP, renderPage } from '../openapi/page.js';
import type { ServiceBinding } from '../service.js';

interface DocsDeps {
  bindings: readonly ServiceBinding[];
  version: string;
  publicUrl?: string;
}

export function registerDocsRoutes(http: FastifyInstance, deps: DocsDeps): void {
  let document: OpenApiDocument | undefined;
  // Bytes, not text: all answers under way share them, however many callers read slowly.
  let json: Buffer | undefined;
  let page: Buffer | undefined;
  let streams: Buffer | undefined;
  const openApi = (): OpenApiDocument =>
    (document ??= buildOpenApi(deps.bindings, deps.version, deps.publicUrl ?? '/'));

  http.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= Buffer.from(JSON.stringify(openApi())))),
  );

  http.get('/asyncapi.json', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send((streams ??= Buffer.from(JSON.stringify(buildAsyncApi(deps.version))))),
  );

  http.get('/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_CSP)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .send((page ??= Buffer.from(renderPage(openApi())))),
  );
}
