// The contract for readers: the OpenAPI document, a page that shows it, and the AsyncAPI one. They are made on first demand and
// kept, because the services of a server do not change while it runs.
import type { FastifyInstance } from 'fastify';
import { buildAsyncApi } from '../asyncapi/document.js';
import { buildOpenApi, type OpenApiDocument } from '../openapi/document.js';
import { PAGE_CSP, renderPage } from '../openapi/page.js';
import { JSON_TYPE } from '../rest/exchange.js';
import { keptBytes } from '../encodings.js';
import type { ServiceBinding } from '../service.js';

interface DocsDeps {
  bindings: readonly ServiceBinding[];
  version: string;
  publicUrl?: string;
}

export function registerDocsRoutes(http: FastifyInstance, deps: DocsDeps): void {
  let document: OpenApiDocument | undefined;
  const openApi = (): OpenApiDocument =>
    (document ??= buildOpenApi(deps.bindings, deps.version, deps.publicUrl ?? '/'));
  const json = keptBytes(() => Buffer.from(JSON.stringify(openApi())));
  const streams = keptBytes(() => Buffer.from(JSON.stringify(buildAsyncApi(deps.version))));
  const page = keptBytes(() => Buffer.from(renderPage(openApi())));

  http.get('/openapi.json', (_request, reply) => json(reply.type(JSON_TYPE)));
  http.get('/asyncapi.json', (_request, reply) => streams(reply.type(JSON_TYPE)));
  http.get('/docs', (_request, reply) =>
    page(
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', PAGE_CSP)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer'),
    ),
  );
}
