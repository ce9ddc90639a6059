// All routes of the authorization server, in one call for the composition root.
import type { FastifyInstance } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
import { registerForwardAuthRoutes } from './forward-auth.js';
import { registerOAuthAuthorizeRoutes } from './authorize.js';
import { registerOAuthMetadataRoutes } from './metadata.js';
import { registerOAuthProviderRoutes } from './provider.js';
import { registerInvitationRoutes } from './invitation.js';
import { registerOAuthSetupRoutes } from './setup.js';
import { SignInFlow } from './sign-in-flow.js';
import { registerOAuthSignInStepRoutes } from './sign-in-steps.js';
import { registerOAuthSignInRoutes } from './sign-in.js';
import { registerOAuthSignOutRoutes } from './sign-out.js';
import { registerOAuthTokenRoutes } from './token.js';
import { registerOAuthUserInfoRoutes } from './user-info.js';

export function registerOAuthRoutes(http: FastifyInstance, deps: AuthDeps): void {
  const flow = new SignInFlow(deps);
  registerOAuthTokenRoutes(http, deps);
  registerOAuthUserInfoRoutes(http, deps);
  registerOAuthMetadataRoutes(http, deps);
  registerOAuthAuthorizeRoutes(http, flow);
  registerOAuthSignInRoutes(http, flow);
  registerOAuthSignInStepRoutes(http, flow);
  registerOAuthProviderRoutes(http, flow);
  registerOAuthSignOutRoutes(http, flow);
  registerOAuthSetupRoutes(http, flow);
  registerInvitationRoutes(http, flow);
  registerForwardAuthRoutes(http, deps);
}
