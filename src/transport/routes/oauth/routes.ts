// All routes of the authorization server, in one call for the composition root.
import type { FastifyInstance } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
import { registerForwardAuthRoutes } from '../forward-auth.js';
import { registerOAuthAuthorizeRoutes } from './authorize.js';
import { registerOAuthMetadataRoutes } from './metadata.js';
import { registerOAuthSetupRoutes } from './setup.js';
import { registerOAuthTokenRoutes } from './token.js';

export function registerOAuthRoutes(http: FastifyInstance, deps: AuthDeps): void {
  registerOAuthTokenRoutes(http, deps);
  registerOAuthMetadataRoutes(http, deps);
  registerOAuthAuthorizeRoutes(http, deps);
  registerOAuthSetupRoutes(http, deps);
  registerForwardAuthRoutes(http, deps);
}
