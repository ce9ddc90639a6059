// Computes the marks next to the decisions of sessions from everything that they depend on, as of now: the checks of the
// sessions, later checks of their recordings, whose prints were compared, and the other sessions of the engagement. This is
// the only place that computes them; the result is stored (stored-marks.ts).
import type { CarriedMarks, Session, SessionMarks } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { isClaimOpen, whoCalled } from '../rules/session-marks.js';
import { asOfNow } from './as-of-now.js';
import { carriedTo } from './carried-decisions.js';
import { withUndecidedChecks } from './undecided-sessions.js';

/** For all of these sessions, by session; the input is as stored. */
export async function workOutMarks(
  given: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<Map<string, SessionMarks>> {
  const deps = readingOnce(given);
  const { read } = deps.store;
  const ids = sessions.map(({ gkSessionId }) => gkSessionId);
  const checks = await read.factors.countBySessions(gkScopeId, ids);
  const entries: { session: Session }[] = [];
  for (const session of sessions)
    entries.push({ session: await asOfNow(deps, session, checks.has(session.gkSessionId)) });
  const doubted = await withUndecidedChecks(deps, gkScopeId, entries);
  const about = await read.factors.aboutSessions(gkScopeId, ids);
  const fromElsewhere = doubted.flatMap(({ session, isFromElsewhere }) => (isFromElsewhere ? session : []));
  const carried = new Map([
    ...(await carriedTo(read, gkScopeId, fromElsewhere)),
    ...(await keptWith(read, gkScopeId, sessions)),
  ]);
  return new Map(
    doubted.map(({ session, ...doubts }) => {
      const from = carried.get(session.gkSessionId);
      const by = about.get(session.gkSessionId);
      const caller = whoCalled(session, by);
      const beside = { isFromElsewhere: doubts.isFromElsewhere, carried: from };
      return [
        session.gkSessionId,
        {
          ...doubts,
          ...(caller.hasOtherPerson && { hasOtherPerson: true as const }),
          ...(caller.hasSeveralPersons && { hasSeveralPersons: true as const }),
          ...(isClaimOpen(session, caller, { ...beside, persons: by?.persons }) && {
            isClaimOpen: true as const,
          }),
          ...(from && { carried: from }),
        },
      ];
    }),
  );
}

/** Where the decisions of erased sessions came from, as it was noted at the time. */
async function keptWith(
  read: Pick<Repositories, 'sessions'>,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<[string, CarriedMarks][]> {
  const kept = sessions.flatMap(({ gkSessionId, isErased, marks }): [string, CarriedMarks][] =>
    isErased && marks?.carried ? [[gkSessionId, marks.carried]] : [],
  );
  const origins = [...new Set(kept.map(([, { gkSessionId }]) => gkSessionId))];
  const there = await read.sessions.findMany(gkScopeId, origins.filter(Boolean));
  const isThere = (id: string): boolean => there.some(({ gkSessionId }) => gkSessionId === id);
  return kept.map(([id, marks]) => [id, isThere(marks.gkSessionId) ? marks : { ...marks, gkSessionId: '' }]);
}

/** Sessions of one engagement, or of one config set, need the same data: it is read once for all of them. */
function readingOnce(deps: BiometricsDeps): BiometricsDeps {
  const { read } = deps.store;
  const listByEngagement = once(read.factors.listByEngagement);
  const findActive = once(read.configsets.findActive);
  return {
    ...deps,
    store: {
      ...deps.store,
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
