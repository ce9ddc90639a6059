// One conversation with a customer: everything that is enrolled or checked happens in a session, and the session sums it
// up.
import type { AudioValidityJson, DecisionJson, TrainReasonJson } from '../gen/vendor/biosec/v1/common_pb.js';
import type {
  DecisionReasonJson,
  EnrollReasonJson,
  EnrollStatusJson,
  VerifyResultJson,
} from '../gen/vendor/biosec/v1/voiceprint/types_pb.js';
import type { StatusJson } from '../gen/vendor/rpc/status_pb.js';
import { withoutPrefix, secondsOf, type WithoutPrefix } from './contract.js';
import type { CallOptions } from './http.js';
import {
  isNotFound,
  needed,
  tagOf,
  type Names,
  type PrintOwner,
  type Send,
  type TenantContext,
} from './names.js';
import { bytesOf, containerOf, type Recording } from './recording.js';

export type Decision = WithoutPrefix<DecisionJson, 'DECISION_'>;
export type DecisionReason = WithoutPrefix<DecisionReasonJson, 'DECISION_REASON_'>;

/** The result of a check. */
export interface CheckResult {
  /** `AUTHENTIC`, `NO_MATCH`, `FRAUD`, `UNCERTAIN`, `NO_RISK_DETECTED` or `FAILED`. */
  decision: Decision;
  /** Why, such as `VOICEPRINT_MATCH` or `AUDIO_TOO_SHORT`. */
  reason: DecisionReason;
  /** Log-likelihood ratio: above 0 for the same voice. */
  score?: number | undefined;
  /** 0 to 1000; higher is riskier. */
  risk?: number | undefined;
  /** 0 to 100: how reliable the risk is. */
  reliability?: number | undefined;
  /** Speech that the decision rests on. */
  netSpeechSeconds?: number | undefined;
  /** The print that matches best, and its owner. */
  profileId?: string | undefined;
  ownerId?: string | undefined;
  /** How many members of the group or watchlist have no voiceprint to compare with, and how many members there are. */
  notCompared?: { count: number; members: number } | undefined;
  gkEngagementId: string;
  gkSessionId: string;
}

/** The result for one recording of an enrollment. */
export interface EnrolledRecording {
  enrolled: boolean;
  /** `ENROLL_OK`, or why it was not added. */
  reason: WithoutPrefix<EnrollReasonJson, 'ENROLL_REASON_'>;
  /** `AUDIO_OK`, or what is wrong with the audio. */
  validity: WithoutPrefix<AudioValidityJson, 'REASON_'>;
  netSpeechSeconds?: number | undefined;
}

/** The result of an enrollment. */
export interface EnrollmentResult {
  profileId: string;
  /** In the order given. */
  recordings: EnrolledRecording[];
  /** Whether the print can or should be trained. */
  status: WithoutPrefix<EnrollStatusJson, 'ENROLL_STATUS_'>;
  /** The print was trained with them and can be used for verification. */
  trained: boolean;
  /** `TRAIN_OK`, or why it was not trained; absent if more recordings are needed first. */
  trainReason?: WithoutPrefix<TrainReasonJson, 'TRAIN_REASON_'> | undefined;
}

export interface SessionIds {
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  configsetId: string;
}

/** A session as requests of the contract name it. */
export interface SessionContext extends TenantContext {
  gkEngagementId: { value: string };
  gkSessionId: { value: string };
  configsetId: string;
}

export interface EnrollOptions extends CallOptions {
  /** The person has just agreed to a voiceprint; this is recorded. */
  consent?: boolean | undefined;
  /** `false` leaves the print untrained. */
  train?: boolean | undefined;
  /** Called after each recording. */
  onRecording?: ((done: EnrolledRecording, index: number) => void) | undefined;
}

export interface CheckOptions extends CallOptions {
  /** Listens to all of the audio instead of stopping as soon as the decision is certain. */
  wholeRecording?: boolean | undefined;
  /** Which channel to use: from 1, or 0 for all mixed. If absent, the caller's if the upload says whose they are, otherwise all mixed. */
  channel?: number | undefined;
}

/** What a session needs of its client. */
interface SessionDeps {
  call: Send;
  names: Names;
  put(url: string, bytes: Uint8Array<ArrayBuffer>, options: CallOptions): Promise<void>;
}

/** An open session; `Voxgate.session` opens one. */
export class Session {
  readonly ids: SessionIds;
  readonly #deps: SessionDeps;

  constructor(deps: SessionDeps, ids: SessionIds) {
    this.#deps = deps;
    this.ids = ids;
  }

  /** The session in the form that requests use. */
  get context(): SessionContext {
    const { gkScopeId, gkEngagementId, gkSessionId, configsetId } = this.ids;
    return {
      gkScopeId: { value: gkScopeId },
      gkEngagementId: { value: gkEngagementId },
      gkSessionId: { value: gkSessionId },
      configsetId,
    };
  }

  /** Uploads a recording and returns its ID, which operations of the contract call a media segment. */
  async upload(recording: Recording, options: CallOptions = {}): Promise<string> {
    const bytes = await bytesOf(recording);
    const request = { context: this.context, container: containerOf(bytes) };
    const { mediaUploadUrl, gkMediaSegmentId } = await this.#deps.call('GetUploadUrl', request, options);
    await this.#deps.put(needed(mediaUploadUrl, 'an address'), bytes, options);
    return needed(gkMediaSegmentId?.value, 'an ID');
  }

  /** The ID of a print; undefined if the owner has none with this tag. */
  async findProfile(owner: PrintOwner, options: CallOptions = {}): Promise<string | undefined> {
    return (await this.#deps.names.findPrint(owner, options))?.value;
  }

  /**
   * Adds recordings to a print and trains it once there are enough. The print and its owner are created if necessary. A
   * recording that cannot be used is not an error: the result says why.
   */
  async enroll(
    owner: PrintOwner,
    recordings: readonly Recording[],
    options: EnrollOptions = {},
  ): Promise<EnrollmentResult> {
    const profileId = (await this.findProfile(owner, options)) ?? (await this.#makeProfile(owner, options));
    if (options.consent && 'personId' in owner) await this.#optIn(owner.personId, options);
    const done: EnrolledRecording[] = [];
    let status: EnrollStatusJson = 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE';
    for (const recording of recordings) {
      const added = await this.#addRecording(profileId, recording, options);
      status = added.status ?? status;
      options.onRecording?.(added.recording, done.length);
      done.push(added.recording);
    }
    const isEnough = status !== 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE';
    const training = isEnough && options.train !== false ? await this.#train(profileId, options) : undefined;
    return {
      profileId,
      recordings: done,
      status: withoutPrefix(status, 'ENROLL_STATUS_'),
      trained: training?.trained ?? false,
      ...(training && { trainReason: training.reason }),
    };
  }

  /** Compares a recording with the print of a person. */
  async verify(owner: PrintOwner, recording: Recording, options: CheckOptions = {}): Promise<CheckResult> {
    const gkVoiceprintProfileId = await this.#deps.names.print(owner, options);
    const request = { ...(await this.#audio(recording, options)), gkVoiceprintProfileId };
    const { result } = await this.#deps.call('Verify', request, options);
    return this.#checkResult(result, result?.authenticationScore);
  }

  /** Finds whose voice it is among the prints of a group (by your own ID). */
  async identify(groupId: string, recording: Recording, options: CheckOptions = {}): Promise<CheckResult> {
    const uniqueId = await this.#deps.names.group(groupId, options);
    const request = { ...(await this.#audio(recording, options)), group: { uniqueId } };
    const { result, status } = await this.#deps.call('Identify', request, options);
    return this.#checkResult(result, result?.authenticationScore, status);
  }

  /** Looks for the voices of a watchlist (by your own ID). */
  async checkWatchlist(
    watchlistId: string,
    recording: Recording,
    options: CheckOptions = {},
  ): Promise<CheckResult> {
    const uniqueId = await this.#deps.names.watchlist(watchlistId, options);
    const request = { ...(await this.#audio(recording, options)), watchlist: { uniqueId } };
    const { result, status } = await this.#deps.call('DetectKnownFraudsters', request, options);
    return this.#checkResult(result, result?.fraudDetectionScore, status);
  }

  /** The decision from all checks of the session and earlier ones of its engagement. */
  async decision(options: CallOptions = {}): Promise<Decision> {
    const answer = await this.#deps.call('GetSessionDecision', { context: this.context }, options);
    return withoutPrefix(answer.decision, 'DECISION_');
  }

  /** Ends the session and its engagement. */
  async stop(options: CallOptions = {}): Promise<void> {
    await this.#deps.call('StopSession', { context: this.context }, options);
    await this.#deps.call('StopEngagement', { context: this.context }, options);
  }

  /** The ID of a print, which must exist. */
  async profileOf(owner: PrintOwner, options: CallOptions = {}): Promise<string> {
    return (await this.#deps.names.print(owner, options)).value;
  }

  async #audio(recording: Recording, { channel, wholeRecording = false, ...options }: CheckOptions) {
    return {
      context: this.context,
      gkMediaSegmentId: { value: await this.upload(recording, options) },
      ignoreCheckpoints: wholeRecording,
      ...(channel !== undefined && { channelSelector: { channel } }),
    };
  }

  /** The contract makes a person with the print, and a fraudster only when asked to. */
  async #makeProfile(owner: PrintOwner, options: CallOptions): Promise<string> {
    try {
      return await this.#createProfile(owner, options);
    } catch (thrown) {
      if (!('fraudsterId' in owner) || !isNotFound(thrown)) throw thrown;
      const { context } = this;
      await this.#deps.call('CreateFraudster', { context, fraudsterId: owner.fraudsterId }, options);
      return this.#createProfile(owner, options);
    }
  }

  async #createProfile(owner: PrintOwner, options: CallOptions): Promise<string> {
    const request = { context: this.context, owner: { ...owner, tag: tagOf(owner) } };
    const made = await this.#deps.call('CreateVoiceprintProfile', request, options);
    return needed(made.gkVoiceprintProfileId?.value, 'an ID');
  }

  async #optIn(personId: string, options: CallOptions): Promise<void> {
    const gkPersonId = await this.#deps.names.person(personId, options);
    await this.#deps.call('OptPersonIn', { context: this.context, gkPersonId }, options);
  }

  async #addRecording(
    profileId: string,
    recording: Recording,
    options: CallOptions,
  ): Promise<{ recording: EnrolledRecording; status: EnrollStatusJson | undefined }> {
    const { context } = this;
    const gkMediaSegmentId = { value: await this.upload(recording, options) };
    const processing = { context, gkMediaSegmentId, isForEnrollment: true };
    const { result: processed } = await this.#deps.call('ProcessAudio', processing, options);
    const gkProcessedAudioId = { value: needed(processed?.gkProcessedAudioId?.value, 'an ID') };
    const request = { context, gkVoiceprintProfileId: { value: profileId }, gkProcessedAudioId };
    const { result } = await this.#deps.call('Enroll', request, options);
    return {
      status: result?.enrollStatus,
      recording: {
        enrolled: result?.enrolled ?? false,
        reason: withoutPrefix(result?.reason, 'ENROLL_REASON_'),
        validity: withoutPrefix(processed?.validity, 'REASON_'),
        netSpeechSeconds: secondsOf(processed?.audioDetails?.netAudio),
      },
    };
  }

  async #train(profileId: string, options: CallOptions) {
    const request = { context: this.context, gkVoiceprintProfileId: { value: profileId } };
    const { result } = await this.#deps.call('Train', request, options);
    return {
      trained: result?.trainStatus === 'TRAIN_STATUS_TRAINED',
      reason: withoutPrefix(result?.reason, 'TRAIN_REASON_'),
    };
  }

  #checkResult(
    {
      decision,
      reason,
      riskEngineResult,
      voiceprintDetails,
      audioDetails,
    }: Omit<VerifyResultJson, 'authenticationScore'> = {},
    score: VerifyResultJson['authenticationScore'],
    status?: StatusJson,
  ): CheckResult {
    const left = status?.diagnosticDetails?.find(({ code }) => code === 'MEMBERS_NOT_COMPARED')?.extras;
    const { biometricScore } = score ?? {};
    return {
      decision: withoutPrefix(decision, 'DECISION_'),
      reason: withoutPrefix(reason, 'DECISION_REASON_'),
      score: typeof biometricScore === 'number' ? biometricScore : undefined,
      risk: riskEngineResult?.risk,
      reliability: riskEngineResult?.reliability,
      netSpeechSeconds: secondsOf(audioDetails?.netAudio),
      profileId: voiceprintDetails?.gkVoiceprintProfileId?.value || undefined,
      ownerId: voiceprintDetails?.gkOwnerId?.value || undefined,
      notCompared: left && { count: Number(left['not_compared']), members: Number(left['members']) },
      gkEngagementId: this.ids.gkEngagementId,
      gkSessionId: this.ids.gkSessionId,
    };
  }
}
