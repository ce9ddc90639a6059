// Which recordings of an erased person stay, why, and what becomes of the tie between the two.
import type { MediaSegment } from '../model/media.js';
import type { Factor } from '../model/sessions.js';
import type { BiometricsTransaction, Repositories } from '../ports/store.js';
import { stayOf, type Stay } from '../rules/erasure.js';
import type { SaidOfOthers } from './lines-of-person.js';
import { heardBy, heardInSessions, nobody, type PersonWithPrints } from './who-was-heard.js';

type Asked = Pick<Repositories, 'engagements' | 'erasure' | 'factors'>;

interface Looking extends PersonWithPrints {
  /** Sessions that only hold recordings, theirs among them. */
  uploads: ReadonlySet<string>;
  saidOfOthers: SaidOfOthers;
}

/** Asked of all recordings before the first of them goes: with it goes who was heard in its session. */
export function reasonsToStay(
  tx: Asked,
  person: Looking,
): (segment: MediaSegment) => Promise<Stay | 'not known yet' | undefined> {
  const heardIn = heardInSessions(tx, person);
  return async (segment) => {
    const { gkMediaSegmentId, gkSessionId, legalHold } = segment;
    const { speakers, ...tie } = await tx.erasure.tieOf(gkMediaSegmentId, person.gkPersonId);
    const checks = await tx.erasure.checksOf(gkMediaSegmentId);
    return stayOf({
      ...tie,
      isOnLegalHold: legalHold,
      isJudgedFraud: await isJudgedFraud(tx, segment, checks),
      inRecording: heardBy(person, speakers, checks),
      inSession: person.uploads.has(gkSessionId) ? nobody : await heardIn(segment),
      isSaidOfOthers: tie.isGuess ? person.saidOfOthers(gkMediaSegmentId) : 'no',
    });
  };
}

/** The engagement that it lies in, or one in which it was heard: a line of a batch hears what lies in the upload. */
async function isJudgedFraud(
  tx: Asked,
  { gkScopeId, gkEngagementId }: MediaSegment,
  checks: readonly Factor[],
): Promise<boolean> {
  const lies = await tx.engagements.find(gkScopeId, gkEngagementId);
  const heard = new Set(checks.map((check) => check.gkEngagementId));
  const engagements = [...(lies ? [lies] : []), ...(await tx.engagements.findMany(gkScopeId, [...heard]))];
  return engagements.some(({ verdict }) => verdict?.verdict === 'FRAUD');
}

/** What is computed from a recording, and the recording itself, are no longer called the person's. */
export async function detachFromPerson(
  tx: BiometricsTransaction,
  segment: MediaSegment,
  gkPersonId: string,
): Promise<void> {
  const { gkScopeId, gkMediaSegmentId } = segment;
  for (const audio of await tx.processedAudios.listByMedia(gkScopeId, gkMediaSegmentId)) {
    const { gkPersonId: owner, ...others } = audio;
    if (owner === gkPersonId) await tx.processedAudios.update(others);
  }
  if (segment.gkPersonId !== gkPersonId) return;
  const { gkPersonId: _gone, ...rest } = segment;
  await tx.media.update(rest);
}
