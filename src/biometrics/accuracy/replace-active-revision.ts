// ReplaceActiveRevision: activates a revision only in place of the one that the caller had read, so that two people who change
// one config set do not undo each other's work (ADR 78).
import { namingWhoChanged } from '../../audit/last-change.js';
import type { Actors, AuditReader } from '../../audit/ports.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import { activateRevision } from '../configsets/change-revision.js';
import type { BiometricsDeps } from '../ports/deps.js';

export async function replaceActiveRevision(
  deps: BiometricsDeps & { audit: AuditReader; actors: Actors },
  call: Call,
  input: { context: RequestContext; gkConfigsetRevisionId: string; expected: string | undefined },
): Promise<void> {
  const { expected, ...reference } = input;
  const gkScopeId = input.context.gkScopeId ?? '';
  await namingWhoChanged(
    deps,
    {
      tenantId: gkScopeId,
      operations: ['ActivateConfigsetRevision'],
      isIt: ({ detail }) => detail['configsetRevisionId'] !== expected,
    },
    () => activateRevision(deps, call, { ...reference, expected: { gkConfigsetRevisionId: expected } }),
  );
}
