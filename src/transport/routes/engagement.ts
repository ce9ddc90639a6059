// The engagement API (docs/reference/engagement-api.md): a token endpoint of its own, and the availability
// question by GET and POST. Its errors are the flat body; each refusal is told apart by its message.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AuthDeps } from '../../auth/deps.js';
import type { engagementScopes } from '../../auth/scopes.js';
import { authenticateRequest, type RefusalReason } from '../../auth/tokens/authenticator.js';
import { scopeChallenge } from '../../auth/tokens/forward-auth.js';
import { handleTokenRequest } from '../../auth/tokens/token-endpoint.js';
import type { EngagementDeps } from '../../engagement-api/deps.js';
import {
  getAvailability,
  parseAgentAttributes,
  type AvailabilityInput,
} from '../../engagement-api/get-availability.js';
import { AppError, invalidFields, missingField, type FieldFault } from '../../errors.js';
import { Refusal, flatError, unreadable } from '../refusal.js';
import { GrpcStatus } from '../grpc-status.js';
import {
  FORM_TYPE,
  certificateOf,
  clientAddress,
  header,
  noStore,
  queryOf,
  readForm,
  refuseOtherMethods,
  registerOAuthScope,
} from './oauth/http.js';
import { type Said, inEnglish, say } from '../../words/server/say.js';

const ENGAGEMENT_TOKEN_PATH = '/oauth-server/oauth/token';
const AVAILABILITY_PATH = '/engagementAPI/v2/customer/agentAvailability';
const AVAILABILITY_SCOPE: (typeof engagementScopes)[number] = 'agentAvailability';
const BODY_BYTES_MAX = 16 * 1024;

interface EngagementRouteDeps {
  auth: AuthDeps;
  engagement: EngagementDeps;
}

export function registerEngagementRoutes(http: FastifyInstance, deps: EngagementRouteDeps): void {
  const { auth } = deps;
  registerOAuthScope(http, auth.log, (scope) => {
    scope.post(ENGAGEMENT_TOKEN_PATH, async (request, reply) => {
      const url = auth.settings.issuer + ENGAGEMENT_TOKEN_PATH;
      const { granted } = await handleTokenRequest(
        auth,
        {
          form: readForm(request),
          authorization: header(request, 'authorization'),
          dpop: undefined,
          url,
          address: clientAddress(request),
          requestId: request.id,
        },
        ['engagement'],
      );
      const { issued } = granted;
      const { scope: scopes, sites = [], jti } = issued.claims;
      return noStore(reply).send({
        access_token: issued.token,
        token_type: 'bearer',
        expires_in: issued.expiresInSeconds,
        scope: scopes,
        sites,
        jti,
      });
    });
    refuseOtherMethods(scope, ENGAGEMENT_TOKEN_PATH, ['POST']);
  });

  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Clients post an empty body, a form or JSON; the parameters are in the query, a form may hold them too.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, body),
    );
    const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { sites } = await admit(deps, request);
      const input = readQuestion(request);
      if (!sites.includes(input.siteId)) {
        throw new Refusal(
          403,
          GrpcStatus.PERMISSION_DENIED,
          `the access token is not valid for site ${printable(input.siteId)}`,
        );
      }
      const found = await availabilityOf(deps, input);
      return reply
        .header('cache-control', 'no-store')
        .send({ isAvailable: found.isAvailable, isInHOP: found.isInHop, status: found.status });
    };
    scope.route({ method: ['GET', 'POST'], url: AVAILABILITY_PATH, exposeHeadRoute: false, handler: answer });
    scope.route({
      method: ['DELETE', 'PATCH', 'PUT'],
      url: AVAILABILITY_PATH,
      handler: (_request, reply) =>
        reply.code(405).header('allow', 'GET, POST').send(flatError(405, 'use GET or POST')),
    });
  });
}

const refusals: Readonly<Record<RefusalReason, string>> = {
  missing: 'Access Token Missing',
  expired: 'Access Token Expired',
  revoked: 'Access Token Revoked',
  invalid: 'Access Token Invalid',
  dpop_required: 'Access Token Invalid',
  invalid_dpop_proof: 'Access Token Invalid',
  certificate_required: 'Access Token Invalid',
};

/** Token, then scope: what the token may do is nobody's business before it is known to be genuine. */
async function admit(
  { auth }: EngagementRouteDeps,
  request: FastifyRequest,
): Promise<{ sites: readonly string[] }> {
  const result = await authenticateRequest(
    auth,
    {
      authorization: header(request, 'authorization'),
      dpop: header(request, 'dpop'),
      method: request.method,
      url: AVAILABILITY_PATH,
      address: clientAddress(request),
      certificate: certificateOf(request),
    },
    auth.settings.engagementAudience,
  );
  if (!result.ok) {
    const challenge =
      result.reason === 'missing'
        ? 'Bearer'
        : `Bearer error="invalid_token", error_description="${refusals[result.reason]}"`;
    throw new Refusal(401, GrpcStatus.UNAUTHENTICATED, refusals[result.reason], {
      'www-authenticate': challenge,
    });
  }
  if (!result.caller.scopes.includes(AVAILABILITY_SCOPE)) {
    throw new Refusal(
      403,
      GrpcStatus.PERMISSION_DENIED,
      `the access token does not have the scope ${AVAILABILITY_SCOPE}`,
      { 'www-authenticate': scopeChallenge([AVAILABILITY_SCOPE]) },
    );
  }
  return { sites: result.claims.sites ?? [] };
}

/** Faults name the parameters as the client wrote them; the first one is in the message. */
async function availabilityOf(
  { engagement }: EngagementRouteDeps,
  input: AvailabilityInput,
): ReturnType<typeof getAvailability> {
  try {
    return await getAvailability(engagement, input, {
      siteId: 'siteID',
      businessUnitId: 'businessUnitID',
      agentGroupId: 'agentGroupID',
    });
  } catch (thrown) {
    throw thrown instanceof AppError ? asBadParameter(thrown) : thrown;
  }
}

function asBadParameter(error: AppError): Error {
  const [first] = error.fields;
  return error.code === 'INVALID_REQUEST' && first ? unreadable(first.message, first.field) : error;
}

function readQuestion(request: FastifyRequest): AvailabilityInput {
  const found = readParameters(request);
  const faults: FieldFault[] = [];
  const siteId = found.get('siteID') ?? '';
  const businessUnitId = found.get('businessUnitID') ?? '';
  if (siteId === '') faults.push(missingField('siteID'));
  if (businessUnitId === '') faults.push(missingField('businessUnitID'));
  else if (!/^[0-9]{1,18}$/.test(businessUnitId)) faults.push(wrong('businessUnitID', say('NOT_A_NUMBER')));
  const output = found.get('output');
  if (output !== undefined && output.toUpperCase() !== 'JSON')
    faults.push(wrong('output', inEnglish('must be JSON')));
  const threshold = found.get('queueThreshold');
  if (threshold !== undefined && !/^[0-9]{1,9}$/.test(threshold))
    faults.push(wrong('queueThreshold', say('NOT_A_NUMBER')));
  const attributes = parseAgentAttributes(found.get('agentAttributes') ?? '');
  if (!attributes) faults.push(wrong('agentAttributes', say('NOT_PAIRS')));
  if (faults.length > 0) throw asBadParameter(invalidFields(faults));
  const agentGroupId = found.get('agentGroupID');
  return {
    siteId,
    // Leading zeros are the same number.
    businessUnitId: businessUnitId.replace(/^0+(?=\d)/, ''),
    attributes: attributes ?? {},
    ...(agentGroupId === undefined ? {} : { agentGroupId }),
    ...(threshold === undefined ? {} : { queueThreshold: Number(threshold) }),
  };
}

/** Query, and for a posted form its body; a parameter given twice is refused, an empty one counts as absent. */
function readParameters(request: FastifyRequest): ReadonlyMap<string, string> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const form = type === FORM_TYPE && typeof request.body === 'string' ? request.body : '';
  const found = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of [...new URLSearchParams(queryOf(request)), ...new URLSearchParams(form)]) {
    if (seen.has(name)) throw unreadable('is given more than once', printable(name));
    seen.add(name);
    if (value !== '') found.set(name, value);
  }
  return found;
}

function wrong(field: string, said: Said): FieldFault {
  return { field, violation: 'INVALID_FORMAT', ...said };
}

function printable(text: string): string {
  return text.slice(0, 64).replace(/[^\x20-\x7e]/g, '?');
}
