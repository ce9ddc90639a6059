// Twilio Media Streams and compatible systems (Telnyx, Exotel: the same messages with snake_case names). Only
// JSON texts: `connected`, `start`, `media`, `dtmf`, `mark`, `stop`. The stream token of a prepared call is
// in the custom parameters.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, invalidFields, missingField, isObject } from '../../errors.js';
import type { LiveCall } from '../live-call.js';
import type { LiveCalls } from '../live-calls.js';
import type { LiveFormat } from '../model.js';
import { ChunkOrder } from './chunk-order.js';
import {
  endReasonText,
  NORMAL,
  POLICY,
  type LiveProtocol,
  type ProtocolConnection,
  type ProtocolSession,
  type ConnectionRequest,
} from './live-protocol.js';
import { inEnglish } from '../../words/server/say.js';

/** A client that connects but does not start is dropped after this time. */
const START_MS_MAX = 10_000;
/** A second of 20 ms pieces: later pieces wait this long for an earlier one. */
const WINDOW_CHUNKS = 50;
const RATE_HZ_MIN = 8000;
const RATE_HZ_MAX = 48_000;
const RATE_HZ_DEFAULT = 8000;

interface TwilioSettings {
  /** If given, every connection must carry a signature made with it. */
  authToken: string;
  /** https:// address as the telephone system knows it; empty: the requested host. */
  publicUrl: string;
}

export function twilioProtocol(calls: LiveCalls, settings: TwilioSettings): LiveProtocol {
  return {
    path: '/v1/live/twilio',
    enter: async (visitor, connection) => {
      checkSignature(visitor, settings);
      return new TwilioSession(calls, visitor, connection);
    },
  };
}

/** HMAC-SHA1 of the address, in base64, under the account's token. */
function checkSignature({ headers, url }: ConnectionRequest, { authToken, publicUrl }: TwilioSettings): void {
  if (authToken === '') return;
  const host = publicUrl === '' ? String(headers['host'] ?? '') : new URL(publicUrl).host;
  const name = host.replace(/:\d+$/, '');
  const given = Buffer.from(String(headers['x-twilio-signature'] ?? ''), 'base64');
  // Some of its systems sign the port, others do not; Twilio's own libraries accept both.
  const isSigned = [host, name, `${name}:443`].some((authority) => {
    const wanted = createHmac('sha1', authToken).update(`wss://${authority}${url}`).digest();
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (!isSigned) throw new AppError('UNAUTHENTICATED', 'the signature of the request is missing or wrong');
}

type Json = Record<string, unknown>;

class TwilioSession implements ProtocolSession {
  readonly #calls: LiveCalls;
  readonly #visitor: ConnectionRequest;
  readonly #timer: NodeJS.Timeout;
  readonly #connection: ProtocolConnection;
  readonly #order = new ChunkOrder(WINDOW_CHUNKS);
  #track = 'inbound';
  /** The start message. */
  #started: Json = {};
  #live: LiveCall | undefined;

  constructor(calls: LiveCalls, visitor: ConnectionRequest, connection: ProtocolConnection) {
    this.#calls = calls;
    this.#visitor = visitor;
    this.#connection = connection;
    this.#timer = setTimeout(
      () => connection.close(POLICY, 'no start message arrived'),
      START_MS_MAX,
    ).unref();
  }

  get isKnown(): boolean {
    return this.#live !== undefined;
  }

  async text(data: string): Promise<void> {
    const message = objectOf(data);
    switch (message['event']) {
      case 'start':
        return this.#start(message);
      case 'media':
        return this.#media(message);
      case 'stop':
        return this.#stop();
      default:
        // `connected`, `dtmf`, `mark`, and future additions: none of them is audio.
        return undefined;
    }
  }

  async binary(): Promise<void> {
    throw new AppError('BAD_REQUEST', 'audio comes as base64 in media messages');
  }

  get idleMs(): number {
    return this.#live?.idleMs ?? 0;
  }

  ended(): void {
    this.#live?.lineEnded();
  }

  gone(): void {
    clearTimeout(this.#timer);
    void this.#live?.finish('lost');
  }

  async #start(message: Json): Promise<void> {
    if (this.#live) throw new AppError('INVALID_REQUEST', inEnglish('the stream has already started'));
    clearTimeout(this.#timer);
    const start = memberOf(message, 'start') ?? {};
    const custom = memberOf(start, 'customParameters', 'custom_parameters') ?? {};
    const format = formatOf(memberOf(start, 'mediaFormat', 'media_format') ?? {});
    const token = custom['token'] ?? new URL(this.#visitor.url, 'wss://localhost').searchParams.get('token');
    if (typeof token !== 'string' || token === '')
      throw invalidFields([missingField('start.customParameters.token')]);
    const track = custom['customerTrack'] ?? custom['customer_track'];
    if (typeof track === 'string') this.#track = trackOf(track);
    const prepared = await this.#calls.prepared.redeem(token);
    const live = await this.#calls.begin(prepared, 'twilio', format);
    this.#live = live;
    live.readLine = () => this.#connection.read();
    this.#started = message;
    // There is no message for results: the application that prepared the call follows it by its ID.
    live.subscribe((event) => {
      if (event.endReason) this.#connection.close(NORMAL, endReasonText(event));
    });
  }

  async #media(message: Json): Promise<void> {
    const live = this.#live;
    if (!live) throw new AppError('INVALID_REQUEST', inEnglish('media before start'));
    if (
      streamNames.some(
        (name) =>
          isText(message[name]) && isText(this.#started[name]) && message[name] !== this.#started[name],
      )
    )
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('media is from another stream than the one that was started'),
      );
    const media = memberOf(message, 'media') ?? {};
    if (trackOf(String(media['track'] ?? 'inbound')) !== this.#track) return;
    const number = Number(media['chunk'] ?? message['sequenceNumber'] ?? message['sequence_number']);
    if (!Number.isSafeInteger(number) || number < 0)
      throw invalidFields([
        {
          field: 'media.chunk',
          violation: 'OUT_OF_RANGE',
          ...inEnglish('must be a whole number that counts up'),
        },
      ]);
    for (const piece of this.#order.push(number, audioOf(media['payload']))) await live.audio(piece);
  }

  async #stop(): Promise<void> {
    const live = this.#live;
    if (!live) throw new AppError('INVALID_REQUEST', inEnglish('stop before start'));
    for (const piece of this.#order.flush()) await live.audio(piece);
    await live.finish('stopped');
  }
}

/** The name of the stream in each dialect. */
const streamNames = ['streamSid', 'stream_sid', 'stream_id'] as const;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function objectOf(data: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'not a JSON message', { cause });
  }
  if (!isObject(value) || typeof value['event'] !== 'string')
    throw new AppError('BAD_REQUEST', 'not a message with an event');
  return value;
}

/** The first of these names that holds an object. */
function memberOf(from: Json, ...names: string[]): Json | undefined {
  for (const name of names) {
    const value = from[name];
    if (isObject(value)) return value;
  }
  return undefined;
}

/** `inbound_track` in some messages is `inbound` in others. */
const trackOf = (name: string): string => name.replace(/_track$/, '');

const encodings: Readonly<Record<string, 's16le' | 'mulaw' | 'alaw'>> = {
  'audio/x-mulaw': 'mulaw',
  pcmu: 'mulaw',
  mulaw: 'mulaw',
  'audio/x-alaw': 'alaw',
  pcma: 'alaw',
  alaw: 'alaw',
  'audio/x-l16': 's16le',
  l16: 's16le',
  pcm: 's16le',
  base64: 's16le',
  'raw/slin': 's16le',
};

function formatOf(given: Json): LiveFormat {
  const named = String(given['encoding'] ?? 'audio/x-mulaw').toLowerCase();
  const encoding = encodings[named];
  const sampleRateHz = Number(given['sampleRate'] ?? given['sample_rate'] ?? RATE_HZ_DEFAULT);
  const outOfRange = (field: string, message: string, value: string) =>
    invalidFields([
      { field: `start.mediaFormat.${field}`, violation: 'OUT_OF_RANGE', ...inEnglish(message), value },
    ]);
  if (!encoding) throw outOfRange('encoding', 'must be mu-law, A-law or 16-bit PCM', named.slice(0, 40));
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < RATE_HZ_MIN || sampleRateHz > RATE_HZ_MAX)
    throw outOfRange('sampleRate', `must be ${RATE_HZ_MIN} to ${RATE_HZ_MAX}`, String(sampleRateHz));
  const channels = Number(given['channels'] ?? 1);
  if (channels !== 1)
    throw outOfRange('channels', 'must be 1: each track has its own messages', String(channels));
  return { format: { encoding, sampleRateHz, channels: 1 }, customerChannel: 1, isCustomerAlone: true };
}

function audioOf(payload: unknown): Uint8Array {
  if (typeof payload !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(payload))
    throw invalidFields([{ field: 'media.payload', violation: 'OTHER', ...inEnglish('must be base64') }]);
  return new Uint8Array(Buffer.from(payload, 'base64'));
}
