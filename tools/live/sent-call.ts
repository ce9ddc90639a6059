// The call that a recording is sent for: prepared before, or here; and where its events are read if the protocol reports none.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../src/errors.js';
import { refusalIn, type AnswerStatus } from '../../src/cli/live/grpc-client.js';
import { questionIn } from '../../src/cli/live/send.js';
import { needed, type ProtocolKeys } from './vendor-target.js';
import { inEnglish } from '../../src/words/server/say.js';

export type ProtocolName = 'twilio' | 'audiohook' | 'audiosocket';

export interface CallFlags extends ProtocolKeys {
  protocol: ProtocolName;
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

/** Protocols that have no word for a decision, and what they cannot do without. */
const silentProtocols: Partial<Record<ProtocolName, (keys: ProtocolKeys) => string>> = {
  twilio: ({ streamToken }) => needed(streamToken, '--stream-token'),
  audiosocket: ({ uuid }) => needed(uuid, '--uuid'),
};

/** The same, with the call prepared where there is a question, which these protocols cannot carry. */
export async function withCall(flags: CallFlags): Promise<CallFlags> {
  const { protocol, question, token, conversation = randomUUID() } = flags;
  if (question === undefined) return flags;
  const external = protocol === 'audiohook' ? { externalCallId: conversation } : {};
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
  const { protocol, follow, token, call } = flags;
  const keyOf = silentProtocols[protocol];
  if (follow !== undefined || !keyOf) return follow === false ? undefined : follow;
  const key = keyOf(flags);
  const liveCallId = call ?? (protocol === 'audiosocket' ? key : undefined);
  if (token === undefined || liveCallId === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(
        `${protocol} sends nothing back: to read the decision, give --token and --call, or send with --no-follow`,
      ),
    );
  return new URL(`/v1/live/${encodeURIComponent(liveCallId)}/events`, apiOf(flags)).href;
}

/** AudioSocket comes in beside the API. */
const apiOf = ({ protocol, server, api }: CallFlags): string =>
  api ?? (protocol === 'audiosocket' ? needed(api, '--api') : server);
