// GET and POST /oauth2/userinfo (OpenID Connect Core section 5.3).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthDeps } from '../../../auth/deps.js';
import { userInfo } from '../../../auth/tokens/user-info.js';
import {
  certificateOf,
  clientAddress,
  header,
  noStore,
  refuseOtherMethods,
  registerOAuthScope,
} from './http.js';

export const USER_INFO_PATH = '/oauth2/userinfo';

export function registerOAuthUserInfoRoutes(http: FastifyInstance, deps: AuthDeps): void {
  registerOAuthScope(http, deps.log, (scope) => {
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const result = await userInfo(deps, {
        authorization: header(request, 'authorization'),
        dpop: header(request, 'dpop'),
        method: request.method,
        url: USER_INFO_PATH,
        address: clientAddress(request),
        certificate: certificateOf(request),
      });
      void toPages(noStore(reply));
      if (result.allowed) return reply.send(result.claims);
      return reply.code(result.status).header('www-authenticate', result.challenge).send();
    };
    scope.get(USER_INFO_PATH, answer);
    scope.post(USER_INFO_PATH, answer);
    scope.options(USER_INFO_PATH, (_request, reply) =>
      toPages(reply)
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', 'authorization, dpop')
        .code(204)
        .send(),
    );
    refuseOtherMethods(scope, USER_INFO_PATH, ['GET', 'POST']);
  });
}

/** Pages of any origin: only the token counts here, never a cookie. */
function toPages(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', 'www-authenticate');
}
