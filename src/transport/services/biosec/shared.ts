// Translation shared by the biometric services: the request context, identifiers, field masks, and the
// messages that several of them answer with.
import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { timestampFromMs, type Duration, type FieldMask, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { AuditActor } from '../../../audit/model.js';
import type { RequestContext } from '../../../biometrics/call/context.js';
import type { ProcessedAudio } from '../../../biometrics/model/media.js';
import type { RiskResult } from '../../../biometrics/model/outcome.js';
import { invalidFields, missingField } from '../../../errors.js';
import {
  AudioValidity,
  MemberType,
  type AudioDetailsSchema,
  type Context,
  type MemberSchema,
  type UniqueId,
} from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { Access } from '../../service.js';
import { say } from '../../../words/server/say.js';

/** Runtime clients and, for the console, people with the right to the tenant. */
export const biosecAccess: Access = { anyOf: ['biosec', 'platform-api'] };

export function contextOf(request: { context?: Context | undefined }): RequestContext {
  const { context } = request;
  return {
    ...(context?.gkEngagementId?.value && { gkEngagementId: context.gkEngagementId.value }),
    ...(context?.gkSessionId?.value && { gkSessionId: context.gkSessionId.value }),
    ...(context?.gkScopeId?.value && { gkScopeId: context.gkScopeId.value }),
    ...(context?.configsetId && { configsetId: context.configsetId }),
  };
}

/** The context of a request that changes details: what to change must be said, or that is one more thing missing. */
export function changeContextOf(
  request: Parameters<typeof contextOf>[0] & {
    details?: object | undefined;
    fieldMask?: FieldMask | undefined;
  },
): RequestContext {
  const faults = [
    ...(request.details ? [] : [missingField('details')]),
    ...(request.fieldMask?.paths.length ? [] : [missingField('field_mask')]),
  ];
  return { ...contextOf(request), faults };
}

export const valueOf = (id: UniqueId | undefined): string => id?.value ?? '';
export const unique = (value: string): { value: string } => ({ value });

type ContextRequest = Parameters<typeof contextOf>[0];

/** The person, fraudster, group or watchlist that a request names by its ID. */
export const theEntity = <K extends string>(kind: K, request: ContextRequest, id: UniqueId | undefined) => ({
  context: contextOf(request),
  kind,
  gkId: valueOf(id),
});

/** The one that is made, or looked for, under a name. */
export const entityNamed = <K extends string>(kind: K, request: ContextRequest, externalId: string) => ({
  context: contextOf(request),
  kind,
  externalId,
});

/** Spread into an object literal: the member is there only when there is a value. */
export function present<K extends string, V, R>(
  name: K,
  value: V | undefined | null | '',
  map: (value: V) => R,
): { [P in K]?: R } {
  return (value === undefined || value === null || value === '' ? {} : { [name]: map(value) }) as {
    [P in K]?: R;
  };
}

/** An enum member's domain word, undefined for UNSPECIFIED. */
export function wordOf<T extends string>(enumeration: Record<number, string>, value: number): T | undefined {
  return value === 0 ? undefined : (enumeration[value] as T);
}

export const durationOf = (ms: number): Pick<Duration, 'seconds' | 'nanos'> => {
  const whole = Math.round(ms);
  return { seconds: BigInt(Math.floor(whole / 1000)), nanos: (whole % 1000) * 1_000_000 };
};

export const timestampOf = (ms: number): Timestamp => timestampFromMs(ms);

/** Who did something, by name where there is one. */
export function memberOf({
  subject,
  issuer,
  name = '',
}: AuditActor & { name?: string }): MessageInitShape<typeof MemberSchema> {
  return { memberId: { case: 'externalId', value: subject }, issuer, type: MemberType.CLIENT, label: name };
}

export function riskOf(risk: RiskResult): { risk: number; reliability: number } {
  return { risk: risk.risk, reliability: risk.reliability };
}

/** The members of a details message that a mask names; an absent mask names all. */
export function maskedRead<S extends DescMessage>(
  schema: S,
  details: MessageInitShape<S>,
  mask: FieldMask | undefined,
): MessageInitShape<S> {
  const wanted = namesOf(schema, mask, 'optional');
  return wanted === 'all'
    ? details
    : (Object.fromEntries(
        Object.entries(details).filter(([name]) => wanted.has(name)),
      ) as MessageInitShape<S>);
}

/**
 * The part of a details message that a write is about: what the mask names, with its value even if that is
 * the default (clearing a field), or without a mask everything. Where details are mandatory, changeContextOf
 * refuses a request without them.
 */
export function maskedWrite<S extends DescMessage>(
  schema: S,
  { details, fieldMask }: { details?: MessageShape<S> | undefined; fieldMask?: FieldMask | undefined },
  need: 'optional' | 'mandatory',
): Partial<MessageShape<S>> {
  if (!details) return {};
  const wanted = namesOf(schema, fieldMask, need);
  const entries = schema.fields.map(
    (field) => [field.localName, (details as Record<string, unknown>)[field.localName]] as const,
  );
  return Object.fromEntries(entries.filter(([name]) => wanted === 'all' || wanted.has(name))) as Partial<
    MessageShape<S>
  >;
}

function namesOf(
  schema: DescMessage,
  mask: FieldMask | undefined,
  need: 'optional' | 'mandatory',
): Set<string> | 'all' {
  const paths = mask?.paths ?? [];
  if (paths.includes('*') || (paths.length === 0 && need === 'optional')) return 'all';
  const names = new Set<string>();
  for (const path of paths) {
    const field = schema.fields.find((candidate) => candidate.name === path.split('.')[0]);
    if (!field) {
      throw invalidFields([
        {
          field: 'field_mask',
          violation: 'INVALID_FORMAT',
          ...say('NO_SUCH_FIELD', { message: schema.name, path: path.slice(0, 64) }),
          value: path.slice(0, 64),
        },
      ]);
    }
    names.add(field.oneof?.localName ?? field.localName);
  }
  return names;
}

/** Drops the members that are undefined, so that a patch changes only what it names. */
export function defined<T extends object>(patch: { [K in keyof T]?: T[K] | undefined }): Partial<T> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<T>;
}

export function audioDetailsOf(
  audio: ProcessedAudio,
  netAudioMs = audio.netAudioMs,
): MessageInitShape<typeof AudioDetailsSchema> {
  return {
    gkMediaSegmentId: unique(audio.gkMediaSegmentId),
    gkProcessedAudioId: unique(audio.gkProcessedAudioId),
    grossAudio: durationOf(audio.grossAudioMs),
    netAudio: durationOf(netAudioMs),
    ...present('snrDb', audio.snrDb, Number),
    ...present('speechLevel', audio.speechLevelDb, Number),
    ...present('saturationLevel', audio.saturationPerMinute, Number),
    ...present('mediaNumberOfChannels', audio.mediaChannels, Number),
    ...present('mediaSamplingRateHz', audio.mediaSampleRateHz, Number),
    ...present('selectedChannel', audio.selectedChannel, (channel) => ({ channel })),
    processedAudioNumberOfChannels: audio.processedChannels,
    processedAudioSamplingRateHz: audio.processedSampleRateHz,
    ...present('numberOfDetectedSpeakers', audio.detectedSpeakers, Number),
    ...present('segmentationScore', audio.segmentationScore, Number),
  };
}

export function validityOf(audio: ProcessedAudio): AudioValidity {
  return AudioValidity[`REASON_${audio.validity}`];
}

/** For operations that answer with their status alone. */
export async function done(work: Promise<void>): Promise<Record<never, never>> {
  await work;
  return {};
}
