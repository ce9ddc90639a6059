// Telephone systems that describe the call in one text and then send nothing but audio: Vonage, jambonz,
// FreeSWITCH (mod_audio_fork, mod_audio_stream) and Asterisk's chan_websocket. Each is recognized by its
// first text.
import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidFields, missingField, isObject } from '../../errors.js';
import type { LiveCall } from '../live-call.js';
import type { LiveCalls } from '../live-calls.js';
import type { LiveFormat } from '../model.js';
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

const START_MS_MAX = 10_000;
const RATE_HZ_MIN = 8000;
const RATE_HZ_MAX = 48_000;

/** The contents of a first text. */
interface Opening {
  dialect: 'vonage' | 'jambonz' | 'freeswitch' | 'asterisk';
  audio: LiveFormat;
  /** Empty: it has to be in the address. */
  token: string;
}

export function firstFrameProtocol(calls: LiveCalls): LiveProtocol {
  return {
    path: '/v1/live/stream',
    subprotocols: ['audio.jambonz.org', 'audio.drachtio.org', 'media'],
    enter: async (visitor, connection) => new FirstFrameSession(calls, visitor, connection),
  };
}

class FirstFrameSession implements ProtocolSession {
  readonly #calls: LiveCalls;
  readonly #visitor: ConnectionRequest;
  readonly #connection: ProtocolConnection;
  readonly #timer: NodeJS.Timeout;
  #live: LiveCall | undefined;
  #said = '';

  constructor(calls: LiveCalls, visitor: ConnectionRequest, connection: ProtocolConnection) {
    this.#calls = calls;
    this.#visitor = visitor;
    this.#connection = connection;
    this.#timer = setTimeout(
      () => connection.close(POLICY, 'no first message arrived'),
      START_MS_MAX,
    ).unref();
  }

  get isKnown(): boolean {
    return this.#live !== undefined;
  }

  /**
   * Later texts are keys, marks and buffer reports: only a hang-up matters, and that the audio format does
   * not change.
   */
  async text(data: string): Promise<void> {
    const live = this.#live;
    if (!live) return this.#start(data);
    if (isHangup(data)) await live.finish('stopped');
    else if (!live.isOver && changesFormat(this.#said, data, this.#address))
      throw new AppError('INVALID_REQUEST', inEnglish('the format cannot change during a call'));
  }

  async binary(data: Uint8Array): Promise<void> {
    if (!this.#live) throw new AppError('INVALID_REQUEST', inEnglish('audio before the first text'));
    if (!this.#live.isOver) await this.#live.audio(data);
  }

  hear(data: Uint8Array): boolean {
    return this.#live !== undefined && this.#live.hear(data);
  }

  get idleMs(): number {
    return this.#live?.idleMs ?? 0;
  }

  gone(mistaken: boolean): void {
    clearTimeout(this.#timer);
    // Hanging up is how these systems say that the call is over.
    void this.#live?.finish(mistaken ? 'lost' : 'stopped');
  }

  get #address(): URLSearchParams {
    return new URL(this.#visitor.url, 'wss://localhost').searchParams;
  }

  async #start(data: string): Promise<void> {
    clearTimeout(this.#timer);
    const address = this.#address;
    const opening = readOpening(data, address);
    const token = opening.token || (address.get('token') ?? '');
    if (!token) throw invalidFields([missingField('token')]);
    const prepared = await this.#calls.prepared.redeem(token);
    const live = await this.#calls.begin(prepared, opening.dialect, opening.audio);
    this.#live = live;
    this.#said = data;
    live.subscribe((event) => {
      if (event.endReason) this.#connection.close(NORMAL, endReasonText(event));
    });
  }
}

/** `address` may contain what mod_audio_stream and mod_audio_fork leave out. */
export function readOpening(data: string, address: URLSearchParams): Opening {
  if (data.startsWith('MEDIA_START')) return asteriskOpening(/\bformat:(\S+)/.exec(data)?.[1]);
  return openingOf(spelled(objectOf(data)), address);
}

/** All dialects have two names for the rate. */
function spelled({ sample_rate: rate, ...message }: Json): Json {
  return rate === undefined ? message : { sampleRate: rate, ...message };
}

function openingOf(message: Json, address: URLSearchParams): Opening {
  // Asterisk may be configured to send JSON.
  if (message['event'] === 'MEDIA_START') return asteriskOpening(textOf(message['format']));
  if (message['event'] === 'websocket:connected') return vonageOpening(message);
  const inner = message['metadata'];
  const token = textOf(message['token']) || (isObject(inner) ? textOf(inner['token']) : '');
  if (typeof message['callSid'] === 'string') {
    const channels = message['mixType'] === 'stereo' ? 2 : 1;
    return { dialect: 'jambonz', audio: linear(message['sampleRate'] ?? 8000, channels), token };
  }
  const rate = address.get('rate') ?? message['sampleRate'] ?? 8000;
  const channels = address.get('channels') === '2' || message['mixType'] === 'stereo' ? 2 : 1;
  return { dialect: 'freeswitch', audio: linear(rate, channels), token };
}

/** Whether a later text says that the audio format changes. Refuses what no first text may say either. */
function changesFormat(first: string, later: string, address: URLSearchParams): boolean {
  const again = openingAgain(first, later, address);
  return again !== undefined && !isDeepStrictEqual(again.audio, readOpening(first, address).audio);
}

function openingAgain(first: string, later: string, address: URLSearchParams): Opening | undefined {
  if (later.startsWith('MEDIA_START')) return readOpening(later, address);
  const message = jsonOf(later);
  if (!isObject(message)) return undefined;
  if (message['event'] === 'MEDIA_START' || message['event'] === 'websocket:connected')
    return openingOf(message, address);
  // jambonz and FreeSWITCH have no special opening message: anything not repeated stays as it was.
  const begun = jsonOf(first);
  const changes = Object.entries(spelled(message)).filter(([name]) => formatFields.has(name));
  return isObject(begun) && changes.length > 0
    ? openingOf({ ...spelled(begun), ...Object.fromEntries(changes) }, address)
    : undefined;
}

const formatFields: ReadonlySet<string> = new Set(['sampleRate', 'mixType']);

function vonageOpening(message: Json): Opening {
  const type = textOf(message['content-type']);
  const [, rate] = /^audio\/l16;\s*rate=(\d+)$/i.exec(type) ?? [];
  if (!rate)
    throw invalidFields([
      { field: 'content-type', violation: 'OUT_OF_RANGE', ...inEnglish('must be audio/l16;rate=RATE') },
    ]);
  return { dialect: 'vonage', audio: linear(rate, 1), token: textOf(message['token']) };
}

const asteriskFormats: Readonly<Record<string, LiveFormat['format']>> = {
  ulaw: { encoding: 'mulaw', sampleRateHz: 8000, channels: 1 },
  alaw: { encoding: 'alaw', sampleRateHz: 8000, channels: 1 },
  slin: { encoding: 's16le', sampleRateHz: 8000, channels: 1 },
  slin12: { encoding: 's16le', sampleRateHz: 12_000, channels: 1 },
  slin16: { encoding: 's16le', sampleRateHz: 16_000, channels: 1 },
  slin24: { encoding: 's16le', sampleRateHz: 24_000, channels: 1 },
  slin32: { encoding: 's16le', sampleRateHz: 32_000, channels: 1 },
  slin44: { encoding: 's16le', sampleRateHz: 44_100, channels: 1 },
  slin48: { encoding: 's16le', sampleRateHz: 48_000, channels: 1 },
};

function asteriskOpening(name = ''): Opening {
  const format = asteriskFormats[name];
  if (!format)
    throw invalidFields([
      {
        field: 'format',
        violation: 'OUT_OF_RANGE',
        ...inEnglish(`must be ${Object.keys(asteriskFormats).join(', ')}`),
      },
    ]);
  return { dialect: 'asterisk', audio: { format, customerChannel: 1 }, token: '' };
}

function linear(rate: unknown, channels: number): LiveFormat {
  const sampleRateHz = Number(rate);
  if (!Number.isInteger(sampleRateHz) || sampleRateHz < RATE_HZ_MIN || sampleRateHz > RATE_HZ_MAX)
    throw invalidFields([
      {
        field: 'sampleRate',
        violation: 'OUT_OF_RANGE',
        ...inEnglish(`must be ${RATE_HZ_MIN} to ${RATE_HZ_MAX}`),
        value: String(sampleRateHz),
      },
    ]);
  // The caller is on the left channel in all of them.
  return { format: { encoding: 's16le', sampleRateHz, channels }, customerChannel: 1 };
}

function isHangup(data: string): boolean {
  if (data.startsWith('HANGUP')) return true;
  const message = jsonOf(data);
  return (
    isObject(message) && (message['event'] === 'websocket:disconnected' || message['type'] === 'disconnect')
  );
}

/** Undefined if it is not JSON. */
function jsonOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

type Json = Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function objectOf(data: string): Json {
  const value = jsonOf(data);
  if (value === undefined)
    throw new AppError('BAD_REQUEST', 'the first text is neither JSON nor MEDIA_START');
  if (!isObject(value)) throw new AppError('BAD_REQUEST', 'the first text message must be a JSON object');
  return value;
}
