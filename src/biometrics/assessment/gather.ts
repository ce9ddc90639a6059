// Reads everything that the assessments of sessions depend on. Nothing else reads it for that purpose.
import { isRefused, type Factor, type Session } from '../model/sessions.js';
import type { StoredAssessment } from '../ports/assessments.js';
import type { Repositories } from '../ports/store.js';
import { decideSession } from '../rules/session-decision.js';
import { voicesIn } from '../rules/session-persons.js';
import { rememberedParameters } from '../call/context.js';
import { asOfNow, type ReadingDeps } from '../sessions/as-of-now.js';
import { uploadsAmong } from '../sessions/uploads.js';
import { assess, keptOf, type Facts } from './assess.js';
import { decidedIn, isFromElsewhere } from './inherited.js';
import { withoutNames, type Assessment, type FoundLater, type LiveAssessment } from './model.js';
import type { Check } from './unresolved-checks.js';

export async function assessSessions(
  given: ReadingDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, Assessment>> {
  const assessed = await assessedWithFacts(given, gkScopeId, sessions);
  return new Map([...assessed].map(([id, { assessment }]) => [id, assessment]));
}

/** For whoever may not know whom they are about. */
export async function assessmentsWithoutNames(
  deps: ReadingDeps,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<Map<string, LiveAssessment>> {
  const sessions = await deps.store.read.sessions.findMany(gkScopeId, gkSessionIds);
  const assessed = await assessSessions(deps, gkScopeId, sessions);
  return new Map([...assessed].map(([id, assessment]) => [id, withoutNames(assessment)]));
}

/** For lists to find sessions by. */
export async function storedAssessments(
  { store, configsetCache }: Omit<ReadingDeps, 'clock'>,
  gkScopeId: string,
  gkSessionIds: readonly string[],
): Promise<StoredAssessment[]> {
  const sessions = await store.read.sessions.findMany(gkScopeId, gkSessionIds);
  // That a session ends with time changes nothing here.
  const deps = { store, configsetCache, clock: { now: () => 0 } };
  const assessed = await assessedWithFacts(deps, gkScopeId, sessions);
  return sessions.flatMap((session): StoredAssessment[] => {
    const { gkSessionId } = session;
    const one = assessed.get(gkSessionId);
    if (!one) return [];
    const { headline, caveats } = one.assessment;
    return [
      {
        gkSessionId,
        headline,
        decision: one.facts.session.decision?.decision,
        caveats,
        followsEngagement: session.decision === undefined || caveats.includes('INHERITED'),
      },
    ];
  });
}

/** What stays known of these sessions when somebody in them is erased; call it before anything of theirs is deleted. */
export async function keptWhenErased(
  { store, configsetCache }: Omit<ReadingDeps, 'clock'>,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<(session: Session, how: { isEmptied: boolean }) => Partial<Session>> {
  const deps = { store, configsetCache, clock: { now: () => 0 } };
  const assessed = await assessedWithFacts(deps, gkScopeId, sessions);
  return ({ gkSessionId }, how) => {
    const one = assessed.get(gkSessionId);
    return one ? keptOf(one.facts, how) : {};
  };
}

async function assessedWithFacts(
  given: ReadingDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, { assessment: Assessment; facts: Facts }>> {
  const deps = readingOnce(given);
  const facts = await factsOf(deps, gkScopeId, sessions);
  const origins = await originsOf(deps.store.read, gkScopeId, facts);
  const factsOfOrigins = await factsOf(deps, gkScopeId, [...origins.values()]);
  const originOf = new Map([...origins.keys()].map((id, at) => [id, factsOfOrigins[at]]));
  const assessed = new Map<string, { assessment: Assessment; facts: Facts }>();
  for (const own of facts) {
    const { gkSessionId } = own.session;
    const origin = originOf.get(gkSessionId);
    const all = { ...own, ...(origin && { origin }) };
    assessed.set(gkSessionId, { assessment: assess(all), facts: all });
  }
  return assessed;
}

/** What a call means so far: its last results count beside what the session and its engagement already have. */
export async function assessLive(
  given: ReadingDeps,
  session: Session,
  results: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): Promise<Assessment | undefined> {
  const deps = readingOnce(given);
  const { gkScopeId, gkSessionId, gkEngagementId } = session;
  const { read } = deps.store;
  const made = await read.factors.listByEngagement(gkScopeId, gkEngagementId);
  const decision = decideSession([...made, ...results], await rememberedParameters(deps, session));
  const [stored] = await factsOf(deps, gkScopeId, [{ ...session, decision }]);
  if (!stored) return undefined;
  const { about = { persons: [], gkFraudsterIds: [], gkEnrolledFraudsterIds: [], refused: 0, voices: [] } } =
    stored;
  const own = [
    ...stored.own,
    ...results.map((factor): Check => ({ ...factor, recording: factor.liveCallId ?? '' })),
  ];
  const facts: Facts = {
    ...stored,
    own,
    checkCount: own.length,
    about: {
      ...about,
      refused: about.refused + results.filter(isRefused).length,
      voices: [...about.voices, ...voicesIn(results, ownerOf)],
    },
    isCutOff: false,
  };
  const from = (await originsOf(read, gkScopeId, [facts])).get(gkSessionId);
  const [origin] = await factsOf(deps, gkScopeId, from ? [from] : []);
  return assess({ ...facts, ...(origin && { origin }) });
}

async function factsOf(deps: ReadingDeps, gkScopeId: string, sessions: readonly Session[]): Promise<Facts[]> {
  if (sessions.length === 0) return [];
  const { read } = deps.store;
  const ids = [...new Set(sessions.map(({ gkSessionId }) => gkSessionId))];
  const factors = await read.factors.listBySessions(gkScopeId, ids);
  const later = await read.factors.laterBySessions(gkScopeId, ids);
  const about = await read.factors.aboutSessions(gkScopeId, ids);
  const cutOff = await read.sessions.cutOffAmong(gkScopeId, ids);
  const known = sessions.flatMap(({ gkSessionId, isErased }) => (isErased ? [] : gkSessionId));
  const findings = await read.findings.laterIn(gkScopeId, known);
  const madeFrom = await read.findings.madeFrom(gkScopeId, ids);
  const parties = await read.parties.findMany(gkScopeId, [...new Set([...madeFrom.values()].flat())]);
  const there = new Set(parties.map(({ gkId }) => gkId));
  const engagementIds = [...new Set(sessions.map(({ gkEngagementId }) => gkEngagementId))];
  const engagements = await read.engagements.findMany(gkScopeId, engagementIds);
  const outcomes = new Map(engagements.map((one) => [one.gkEngagementId, one.verdict?.verdict]));
  const unheard = sessions.filter(({ gkSessionId }) => !factors.has(gkSessionId));
  const uploads = await uploadsAmong(read, gkScopeId, unheard);
  const listening = await read.liveCalls.runningIn(
    gkScopeId,
    unheard.flatMap(({ gkSessionId, isActive }) => (isActive ? gkSessionId : [])),
  );
  return Promise.all(
    sessions.map(async (stored): Promise<Facts> => {
      const { gkSessionId, isErased } = stored;
      const session = await asOfNow(deps, stored, factors.has(gkSessionId));
      const own = factors.get(gkSessionId) ?? [];
      const made = (madeFrom.get(gkSessionId) ?? []).filter((gkId) => !isErased || there.has(gkId));
      const recognized = about.get(gkSessionId)?.gkFraudsterIds ?? [];
      const found = (findings.get(gkSessionId) ?? []).filter(
        ({ gkFraudsterId }) => gkFraudsterId === undefined || !recognized.includes(gkFraudsterId),
      );
      const foundLater: FoundLater[] = [
        ...found.map(({ kind, ...finding }) => ({ check: kind, ...finding })),
        ...made.map((gkFraudsterId) => ({ check: 'ENROLLMENT' as const, gkFraudsterId })),
      ];
      const isUpload = uploads.has(gkSessionId);
      const { attackChecks } = await rememberedParameters(deps, session);
      return {
        session,
        checkCount: own.length,
        about: about.get(gkSessionId),
        own: own.map((factor) => ({ ...factor, recording: factor.recording ?? '' })),
        later: (later.get(gkSessionId) ?? []).map(({ factor, gkMediaSegmentId }): Check => ({
          ...factor,
          recording: gkMediaSegmentId,
        })),
        // Findings in an upload are reported in the sessions that heard it.
        foundLater: isUpload ? [] : foundLater,
        outcome: outcomes.get(session.gkEngagementId),
        isUpload,
        isListening: listening.some((call) => call.gkSessionId === gkSessionId),
        isCutOff: cutOff.has(gkSessionId),
        requiredForGreen: attackChecks.requiredForGreen,
      };
    }),
  );
}

/** By session, those from which a decision was inherited, each with that decision. */
async function originsOf(
  read: Repositories,
  gkScopeId: string,
  facts: readonly Facts[],
): Promise<ReadonlyMap<string, Session>> {
  const origins = new Map<string, Session>();
  const byEngagement = new Map<string, readonly Factor[]>();
  for (const { session, own } of facts) {
    const { gkEngagementId, decision, isErased, retained } = session;
    if (!decision || !isFromElsewhere(decision.decision, own)) continue;
    const made =
      byEngagement.get(gkEngagementId) ?? (await read.factors.listByEngagement(gkScopeId, gkEngagementId));
    byEngagement.set(gkEngagementId, made);
    const gkSessionId = (isErased && retained?.inheritedFrom?.gkSessionId) || decidedIn(session, made);
    const from = gkSessionId ? await read.sessions.find(gkScopeId, gkSessionId) : undefined;
    if (from) origins.set(session.gkSessionId, { ...from, decision });
  }
  return origins;
}

/** Sessions of one engagement, or of one config set, need the same data: it is read once for all of them. */
function readingOnce(deps: ReadingDeps): ReadingDeps {
  const { read } = deps.store;
  const listByEngagement = once(read.factors.listByEngagement);
  const findActive = once(read.configsets.findActive);
  return {
    ...deps,
    store: {
      read: {
        ...read,
        factors: { ...read.factors, listByEngagement },
        configsets: { ...read.configsets, findActive },
      },
    },
  };
}

function once<Asked extends string[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
): (...asked: Asked) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...asked) => {
    const key = JSON.stringify(asked);
    const answer = answers.get(key) ?? ask(...asked);
    answers.set(key, answer);
    return answer;
  };
}
