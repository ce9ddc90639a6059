// What is shown next to the decisions of the sessions of a list, or of one session: what was not decided or not compared in
// them, and whether the voice did not match in another comparison, or somebody else speaks as well.
import type { Factor, Marks, Session, SessionMarks } from '../model/sessions.js';
import type { MadeLater } from '../ports/sessions.js';
import type { Repositories } from '../ports/store.js';
import { hasMismatch, hasSecondVoice, readsAsYes } from '../rules/open-check.js';
import { goneRecording } from '../../marks/open-points.js';
import { isOfCaller } from '../../marks/who-called.js';
import { isFromElsewhere, marksOf } from '../rules/session-marks.js';

/** What speaks against a positive decision, or keeps it from being one. */
type Doubts = Omit<SessionMarks, 'carried' | 'hasOtherPerson' | 'hasSeveralPersons' | 'isClaimOpen'>;

/** The sessions come with their current decisions. */
export async function withUndecidedChecks<Entry extends { session: Session }>(
  { store: { read } }: { store: { read: Pick<Repositories, 'factors' | 'processedAudios'> } },
  gkScopeId: string,
  entries: readonly Entry[],
): Promise<(Entry & Doubts)[]> {
  const sessions = entries.map(({ session }) => session);
  const ids = sessions.flatMap(({ decision, gkSessionId }) => (decision ? gkSessionId : []));
  const bySession = await read.factors.listBySessions(gkScopeId, ids);
  const factorsOf = ({ gkSessionId }: Session): readonly Factor[] => bySession.get(gkSessionId) ?? [];
  const asked = sessions.filter(
    (session) => factorsOf(session).length > 0 && mayBeMarked(session) && !session.isErased,
  );
  const since = await read.factors.laterBySessions(
    gkScopeId,
    asked.map(({ gkSessionId }) => gkSessionId),
  );
  const mediaOf = await recordings({ read }, gkScopeId, sessions.map(factorsOf));
  return entries.map((entry) => {
    const own = factorsOf(entry.session);
    const ofCaller = own.filter(isOfCaller);
    const decision = entry.session.decision?.decision;
    const later = since.get(entry.session.gkSessionId) ?? [];
    return {
      ...entry,
      ...marksIn(entry.session, { own, later, mediaOf }),
      ...(hasMismatch(decision, ofCaller) && { hasMismatch: true as const }),
      ...(hasSecondVoice(ofCaller) && { hasSecondVoice: true as const }),
      ...(isFromElsewhere(decision, own) && { isFromElsewhere: true as const }),
    };
  });
}

const mayBeMarked = ({ decision }: Session): boolean =>
  readsAsYes(decision?.decision) || decision?.decision === 'UNCERTAIN';

function marksIn(
  { decision, isErased, marks: kept }: Session,
  { own, later, mediaOf }: { own: readonly Factor[]; later: readonly MadeLater[]; mediaOf: MediaOf },
): Marks {
  const heard = new Map(later.map(({ factor, gkMediaSegmentId }) => [factor, gkMediaSegmentId]));
  const marks = marksOf<Factor>(decision?.decision, {
    own,
    later: later.map(({ factor }) => factor),
    recordingOf: (factor) => heard.get(factor) ?? mediaOf(factor),
  });
  if (!isErased) return marks;
  // Erased before its marks were stored: which recordings its checks heard is no longer known.
  const { isUnchecked: _unchecked, missingChecks: _missing, ...others } = marks;
  return kept ? marksAlone(kept) : others;
}

/** Only the marks, without the other additions to a decision. */
export const marksAlone = ({
  undecidedChecks,
  isUnchecked,
  missingChecks,
  isListOpen,
  leftOutCaller,
  hasLeftOutMembers,
}: Marks): Marks => ({
  ...(undecidedChecks && { undecidedChecks }),
  ...(isUnchecked && { isUnchecked }),
  ...(missingChecks && { missingChecks }),
  ...(isListOpen && { isListOpen }),
  ...(leftOutCaller && { leftOutCaller }),
  ...(hasLeftOutMembers && { hasLeftOutMembers }),
});

type MediaOf = (factor: Factor) => string;

/**
 * The recording that a check has heard, which may have been processed more than once. A live call has none.
 */
async function recordings(
  { read }: { read: Pick<Repositories, 'processedAudios'> },
  gkScopeId: string,
  factors: readonly (readonly Factor[])[],
): Promise<MediaOf> {
  const ids = [...new Set(factors.flat().flatMap(({ gkProcessedAudioId }) => gkProcessedAudioId || []))];
  const audios = await read.processedAudios.findMany(gkScopeId, ids);
  const mediaOf = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.gkMediaSegmentId]));
  return ({ gkProcessedAudioId = '' }) =>
    gkProcessedAudioId && (mediaOf.get(gkProcessedAudioId) ?? goneRecording(gkProcessedAudioId));
}
