// What is reported about a stored call that was found: where it belongs and who the caller was said to be, but nothing of its
// sound.
import type { ProcessedAudio } from '../model/media.js';
import type { Session, SessionPerson, SessionPersonRole } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import { nameOf } from '../rules/name-of.js';
import { claimedNames } from '../sessions/claimed-names.js';
import { uploadsAmong } from '../sessions/uploads.js';

export interface StoredCall {
  gkProcessedAudioId: string;
  gkMediaSegmentId: string;
  gkSessionId: string;
  gkEngagementId: string;
  /** When the call began: its audio may have been processed again since. */
  createdAtMs: number;
  netSpeechMs: number;
  /**
   * The person whom the caller claimed to be or, if nobody was claimed, as whom the recording was sent or the
   * voice was verified or enrolled.
   */
  gkPersonId?: string;
  /** The caller's own ID of that person, even of an unknown one. */
  personId?: string;
  personName?: string;
  /** The caller's own ID of the session. */
  sessionId?: string;
}

/**
 * The calls behind some audios, in the given order and each session once; without those deleted or erased
 * since, or in `excludedMedia`. Uploaded audio belongs to every session that heard it.
 */
export async function callsOf<Found extends { gkProcessedAudioId: string }>(
  deps: BiometricsDeps,
  gkScopeId: string,
  found: readonly Found[],
  limit: number,
  excludedMedia: ReadonlySet<string> = new Set(),
): Promise<(Found & StoredCall)[]> {
  const { read } = deps.store;
  const ids = [...new Set(found.map(({ gkProcessedAudioId }) => gkProcessedAudioId))];
  const audios = (await read.processedAudios.findMany(gkScopeId, ids)).filter(
    ({ gkMediaSegmentId }) => !gkMediaSegmentId || !excludedMedia.has(gkMediaSegmentId),
  );
  const places = await notErased(read, await placesOf(read, gkScopeId, audios));
  const chosen = eachSessionOnce(found, audios, places, limit);
  const about = await read.factors.aboutSessions(
    gkScopeId,
    chosen.map(({ place }) => place.gkSessionId),
  );
  const calls: (Found & StoredCall)[] = [];
  for (const { one, audio, place } of chosen) {
    const { gkSessionId, gkEngagementId } = place;
    const session = await read.sessions.find(gkScopeId, gkSessionId);
    const names = await claimedNames(deps, gkScopeId, session ? [session] : []);
    const named = saidToBe(session, about.get(gkSessionId)?.persons ?? [], isOf(audio, place) ? audio : {});
    // A recording may outlive the erasure of the person it was attributed to: as evidence, or in somebody
    // else's print.
    const gkPersonId = named && !(await read.erasure.isErased(named)) ? named : undefined;
    // If nobody of that name is known, the name in the batch line.
    const unknown = named === undefined ? names.get(gkSessionId) : undefined;
    const person = gkPersonId ? await read.parties.find(gkScopeId, 'PERSON', gkPersonId) : undefined;
    calls.push({
      ...one,
      gkMediaSegmentId: audio.gkMediaSegmentId,
      gkSessionId,
      gkEngagementId,
      createdAtMs: session?.createdAtMs ?? audio.createdAtMs,
      netSpeechMs: audio.netAudioMs,
      ...(gkPersonId && { gkPersonId }),
      ...(unknown && { personId: unknown }),
      ...(person && { personId: person.externalId, personName: nameOf(person) }),
      ...(session && { sessionId: session.details.sessionId }),
    });
  }
  return calls;
}

/** A recording may be kept for a fraudster's print although its call was erased: then it is nobody's call. */
async function notErased(
  { erasure }: Pick<Repositories, 'erasure'>,
  places: ReadonlyMap<string, readonly Place[]>,
): Promise<ReadonlyMap<string, readonly Place[]>> {
  const ids = [...places.values()].flat().map(({ gkSessionId }) => gkSessionId);
  const erased = await erasure.erasedAmong({
    gkSessionIds: [...new Set(ids)],
    gkVoiceprintProfileIds: [],
  });
  if (erased.size === 0) return places;
  return new Map(
    [...places].map(([audio, ones]) => [audio, ones.filter(({ gkSessionId }) => !erased.has(gkSessionId))]),
  );
}

/**
 * Naming a print says whom the caller claims to be; whom the voice was recognized as is a different question.
 */
function saidToBe(
  session: Session | undefined,
  persons: readonly SessionPerson[],
  { gkPersonId }: Pick<ProcessedAudio, 'gkPersonId'>,
): string | undefined {
  const by = (role: SessionPersonRole) => persons.findLast((person) => person.role === role)?.gkPersonId;
  return session?.claimedGkPersonId ?? gkPersonId ?? by('VERIFIED') ?? by('ENROLLED');
}

interface Chosen<Found> {
  one: Found;
  audio: ProcessedAudio;
  place: Place;
  /** Of the audio among all that were found. */
  index: number;
  /** Of the session among those that heard the recording. */
  nth: number;
}

/** If there are too many, one session per recording is better than all sessions of some. */
function eachSessionOnce<Found extends { gkProcessedAudioId: string }>(
  found: readonly Found[],
  audios: readonly ProcessedAudio[],
  places: ReadonlyMap<string, readonly Place[]>,
  limit: number,
): Chosen<Found>[] {
  const byId = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio]));
  const bySession = new Map<string, Chosen<Found>>();
  for (const [index, one] of found.entries()) {
    const audio = byId.get(one.gkProcessedAudioId);
    if (!audio) continue;
    for (const [nth, place] of (places.get(one.gkProcessedAudioId) ?? []).entries()) {
      const best = bySession.get(place.gkSessionId);
      // A session's own audio says more about it than other sessions' audio of the same recording.
      if (!best || (!isOf(best.audio, place) && isOf(audio, place)))
        bySession.set(place.gkSessionId, { one, audio, place, index, nth });
    }
  }
  return [...bySession.values()]
    .sort((a, b) => a.nth - b.nth || a.index - b.index)
    .slice(0, limit)
    .sort((a, b) => a.index - b.index || a.nth - b.nth);
}

/** A call that a recording belongs to. */
interface Place extends Pick<ProcessedAudio, 'gkSessionId' | 'gkEngagementId'> {
  /** The recording is stored elsewhere, and other sessions may have heard it as well. */
  isUpload: boolean;
}

/** Of an upload, each session has its own audio; all audio of a call belongs to the call. */
const isOf = (audio: ProcessedAudio, { isUpload, gkSessionId }: Place): boolean =>
  !isUpload || audio.gkSessionId === gkSessionId;

/**
 * For each processed audio, the calls that it is a recording of: the one in which the recording is stored,
 * because an analyst may have had it processed again in a separate session. A recording uploaded for others
 * belongs to every call that heard it, earliest first.
 */
export async function placesOf(
  read: Pick<Repositories, 'media' | 'sessions'>,
  gkScopeId: string,
  audios: readonly ProcessedAudio[],
): Promise<Map<string, readonly Place[]>> {
  const ids = [...new Set(audios.map(({ gkMediaSegmentId }) => gkMediaSegmentId))].sort();
  const media = (await Promise.all(ids.map((id) => read.media.find(gkScopeId, id)))).filter((one) => !!one);
  const holding = [...new Set(media.map(({ gkSessionId }) => gkSessionId))];
  const uploads = await uploadsAmong(read, gkScopeId, await read.sessions.findMany(gkScopeId, holding));
  const uploaded = media.filter(({ gkSessionId }) => uploads.has(gkSessionId));
  const heard = await read.sessions.heardBy(
    gkScopeId,
    uploaded.map(({ gkMediaSegmentId }) => gkMediaSegmentId),
  );
  const byId = new Map(media.map((one) => [one.gkMediaSegmentId, one]));
  return new Map(
    audios.map((audio) => {
      const calls = heard.get(audio.gkMediaSegmentId)?.map((call) => ({ ...call, isUpload: true }));
      const lies = byId.get(audio.gkMediaSegmentId) ?? audio;
      return [audio.gkProcessedAudioId, calls ?? [{ ...sessionOf(lies), isUpload: false }]];
    }),
  );
}

const sessionOf = ({ gkSessionId, gkEngagementId }: Omit<Place, 'isUpload'>): Omit<Place, 'isUpload'> => ({
  gkSessionId,
  gkEngagementId,
});
