// Reads everything that the assessments of sessions depend on. Nothing else reads it for that purpose.
import { isRefused, type Factor, type Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { decidedIn, isFromElsewhere } from '../rules/session-marks.js';
import { voicesIn } from '../rules/session-persons.js';
import { rememberedParameters } from '../call/context.js';
import { uploadsAmong } from '../sessions/uploads.js';
import { assess, type Facts } from './assess.js';
import type { Assessment, FoundLater } from './model.js';
import { goneRecording, type Check } from './open-points.js';

/** The sessions come with their decisions as of now. `bySearches`: findings of searches count. */
export async function assessSessions(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  counted: { bySearches: boolean },
): Promise<Map<string, Assessment>> {
  const facts = await factsOf(deps, gkScopeId, sessions, counted);
  const origins = await originsOf(deps.store.read, gkScopeId, facts);
  const ofOrigins = await factsOf(deps, gkScopeId, [...origins.values()], counted);
  const assessed = new Map<string, Assessment>();
  for (const [at, session] of sessions.entries()) {
    const own = facts[at];
    if (!own) continue;
    const from = origins.get(session.gkSessionId);
    const origin = ofOrigins.find((one) => one.session === from);
    assessed.set(session.gkSessionId, assess({ ...own, ...(origin && { origin }) }));
  }
  return assessed;
}

/** What a call means so far: its last results count beside what the session already has. */
export async function assessLive(
  deps: BiometricsDeps,
  session: Session,
  results: readonly Factor[],
  ownerOf: ReadonlyMap<string, string>,
): Promise<Assessment | undefined> {
  const [facts] = await factsOf(deps, session.gkScopeId, [session], { bySearches: false });
  if (!facts) return undefined;
  const { about = { persons: [], gkFraudsterIds: [], gkEnrolledFraudsterIds: [], refused: 0, voices: [] } } =
    facts;
  const own = [...facts.own, ...results.map((factor): Check => ({ ...factor, recording: '' }))];
  return assess({
    ...facts,
    own,
    checkCount: own.length,
    about: {
      ...about,
      refused: about.refused + results.filter(isRefused).length,
      voices: [...about.voices, ...voicesIn(results, ownerOf)],
    },
    isCutOff: false,
  });
}

async function factsOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
  counted: { bySearches: boolean },
): Promise<Facts[]> {
  if (sessions.length === 0) return [];
  const { read } = deps.store;
  const ids = [...new Set(sessions.map(({ gkSessionId }) => gkSessionId))];
  const factors = await read.factors.listBySessions(gkScopeId, ids);
  const later = await read.factors.laterBySessions(gkScopeId, ids);
  const about = await read.factors.aboutSessions(gkScopeId, ids);
  const cutOff = await read.sessions.cutOffAmong(gkScopeId, ids);
  const known = sessions.flatMap(({ gkSessionId, isErased }) => (isErased ? [] : gkSessionId));
  const findings = await read.findings.laterIn(gkScopeId, known, counted);
  const madeFrom = await read.findings.madeFrom(gkScopeId, ids);
  const parties = await read.parties.findMany(gkScopeId, [...new Set([...madeFrom.values()].flat())]);
  const there = new Set(parties.map(({ gkId }) => gkId));
  const engagementIds = [...new Set(sessions.map(({ gkEngagementId }) => gkEngagementId))];
  const engagements = await read.engagements.findMany(gkScopeId, engagementIds);
  const outcomes = new Map(engagements.map((one) => [one.gkEngagementId, one.verdict?.verdict]));
  const unheard = sessions.filter(({ gkSessionId }) => !factors.has(gkSessionId));
  const uploads = await uploadsAmong(read, gkScopeId, unheard);
  const recordingOf = await recordings(read, gkScopeId, [...factors.values()].flat());
  return Promise.all(
    sessions.map(async (session): Promise<Facts> => {
      const { gkSessionId, isErased } = session;
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
        own: own.map((factor) => ({ ...factor, recording: recordingOf(factor) })),
        later: (later.get(gkSessionId) ?? []).map(({ factor, gkMediaSegmentId }): Check => ({
          ...factor,
          recording: gkMediaSegmentId,
        })),
        // Findings in an upload are reported in the sessions that heard it.
        foundLater: isUpload ? [] : foundLater,
        outcome: outcomes.get(session.gkEngagementId),
        isUpload,
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
    const { gkEngagementId, decision, isErased, marks } = session;
    if (!decision || !isFromElsewhere(decision.decision, own)) continue;
    const made =
      byEngagement.get(gkEngagementId) ?? (await read.factors.listByEngagement(gkScopeId, gkEngagementId));
    byEngagement.set(gkEngagementId, made);
    const gkSessionId = (isErased && marks?.carried?.gkSessionId) || decidedIn(session, made);
    const from = gkSessionId ? await read.sessions.find(gkScopeId, gkSessionId) : undefined;
    if (from) origins.set(session.gkSessionId, { ...from, decision });
  }
  return origins;
}

/** The recording that a check has heard, which may have been processed more than once. A live call has none. */
async function recordings(
  { processedAudios }: Pick<Repositories, 'processedAudios'>,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<(factor: Factor) => string> {
  const ids = [...new Set(factors.flatMap(({ gkProcessedAudioId }) => gkProcessedAudioId || []))];
  const audios = await processedAudios.findMany(gkScopeId, ids);
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  return ({ gkProcessedAudioId = '' }) =>
    gkProcessedAudioId && (mediaOf.get(gkProcessedAudioId) ?? goneRecording(gkProcessedAudioId));
}
