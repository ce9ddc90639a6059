// OptPersonIn and OptPersonOut: consent to voice biometrics, and its withdrawal, which deletes the prints.
import { type AuditDetail, auditDetail } from '../../audit/model.js';
import { changedMeanwhile, missingField } from '../../errors.js';
import { DAY_MS, type Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openSessionContext, type RequestContext, type SessionContext } from '../call/context.js';
import type { Consent, Party } from '../model/entities.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { Faults } from '../call/limits.js';
import { deletePrintsOf } from './change-party.js';
import { partyOrThrow } from './party-rules.js';
import { say } from '../../words/server/say.js';

const DAYS_MAX = 3650;
const CONSENT_TEXT_MAX = 4000;
const LANGUAGE_MAX = 35;

/** The text that everybody is told: nothing about the person. */
interface ConsentText {
  text: string;
  language: string;
}

export interface OptInInput {
  context: RequestContext;
  gkPersonId: string;
  notice?: ConsentText;
  /**
   * When the person last consented or objected, as the caller has read it: 0 for never. Not compared if
   * absent.
   */
  expectedAtMs?: number;
}

export async function optPersonIn(deps: BiometricsDeps, call: Call, input: OptInInput): Promise<void> {
  const faults = new Faults().required('gk_person_id', input.gkPersonId);
  const { notice } = input;
  if (notice)
    faults
      .required('text', notice.text)
      .text('text', notice.text, CONSENT_TEXT_MAX)
      .text('language', notice.language, LANGUAGE_MAX);
  const context = await openSessionContext(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const person = await partyOrThrow(tx.parties, context.gkScopeId, 'PERSON', input.gkPersonId);
    const { expectedAtMs } = input;
    if (expectedAtMs !== undefined && expectedAtMs !== (person.consent?.atMs ?? 0))
      throw changedMeanwhile(['consent']);
    const detail =
      notice &&
      auditDetail({ consentText: notice.text, ...(notice.language && { language: notice.language }) });
    await recordConsent(tx, { deps, call, context }, person, detail);
  });
}

/** Records that the person agrees to voice biometrics, as of now. */
export async function recordConsent(
  tx: BiometricsTransaction,
  { deps, call, context }: { deps: Pick<BiometricsDeps, 'clock'>; call: Call; context: SessionContext },
  person: Party,
  detail?: AuditDetail,
): Promise<void> {
  const now = deps.clock.now();
  await tx.parties.update({
    ...person,
    consent: { status: 'OPTED_IN', agentId: call.caller.subject, reason: '', atMs: now },
    modifiedAtMs: now,
  });
  await audit(tx, call, {
    type: 'PERSON_EVENT',
    operation: 'OptPersonIn',
    gkScopeId: person.gkScopeId,
    gkEngagementId: context.engagement.gkEngagementId,
    gkSessionId: context.session.gkSessionId,
    subjects: [person.gkId],
    ...(detail && { detail }),
  });
}

interface OptOutInput {
  context: RequestContext;
  gkPersonId: string;
  reason: string;
  daysForOptIn?: number;
}

export async function optPersonOut(deps: BiometricsDeps, call: Call, input: OptOutInput): Promise<void> {
  const faults = new Faults().text('reason', input.reason);
  if (!input.gkPersonId) faults.add(missingField('gk_person_id'));
  const days = input.daysForOptIn;
  if (days !== undefined && (days < 0 || days > DAYS_MAX)) {
    faults.add({
      field: 'days_for_opt_in',
      violation: 'OUT_OF_RANGE',
      ...say('OUT_OF_RANGE', { min: 0, max: DAYS_MAX }),
      value: String(days),
    });
  }
  const { gkScopeId, engagement, session } = await openSessionContext(
    deps,
    call,
    input.context,
    faults.found,
  );
  await deps.store.transaction(async (tx) => {
    const person = await partyOrThrow(tx.parties, gkScopeId, 'PERSON', input.gkPersonId);
    const now = deps.clock.now();
    const { prints } = await deletePrintsOf(tx, gkScopeId, input.gkPersonId);
    await tx.parties.update({
      ...person,
      consent: objection(person.consent, {
        status: 'OPTED_OUT',
        agentId: call.caller.subject,
        reason: input.reason,
        atMs: now,
        ...(days !== undefined && { optInAtMs: now + days * DAY_MS }),
      }),
      modifiedAtMs: now,
    });
    const current = await tx.sessions.find(gkScopeId, session.gkSessionId);
    if (current) await tx.sessions.update({ ...current, intent: 'OPT_OUT', modifiedAtMs: now });
    await audit(tx, call, {
      type: 'PERSON_EVENT',
      operation: 'OptPersonOut',
      gkScopeId,
      gkEngagementId: engagement.gkEngagementId,
      gkSessionId: session.gkSessionId,
      subjects: [input.gkPersonId, ...prints],
      detail: {
        deletedPrints: prints.length,
        ...(days !== undefined && { daysForOptIn: days }),
        ...(person.consent?.status === 'OPTED_OUT' && { alreadyOptedOut: true }),
      },
      personal: { reason: input.reason },
    });
  });
}

/**
 * A second objection takes nothing back (ADR 0082): since when, why and by whom it was recorded stays as
 * first said, what was left open then is added, and nobody may be asked earlier. The audit trail has each
 * objection in its own words.
 */
function objection(before: Consent | undefined, now: Consent): Consent {
  if (before?.status !== 'OPTED_OUT') return now;
  const optInAtMs = Math.max(before.optInAtMs ?? 0, now.optInAtMs ?? 0);
  return {
    ...before,
    reason: before.reason || now.reason,
    ...(optInAtMs > 0 && { optInAtMs }),
  };
}
