// UpdateEngagement: changes the details that the field mask names.
import { type JsonObject, type AuditDetail, auditDetail } from '../../audit/model.js';
import { changedMeanwhile, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, refuseErased, type RequestContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { Faults, ID_LENGTH_MAX } from '../call/limits.js';
import type { CustomData } from '../model/outcome.js';
import { notedMembers, type Engagement, type NotedMember } from '../model/sessions.js';

export interface UpdateEngagementInput {
  context: RequestContext;
  gkEngagementId?: string;
  details: Partial<Pick<Engagement, 'engagementId' | 'analystId' | 'correlationId' | 'customData'>>;
  /** What analysts write, one by one; refused if it is no longer what they had read. */
  noted?: Partial<Record<NotedMember, { value: string; expected: string }>>;
}

export async function updateEngagement(
  deps: BiometricsDeps,
  call: Call,
  input: UpdateEngagementInput,
): Promise<void> {
  const gkEngagementId = input.gkEngagementId || input.context.gkEngagementId || '';
  const faults = new Faults()
    .text('details.engagement_id', input.details.engagementId, ID_LENGTH_MAX)
    .text('details.analyst_id', input.details.analystId, ID_LENGTH_MAX)
    .text('details.correlation_id', input.details.correlationId, ID_LENGTH_MAX)
    .customData('details.custom_data', input.details.customData)
    .customData('custom_data', textsOf(input.noted))
    .required('gk_engagement_id', gkEngagementId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const current = await tx.engagements.find(gkScopeId, gkEngagementId);
    if (!current) throw notFound('engagement', 'gk_engagement_id');
    refuseErased('engagement', 'gk_engagement_id', current);
    const details = withNoted(current, input);
    await tx.engagements.update({ ...current, ...details, modifiedAtMs: deps.clock.now() });
    await audit(tx, call, {
      type: 'ENGAGEMENT_EVENT',
      operation: 'UpdateEngagement',
      gkScopeId,
      gkEngagementId,
      subjects: [gkEngagementId],
      ...changesOf(current, details),
    });
  });
}

const textsOf = (noted: UpdateEngagementInput['noted'] = {}): CustomData =>
  Object.fromEntries(Object.entries(noted).map(([name, { value }]) => [name, value]));

/** Field names in the contract's requests. */
const fieldOf: Readonly<Record<NotedMember, string>> = {
  caseNumber: 'case_number',
  note: 'note',
  caseOwner: 'assigned_to',
};

/** Everything else in the custom data stays. */
function withNoted(
  { customData }: Engagement,
  { details, noted = {} }: UpdateEngagementInput,
): UpdateEngagementInput['details'] {
  const changed = notedMembers.filter((name) => noted[name] !== undefined);
  if (changed.length === 0) return details;
  const stale = changed.filter((name) => {
    const [now, { value = '', expected = '' } = {}] = [customData[name] ?? '', noted[name]];
    return now !== expected && now !== value;
  });
  if (stale.length > 0) throw changedMeanwhile(stale.map((name) => fieldOf[name]));
  const all: Record<string, string> = { ...customData, ...textsOf(noted) };
  for (const name of changed) if (all[name] === '') delete all[name];
  return { ...details, customData: all };
}

/** Analysts' notes are identified by name; their text, before and after, is personal. */
function changesOf(
  { customData: before }: Engagement,
  details: UpdateEngagementInput['details'],
): { detail: AuditDetail; personal?: JsonObject } {
  const { customData: after } = details;
  const changed = Object.keys(details).filter((name) => name !== 'customData');
  if (!after) return { detail: auditDetail({ changed }) };
  const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => (before[name] ?? '') !== (after[name] ?? ''),
  );
  const noted = notedMembers.filter((name) => differing.includes(name));
  const hasOthers = differing.length > noted.length || differing.length === 0;
  const part = (data: CustomData): JsonObject =>
    Object.fromEntries(differing.map((name) => [name, data[name] ?? '']));
  return {
    detail: auditDetail({
      changed: [...changed, ...(hasOthers ? ['customData'] : [])],
      ...(Object.fromEntries(
        noted.map((name) => [name, !before[name] ? 'ADDED' : !after[name] ? 'REMOVED' : 'CHANGED']),
      ) as Partial<Record<NotedMember, string>>),
    }),
    ...(differing.length > 0 && { personal: { before: part(before), after: part(after) } }),
  };
}
