// The call that a recording is sent for: prepared before, or here; and where its events are read if the protocol reports none.
import { randomUUID } from 'node:crypto';
import type { JsonValue } from '@bufbuild/protobuf';
import { AppError } from '../../errors.js';
import { refusalIn, type AnswerStatus } from './grpc-client.js';
import { needed, type DoorKeys } from './sender.js';

export type DoorName = 'websocket' | 'grpc' | 'twilio' | 'audiohook' | 'audiosocket';

export interface CallFlags extends DoorKeys {
  door: DoorName;
  server: string;
  /** Where the API is, if not at `server`. */
  api?: string;
  token?: string;
  question?: string;
  /** The ID of a call that was prepared before. */
  call?: string;
  /** False: nobody wants to know. */
  follow?: string | false;
}

/** Doors whose protocol has no word for a decision, and what they cannot do without. */
const silentDoors: Partial<Record<DoorName, (keys: DoorKeys) => string>> = {
  twilio: ({ streamToken }) => needed(streamToken, '--stream-token'),
  audiosocket: ({ uuid }) => needed(uuid, '--uuid'),
};

/** Doors whose `start` says itself what the call is for. */
export const takesQuestionItself = (door: DoorName): boolean => door === 'websocket' || door === 'grpc';

export function questionIn(question: string): Record<string, JsonValue> {
  let asked: Record<string, JsonValue>;
  try {
    asked = JSON.parse(question) as Record<string, JsonValue>;
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', '--question is not JSON', { cause });
  }
  const context = JSON.stringify(asked?.['context'] ?? {});
  const missing = inContext.filter(
    ([name, protoName]) => ![name, protoName].some((key) => context.includes(`"${key}"`)),
  );
  if (missing.length > 0)
    throw new AppError(
      'INVALID_REQUEST',
      `the context of --question lacks ${missing.map(([name]) => name).join(', ')}: ` +
        'start a session (POST /v1/sessions/start), which answers the IDs of the engagement and the session, and give them with the tenant: ' +
        '{"context": {"gkScopeId": {"value": "..."}, "gkEngagementId": {"value": "..."}, "gkSessionId": {"value": "..."}}, "target": {...}}',
    );
  return asked;
}

/** Every live call belongs to a session; both spellings are understood. */
const inContext = [
  ['gkScopeId', 'gk_scope_id'],
  ['gkEngagementId', 'gk_engagement_id'],
  ['gkSessionId', 'gk_session_id'],
] as const;

/** The same, with the call prepared where there is a question that the protocol cannot carry. */
export async function withCall(flags: CallFlags): Promise<CallFlags> {
  const { door, question, token, conversation = randomUUID() } = flags;
  if (question === undefined || takesQuestionItself(door)) return flags;
  const external = door === 'audiohook' ? { externalCallId: conversation } : {};
  const answer = await fetch(new URL('/v1/live/calls', apiOf(flags)), {
    method: 'POST',
    headers: { authorization: `Bearer ${needed(token, '--token')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...questionIn(question), ...external }),
  });
  const { status, liveCallId, streamToken, ...rest } = (await answer.json()) as Prepared;
  if (liveCallId === undefined)
    throw rest.error_message === undefined ? refusalIn(status) : new Error(rest.error_message);
  return { ...flags, call: liveCallId, streamToken, uuid: liveCallId, conversation };
}

interface Prepared {
  status?: AnswerStatus;
  liveCallId?: string;
  streamToken?: string;
  error_message?: string;
}

/** Where the events of the call are read; undefined where its sender is told them, or nobody wants to know. */
export function eventsOf(flags: CallFlags): string | undefined {
  const { door, follow, token, call } = flags;
  const keyOf = silentDoors[door];
  if (follow !== undefined || !keyOf) return follow === false ? undefined : follow;
  const key = keyOf(flags);
  const liveCallId = call ?? (door === 'audiosocket' ? key : undefined);
  if (token === undefined || liveCallId === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      `${door} sends nothing back: to read the decision, give --token and --call, or send with --no-follow`,
    );
  return new URL(`/v1/live/${encodeURIComponent(liveCallId)}/events`, apiOf(flags)).href;
}

/** AudioSocket comes in beside the API. */
const apiOf = ({ door, server, api }: CallFlags): string =>
  api ?? (door === 'audiosocket' ? needed(api, '--api') : server);
