// A call that is over means what its session means now: nothing of that is kept with the call, because the session may be judged, heard
// again or erased since.
import { assessmentsWithoutNames } from '../biometrics/assessment/gather.js';
import type { LiveAssessment } from '../biometrics/assessment/model.js';
import type { ReadingDeps } from '../biometrics/sessions/as-of-now.js';
import { isOutage } from '../errors.js';
import type { CallOnOtherNode } from './followers.js';
import type { LiveCallInfo } from './model.js';

/** Undefined if the session was deleted, or while the database is away. */
export async function sessionMeansNow(
  deps: ReadingDeps,
  { gkScopeId, gkSessionId }: Pick<LiveCallInfo, 'gkScopeId' | 'gkSessionId'>,
): Promise<LiveAssessment | undefined> {
  const assessed = await assessmentsWithoutNames(deps, gkScopeId, [gkSessionId]).catch((cause: unknown) => {
    if (isOutage(cause)) return undefined;
    throw cause;
  });
  return assessed?.get(gkSessionId);
}

/** As it is told now: its last event, too. */
export async function toldNow(deps: ReadingDeps, info: LiveCallInfo): Promise<LiveCallInfo> {
  if (!info.ended) return info;
  const { assessment: _before, events, ...rest } = info;
  const assessment = await sessionMeansNow(deps, info);
  const now = assessment && { assessment };
  const last = events.slice(-1).map(({ assessment: _then, ...event }) => ({ ...event, ...now }));
  return { ...rest, ...now, events: [...events.slice(0, -1), ...last] };
}

/** The same of calls that do not run here. */
export async function toldOf(
  deps: ReadingDeps,
  found: ReadonlyMap<string, CallOnOtherNode>,
): Promise<ReadonlyMap<string, CallOnOtherNode>> {
  const told = new Map(found);
  for (const [id, { info, isKnown }] of found)
    if (info?.ended) told.set(id, { isKnown, info: await toldNow(deps, info) });
  return told;
}
