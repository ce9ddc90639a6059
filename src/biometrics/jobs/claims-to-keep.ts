// What stays known about a claim when the claimed person is erased: that there was one, the result of the
// comparisons with that person, and whether others were compared. The checks alone cannot tell afterwards,
// because two erased persons look the same to them.
import { carriedTo } from '../activity/carried-decisions.js';
import { withUndecidedChecks } from '../activity/undecided-sessions.js';
import type { Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { isClaimOpen, whoCalled } from '../rules/session-marks.js';

type Kept = Pick<Session, 'hadOtherPerson' | 'claimEnd' | 'wasClaimOpen' | 'isClaimErased'>;

/** Called before these claims, and who was compared, are deleted. */
export async function claimsToKeep(
  tx: Pick<Repositories, 'factors' | 'processedAudios' | 'sessions'>,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<(session: Session) => Kept> {
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const about = await tx.factors.aboutSessions(gkScopeId, ids);
  const entries = sessions.map((session) => ({ session }));
  const doubted = await withUndecidedChecks({ store: { read: tx } }, gkScopeId, entries);
  const fromElsewhere = doubted.flatMap(({ session, isFromElsewhere }) => (isFromElsewhere ? session : []));
  const carried = await carriedTo(tx, gkScopeId, fromElsewhere);
  return (session) => {
    const by = about.get(session.gkSessionId);
    const caller = whoCalled(session, by);
    const other = caller.hasOtherPerson ? { hadOtherPerson: true as const } : {};
    if (session.claimedGkPersonId === undefined) return other;
    const isOpen = isClaimOpen(session, caller, {
      persons: by?.persons,
      isFromElsewhere: fromElsewhere.includes(session),
      carried: carried.get(session.gkSessionId),
    });
    const { claimed = 'UNDECIDED' } = caller;
    return {
      ...other,
      isClaimErased: true,
      claimEnd: claimed === 'MATCHED' ? 'UNDECIDED' : claimed,
      ...(isOpen && { wasClaimOpen: true }),
    };
  };
}
