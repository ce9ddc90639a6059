// The contract for readers: the OpenAPI document and a page that shows it.
import type { FastifyInstance } from 'fastify';
import type { ServiceBinding } from '../service.js';

export interface DocsDeps {
  bindings: readonly ServiceBinding[];
  version: string;
  publicUrl?: string;
}

export function registerDocsRoutes(_http: FastifyInstance, _deps: DocsDeps): void {}
