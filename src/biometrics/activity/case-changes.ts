// What analysts write about a call, possibly several of them at once: nobody overwrites what they have not read.
import { namingWhoChanged } from '../../audit/last-change.js';
import type { Call } from '../../platform.js';
import { openTenant } from '../call/context.js';
import { setEngagementVerdict, type SetVerdictInput } from '../sessions/set-engagement-verdict.js';
import { updateEngagement, type UpdateEngagementInput } from '../sessions/update-engagement.js';
import { assigneeIn } from './cases.js';
import type { ActivityDeps } from './session-timeline.js';

type CaseInput = Pick<UpdateEngagementInput, 'context'> & {
  gkEngagementId: string;
  noted: NonNullable<UpdateEngagementInput['noted']>;
};

export async function updateCase(deps: ActivityDeps, call: Call, input: CaseInput): Promise<void> {
  const { context, gkEngagementId } = input;
  const noted = await withAssignee(deps, call, input);
  const names = Object.keys(noted);
  return namingWhoChanged(
    deps,
    {
      tenantId: context.gkScopeId ?? '',
      gkEngagementId,
      operations: ['UpdateEngagement'],
      isIt: ({ detail }) => names.some((name) => detail[name] !== undefined),
    },
    () => updateEngagement(deps, call, { ...input, noted, details: {} }),
  );
}

/** By ID, whatever the person was called in the request. */
async function withAssignee(
  deps: ActivityDeps,
  call: Call,
  { context, noted }: CaseInput,
): Promise<CaseInput['noted']> {
  const { caseOwner } = noted;
  if (!caseOwner?.value) return noted;
  const gkScopeId = await openTenant(deps, call, context);
  return {
    ...noted,
    caseOwner: { ...caseOwner, value: await assigneeIn(deps.actors, gkScopeId, caseOwner.value) },
  };
}

export function recordOutcome(
  deps: ActivityDeps,
  call: Call,
  input: Omit<SetVerdictInput, 'resetEnrollmentOnFraud'> & { gkEngagementId: string },
): Promise<void> {
  const { context, gkEngagementId } = input;
  return namingWhoChanged(
    deps,
    {
      tenantId: context.gkScopeId ?? '',
      gkEngagementId,
      operations: ['SetEngagementVerdict'],
      isIt: () => true,
    },
    () => setEngagementVerdict(deps, call, { ...input, resetEnrollmentOnFraud: false }),
  );
}
