// LiveAudio's messages and the live calls behind them.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { LiveQuestion } from '../../../biometrics/operations/live-decision.js';
import { invalidFields, missingField, refuseFaults, type FieldFault } from '../../../errors.js';
import {
  LiveEncoding,
  LiveState,
  type LiveCallInfoSchema,
  type LiveEventSchema,
  LivePromptState,
  type LivePromptSchema,
  type LiveFormat as WireFormat,
  type LiveTarget,
} from '../../../gen/voxgate/live/v1/live_pb.js';
import type { Context } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { ListedCall, LiveCallInfo, LiveEvent, LiveFormat, LivePrompt } from '../../../live/model.js';
import { liveAssessmentOf } from '../biosec/assessment.js';
import { contextOf, durationOf, present, timestampOf, unique, valueOf } from '../biosec/shared.js';
import { inEnglish } from '../../../words/server/say.js';

export function questionOf(request: {
  context?: Context | undefined;
  target?: LiveTarget | undefined;
}): LiveQuestion {
  const { target } = request;
  const profileIds = target?.gkVoiceprintProfileIds?.uniqueIds.map(valueOf) ?? [];
  return {
    context: contextOf(request),
    ...(profileIds.length > 0 && { profileIds }),
    ...present('agent', target?.agent, valueOf),
    ...present('enrollInto', target?.enrollInto, valueOf),
    ...present('group', target?.group, ({ uniqueId, tag }) => ({
      gkId: valueOf(uniqueId),
      ...(tag && { tag }),
    })),
    ...present('watchlist', target?.watchlist, ({ uniqueId, tag }) => ({
      gkId: valueOf(uniqueId),
      ...(tag && { tag }),
    })),
    checks: { synthetic: target?.syntheticSpeech ?? false, playback: target?.playback ?? false },
  };
}

const encodings = {
  [LiveEncoding.LINEAR16]: 's16le',
  [LiveEncoding.MULAW]: 'mulaw',
  [LiveEncoding.ALAW]: 'alaw',
  [LiveEncoding.OPUS]: 'opus',
} as const;

const CHANNELS_MAX = 2;
const RATE_HZ_MIN = 8000;
const RATE_HZ_MAX = 48_000;
/** RFC 6716, section 2: there are no others. */
const opusRatesHz: readonly number[] = [8000, 12_000, 16_000, 24_000, 48_000];
const CHANNEL_NAME_CHARS_MAX = 40;

export function formatOf(format: WireFormat | undefined): LiveFormat {
  if (!format) throw invalidFields([missingField('start.format')]);
  const channels = format.channels || 1;
  const customerChannel = customerChannelOf(format, channels);
  const encoding = encodings[format.encoding as keyof typeof encodings];
  const faults: FieldFault[] = [];
  const outOfRange = (field: string, message: string, value: number): void =>
    void faults.push({
      field: `start.format.${field}`,
      violation: 'OUT_OF_RANGE',
      ...inEnglish(message),
      value: String(value),
    });
  if (!encoding) faults.push(missingField('start.format.encoding'));
  if (format.sampleRateHz < RATE_HZ_MIN || format.sampleRateHz > RATE_HZ_MAX)
    outOfRange('sample_rate_hz', `must be ${RATE_HZ_MIN} to ${RATE_HZ_MAX}`, format.sampleRateHz);
  else if (encoding === 'opus' && !opusRatesHz.includes(format.sampleRateHz))
    outOfRange('sample_rate_hz', `must be ${opusRatesHz.join(', ')} for OPUS`, format.sampleRateHz);
  if (channels < 1 || channels > CHANNELS_MAX) outOfRange('channels', 'must be 1 or 2', channels);
  if (customerChannel < 1 || customerChannel > channels)
    outOfRange('customer_channel', 'must be a channel of the audio', customerChannel);
  if (faults.length > 0 || !encoding) throw invalidFields(faults);
  return { format: { encoding, sampleRateHz: format.sampleRateHz, channels }, customerChannel };
}

/** By its number, or by its name among the channels. */
function customerChannelOf(
  { customerChannel, channelNames, customerChannelName }: WireFormat,
  channels: number,
): number {
  const faults: FieldFault[] = [];
  const fault = (field: string, violation: FieldFault['violation'], message: string): void =>
    void faults.push({ field: `start.format.${field}`, violation, ...inEnglish(message) });
  if (channelNames.length > 0 && channelNames.length !== channels)
    fault('channel_names', 'OUT_OF_RANGE', 'must name each channel');
  if (channelNames.some((name) => name === '' || name.length > CHANNEL_NAME_CHARS_MAX))
    fault('channel_names', 'OUT_OF_RANGE', `must have 1 to ${CHANNEL_NAME_CHARS_MAX} characters each`);
  if (new Set(channelNames).size < channelNames.length)
    fault('channel_names', 'FIELD_CONFLICT', 'must differ');
  if (customerChannelName !== '' && customerChannel !== 0)
    fault('customer_channel_name', 'FIELD_CONFLICT', 'must not be given together with customer_channel');
  const at = channelNames.indexOf(customerChannelName);
  if (customerChannelName !== '' && at < 0)
    fault('customer_channel_name', 'OUT_OF_RANGE', 'must be one of channel_names');
  refuseFaults(faults);
  return customerChannelName === '' ? customerChannel || 1 : at + 1;
}

export function eventOf(event: LiveEvent): MessageInitShape<typeof LiveEventSchema> {
  return {
    liveCallId: event.liveCallId,
    sequence: BigInt(event.sequence),
    at: timestampOf(event.atMs),
    state: LiveState[event.state],
    reason: event.reason,
    ...present('risk', event.risk, Number),
    ...present('reliability', event.reliability, Number),
    ...present('score', event.score, Number),
    ...present('gkVoiceprintProfileId', event.gkVoiceprintProfileId, unique),
    netSpeech: durationOf(event.netSpeechMs),
    position: durationOf(event.positionMs),
    final: event.endReason !== undefined,
    endReason: event.endReason ?? '',
    ...present('assessment', event.assessment, liveAssessmentOf),
    ...present('prompt', event.prompt, promptOf),
  };
}

const promptOf = ({
  state,
  expectedText,
  detectedText = '',
  reason = '',
  delayMs,
}: LivePrompt): MessageInitShape<typeof LivePromptSchema> => ({
  state: LivePromptState[state],
  expectedText,
  detectedText,
  reason,
  ...present('answerDelay', delayMs, durationOf),
});

export function infoOf(
  info: LiveCallInfo & Partial<ListedCall>,
): MessageInitShape<typeof LiveCallInfoSchema> {
  return {
    liveCallId: info.liveCallId,
    gkScopeId: unique(info.gkScopeId),
    gkEngagementId: unique(info.gkEngagementId),
    gkSessionId: unique(info.gkSessionId),
    protocol: info.protocol ?? '',
    ...present('startedAt', info.startedAtMs, timestampOf),
    ended: info.ended,
    events: info.events.map(eventOf),
    netSpeech: durationOf(info.netSpeechMs),
    position: durationOf(info.positionMs),
    agentWord: info.agentWord ?? '',
    ...present('assessment', info.assessment, liveAssessmentOf),
    ...(info.enrollment && { enrollment: info.enrollment }),
    sessionId: info.session?.sessionId ?? '',
    ani: info.session?.ani ?? '',
    ...present('gkPersonId', info.gkPersonId, unique),
    gkFraudsterIds: (info.gkFraudsterIds ?? []).map(unique),
  };
}
