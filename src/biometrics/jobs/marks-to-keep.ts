// What stays known about sessions when a person is erased, because the checks alone cannot tell afterwards: the marks beside
// their decision, which session it comes from, that somebody was claimed, the result of the comparisons with that person, and
// whether others were compared. Two erased persons look the same to the checks.
import { carriedTo } from '../activity/carried-decisions.js';
import { marksAlone, withUndecidedChecks } from '../activity/undecided-sessions.js';
import type { KeptMarks, Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { isClaimOpen, whoCalled } from '../rules/session-marks.js';

type KeptClaim = Pick<
  Session,
  'hadOtherPerson' | 'hadOtherClaimed' | 'claimEnd' | 'wasClaimOpen' | 'isClaimErased'
>;

interface ToKeep {
  /** For every session that loses its claim. */
  claimOf: (session: Session) => KeptClaim;
  /** For a session that is emptied. */
  marksOf: (session: Session) => KeptMarks;
}

/** Called before these claims, and who was compared, are deleted. */
export async function marksToKeep(
  tx: Pick<Repositories, 'factors' | 'processedAudios' | 'sessions'>,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<ToKeep> {
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const about = await tx.factors.aboutSessions(gkScopeId, ids);
  const entries = sessions.map((session) => ({ session }));
  const doubted = await withUndecidedChecks({ store: { read: tx } }, gkScopeId, entries);
  const fromElsewhere = doubted.flatMap(({ session, isFromElsewhere }) => (isFromElsewhere ? session : []));
  const carried = await carriedTo(tx, gkScopeId, fromElsewhere);
  const marks = new Map(doubted.map((entry) => [entry.session.gkSessionId, marksAlone(entry)]));
  return {
    marksOf: ({ gkSessionId }) => {
      const from = carried.get(gkSessionId);
      return { ...marks.get(gkSessionId), ...(from && { carried: from }) };
    },
    claimOf: (session) => {
      const by = about.get(session.gkSessionId);
      const caller = whoCalled(session, by);
      const other = caller.hasOtherPerson ? { hadOtherPerson: true as const } : {};
      if (session.claimedGkPersonId === undefined) return other;
      const from = carried.get(session.gkSessionId);
      const isOpen = isClaimOpen(session, caller, {
        persons: by?.persons,
        isFromElsewhere: fromElsewhere.includes(session),
        carried: from,
      });
      const { claimed = 'UNDECIDED' } = caller;
      return {
        ...other,
        isClaimErased: true,
        claimEnd: claimed === 'MATCHED' ? 'UNDECIDED' : claimed,
        ...(isOpen && { wasClaimOpen: true }),
        ...(from?.isOtherPerson && { hadOtherClaimed: true }),
      };
    },
  };
}
