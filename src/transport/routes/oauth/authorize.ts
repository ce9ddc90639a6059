// The authorization endpoint and the consent form (RFC 6749 section 3.1).
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerConsent, isGoodSignIn, nextAuthorizationStep } from '../../../auth/authorization/authorize.js';
import { formToken, formTokenMatches, type SignedIn } from '../../../auth/authorization/login-sessions.js';
import { renewedDeviceCookie } from '../../../auth/users/known-device.js';
import { identityScopes } from '../../../auth/scopes.js';
import { OAuthError } from '../../../auth/oauth-error.js';
import { clientAddress, queryOf, readForm, refuseOtherMethods } from './http.js';
import { registerPageScope } from './page-scope.js';
import { AUTHORIZATION_PATH } from './metadata.js';
import { sendConsentPage, sendMessagePage } from './pages.js';
import {
  REQUEST_LENGTH_MAX,
  addressWith,
  redirect,
  type Asked,
  type SignInFlow,
  type Visit,
} from './sign-in-flow.js';

export function registerOAuthAuthorizeRoutes(http: FastifyInstance, flow: SignInFlow): void {
  registerPageScope(http, flow.deps.log, (scope) => {
    scope.get(AUTHORIZATION_PATH, (request, reply) => authorize(flow, { request, reply }));
    refuseOtherMethods(scope, AUTHORIZATION_PATH, ['GET']);
    scope.post('/oauth2/consent', (request, reply) => consent(flow, { request, reply }));
  });
}

async function authorize(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const text = queryOf(request);
  if (text.length > REQUEST_LENGTH_MAX) throw new OAuthError('invalid_request', 'the request is too long');
  const asked = await flow.readAsked(visit, text);
  if (!asked) return reply;
  const signedIn = await flow.signedIn(request);
  if (signedIn) await knowBrowser(flow, visit, signedIn);
  const justSignedIn = flow.takeFreshProof(visit, asked);
  const next = await nextAuthorizationStep(flow.deps, asked.authorization, signedIn, justSignedIn);
  if (next.step === 'refused') return flow.refuse(visit, next.refused);
  if (next.step === 'redirect') {
    flow.forgetPushed(visit);
    return redirect(reply, next.location);
  }
  if (next.step === 'login' || !signedIn) return flow.showSignIn(visit, asked);
  // The answer of the page is as good as the sign-in before it, so the page carries on what that has proven.
  const proof = justSignedIn ? flow.freshProof('fresh-consent', asked, signedIn.cookie) : '';
  return showConsent(flow, reply, asked, { signedIn, proof });
}

/** After a new password of the person who is signed in, or where somebody else used the browser meanwhile. */
async function knowBrowser(
  flow: SignInFlow,
  { request, reply }: Visit,
  { user: { userId }, sessionHash }: SignedIn,
): Promise<void> {
  const session = { userId, sessionHash };
  const renewed = await renewedDeviceCookie(flow.deps, session, flow.deviceCookie(request));
  if (renewed !== undefined) flow.keepDevice(reply, renewed);
}

async function showConsent(
  { deps }: SignInFlow,
  reply: FastifyReply,
  { authorization, text }: Asked,
  { signedIn, proof }: { signedIn: SignedIn; proof: string },
): Promise<FastifyReply> {
  const { client, redirectUri, scope } = authorization;
  const own = client.userId === undefined || client.userId === signedIn.user.userId;
  const owner = own ? undefined : await deps.directory.userRights(client.userId ?? '');
  const view = {
    applicationName: client.name,
    userName: signedIn.user.userName,
    ownerName: owner?.userName,
    request: text,
    formToken: formToken(signedIn.cookie),
    freshProof: proof,
    redirectHost: new URL(redirectUri).host || redirectUri,
    identityOnly: scope.split(' ').every((each) => identityScopes.includes(each)),
  };
  return sendConsentPage(reply, view, { formTargets: [redirectUri] });
}

async function consent(flow: SignInFlow, visit: Visit): Promise<FastifyReply> {
  const { request, reply } = visit;
  const form = readForm(request);
  const asked = await flow.readAsked(visit, form.get('request') ?? '');
  if (!asked) return reply;
  const signedIn = await flow.signedIn(request);
  if (!signedIn || !formTokenMatches(signedIn.cookie, form.get('form_token'))) {
    const message = 'This form has expired. Please go back to the application and start again.';
    return sendMessagePage(reply, { title: 'This request cannot be served', message }, { status: 403 });
  }
  const justSignedIn = flow.isFreshProof(form.get('fresh_proof'), 'fresh-consent', asked, signedIn.cookie);
  // Back to the sign-in: it has become too old meanwhile, or this form was never shown for this request.
  if (!isGoodSignIn(flow.deps, asked.authorization, signedIn, justSignedIn))
    return redirect(reply, addressWith(AUTHORIZATION_PATH, asked));
  flow.forgetPushed(visit);
  const answer = { allowed: form.get('decision') === 'allow', address: clientAddress(request) };
  return redirect(reply, await answerConsent(flow.deps, asked.authorization, signedIn, answer));
}
