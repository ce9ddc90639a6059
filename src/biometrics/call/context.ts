// Opens a call: checks that the request context has the members that the operation needs, that they belong together and to the
// caller, and that session and engagement are still open; and finds the parameters that control the call: those of the config set that it names or that the session
// last used. All errors in the context are reported at once.
import {
  AppError,
  type FieldFault,
  invalidFields,
  missingField,
  notFound,
  refuseFaults,
  requireTenant,
} from '../../errors.js';
import type { Call } from '../../platform.js';
import { builtInSet } from '../model/built-in-configsets.js';
import type { ConfigsetRevision } from '../model/configsets.js';
import { defaultParameters, type Parameters } from '../model/parameters.js';
import type { Engagement, Session, SessionType } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { say } from '../../words/server/say.js';

/** As the caller sent it; absent and empty mean the same. */
export interface RequestContext {
  gkEngagementId?: string;
  gkSessionId?: string;
  gkScopeId?: string;
  configsetId?: string;
  /**
   * Faults of the surrounding message that only its translation can see; refused together with all others.
   */
  faults?: readonly FieldFault[];
}

type Need = 'mandatory' | 'optional' | 'unused';

interface ContextNeeds {
  engagement: Need;
  session: Need;
  configset: Need;
  /** Reads may use ended ones; everything else needs open ones. */
  mayBeOver?: boolean;
  /** The field that names the session, if it is not the context; refusals repeat it. */
  sessionField?: string;
  /** Other faults of the request; refused together with what the context lacks. */
  faults?: readonly (FieldFault | undefined)[];
}

/** The rule of the nine voiceprint operations: all four members (docs/reference/voiceprint-contract.md#context). */
const allMembers: ContextNeeds = {
  engagement: 'mandatory',
  session: 'mandatory',
  configset: 'mandatory',
};
const writeInSession: ContextNeeds = {
  engagement: 'mandatory',
  session: 'mandatory',
  configset: 'optional',
};
const readInTenant: ContextNeeds = { engagement: 'unused', session: 'unused', configset: 'unused' };

export interface OpenContext {
  gkScopeId: string;
  engagement?: Engagement;
  session?: Session;
  configset?: ConfigsetRevision;
  /** Those of the named config set; the defaults if none was named. */
  parameters: Parameters;
}

export interface SessionContext extends OpenContext {
  engagement: Engagement;
  session: Session;
}

export interface FullContext extends SessionContext {
  configset: ConfigsetRevision;
}

type Faults = readonly (FieldFault | undefined)[];

/** `faults`: other faults of the request, to be reported together with what the context lacks. */
export async function openFullContext(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
  faults: Faults = [],
): Promise<FullContext> {
  return (await openContext(deps, call, context, { ...allMembers, faults })) as FullContext;
}

export async function openSessionContext(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
  faults: Faults = [],
): Promise<SessionContext> {
  return (await openContext(deps, call, context, { ...writeInSession, faults })) as SessionContext;
}

export async function openTenant(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
  faults: Faults = [],
): Promise<string> {
  return (await openContext(deps, call, context, { ...readInTenant, faults })).gkScopeId;
}

export async function openContext(
  deps: BiometricsDeps,
  call: Call,
  context: RequestContext,
  needs: ContextNeeds,
): Promise<OpenContext> {
  const gkScopeId = context.gkScopeId ?? '';
  refuseFaults([...missingMembers(context, needs), ...(needs.faults ?? []), ...(context.faults ?? [])]);

  await checkTenant(deps, call, gkScopeId);
  const configset =
    needs.configset === 'unused' ? undefined : await findConfigset(deps, gkScopeId, context.configsetId);
  const parameters = configset ? deps.configsetCache.parametersOf(configset) : defaultParameters;
  const opening: Opening = { deps, gkScopeId, needs, parameters };
  const engagement =
    needs.engagement === 'unused' ? undefined : await findEngagement(opening, context.gkEngagementId);
  const session =
    needs.session === 'unused' ? undefined : await findSession(opening, context.gkSessionId, engagement);
  return {
    gkScopeId,
    parameters,
    ...(configset && { configset }),
    ...(engagement && { engagement }),
    ...(session && { session }),
  };
}

/** A context that is partly opened. */
interface Opening {
  deps: BiometricsDeps;
  gkScopeId: string;
  needs: ContextNeeds;
  parameters: Parameters;
}

function missingMembers(context: RequestContext, needs: ContextNeeds): FieldFault[] {
  const missing: FieldFault[] = [];
  if (needs.engagement === 'mandatory' && !context.gkEngagementId)
    missing.push(missingField('context.gk_engagement_id'));
  if (needs.session === 'mandatory' && !context.gkSessionId)
    missing.push(missingField(needs.sessionField ?? 'context.gk_session_id'));
  if (!context.gkScopeId) missing.push(missingField('context.gk_scope_id'));
  if (needs.configset === 'mandatory' && !context.configsetId)
    missing.push(missingField('context.configset_id'));
  return missing;
}

async function checkTenant(deps: BiometricsDeps, call: Call, gkScopeId: string): Promise<void> {
  requireTenant(call.caller, gkScopeId, 'context.gk_scope_id');
  if (!(await deps.tenants.isUsable(gkScopeId))) throw notFound('tenant', 'context.gk_scope_id');
}

async function findConfigset(
  deps: BiometricsDeps,
  gkScopeId: string,
  configsetId: string | undefined,
): Promise<ConfigsetRevision | undefined> {
  if (!configsetId) return undefined;
  const active =
    (await deps.store.read.configsets.findActive(gkScopeId, 'CONFIGSET', configsetId)) ??
    builtInSet(gkScopeId, configsetId);
  if (active) return active;
  throw new AppError(
    'INVALID_REQUEST',
    'context.configset_id: no ACTIVE revision of this config set in this tenant',
    {
      fields: [
        {
          field: 'context.configset_id',
          violation: 'OTHER',
          ...say('NO_ACTIVE_REVISION'),
          value: configsetId,
        },
      ],
      diagnostics: [{ code: 'BAD_CONFIGURATION' }],
    },
  );
}

async function findEngagement(
  { deps, gkScopeId, needs, parameters }: Opening,
  gkEngagementId: string | undefined,
): Promise<Engagement | undefined> {
  if (!gkEngagementId) return undefined;
  const found = await deps.store.read.engagements.find(gkScopeId, gkEngagementId);
  if (!found) throw notFound('engagement', 'context.gk_engagement_id');
  const engagement = await endEngagementIfIdle(deps, found, parameters);
  if (!engagement.isActive && !needs.mayBeOver)
    throw endedError('engagement', 'context.gk_engagement_id', engagement);
  return engagement;
}

async function findSession(
  { deps, gkScopeId, needs, parameters }: Opening,
  gkSessionId: string | undefined,
  engagement: Engagement | undefined,
): Promise<Session | undefined> {
  if (!gkSessionId) return undefined;
  const field = needs.sessionField ?? 'context.gk_session_id';
  const found = await deps.store.read.sessions.find(gkScopeId, gkSessionId);
  if (!found) throw notFound('session', field);
  if (engagement && found.gkEngagementId !== engagement.gkEngagementId) {
    throw invalidFields([
      {
        field,
        violation: 'FIELD_CONFLICT',
        ...say('OTHER_ENGAGEMENT'),
      },
    ]);
  }
  const session = await endSessionIfIdle(deps, found, parameters);
  if (!session.isActive && !needs.mayBeOver) throw endedError('session', field, session);
  return session;
}

/** What belonged to an erased person accepts nothing more, even from calls that may use ended sessions. */
export function refuseErased(
  what: 'engagement' | 'session',
  field: string,
  found: { isErased?: true } | undefined,
): void {
  if (found?.isErased) throw endedError(what, field, found);
}

/**
 * Locked until the transaction ends: an erasure either waits for what is added to an engagement and finds it,
 * or has finished and is noticed.
 */
export async function requireNotErased(
  tx: Pick<Repositories, 'engagements' | 'sessions'>,
  { gkEngagementId, gkSessionId }: { gkEngagementId: string; gkSessionId?: string },
): Promise<void> {
  if (await tx.engagements.isErased(gkEngagementId))
    throw endedError('engagement', 'context.gk_engagement_id', { isErased: true });
  if (gkSessionId !== undefined && (await tx.sessions.isErased(gkSessionId)))
    throw endedError('session', 'context.gk_session_id', { isErased: true });
}

export function endedError(
  what: 'engagement' | 'session',
  field: string,
  { isErased }: { isErased?: true },
): AppError {
  const message = isErased
    ? `the ${what} is over, because the personal data of its person was deleted: start a new one`
    : `the ${what} is over: start a new one`;
  return new AppError('INVALID_REQUEST', message, {
    fields: [
      {
        field,
        violation: 'OTHER',
        ...(what === 'session' ? say('SESSION_OVER') : say('ENGAGEMENT_OVER')),
      },
    ],
    diagnostics: [
      {
        code: what === 'session' ? 'SESSION_OVER' : 'ENGAGEMENT_OVER',
        ...(isErased && { extras: { reason: 'PERSONAL_DATA_DELETED' } }),
      },
    ],
  });
}

/**
 * Sessions and engagements end by themselves when nothing happens for a while. The next call that uses them checks this, so
 * that no timer has to run and all nodes agree.
 */
export function sessionIdleMs(type: SessionType, { sessions }: Parameters): number {
  switch (type) {
    case 'IVR':
      return sessions.idleSecondsIvr * 1000;
    case 'DIGITAL':
      return sessions.idleSecondsDigital * 1000;
    case 'CALL_CENTER':
      return sessions.idleSecondsCallCenter * 1000;
    case 'PRE_CALL':
    case 'POST_CALL':
    case 'WEB':
    case 'OFFLINE_MEDIA_PROCESSING':
    case 'FRAUD_ANALYST':
    case 'ADMINISTRATION':
    case 'OTHER':
      return sessions.idleSecondsOffline * 1000;
  }
}

export async function endSessionIfIdle(
  deps: BiometricsDeps,
  session: Session,
  parameters: Parameters,
): Promise<Session> {
  const idleMs = sessionIdleMs(session.sessionType, parameters);
  const now = deps.clock.now();
  if (!session.isActive) return session;
  if (session.lastActivityAtMs + idleMs > now) {
    if (isWorthTouching(session.lastActivityAtMs, idleMs, now))
      await deps.store.read.sessions.touch(session.gkSessionId, now);
    return session;
  }
  return deps.store.transaction(async (tx) => {
    // Read again: it may have been stopped, or its person erased, since it was read.
    const current = (await tx.sessions.find(session.gkScopeId, session.gkSessionId)) ?? session;
    if (!current.isActive) return current;
    const ended: Session = {
      ...current,
      isActive: false,
      completedAtMs: session.lastActivityAtMs + idleMs,
      modifiedAtMs: now,
    };
    await tx.sessions.update(ended);
    return ended;
  });
}

async function endEngagementIfIdle(
  deps: BiometricsDeps,
  engagement: Engagement,
  parameters: Parameters,
): Promise<Engagement> {
  const idleMs = parameters.sessions.idleSecondsEngagement * 1000;
  const now = deps.clock.now();
  if (!engagement.isActive) return engagement;
  if (engagement.lastActivityAtMs + idleMs > now) {
    if (isWorthTouching(engagement.lastActivityAtMs, idleMs, now))
      await deps.store.read.engagements.touch(engagement.gkEngagementId, now);
    return engagement;
  }
  return deps.store.transaction(async (tx) => {
    const current =
      (await tx.engagements.find(engagement.gkScopeId, engagement.gkEngagementId)) ?? engagement;
    if (!current.isActive) return current;
    const ended: Engagement = {
      ...current,
      isActive: false,
      completedAtMs: engagement.lastActivityAtMs + idleMs,
      modifiedAtMs: now,
    };
    await tx.engagements.update(ended);
    return ended;
  });
}

/**
 * A durable write per call would cost more than the call: the time is updated only after a twentieth of the
 * limit.
 */
function isWorthTouching(lastActivityAtMs: number, idleMs: number, nowMs: number): boolean {
  return nowMs - lastActivityAtMs > idleMs / 20;
}

/**
 * For a session whose call names no config set: those of the one that it last used
 * (docs/reference/voiceprint-management.md#config-set-of-a-session).
 */
export async function rememberedParameters(
  deps: Pick<BiometricsDeps, 'configsetCache'> & { store: { read: Pick<Repositories, 'configsets'> } },
  session: Session,
): Promise<Parameters> {
  if (!session.configsetId) return defaultParameters;
  const revision = await deps.store.read.configsets.findActive(
    session.gkScopeId,
    'CONFIGSET',
    session.configsetId,
  );
  return revision ? deps.configsetCache.parametersOf(revision) : defaultParameters;
}

/**
 * The config set of a call that asks for the decision replaces the remembered one: stopping the session then
 * uses it too.
 */
export async function rememberNamedConfigset(
  deps: BiometricsDeps,
  session: Session,
  configsetId: string | undefined,
): Promise<void> {
  if (!configsetId || session.configsetId.toLowerCase() === configsetId.toLowerCase()) return;
  await deps.store.transaction(async (tx) => {
    const current = await tx.sessions.find(session.gkScopeId, session.gkSessionId);
    if (current) await tx.sessions.update({ ...current, configsetId });
  });
}
