// Which sessions of a list read as a yes, or are uncertain for nothing else, while an attack check in them could not tell whether a live
// person spoke, or while none was made at all; and which read as a yes while the voice did not match in another comparison.
import type { Factor, FactorKind, Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import {
  attackFactors,
  hasMismatch,
  hasSecondVoice,
  isUncheckedIn,
  makesUpFor,
  readsAsYes,
  undecidedIn,
} from '../rules/open-check.js';

/** What speaks against a decision that reads as a yes, or keeps it from being one. */
export interface Doubts {
  /** Attack checks in it that could not tell. */
  undecidedChecks?: readonly FactorKind[];
  /** It was decided by a match, and the voice did not match in another comparison. */
  hasMismatch?: true;
  /** It was decided by comparisons alone, and neither it nor any recording of it was checked for attacks, then or since. */
  isUnchecked?: true;
  /** Whatever it was decided: somebody else speaks in a part of what was heard. */
  hasSecondVoice?: true;
}

interface SessionDoubts {
  /** By session, where there is such a check. */
  undecided: ReadonlyMap<string, FactorKind[]>;
  mismatched: ReadonlySet<string>;
  unchecked: ReadonlySet<string>;
  secondVoice: ReadonlySet<string>;
}

/** Of checks that were made of a recording since. */
const LATER_MAX = 100;
const attackKinds = Object.values(attackFactors);

/** The sessions come with their decisions as of now. */
export async function withDoubts<Entry extends { session: Session }>(
  deps: BiometricsDeps,
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<(Entry & Doubts)[]> {
  const { undecided, mismatched, unchecked, secondVoice } = await doubtsOn(
    deps,
    gkScopeId,
    entries.map(({ session }) => session),
  );
  return entries.map((entry) => {
    const undecidedChecks = undecided.get(entry.session.gkSessionId);
    return {
      ...entry,
      ...(undecidedChecks && { undecidedChecks }),
      ...(mismatched.has(entry.session.gkSessionId) && { hasMismatch: true as const }),
      ...(unchecked.has(entry.session.gkSessionId) && { isUnchecked: true as const }),
      ...(secondVoice.has(entry.session.gkSessionId) && { hasSecondVoice: true as const }),
    };
  });
}

async function doubtsOn(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<SessionDoubts> {
  const yes = sessions.filter(({ decision }) => readsAsYes(decision?.decision));
  const asked = sessions.filter(
    ({ decision }) => readsAsYes(decision?.decision) || decision?.decision === 'UNCERTAIN',
  );
  const ids = sessions.flatMap(({ decision, gkSessionId }) => (decision ? gkSessionId : []));
  const bySession = await read.factors.listBySessions(gkScopeId, ids);
  const factorsOf = ({ gkSessionId }: Session): Factor[] => [...(bySession.get(gkSessionId) ?? [])];
  const undecided = (session: Session, recordingOf: (factor: Factor) => string): FactorKind[] =>
    undecidedIn(session.decision?.decision, factorsOf(session), recordingOf);
  // What each check has heard matters only where one could not tell.
  const doubtful = asked.filter((session) => undecided(session, () => '').length > 0);
  const recordingOf = await recordings({ read }, gkScopeId, doubtful.flatMap(factorsOf));
  return {
    undecided: new Map(
      doubtful
        .map((session) => [session.gkSessionId, undecided(session, recordingOf)] as const)
        .filter(([, checks]) => checks.length > 0),
    ),
    mismatched: new Set(
      yes
        .filter((session) => hasMismatch(session.decision?.decision, factorsOf(session)))
        .map(({ gkSessionId }) => gkSessionId),
    ),
    secondVoice: new Set(
      sessions.filter((session) => hasSecondVoice(factorsOf(session))).map(({ gkSessionId }) => gkSessionId),
    ),
    unchecked: await stillUnchecked(
      { read },
      asked.filter(
        (session) => !session.isErased && isUncheckedIn(session.decision?.decision, factorsOf(session)),
      ),
    ),
  };
}

/** Those of whose recordings nobody has made up for it since. */
async function stillUnchecked(
  { read }: Pick<BiometricsDeps['store'], 'read'>,
  sessions: readonly Session[],
): Promise<Set<string>> {
  const unchecked = new Set<string>();
  for (const session of sessions)
    if (!makesUpFor(await read.factors.listByRecordingsOf(session, { limit: LATER_MAX, kinds: attackKinds })))
      unchecked.add(session.gkSessionId);
  return unchecked;
}

/** Which recording a check has heard; the same may have been processed more than once. A live call is none. */
async function recordings(
  { read }: Pick<BiometricsDeps['store'], 'read'>,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<(factor: Factor) => string> {
  const ids = [...new Set(factors.flatMap(({ gkProcessedAudioId }) => gkProcessedAudioId || []))];
  const audios = ids.length > 1 ? await read.processedAudios.findMany(gkScopeId, ids) : [];
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  return ({ gkProcessedAudioId = '' }) => mediaOf.get(gkProcessedAudioId) ?? gkProcessedAudioId;
}
