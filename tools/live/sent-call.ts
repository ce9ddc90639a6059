// The call that a recording is sent for: prepared before, or here; and where its events are read if the protocol reports none.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/errors.js';
import { refusalIn, type AnswerStatus } from '../../src/cli/live/grpc-client.js';
import { questionIn } from '../../src/cli/live/send.js';
import { needed, type DoorKeys } from './vendor-target.js';

export type DoorName = 'twilio' | 'audiohook' | 'audiosocket';

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

/** The same, with the call prepared where there is a question, which these protocols cannot carry. */
export async function withCall(flags: CallFlags): Promise<CallFlags> {
  const { door, question, token, conversation = randomUUID() } = flags;
  if (question === undefined) return flags;
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
