// Free text in sessions that are kept when a person is erased. No program can tell whether it names the person, so whoever
// runs the erasure is told where to look.
import { CASE_NUMBER, CASE_OWNER, type Engagement, type Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { stayingIn, type PersonToForget } from './forget-engagements.js';

/**
 * The sessions to examine: for an engagement with texts, the first that stays, and every session with texts
 * of its own.
 */
export async function keptTexts(
  read: Pick<Repositories, 'engagements' | 'erasure' | 'factors' | 'findings' | 'sessions'>,
  person: PersonToForget,
): Promise<string[]> {
  const { gkScopeId, gkPersonId } = person;
  const heardIn = new Set(await read.erasure.engagementsOf(gkScopeId, gkPersonId, person));
  const askedIn = await read.erasure.engagementsAskingFor(gkScopeId, gkPersonId);
  const found = new Set<string>();
  for (const gkEngagementId of new Set([...heardIn, ...askedIn])) {
    const isOnlyAsked = !heardIn.has(gkEngagementId);
    const { sessions, engagement } = await stayingIn(read, person, { gkEngagementId, isOnlyAsked });
    const [first] = sessions;
    if (first && engagement && hasTexts(engagement)) found.add(first.gkSessionId);
    for (const session of sessions) if (hasOwnTexts(session)) found.add(session.gkSessionId);
  }
  return [...found];
}

/** A case number, and who works on it, is not a text about the person. */
const hasTexts = ({ customData, verdict }: Engagement): boolean =>
  Boolean(verdict?.description) ||
  Object.entries(customData).some(
    ([name, text]) => text !== '' && name !== CASE_NUMBER && name !== CASE_OWNER,
  );

const hasOwnTexts = ({ details }: Session): boolean =>
  details.suspiciousReason !== '' || Object.values(details.customData).some((text) => text !== '');
