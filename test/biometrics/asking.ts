// Asks an operation by name over either transport, in a session's context: for tests that say the same of both.
import type { DescService } from '@bufbuild/protobuf';
import { send, type Outcome, type Transport } from './calls.js';
import type { Json } from './requests.js';
import type { Platform, RequestContext } from './support.js';

export const transports: readonly Transport[] = ['gRPC', 'REST'];
export const id = (value: string) => ({ value });
export const resultOf = ({ body }: Outcome) => body['result'] as Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any

/** The context in proto names, as `send` wants it. */
function inProtoNames(context: RequestContext): Json {
  return {
    gk_engagement_id: context.gkEngagementId,
    gk_session_id: context.gkSessionId,
    gk_scope_id: context.gkScopeId,
    configset_id: context.configsetId,
  };
}

/** `ask(platform, transport, 'Verify', {...}, context)` of one service. */
export function asker(service: DescService) {
  return (
    platform: Platform,
    transport: Transport,
    name: string,
    request: Json,
    context: RequestContext,
  ): Promise<Outcome> => {
    const method = service.methods.find((candidate) => candidate.name === name);
    if (!method) throw new Error(`no method ${name}`);
    return send(platform.server, transport, service, method, {
      context: inProtoNames(context),
      ...request,
    });
  };
}
