// Mutated messages for every way in which the audio of a call can arrive. Whatever comes, its protocol has to take it or to refuse it with
// an error that it knows; nothing may be thrown that nobody expected, and no more audio may come out than went in.
import { AppError } from '../../src/errors.js';
import { AudioSocketSession, frameOf, frameTypes } from '../../src/live/protocols/audiosocket.js';
import { audiohookProtocol } from '../../src/live/protocols/audiohook.js';
import { checkSignature } from '../../src/live/protocols/audiohook-signature.js';
import type { LiveProtocol, ProtocolSession } from '../../src/live/protocols/live-protocol.js';
import { firstFrameProtocol } from '../../src/live/protocols/first-frame.js';
import { twilioProtocol } from '../../src/live/protocols/twilio.js';
import type { LiveCalls } from '../../src/live/live-calls.js';
import type { Caller } from '../../src/platform.js';
import { silentLog, systemClock, systemIds } from '../../src/platform.js';
import { websocketProtocol } from '../../src/transport/sockets/websocket-protocol.js';
import { StreamDecoder } from '../../src/voice/audio/stream-decoder.js';
import { DecodeFault } from '../../src/voice/audio/types.js';
import { audiohookHeaders, HOOK_PATH } from '../live/support.js';
import { mutate } from './mutate.js';
import { createRng } from './sounds.js';

type Message = string | Uint8Array;

const audio = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, i) => (37 * i) % 251);
const base64 = (bytes: number): string => Buffer.from(audio(bytes)).toString('base64');
const json = (value: unknown): string => JSON.stringify(value);

/** Counts what a protocol makes of a script, without an engine behind it. */
class Listener {
  heardBytes = 0;
  begun = 0;

  readonly calls = {
    prepared: {
      redeem: (token: string) => this.#known(token),
      redeemExternal: (_scope: string, id: string) => this.#known(id),
      redeemUuid: (uuid: string) => this.#known(uuid),
      awaitAudio: () => () => undefined,
    },
    resume: (token: string) => this.#known(token) && this.#call(),
    resumeExternal: () => undefined,
    begin: async () => this.#call(),
    abandon: () => undefined,
    open: async () => this.#call(),
  } as unknown as LiveCalls;

  #known(id: string): object {
    if (id === '') throw new AppError('UNAUTHENTICATED', 'unknown');
    return {};
  }

  #call(): object {
    this.begun++;
    const live = {
      isOver: false,
      resumeToken: 'r',
      receivedBytes: 0,
      bytesPerSecond: 8000,
      pausesWhenDecided: true,
      touch: () => undefined,
      attach: () => undefined,
      lose: () => undefined,
      subscribe: () => () => undefined,
      audio: async (bytes: Uint8Array) => void (this.heardBytes += bytes.length),
      skip: () => undefined,
      finish: async () => void (live.isOver = true),
    };
    return live;
  }
}

const caller = { clientId: 'c', subject: 'c', scopes: ['biosec'], tenants: 'all' } as unknown as Caller;

const question = {
  context: { gkScopeId: { value: 's' }, configsetId: 'c' },
  target: { syntheticSpeech: true },
};
const hookMessage = (seq: number, type: string, parameters: object): string =>
  json({ version: '2', id: 'session', type, seq, serverseq: 0, position: 'PT0S', parameters });

/** What a well-behaved sender says, by parser. */
const scripts: Readonly<Record<string, readonly Message[]>> = {
  own: [
    json({ start: { question, format: { encoding: 'MULAW', sampleRateHz: 8000 } } }),
    audio(160),
    json({ audio: base64(160) }),
    json({ stop: {} }),
  ],
  twilio: [
    json({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
    json({
      event: 'start',
      start: {
        customParameters: { token: 't' },
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      },
    }),
    json({ event: 'media', media: { track: 'inbound', chunk: '1', timestamp: '20', payload: base64(160) } }),
    json({ event: 'media', media: { track: 'inbound', chunk: '3', timestamp: '60', payload: base64(160) } }),
    json({ event: 'dtmf', dtmf: { track: 'inbound_track', digit: '5' } }),
    json({ event: 'stop', stop: {} }),
  ],
  telnyx: [
    json({
      event: 'start',
      stream_id: 's',
      start: { custom_parameters: { token: 't' }, media_format: { encoding: 'PCMU', sample_rate: '8000' } },
    }),
    json({ event: 'media', sequence_number: '2', media: { chunk: '1', payload: base64(160) } }),
    json({ event: 'stop' }),
  ],
  audiohook: [
    hookMessage(1, 'open', {
      conversationId: 'c',
      media: [{ type: 'audio', format: 'PCMU', channels: ['external', 'internal'], rate: 8000 }],
    }),
    audio(320),
    hookMessage(2, 'ping', {}),
    hookMessage(3, 'discarded', { start: 'PT1S', discarded: 'PT0.1S' }),
    hookMessage(4, 'close', { reason: 'end' }),
  ],
  vonage: [
    json({ event: 'websocket:connected', 'content-type': 'audio/l16;rate=16000', token: 't' }),
    audio(640),
    json({ event: 'websocket:dtmf', digit: '1' }),
  ],
  jambonz: [
    json({ callSid: 'c', sampleRate: 8000, mixType: 'stereo', metadata: { token: 't' } }),
    audio(320),
    json({ type: 'disconnect' }),
  ],
  freeswitch: [json({ token: 't', sample_rate: 8000 }), audio(320)],
  asterisk: [
    'MEDIA_START connection_id:1 channel:x format:ulaw optimal_frame_size:160',
    audio(160),
    'HANGUP',
  ],
};

const settings = { apiKey: 'key', secret: 'c2VjcmV0', gkScopeId: 's', publicUrl: '' };

function protocolOf(name: string, calls: LiveCalls): LiveProtocol {
  if (name === 'own') return websocketProtocol(calls, { ids: systemIds, log: silentLog });
  if (name === 'twilio' || name === 'telnyx') return twilioProtocol(calls, { authToken: '', publicUrl: '' });
  return name === 'audiohook'
    ? audiohookProtocol(calls, settings, { clock: systemClock, once: async () => true })
    : firstFrameProtocol(calls);
}

const lengthOf = (message: Message): number =>
  typeof message === 'string' ? Buffer.byteLength(message) : message.length;

/** Every second message on average is damaged; texts stay texts. */
function damaged(script: readonly Message[], seed: number): Message[] {
  return script.flatMap((message, at) => {
    const turn = (seed * 31 + at * 17) % 8;
    if (turn < 3) return [message];
    if (turn === 3) return [message, message];
    if (turn === 4) return [];
    const other = script[(seed + at) % script.length] as Message;
    if (typeof message === 'string' && turn > 5) return [otherValue(message, seed * 100 + at)];
    const bytes = mutate(Buffer.from(message), Buffer.from(other), seed * 100 + at);
    return [typeof message === 'string' ? Buffer.from(bytes).toString('utf8') : bytes];
  });
}

const oddValues = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53,
  '',
  'x'.repeat(5000),
  '\u0000',
  [],
  {},
  [[]],
  ['a'],
  { token: 1 },
];

/** Still JSON, but with something in it that does not belong there. */
function otherValue(message: string, seed: number): string {
  const rng = createRng(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rng() * list.length)] as T;
  let root: unknown;
  try {
    root = JSON.parse(message);
  } catch {
    return message.slice(0, Math.floor(rng() * message.length));
  }
  if (rng() < 0.05) return JSON.stringify(pick(oddValues));
  let at = root as Record<string, unknown>;
  for (;;) {
    const name = pick(Object.keys(at));
    if (name === undefined) return JSON.stringify(root);
    const value = at[name];
    if (typeof value !== 'object' || value === null || rng() < 0.3) {
      if (rng() < 0.2) delete at[name];
      else at[name] = pick(oddValues);
      return JSON.stringify(root);
    }
    at = value as Record<string, unknown>;
  }
}

export interface FuzzOutcome {
  frames: number;
  /** Messages that were refused, and calls that began, by parser. */
  refused: Record<string, number>;
  begun: Record<string, number>;
}

/** The protocols that speak by messages. */
export async function fuzzProtocol(name: string, frames: number, firstSeed: number): Promise<FuzzOutcome> {
  const outcome: FuzzOutcome = { frames: 0, refused: { [name]: 0 }, begun: { [name]: 0 } };
  for (let seed = firstSeed; outcome.frames < frames; seed++) {
    const listener = new Listener();
    const session = await enter(name, listener.calls);
    const script = damaged(scripts[name] as readonly Message[], seed);
    let sent = 0;
    for (const message of script) {
      outcome.frames++;
      sent += lengthOf(message);
      if (await takes(session, message, `${name} seed ${seed}`)) continue;
      (outcome.refused[name] as number)++;
      break;
    }
    session.gone(false);
    if (listener.heardBytes > sent) throw new Error(`${name} seed ${seed}: more audio than was sent`);
    (outcome.begun[name] as number) += listener.begun;
  }
  return outcome;
}

export const protocolNames = Object.keys(scripts);

async function enter(name: string, calls: LiveCalls): Promise<ProtocolSession> {
  const connection = { sendText: () => undefined, read: async () => undefined, close: () => undefined };
  const url = name === 'audiohook' ? HOOK_PATH : '/?token=t';
  const headers = name === 'audiohook' ? hookHeaders() : {};
  return protocolOf(name, calls).enter({ headers, url, caller }, connection);
}

const hookHeaders = (): Record<string, string> => ({
  host: 'h',
  ...audiohookHeaders('h', 'session', settings),
});

async function takes(session: ProtocolSession, message: Message, where: string): Promise<boolean> {
  try {
    await (typeof message === 'string' ? session.text(message) : session.binary(message));
    return true;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR') return false;
    throw new Error(`${where}: ${String(thrown)}`, { cause: thrown });
  }
}

/** AudioSocket: bytes in pieces that know nothing of frames. */
export async function fuzzAudioSocket(frames: number, firstSeed: number): Promise<number> {
  const whole = Buffer.concat([
    frameOf(frameTypes.uuid, audio(16)),
    ...Array.from({ length: 6 }, () => frameOf(frameTypes.audio8k, audio(320))),
    frameOf(frameTypes.hangup),
  ]);
  let refused = 0;
  for (let seed = firstSeed, seen = 0; seen < frames; seed++, seen += 8) {
    const listener = new Listener();
    const session = new AudioSocketSession(listener.calls, { send: () => undefined, close: () => undefined });
    const bytes = mutate(Buffer.from(whole), whole, seed);
    const size = 1 + ((seed * 13) % 400);
    for (let at = 0; at < bytes.length; at += size) {
      try {
        await session.data(bytes.subarray(at, at + size));
      } catch (thrown) {
        if (!(thrown instanceof AppError) || thrown.code === 'INTERNAL_ERROR')
          throw new Error(`audiosocket seed ${seed}: ${String(thrown)}`, { cause: thrown });
        refused++;
        break;
      }
    }
    session.gone();
    if (listener.heardBytes > bytes.length) throw new Error(`seed ${seed}: more audio than was sent`);
  }
  return refused;
}

/** The last character of base64 has bits to spare, and a header may hold more than one signature. */
function meaningOf(name: string, value: string): string {
  if (name !== 'signature') return value.trim();
  return Buffer.from(/sig1=:([A-Za-z0-9+/=]+):/.exec(value)?.[1] ?? '', 'base64').toString('hex');
}

/** The signature of AudioHook: mutated headers are never good, and never more than refused. */
export function fuzzSignature(frames: number, firstSeed: number): number {
  const good = hookHeaders();
  const names = ['signature', 'signature-input'] as const;
  let faults = 0;
  for (let seed = firstSeed; seed < firstSeed + frames; seed++) {
    const name = names[seed % 2] as (typeof names)[number];
    const value = Buffer.from(mutate(Buffer.from(good[name] ?? ''), Buffer.from('"(),;='), seed)).toString();
    const request = { headers: { ...good, [name]: value }, target: HOOK_PATH, authority: 'h' };
    const answer = checkSignature(request, settings, Date.now());
    if (typeof answer === 'string') faults++;
    else if (meaningOf(name, value) !== meaningOf(name, good[name] ?? ''))
      throw new Error(`seed ${seed}: ${value} was taken for good`);
  }
  return faults;
}

/** What is inside the messages: every encoding of a stream, mutated and in pieces of any size. */
export async function fuzzStreams(frames: number, firstSeed: number): Promise<number> {
  let faults = 0;
  const formats = (['s16le', 'mulaw', 'alaw', 'opus'] as const).flatMap((encoding) => [
    { encoding, sampleRateHz: 8000, channels: 1 },
    { encoding, sampleRateHz: 48_000, channels: 2 },
  ]);
  for (let seed = firstSeed, seen = 0; seen < frames; seed++) {
    const format = formats[seed % formats.length] as (typeof formats)[number];
    const decoder = await StreamDecoder.open(format, seed % 2);
    for (let at = 0; at < 20; at++, seen++) {
      const packet = mutate(Buffer.from(audio(1 + ((seed * 7 + at * 13) % 400))), audio(40), seed * 100 + at);
      try {
        const samples = decoder.push(packet);
        if (!samples.every((value) => value >= -1 && value <= 1)) throw new Error('samples out of range');
      } catch (thrown) {
        if (!(thrown instanceof DecodeFault))
          throw new Error(`${format.encoding} seed ${seed}: ${String(thrown)}`, { cause: thrown });
        faults++;
        break;
      }
    }
    decoder.free();
  }
  return faults;
}
