// Builds `vendor.rpc.Status`, and knows where a response keeps it: field `status` of the response, or of
// its only part (the audit export wraps it once more).
import { create, type DescMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import type { AppError } from '../errors.js';
import {
  DiagnosticDetailSchema,
  type LocalizedMessageSchema,
  StatusCode,
  StatusSchema,
  type DiagnosticDetail,
  type Status,
} from '../gen/vendor/rpc/status_pb.js';
import { errorMap, violationMap } from './error-map.js';
import { type Said } from '../words/server/say.js';

type StatusInit = MessageInitShape<typeof StatusSchema>;
type Members = Record<string, unknown>;

export function okStatus(requestId: string, ignoredFields: readonly string[] = []): Status {
  // Written out: this runs for every call, and the generic walk over the fields costs ten times as much.
  return {
    $typeName: 'vendor.rpc.Status',
    statusCode: StatusCode.OK,
    statusSubCode: 0,
    httpTransCode: 0,
    requestInfo: {
      $typeName: 'vendor.rpc.RequestInfo',
      requestId,
      requestData: '',
      additionalRequestData: {},
    },
    fieldViolations: [],
    statusDetails: [],
    diagnosticDetails: ignoredFields.length === 0 ? [] : [ignoredDetail(ignoredFields)],
  };
}

function ignoredDetail(fields: readonly string[]): DiagnosticDetail {
  return create(DiagnosticDetailSchema, {
    code: 'UNKNOWN_FIELDS_IGNORED',
    extras: { fields: fields.join(',') },
  });
}

/** `requestType` is the full name of the request message: violations name fields from the package down. */
export function errorStatus(error: AppError, requestId: string, requestType: string): Status {
  const mapping = errorMap[error.code];
  const init: StatusInit = {
    statusCode: mapping.statusCode ?? StatusCode.UNKNOWN,
    httpTransCode: mapping.http,
    requestInfo: { requestId },
    statusMessage: localized(error.said),
    fieldViolations: error.fields.map((fault) => ({
      field: `${requestType}.${fault.field}`,
      message: fault.message,
      ...(fault.code !== undefined && { userMessage: localized(fault) }),
      violation: violationMap[fault.violation],
      ...(fault.value === undefined ? {} : { invalidValue: echoed(fault.value) }),
    })),
    diagnosticDetails: error.diagnostics.map((detail) => ({
      code: detail.code,
      extras: detail.extras ?? {},
    })),
  };
  if (error.retryAfterMs !== undefined) init.retryInfo = { retryDelayMs: Math.ceil(error.retryAfterMs) };
  return create(StatusSchema, init);
}

/** In English, with what it takes to say it in another language. */
export function localized({
  message,
  code,
  parameters = {},
}: Said): MessageInitShape<typeof LocalizedMessageSchema> {
  const english = { locale: 'en-US', message };
  if (code === undefined) return english;
  const entries = Object.entries(parameters);
  return {
    ...english,
    messageResourceId: code,
    parameters: Object.fromEntries(
      entries.flatMap(([name, part]) => (typeof part === 'object' ? [] : [[name, String(part)]])),
    ),
    parts: Object.fromEntries(
      entries.flatMap(([name, part]) => (typeof part === 'object' ? [[name, localized(part)]] : [])),
    ),
  };
}

/** Enough to recognize what was sent; half a character at the end is left out. */
const ECHO_CHARACTERS_MAX = 200;

const echoed = (value: string): string =>
  value.length <= ECHO_CHARACTERS_MAX
    ? value
    : value.slice(0, ECHO_CHARACTERS_MAX).replace(/[\ud800-\udbff]$/, '');

/** Member names from the response down to its status; empty when the response has none. */
export function findStatusPath(response: DescMessage): readonly string[] {
  const own = response.fields.find(isStatus);
  if (own) return [own.localName];
  for (const field of response.fields) {
    if (field.fieldKind !== 'message' || field.oneof) continue;
    const inner = field.message.fields.find(isStatus);
    if (inner) return [field.localName, inner.localName];
  }
  return [];
}

/** Puts a status into a response, unless the handler said something more precise itself. */
export function fillStatus(
  response: DescMessage,
  path: readonly string[],
  message: Message,
  status: Status,
): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let holder = message as unknown as Members;
  if (path.length === 2) {
    const outer = path[0] as string;
    const field = response.field[outer];
    if (field?.fieldKind !== 'message') return;
    holder = (holder[outer] ??= create(field.message)) as Members;
  }
  const present = holder[last] as Status | undefined;
  if (present !== undefined && present.statusCode !== StatusCode.UNSPECIFIED) {
    present.requestInfo ??= status.requestInfo as NonNullable<Status['requestInfo']>;
    present.diagnosticDetails.push(...status.diagnosticDetails);
    return;
  }
  holder[last] = status;
}

function isStatus(field: DescMessage['fields'][number]): boolean {
  return (
    field.name === 'status' &&
    field.fieldKind === 'message' &&
    field.message.typeName === StatusSchema.typeName
  );
}
