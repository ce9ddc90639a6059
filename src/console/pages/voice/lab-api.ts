// What the voice lab asks of the service, one function for each step.
import { get, post, readAnswer } from '../../api/client.js';
import { ApiError } from '../../api/errors.js';
import type { Take } from '../../audio/take.js';
import { deleteInContext, type Context } from '../../tenant/tenant.js';
import { ifFound } from '../biosec/in-session.js';
import type {
  EnrollResult,
  Id,
  Inspection,
  MatchResult,
  ProcessResult,
  SegmentDetails,
  SpoofAnswer,
  TrainResult,
} from '../biosec/types.js';

export const LAB_TAG = 'main';

/** Recordings are named by what the server gave them, and by the channel that was chosen. */
export interface Sent {
  media: Id;
  channel: number | undefined;
}

const channelOf = ({ channel }: Sent): object =>
  channel === undefined ? {} : { channelSelector: { channel } };

/** Two steps as an integrator would do it: a signed address, then the bytes. */
export async function upload(context: Context, take: Take): Promise<Sent> {
  const answer = await post<{ mediaUploadUrl: string; gkMediaSegmentId: Id }>('/v1/audios/upload-url', {
    context,
    container: take.container,
  });
  const address = new URL(answer.mediaUploadUrl);
  const response = await fetch(address.pathname + address.search, {
    method: 'PUT',
    body: take.bytes,
    headers: { 'content-type': take.container === 'CONTAINER_MP3' ? 'audio/mpeg' : 'audio/wav' },
  });
  if (!response.ok) await readAnswer(response);
  return { media: answer.gkMediaSegmentId, channel: take.channel };
}

export async function process(context: Context, sent: Sent): Promise<ProcessResult> {
  return (
    (
      await post<{ result?: ProcessResult }>('/v1/audios/process', {
        context,
        gkMediaSegmentId: sent.media,
        ...channelOf(sent),
        isForEnrollment: true,
      })
    ).result ?? {}
  );
}

export async function enroll(
  context: Context,
  profile: string,
  gkProcessedAudioId: Id,
): Promise<EnrollResult> {
  return (
    (
      await post<{ result?: EnrollResult }>(`/v1/voiceprints/${profile}/enrollment`, {
        context,
        gkProcessedAudioId,
      })
    ).result ?? {}
  );
}

export async function train(context: Context, profile: string): Promise<TrainResult> {
  return (
    (await post<{ result?: TrainResult }>(`/v1/voiceprints/${profile}/training`, { context })).result ?? {}
  );
}

export async function verify(context: Context, profile: string, sent: Sent): Promise<MatchResult> {
  return (
    (
      await post<{ result?: MatchResult }>(`/v1/voiceprints/${profile}/verification`, {
        context,
        gkMediaSegmentId: sent.media,
        ...channelOf(sent),
      })
    ).result ?? {}
  );
}

export async function identify(context: Context, gkGroupId: string, sent: Sent): Promise<MatchResult> {
  return (
    (
      await post<{ result?: MatchResult }>('/v1/voiceprints/identification', {
        context,
        gkMediaSegmentId: sent.media,
        ...channelOf(sent),
        group: { uniqueId: { value: gkGroupId } },
      })
    ).result ?? {}
  );
}

export async function checkWatchlist(
  context: Context,
  gkWatchlistId: string,
  sent: Sent,
): Promise<MatchResult> {
  return (
    (
      await post<{ result?: MatchResult }>('/v1/voiceprints/known-fraudsters-detection', {
        context,
        gkMediaSegmentId: sent.media,
        ...channelOf(sent),
        watchlist: { uniqueId: { value: gkWatchlistId } },
      })
    ).result ?? {}
  );
}

export function checkAttacks(context: Context, sent: Sent): Promise<SpoofAnswer> {
  return post<SpoofAnswer>('/v1/audios/spoofing', {
    context,
    gkMediaSegmentId: sent.media,
    ...channelOf(sent),
    syntheticSpeechDetectionParameters: {},
    channelPlaybackDetectionParameters: {},
  });
}

export function inspect(
  context: Context,
  media: string,
  channel: number | undefined,
  signal?: AbortSignal,
): Promise<Inspection | undefined> {
  return ifFound(
    get<Inspection>(
      `/v1/x/audios/${media}/inspection`,
      {
        context: { gkScopeId: context.gkScopeId, configsetId: context.configsetId },
        ...(channel === undefined ? {} : { channelSelector: { channel } }),
      },
      signal,
    ),
  );
}

/** Where a person stands: unknown, without a print, collecting takes, or trained. */
export interface Standing {
  gkPersonId: string | undefined;
  profile: string | undefined;
  isTrained: boolean;
  segments: readonly SegmentDetails[];
}

export async function standingOf(
  context: Context,
  personId: string,
  signal?: AbortSignal,
): Promise<Standing> {
  const person = await ifFound(
    get<{ gkPersonId?: Id }>(`/v1/persons/${encodeURIComponent(personId)}/gkid`, { context }, signal),
  );
  const nothing: Standing = {
    gkPersonId: person?.gkPersonId?.value,
    profile: undefined,
    isTrained: false,
    segments: [],
  };
  if (!nothing.gkPersonId) return nothing;
  const found = await ifFound(
    get<{ gkVoiceprintProfileId?: Id }>(
      '/v1/voiceprints/profiles/gkid',
      { context, owner: { gkPersonId: { value: nothing.gkPersonId }, tag: LAB_TAG } },
      signal,
    ),
  );
  const profile = found?.gkVoiceprintProfileId?.value;
  if (!profile) return nothing;
  const [details, list] = await Promise.all([
    get<{ details?: { status?: string } }>(
      '/v1/voiceprints/profiles',
      { context, gkVoiceprintProfileId: { value: profile } },
      signal,
    ),
    get<{ enrollmentSegmentsDetails?: SegmentDetails[] }>(
      `/v1/voiceprints/profiles/${profile}/enrollment-segments`,
      { context },
      signal,
    ),
  ]);
  const status = details.details?.status ?? '';
  return {
    ...nothing,
    profile,
    isTrained: status.endsWith('_BASIC_TRAINED') || status.endsWith('_OPTIMAL_TRAINED'),
    segments: list.enrollmentSegmentsDetails ?? [],
  };
}

/** Makes what is missing. */
export async function ensureProfile(
  context: Context,
  personId: string,
  standing: Standing,
): Promise<Standing & { profile: string }> {
  let { gkPersonId, profile } = standing;
  if (!gkPersonId) {
    const made = await post<{ gkPersonId: Id }>('/v1/persons', { context, personId });
    gkPersonId = made.gkPersonId.value;
  }
  if (!profile) {
    const made = await post<{ gkVoiceprintProfileId: Id }>('/v1/voiceprints/profiles', {
      context,
      owner: { gkPersonId: { value: gkPersonId }, tag: LAB_TAG },
    });
    profile = made.gkVoiceprintProfileId.value;
  }
  return { ...standing, gkPersonId, profile };
}

export function removeProfile(context: Context, profile: string): Promise<unknown> {
  return deleteInContext(`/v1/voiceprints/profiles/${profile}`, context);
}

export async function listGroups(
  context: Context,
  signal?: AbortSignal,
): Promise<{ id: string; name: string; count: number }[]> {
  const answer = await ifFound(
    get<{ groups?: { details?: { gkGroupId?: Id; groupId?: string }; personCount?: number }[] }>(
      '/v1/x/groups',
      { context, pageSize: 200 },
      signal,
    ),
  );
  if (!answer) throw new ApiError('This server does not list groups yet.', { code: 'NOT_OFFERED' });
  return (answer.groups ?? []).map(({ details, personCount }) => ({
    id: details?.gkGroupId?.value ?? '',
    name: details?.groupId ?? '',
    count: personCount ?? 0,
  }));
}

export async function listWatchlists(
  context: Context,
  signal?: AbortSignal,
): Promise<{ id: string; name: string; count: number }[]> {
  const answer = await ifFound(
    get<{
      watchlists?: { details?: { gkWatchlistId?: Id; watchlistId?: string }; fraudsterCount?: number }[];
    }>('/v1/x/watchlists', { context, pageSize: 200 }, signal),
  );
  if (!answer) throw new ApiError('This server does not list watchlists yet.', { code: 'NOT_OFFERED' });
  return (answer.watchlists ?? []).map(({ details, fraudsterCount }) => ({
    id: details?.gkWatchlistId?.value ?? '',
    name: details?.watchlistId ?? '',
    count: fraudsterCount ?? 0,
  }));
}

/** Names behind profile ids, for results that name prints only. */
export async function ownersOf(context: Context, signal?: AbortSignal): Promise<Map<string, string>> {
  const answer = await ifFound(
    get<{ profiles?: { details?: { gkVoiceprintProfileId?: Id }; ownerExternalId?: string }[] }>(
      '/v1/x/voiceprint-profiles',
      { context, pageSize: 1000 },
      signal,
    ),
  );
  return new Map(
    (answer?.profiles ?? []).map(({ details, ownerExternalId }) => [
      details?.gkVoiceprintProfileId?.value ?? '',
      ownerExternalId ?? '',
    ]),
  );
}
