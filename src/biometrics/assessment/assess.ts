// The one place that says what a session means: from its checks and what else is known of it to a headline, its tone and the caveats.
// Pure; docs/reference/assessment.md lists them.
import type { EngagementVerdict, RetainedCaveats, Session, SessionAbout } from '../model/sessions.js';
import { isOfCaller } from '../rules/heard-channel.js';
import { hasMismatch, hasSecondVoice, readsAsYes } from '../rules/open-check.js';
import { promptOutcomes } from '../rules/prompt-wanted.js';
import { hasNoCaller, sessionResult } from '../rules/session-result.js';
import { caveatNames, caveats as caveatTable, type Caveat } from './caveats.js';
import { causesOf } from './causes.js';
import { isFromElsewhere } from './inherited.js';
import type { AssessedParty, Assessment, FoundLater, Headline, Tone } from './model.js';
import {
  hasUncomparedMembers,
  isCallerIsolated,
  isOnlyOpen,
  unresolvedIn,
  type Check,
  type UnresolvedChecks,
} from './unresolved-checks.js';
import { isAboutOthers, isComparedThere, judgedCaller, partiesIn } from './who-called.js';

/** What is known of a session. */
export interface Facts {
  /** With its decision as of now. */
  session: Session;
  /** Of all kinds, also those that decide nothing. */
  checkCount: number;
  about?: SessionAbout | undefined;
  /** Its own checks, oldest first. */
  own: readonly Check[];
  /** Checks of its recordings in other sessions, oldest first. */
  later: readonly Check[];
  foundLater: readonly FoundLater[];
  /** Recorded by somebody for its engagement. */
  outcome?: EngagementVerdict | undefined;
  isUpload?: boolean;
  /** A live call is running in it. */
  isListening?: boolean;
  isCutOff?: boolean;
  /** The session that its decision comes from, if no check of its own gives it. */
  origin?: Facts | undefined;
  /** A setting: an unresolved attack check takes green away. */
  requiredForGreen?: boolean;
}

export function assess(facts: Facts): Assessment {
  const headline = headlineOf(facts);
  const inherited = inheritedIn(facts);
  const { points, found } = caveatsOf(facts, headline, inherited);
  const caveats = caveatNames.filter((name) => found.has(name));
  return {
    headline,
    tone: toneOf(headline, caveats, facts),
    causes: inherited ? (inherited.of?.causes ?? []) : causesOf(headline, facts.own.filter(isOfCaller)),
    caveats,
    whoCalled: partiesIn(facts.session, facts.about),
    ...(inherited && { inheritedFrom: { gkSessionId: inherited.gkSessionId, whoCalled: inherited.decided } }),
    foundLater: [...facts.foundLater, ...(inherited?.foundLater ?? [])],
    unresolvedChecks: [
      ...new Set([...points.missing, ...points.unresolved, ...(inherited?.of?.unresolvedChecks ?? [])]),
    ],
    missingChecks: [...new Set([...points.missing, ...(inherited?.of?.missingChecks ?? [])])],
    unavailableChecks: points.unavailable,
  };
}

function headlineOf({ session, checkCount, about, isUpload, isListening }: Facts): Headline {
  if (isUpload) return 'UPLOAD';
  const result = sessionResult(session, { checks: checkCount, refused: about?.refused ?? 0 });
  return result === 'NONE' && isListening ? 'LISTENING' : result;
}

const tones: Readonly<Record<Headline, Tone>> = {
  FRAUD: 'ALARM',
  NO_MATCH: 'WARNING',
  REFUSED: 'ALARM',
  UNCERTAIN: 'WARNING',
  FAILED: 'ALARM',
  AUTHENTIC: 'GOOD',
  NO_RISK_DETECTED: 'GOOD',
  ENROLLMENT: 'NEUTRAL',
  UPLOAD: 'NEUTRAL',
  LISTENING: 'NEUTRAL',
  NONE: 'NEUTRAL',
};

/** Green means the same everywhere: a positive result, and no caveat that takes it away. */
export function toneOf(
  headline: Headline,
  caveats: readonly Caveat[],
  { requiredForGreen = false }: { requiredForGreen?: boolean | undefined } = {},
): Tone {
  const tone = tones[headline];
  const losesGreen = caveats.some(
    (name) => caveatTable[name].takesGreen || (requiredForGreen && name === 'ATTACK_CHECK_UNRESOLVED'),
  );
  return tone === 'GOOD' && losesGreen ? 'NEUTRAL' : tone;
}

interface Inherited {
  gkSessionId: string;
  /** Absent if that session was deleted. */
  of?: Assessment;
  about?: SessionAbout | undefined;
  decided: readonly AssessedParty[];
  foundLater: readonly FoundLater[];
}

/** Undefined if a check of the session itself gives its decision. */
function inheritedIn({ session, own, origin }: Facts): Inherited | undefined {
  const { decision, isErased, retained } = session;
  const keptId = isErased ? retained?.inheritedFrom?.gkSessionId : undefined;
  if (!isFromElsewhere(decision?.decision, own) && keptId === undefined) return undefined;
  // Nobody can rely on what cannot be examined.
  if (!origin) return { gkSessionId: keptId ?? '', decided: [], foundLater: [] };
  const of = assess(origin);
  const { gkSessionId } = origin.session;
  const isMeant = ({ kind, result, isAgent }: AssessedParty): boolean =>
    !isAgent &&
    (of.headline === 'AUTHENTIC'
      ? kind === 'PERSON' && result === 'MATCHED'
      : of.headline === 'NO_MATCH'
        ? kind === 'PERSON' && result === 'NOT_MATCHED'
        : of.headline === 'FRAUD' && kind === 'FRAUDSTER' && result === 'MATCHED');
  return {
    gkSessionId,
    of,
    about: origin.about,
    decided: of.whoCalled.filter(isMeant).map(({ isClaimed: _there, ...party }) => party),
    foundLater: of.foundLater.map((found) => ({ ...found, gkSessionId })),
  };
}

function caveatsOf(
  facts: Facts,
  headline: Headline,
  inherited: Inherited | undefined,
): { points: UnresolvedChecks; found: ReadonlySet<Caveat> } {
  const { session, about, outcome, isCutOff, foundLater } = facts;
  const decision = session.decision?.decision;
  const heard = facts.own.filter(isOfCaller);
  const points = openOf(facts, heard);
  const caller = judgedCaller(session, about);
  const isOther =
    caller.hasOtherPerson || (inherited !== undefined && isAboutOthers(session, inherited.about));
  const holds: Readonly<Record<Caveat, boolean>> = {
    FOUND_LATER: foundLater.length > 0,
    OUTCOME_DISAGREES: disagrees(outcome, headline),
    OTHER_PERSON: isOther,
    CONTRADICTION:
      caller.hasSeveralPersons ||
      hasMismatch(decision, heard) ||
      (decision === 'NO_MATCH' && caller.matched.length > 0),
    SECOND_VOICE: hasSecondVoice(heard),
    PROMPT_FAILED: [...promptOutcomes(heard).values()].includes('FAILED'),
    PROMPT_WANTED: isPromptWanted(headline, heard, points),
    CLAIM_NOT_CONFIRMED: !isOther && isPositive(headline) && isClaimOpen(facts, caller, inherited),
    CALLER_NOT_ISOLATED: points.isCallerMixed,
    ATTACK_CHECK_MISSING: points.missing.length > 0,
    LIST_NOT_FULLY_COMPARED: points.isListOpen,
    CUT_OFF: isCutOff === true,
    INHERITED: inherited !== undefined,
    DATA_ERASED: session.isErased === true,
    ATTACK_CHECK_UNRESOLVED: points.unresolved.length > 0,
    REFUSED: (about?.refused ?? 0) > 0 && headline !== 'REFUSED',
  };
  const own = caveatNames.filter((name) => holds[name]);
  const taken = (inherited?.of?.caveats ?? []).filter((name) => caveatTable[name].isInherited);
  return { points, found: new Set([...own, ...taken]) };
}

/** For a match, and for an attack check that is still open. */
function isPromptWanted(
  headline: Headline,
  heard: readonly Check[],
  { unresolved }: UnresolvedChecks,
): boolean {
  const outcomes = promptOutcomes(heard);
  const isAsked = heard.some(
    ({ wantsPrompt, kind, decision, recording }) =>
      wantsPrompt && !outcomes.has(recording) && (decision !== 'UNCERTAIN' || unresolved.includes(kind)),
  );
  return isAsked && (isPositive(headline) || headline === 'UNCERTAIN');
}

type Open = UnresolvedChecks & { isCallerMixed: boolean };

const nothingOpen: Open = {
  missing: [],
  unresolved: [],
  unavailable: [],
  isListOpen: false,
  isCallerMixed: false,
};

function openOf({ session, own, later }: Facts, heard: readonly Check[]): Open {
  const decision = session.decision?.decision;
  // Which recordings were heard is forgotten with the person; what was open is noted before.
  if (session.isErased) return retainedOf(session);
  if (decision === undefined || decision === 'FRAUD') return nothingOpen;
  const since = later.filter(isOfCaller);
  const isRelevant = readsAsYes(decision) || (decision === 'UNCERTAIN' && isOnlyOpen(heard));
  const points = unresolvedIn(heard, since);
  return {
    ...(isRelevant ? points : { ...nothingOpen, unavailable: points.unavailable }),
    isListOpen: (isRelevant && points.isListOpen) || hasUncomparedMembers(own, later),
    isCallerMixed: !isCallerIsolated(own, later),
  };
}

function retainedOf({ retained = {} }: Session): Open {
  const all = [retained, retained.inheritedFrom ?? {}];
  return {
    ...nothingOpen,
    missing: all.flatMap(({ missingChecks = [] }) => missingChecks),
    unresolved: all.flatMap(({ unresolvedChecks = [] }) => unresolvedChecks),
    isListOpen: all.some(({ isListOpen }) => isListOpen),
    isCallerMixed: all.some(({ isCallerMixed }) => isCallerMixed),
  };
}

const isPositive = (headline: Headline): boolean =>
  headline === 'AUTHENTIC' || headline === 'NO_RISK_DETECTED';

function disagrees(outcome: EngagementVerdict | undefined, headline: Headline): boolean {
  if (outcome === 'FRAUD') return isPositive(headline);
  if (outcome === 'SOMEONE_ELSE') return headline === 'AUTHENTIC';
  return outcome === 'AUTHENTIC' && (headline === 'FRAUD' || headline === 'NO_MATCH');
}

/** Somebody was claimed, and no comparison says whether it was that person. */
function isClaimOpen(
  { session, about }: Facts,
  { claimed }: ReturnType<typeof judgedCaller>,
  inherited: Inherited | undefined,
): boolean {
  const { claimedGkPersonId, isClaimErased, details, decision } = session;
  if (claimedGkPersonId === undefined && isClaimErased) return session.wasClaimOpen === true;
  // For a person who was not known yet, the batch line says whose voice it is.
  const isEnrolled = (about?.persons ?? []).some(
    ({ role, gkPersonId }) =>
      role === 'ENROLLED' && (gkPersonId === claimedGkPersonId || details.batchLine !== undefined),
  );
  if (isEnrolled || hasNoCaller(session)) return false;
  if (claimed === 'UNDECIDED') return decision?.decision === 'AUTHENTIC' && !inherited;
  if (claimed !== 'NOT_COMPARED') return false;
  if (!inherited || isComparedThere(session, inherited.about)) return inherited === undefined;
  // For a deleted session, only an all-clear shows that nobody was compared.
  return inherited.of !== undefined || decision?.decision === 'NO_RISK_DETECTED';
}

/**
 * What stays known when somebody in the session is erased, because the checks cannot tell it afterwards: two who are erased look the same
 * to them. `isEmptied`: also which recordings they heard is forgotten.
 */
export function keptOf(facts: Facts, { isEmptied }: { isEmptied: boolean }): Partial<Session> {
  const { session, about } = facts;
  const caller = judgedCaller(session, about);
  const inherited = inheritedIn(facts);
  const { claimed = 'UNDECIDED' } = caller;
  const isAboutOther = inherited !== undefined && isAboutOthers(session, inherited.about);
  return {
    ...(isEmptied && { retained: caveatsToRetain(facts) }),
    ...(caller.hasOtherPerson && { hadOtherPerson: true as const }),
    ...(session.claimedGkPersonId !== undefined && {
      isClaimErased: true as const,
      claimEnd: claimed === 'MATCHED' ? 'UNDECIDED' : claimed,
      ...(isClaimOpen(facts, caller, inherited) && { wasClaimOpen: true as const }),
      ...(isAboutOther && { hadOtherClaimed: true as const }),
    }),
  };
}

function caveatsToRetain(facts: Facts): RetainedCaveats {
  const { caveats, missingChecks, inheritedFrom, ...all } = assess(facts);
  const unresolvedChecks = all.unresolvedChecks.filter((check) => !missingChecks.includes(check));
  return {
    ...(missingChecks.length > 0 && { missingChecks }),
    ...(unresolvedChecks.length > 0 && { unresolvedChecks }),
    ...(caveats.includes('LIST_NOT_FULLY_COMPARED') && { isListOpen: true as const }),
    ...(caveats.includes('CALLER_NOT_ISOLATED') && { isCallerMixed: true as const }),
    ...(inheritedFrom && { inheritedFrom: { gkSessionId: inheritedFrom.gkSessionId } }),
  };
}
