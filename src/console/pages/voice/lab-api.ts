// The voice lab's requests to the service, one function per step.
import type { UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type {
  DetectKnownFraudstersResultJson,
  EnrollmentSegmentDetailsJson,
  IdentifyResultJson,
  VerifyResultJson,
} from '../../../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call, readAnswer } from '../../api/client.js';
import { offline } from '../../api/errors.js';
import type { Take } from '../../audio/take.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { notComparedIn, type NotCompared } from '../biosec/not-compared.js';

export const LAB_TAG = 'main';

/** Verify, Identify and DetectKnownFraudsters have similar answers; each has some members of its own. */
export type MatchResult = VerifyResultJson &
  Pick<IdentifyResultJson, 'voiceprintResults'> &
  Pick<DetectKnownFraudstersResultJson, 'fraudDetectionScore'> & {
    /** For a group or watchlist. */
    notCompared?: NotCompared | undefined;
  };

export type AttackAnswer = AnswerOf<'DetectAudioSpoofing'>;

/** A recording by the server's identifier, and the chosen channel. */
export interface Sent {
  media: UniqueIdJson;
  channel: number | undefined;
}

const partOf = ({ media, channel }: Sent) => ({
  gkMediaSegmentId: media,
  channelSelector: channel === undefined ? undefined : { channel },
});

/** Two steps, as in an integration: a signed address, then the bytes. */
export async function upload(context: Context, take: Take): Promise<Sent> {
  const answer = await call('GetUploadUrl', { context, container: take.container });
  const address = new URL(answer.mediaUploadUrl ?? '');
  const response = await fetch(address.pathname + address.search, {
    method: 'PUT',
    body: take.bytes,
    headers: { 'content-type': take.container === 'CONTAINER_MP3' ? 'audio/mpeg' : 'audio/wav' },
  }).catch(() => {
    throw offline();
  });
  if (!response.ok) await readAnswer(response);
  return { media: answer.gkMediaSegmentId ?? {}, channel: take.channel };
}

export async function process(context: Context, sent: Sent) {
  const answer = await call('ProcessAudio', { context, ...partOf(sent), isForEnrollment: true });
  return answer.result ?? {};
}

export async function enroll(context: Context, profile: string, gkProcessedAudioId: UniqueIdJson) {
  const gkVoiceprintProfileId = { value: profile };
  return (await call('Enroll', { context, gkVoiceprintProfileId, gkProcessedAudioId })).result ?? {};
}

export async function train(context: Context, profile: string) {
  return (await call('Train', { context, gkVoiceprintProfileId: { value: profile } })).result ?? {};
}

export async function verify(context: Context, profile: string, sent: Sent): Promise<MatchResult> {
  const gkVoiceprintProfileId = { value: profile };
  return (await call('Verify', { context, gkVoiceprintProfileId, ...partOf(sent) })).result ?? {};
}

export async function identify(context: Context, group: string, sent: Sent): Promise<MatchResult> {
  const answer = await call('Identify', { context, ...partOf(sent), group: { uniqueId: { value: group } } });
  return { ...answer.result, notCompared: notComparedIn(answer.status) };
}

export async function checkWatchlist(context: Context, watchlist: string, sent: Sent): Promise<MatchResult> {
  const answer = await call('DetectKnownFraudsters', {
    context,
    ...partOf(sent),
    watchlist: { uniqueId: { value: watchlist } },
  });
  return { ...answer.result, notCompared: notComparedIn(answer.status) };
}

export function checkAttacks(context: Context, sent: Sent): Promise<AttackAnswer> {
  return call('DetectAudioSpoofing', {
    context,
    ...partOf(sent),
    syntheticSpeechDetectionParameters: {},
    channelPlaybackDetectionParameters: {},
  });
}

/** Digits to say, as words and as figures. */
export interface Prompt {
  words: string;
  figures: string;
}

/** Without a session: whichever is opened for the answer may answer it. */
export async function drawDigits({ gkScopeId, configsetId }: Context): Promise<Prompt> {
  const { expectedText = '', ivrInfo = '' } = await call('GetLivenessPrompt', {
    context: { gkScopeId, configsetId },
  });
  return { words: expectedText, figures: ivrInfo };
}

/** Speech that an answer is compared with. */
export type Reference = { name: string } & ({ take: Take } | { processed: UniqueIdJson });

/** An answer as its session remembers it, which says more than the answer of the call. */
export type PromptedAnswer = Pick<TimelineEventJson, 'decision' | 'reason' | 'attributes'>;

const timelineOf = (context: Context) =>
  call('GetSessionTimeline', { context, gkSessionId: context.gkSessionId });

export const assessmentIn = async (context: Context): Promise<SessionAssessmentJson> =>
  (await timelineOf(context)).assessment ?? {};

export async function checkAnswer(
  context: Context,
  sent: Sent,
  { words }: Prompt,
  reference: Reference,
): Promise<PromptedAnswer> {
  const compared =
    'take' in reference
      ? partOf(await upload(context, reference.take))
      : { gkProcessedAudioId: reference.processed };
  await call('DetectLiveness', {
    context,
    ...compared,
    randomAudioSet: [{ ...partOf(sent), expectedText: words }],
  });
  const { events = [] } = await timelineOf(context);
  return events.findLast(({ operation }) => operation === 'DetectLiveness') ?? {};
}

export function inspect(
  { gkScopeId, configsetId }: Context,
  media: string,
  channel: number | undefined,
  signal?: AbortSignal,
): Promise<AnswerOf<'InspectAudio'> | undefined> {
  const context = { gkScopeId, configsetId };
  return ifFound(call('InspectAudio', { context, ...partOf({ media: { value: media }, channel }) }, signal));
}

/** A person's progress: unknown, without a print, collecting recordings, or trained. */
export interface EnrollmentState {
  gkPersonId: string | undefined;
  profile: string | undefined;
  isTrained: boolean;
  isOptedOut?: boolean;
  segments: readonly EnrollmentSegmentDetailsJson[];
}

export async function enrollmentStateOf(
  context: Context,
  personId: string,
  signal?: AbortSignal,
): Promise<EnrollmentState> {
  const person = await ifFound(call('GetGkPersonId', { context, personId }, signal));
  const gkPersonId = person?.gkPersonId?.value;
  const nothing: EnrollmentState = { gkPersonId, profile: undefined, isTrained: false, segments: [] };
  if (!gkPersonId) return nothing;
  const owner = { gkPersonId: { value: gkPersonId }, tag: LAB_TAG };
  const found = await call('GetGkVoiceprintProfileId', { context, owner }, signal);
  const profile = found.gkVoiceprintProfileId?.value;
  if (!profile) {
    const { details } = await call('GetPersonDetails', { context, gkPersonId: owner.gkPersonId }, signal);
    return { ...nothing, isOptedOut: details?.consentInfo?.status === 'CONSENT_STATUS_OPTED_OUT' };
  }
  const gkVoiceprintProfileId = { value: profile };
  const [{ details }, list] = await Promise.all([
    call('GetVoiceprintProfileDetails', { context, gkVoiceprintProfileId }, signal),
    call('ListEnrollmentSegments', { context, gkVoiceprintProfileId }, signal),
  ]);
  return {
    gkPersonId,
    profile,
    isTrained: isTrained(details?.status),
    segments: list.enrollmentSegmentsDetails ?? [],
  };
}

export function isTrained(status: string | undefined): boolean {
  return (
    status === 'VOICEPRINT_PROFILE_STATUS_BASIC_TRAINED' ||
    status === 'VOICEPRINT_PROFILE_STATUS_OPTIMAL_TRAINED'
  );
}

/** The person's print that the lab records into; created if there is none. */
async function ensurePrint(context: Context, gkPersonId: string): Promise<string> {
  const owner = { gkPersonId: { value: gkPersonId }, tag: LAB_TAG };
  const { gkVoiceprintProfileId: present } = await call('GetGkVoiceprintProfileId', { context, owner });
  const print = present ?? (await call('CreateVoiceprintProfile', { context, owner })).gkVoiceprintProfileId;
  return print?.value ?? '';
}

/** Creates whatever is missing. */
export async function ensureProfile(
  context: Context,
  personId: string,
  enrollment: EnrollmentState,
): Promise<EnrollmentState & { profile: string }> {
  const gkPersonId =
    enrollment.gkPersonId ?? (await call('CreatePerson', { context, personId })).gkPersonId?.value ?? '';
  const profile = enrollment.profile ?? (await ensurePrint(context, gkPersonId));
  return { ...enrollment, gkPersonId, profile };
}

export interface Choice {
  id: string;
  name: string;
  count: number;
}

export async function listGroups(context: Context, signal?: AbortSignal): Promise<Choice[]> {
  const { groups = [] } = await call('ListGroups', { context, pageSize: 200 }, signal);
  return groups.map(({ details, personCount }) => ({
    id: details?.gkGroupId?.value ?? '',
    name: details?.groupId ?? '',
    count: personCount ?? 0,
  }));
}

export async function listWatchlists(context: Context, signal?: AbortSignal): Promise<Choice[]> {
  const { watchlists = [] } = await call('ListWatchlists', { context, pageSize: 200 }, signal);
  return watchlists.map(({ details, fraudsterCount }) => ({
    id: details?.gkWatchlistId?.value ?? '',
    name: details?.watchlistId ?? '',
    count: fraudsterCount ?? 0,
  }));
}
