// What is told of a stored call that was found: where it belongs, who it was said to be, and nothing of its sound.
import type { ProcessedAudio } from '../model/media.js';
import { consoleTypes, type SessionPersonRole } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { nameOf } from '../rules/name-of.js';
import { uploadsAmong } from '../sessions/uploads.js';

export interface StoredCall {
  gkProcessedAudioId: string;
  gkMediaSegmentId: string;
  gkSessionId: string;
  gkEngagementId: string;
  /** When the call began: its audio may have been processed again since. */
  createdAtMs: number;
  netSpeechMs: number;
  /** Whom the caller claimed to be, was sent as, or was verified or enrolled as where nobody said it otherwise. */
  gkPersonId?: string;
  /** The caller's own ID of that person. */
  personId?: string;
  personName?: string;
  /** The caller's own ID of the session. */
  sessionId?: string;
}

/** The calls behind some audios, in the order given and each session once; left out is what is gone since, or of `leftOutMedia`. */
export async function callsOf<Found extends { gkProcessedAudioId: string }>(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  found: readonly Found[],
  limit: number,
  leftOutMedia: ReadonlySet<string> = new Set(),
): Promise<(Found & StoredCall)[]> {
  const calls: (Found & StoredCall)[] = [];
  const seen = new Set<string>();
  const audios = await read.processedAudios.findMany(
    gkScopeId,
    found.map(({ gkProcessedAudioId }) => gkProcessedAudioId),
  );
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  const heardIn = await Promise.all(audios.map((audio) => placeOf(read, audio)));
  const placeById = new Map(audios.map((audio, at) => [audio.gkProcessedAudioId, heardIn[at] ?? audio]));
  const about = await read.factors.aboutSessions(gkScopeId, [
    ...new Set(heardIn.map(({ gkSessionId }) => gkSessionId)),
  ]);
  for (const one of found) {
    const audio = byId.get(one.gkProcessedAudioId);
    const place = placeById.get(one.gkProcessedAudioId);
    if (audio?.gkMediaSegmentId && leftOutMedia.has(audio.gkMediaSegmentId)) continue;
    if (!audio || !place || seen.has(place.gkSessionId) || calls.length >= limit) continue;
    const { gkSessionId, gkEngagementId } = place;
    seen.add(gkSessionId);
    const session = await read.sessions.find(gkScopeId, gkSessionId);
    // Who names a print says by that whom the caller claims to be; whom a voice was recognized as is another matter.
    const by = (role: SessionPersonRole): string | undefined =>
      about.get(gkSessionId)?.persons.findLast((person) => person.role === role)?.gkPersonId;
    const named = session?.claimedGkPersonId ?? audio.gkPersonId ?? by('VERIFIED') ?? by('ENROLLED');
    // A recording may outlive the erasure of whom it was said to be: as evidence, or in somebody else's print.
    const gkPersonId = named && !(await read.erasure.isErased(named)) ? named : undefined;
    const person = gkPersonId ? await read.parties.find(gkScopeId, 'PERSON', gkPersonId) : undefined;
    calls.push({
      ...one,
      gkMediaSegmentId: audio.gkMediaSegmentId,
      gkSessionId,
      gkEngagementId,
      createdAtMs: session?.createdAtMs ?? audio.createdAtMs,
      netSpeechMs: audio.netAudioMs,
      ...(gkPersonId && { gkPersonId }),
      ...(person && { personId: person.externalId, personName: nameOf(person) }),
      ...(session && { sessionId: session.details.sessionId }),
    });
  }
  return calls;
}

/**
 * The call that it is a recording of: an analyst may have had it processed again, in a session of their own. One that was uploaded for
 * others is of the call that heard it first, so that several who heard it are found once; or of the one in which this was processed,
 * where that is meant.
 */
export async function placeOf(
  read: Pick<Repositories, 'media' | 'sessions'>,
  audio: ProcessedAudio,
  { isMeant = false } = {},
): Promise<Pick<ProcessedAudio, 'gkSessionId' | 'gkEngagementId'>> {
  const { gkScopeId, gkMediaSegmentId } = audio;
  const place = await read.media.find(gkScopeId, gkMediaSegmentId);
  if (!place || place.gkSessionId === audio.gkSessionId) return place ?? audio;
  const sessions = await read.sessions.findMany(gkScopeId, [place.gkSessionId, audio.gkSessionId]);
  const holding = sessions.filter(({ gkSessionId }) => gkSessionId === place.gkSessionId);
  if ((await uploadsAmong(read, gkScopeId, holding)).size === 0) return place;
  const heardIn = sessions.find(({ gkSessionId }) => gkSessionId === audio.gkSessionId);
  if (isMeant && heardIn && !consoleTypes.includes(heardIn.sessionType)) return heardIn;
  return (await read.sessions.firstToHear(gkScopeId, gkMediaSegmentId)) ?? place;
}
