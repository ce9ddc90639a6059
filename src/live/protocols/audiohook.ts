// Genesys AudioHook, version 2: JSON messages that both sides number, and mu-law audio in binary messages. The call was
// prepared under the conversation's ID, because AudioHook can carry no token of ours.
import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isGoingDown } from '../../errors.js';
import type { Clock } from '../../platform.js';
import type { AskToReconnect, OnDisplaced } from '../call-parts.js';
import type { LiveCall } from '../live-call.js';
import type { LiveCalls } from '../live-calls.js';
import { isOpenPrompt, type LiveEvent, type LiveFormat, type LiveState } from '../model.js';
import { checkSignature, type GoodSignature } from './audiohook-signature.js';
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

const OPEN_MS_MAX = 5000;
/** A client that was sent `disconnect` must send `close` within this time; after that, we no longer wait for it. */
const DISCONNECTED_MS_MAX = 5000;
/** The same after `reconnect`: time to make another connection, and then to close this one. */
const RECONNECT_MS_MAX = 5000;
const NO_OPEN = 'no open message arrived';
/** Refusals take a while, so that keys cannot be tried quickly. */
const REFUSAL_MS = 500;
const TEXT_CHARS_MAX = 65_535;
const NO_ONE = '00000000-0000-0000-0000-000000000000';
const RATE_HZ = 8000;
/** The most that a client may leave out at once. */
const LEFT_OUT_SECONDS_MAX = 24 * 3600;
/** Why a client ends its session. */
const closeReasons: readonly string[] = ['end', 'error', 'disconnect', 'reconnect'];
/** States in which no more audio is needed to know who speaks. */
const decided: ReadonlySet<LiveState> = new Set(['AUTHENTIC', 'FRAUD']);

interface AudiohookSettings {
  /** If one of the three is empty, nobody is admitted. */
  apiKey: string;
  /** Base64. */
  secret: string;
  /** The tenant whose calls arrive here. */
  gkScopeId: string;
  publicUrl: string;
}

/** Remembers a mark until it expires, across all nodes; false if it was seen before. */
type Once = (mark: string, untilMs: number) => Promise<boolean>;

export function audiohookProtocol(
  calls: LiveCalls,
  settings: AudiohookSettings,
  { clock, once }: { clock: Clock; once: Once },
): LiveProtocol {
  return {
    path: '/v1/live/audiohook',
    enter: async (visitor, connection) => {
      // Without a secret, clients could not be told apart.
      if (!settings.apiKey || !settings.secret || !settings.gkScopeId)
        throw new AppError('NOT_FOUND', 'no AudioHook integration is set up here');
      const proof = proofOf(visitor, settings, clock.now());
      const fault = typeof proof === 'string' ? proof : await replayFault(proof, once);
      if (fault) {
        await pause(REFUSAL_MS);
        throw new AppError('UNAUTHENTICATED', fault);
      }
      const sessionId = String(visitor.headers['audiohook-session-id'] ?? '');
      return new AudiohookSession(calls, { sessionId, gkScopeId: settings.gkScopeId }, connection);
    },
  };
}

function proofOf(
  { headers, url }: ConnectionRequest,
  { apiKey, secret, publicUrl }: AudiohookSettings,
  nowMs: number,
): string | GoodSignature {
  if (headers['x-api-key'] !== apiKey) return 'the API key is unknown';
  const authority = publicUrl === '' ? String(headers['host'] ?? '') : new URL(publicUrl).host;
  return checkSignature({ headers, target: url, authority }, { apiKey, secret }, nowMs);
}

/** Somebody who has seen a request must not get into its call by sending it again. */
async function replayFault(
  { mark, rememberedUntilMs }: GoodSignature,
  once: Once,
): Promise<string | undefined> {
  return (await once(`audiohook ${mark}`, rememberedUntilMs)) ? undefined : 'the signature was used before';
}

interface ClientMessage {
  type: string;
  seq: number;
  parameters: Record<string, unknown>;
}

interface Media {
  type: string;
  format: string;
  channels: string[];
  rate: number;
}

class AudiohookSession implements ProtocolSession {
  /** Authenticated by the signature of the request. */
  readonly isKnown = true;
  readonly #calls: LiveCalls;
  readonly #of: { sessionId: string; gkScopeId: string };
  readonly #connection: ProtocolConnection;
  readonly #timer: NodeJS.Timeout;
  #state: 'new' | 'open' | 'paused' | 'closed' = 'new';
  #live: LiveCall | undefined;
  #leave: (() => void) | undefined;
  #pauseAsked = false;
  /** The caller is asked to answer: whatever was decided, the answer must be heard. */
  #isPrompted = false;
  #reconnectAsked = false;
  /** Called when the client has closed the connection. */
  #released: (() => void) | undefined;
  #leaving: NodeJS.Timeout | undefined;
  #clientSeq = 0;
  #serverSeq = 0;

  readonly #displaced: OnDisplaced = (why) => {
    this.#leave?.();
    // Another node continues the call; this connection ends when the client says so.
    if (why === 'draining') return this.#reconnect();
    if (this.#reconnectAsked) return;
    this.#state = 'closed';
    this.#connection.close(NORMAL, 'resumed by another connection');
  };

  readonly #askToReconnect: AskToReconnect = () => {
    this.#reconnect();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, RECONNECT_MS_MAX);
      this.#released = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  };

  constructor(
    calls: LiveCalls,
    of: { sessionId: string; gkScopeId: string },
    connection: ProtocolConnection,
  ) {
    this.#calls = calls;
    this.#of = of;
    this.#connection = connection;
    this.#timer = setTimeout(() => {
      this.refuse(NO_OPEN);
      connection.close(POLICY, NO_OPEN);
    }, OPEN_MS_MAX).unref();
  }

  async text(data: string): Promise<void> {
    const message = this.#read(data);
    switch (message.type) {
      case 'open':
        return this.#open(message);
      case 'ping':
        // While it is paused, nothing else shows that the call goes on.
        this.#live?.touch();
        return this.#send('pong', {});
      case 'update':
        return this.#send('updated', {});
      case 'paused':
        if (this.#state === 'open') this.#state = 'paused';
        return undefined;
      case 'resumed':
        return this.#resume(message);
      case 'discarded':
        return void this.#live?.skip(skippedMs(message));
      case 'close':
        return this.#close(closeReason(message));
      case 'error':
        // An error at the client. If it cannot go on, it sends `close` next, and waits for `closed`.
        return undefined;
      default:
        throw new AppError(
          'INVALID_REQUEST',
          inEnglish(`${message.type.slice(0, 40)} is not a client message`),
        );
    }
  }

  /** For a client that was not paused it means nothing: nothing was left out. */
  #resume(message: ClientMessage): void {
    const ms = skippedMs(message);
    if (this.#state !== 'paused') return;
    this.#state = 'open';
    this.#live?.skip(ms);
  }

  async binary(data: Uint8Array): Promise<void> {
    if (this.#state === 'new') throw new AppError('INVALID_REQUEST', inEnglish('audio before open'));
    // Audio may still be on its way after the call ended or was paused; a probe has no call to hear it.
    if (this.#state === 'open' && this.#live && !this.#live.isOver) await this.#live.audio(data);
  }

  hear(data: Uint8Array): boolean {
    return this.#state === 'open' && this.#live !== undefined && this.#live.hear(data);
  }

  get idleMs(): number {
    return this.#live?.idleMs ?? 0;
  }

  ended(): void {
    this.#live?.lineEnded(this.#displaced);
  }

  gone(mistaken: boolean): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#leaving);
    this.#leave?.();
    this.#released?.();
    if (mistaken) void this.#live?.finish('lost');
    else this.#live?.lose(this.#displaced);
  }

  refuse(info: string): void {
    if (this.#state === 'closed') return;
    this.#send('disconnect', { reason: 'error', info });
    this.#state = 'closed';
  }

  async #open({ parameters }: ClientMessage): Promise<void> {
    if (this.#state !== 'new')
      throw new AppError('INVALID_REQUEST', inEnglish('the session is already open'));
    clearTimeout(this.#timer);
    const conversationId = String(parameters['conversationId'] ?? '');
    const chosen = chooseMedia(parameters['media']);
    const isProbe = conversationId === NO_ONE;
    // A probe need not offer any media: nobody speaks in it.
    if (isProbe && !chosen && isEmpty(parameters['media'])) {
      this.#state = 'open';
      return this.#opened();
    }
    if (!chosen) return this.refuse('no offered media has the customer as PCMU at 8 kHz');
    this.#state = 'open';
    if (isProbe) return this.#opened(chosen);
    try {
      this.#live = await this.#callOf(conversationId, chosen);
    } catch (thrown) {
      if (isGoingDown(thrown)) return this.#reconnect();
      return this.refuse(thrown instanceof AppError ? thrown.message : 'internal error');
    }
    this.#opened(chosen);
    this.#live.attach(this.#displaced, this.#askToReconnect);
    this.#live.readLine = () => this.#connection.read();
    this.#leave = this.#live.subscribe((event) => this.#tell(event));
  }

  /** A new call, or the one whose connection broke: the conversation is the same. */
  async #callOf(conversationId: string, chosen: Media): Promise<LiveCall> {
    const { gkScopeId } = this.#of;
    const prepared = await this.#calls.prepared.redeemExternal(gkScopeId, conversationId);
    if (prepared) return this.#calls.begin(prepared, 'audiohook', formatOf(chosen));
    const running = conversationId && (await this.#calls.resumeExternal(gkScopeId, conversationId));
    if (!running) throw new AppError('NOT_FOUND', 'no call is prepared for this conversation, or it is over');
    if (running.bytesPerSecond !== RATE_HZ * chosen.channels.length)
      throw new AppError(
        'INVALID_REQUEST',
        inEnglish('the conversation was resumed with different channels'),
      );
    return running;
  }

  #opened(chosen?: Media): void {
    this.#send('opened', { startPaused: false, media: chosen ? [chosen] : [] });
  }

  #tell(event: LiveEvent): void {
    if (this.#state === 'closed') return;
    const { atMs, ...told } = event;
    const data = { ...told, at: new Date(atMs).toISOString(), final: event.endReason !== undefined };
    this.#send('event', { entities: [{ type: 'voxgate.live', data }] });
    if (event.prompt) this.#isPrompted = isOpenPrompt(event.prompt);
    // Earlier events, for a connection that comes back, ask for nothing any more.
    if (event === this.#live?.info.events.at(-1)) this.#pauseOrResume(event);
    // Another node may continue the call.
    if (event.endReason === 'draining') this.#reconnect();
    // Ended by our side: the client sends `close`, and receives `closed`.
    else if (event.endReason && event.endReason !== 'stopped')
      this.#send('disconnect', {
        reason: event.endReason === 'failed' ? 'error' : 'completed',
        info: endReasonText(event),
      });
  }

  #pauseOrResume({ state, endReason }: LiveEvent): void {
    if (endReason || !this.#live?.pausesWhenDecided) return;
    const isEnough = decided.has(state) && !this.#isPrompted;
    if (isEnough && !this.#pauseAsked) this.#send('pause', {});
    if (this.#isPrompted && this.#pauseAsked) this.#send('resume', {});
    this.#pauseAsked = isEnough || (this.#pauseAsked && !this.#isPrompted);
  }

  /** A client that is about to reconnect continues the same call. */
  async #close(reason: string): Promise<void> {
    if (reason === 'reconnect') this.#live?.lose(this.#displaced);
    else await this.#live?.finish('stopped');
    this.#send('closed', {});
    this.#state = 'closed';
    this.#connection.close(NORMAL, 'closed');
  }

  /** Sent once: the client's reaction takes a while. */
  #reconnect(): void {
    if (this.#reconnectAsked) return;
    this.#reconnectAsked = true;
    this.#send('reconnect', { info: 'the server is shutting down' });
  }

  #send(type: string, parameters: object): void {
    if (type === 'disconnect')
      this.#leaving ??= setTimeout(
        () => this.#connection.close(NORMAL, 'disconnected'),
        DISCONNECTED_MS_MAX,
      ).unref();
    const head = { version: '2', id: this.#of.sessionId, type, seq: ++this.#serverSeq };
    this.#connection.sendText(JSON.stringify({ ...head, clientseq: this.#clientSeq, parameters }));
  }

  #read(data: string): ClientMessage {
    if (data.length > TEXT_CHARS_MAX) throw new AppError('BAD_REQUEST', 'the message is too long');
    let message: Partial<ClientMessage> & { version?: unknown; id?: unknown; serverseq?: unknown };
    try {
      message = JSON.parse(data) as typeof message;
    } catch (cause) {
      throw new AppError('BAD_REQUEST', 'not a JSON message', { cause });
    }
    const { version, id, type, seq, serverseq = 0, parameters } = message ?? {};
    if (version !== '2' || typeof type !== 'string')
      throw new AppError('BAD_REQUEST', 'not an AudioHook version 2 message');
    if (id !== this.#of.sessionId)
      throw new AppError('BAD_REQUEST', 'the message belongs to another session');
    if (seq !== this.#clientSeq + 1) throw new AppError('BAD_REQUEST', `seq must be ${this.#clientSeq + 1}`);
    if (typeof serverseq !== 'number' || serverseq > this.#serverSeq)
      throw new AppError('BAD_REQUEST', `serverseq must be at most ${this.#serverSeq}`);
    if (this.#state === 'new' && type !== 'open')
      throw new AppError('INVALID_REQUEST', inEnglish('the first message must be open'));
    this.#clientSeq = seq;
    return { type, seq, parameters: parameters ?? {} };
  }
}

/** Audio that was not sent counts in the client's positions, and therefore in ours. */
function skippedMs({ type, parameters }: ClientMessage): number {
  const seconds = secondsOf(parameters['discarded']);
  if (seconds === undefined)
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`discarded of ${type} must be a duration such as PT1.5S`),
    );
  return 1000 * seconds;
}

function closeReason({ parameters }: ClientMessage): string {
  const { reason } = parameters;
  if (typeof reason === 'string' && closeReasons.includes(reason)) return reason;
  throw new AppError(
    'INVALID_REQUEST',
    inEnglish(`reason of close must be one of ${closeReasons.join(', ')}`),
  );
}

/** Seconds of an AudioHook duration; undefined if it is invalid or too long. */
function secondsOf(duration: unknown): number | undefined {
  const [, digits] = (typeof duration === 'string' && /^PT(\d*\.?\d+)S$/.exec(duration)) || [];
  const seconds = Number(digits ?? NaN);
  return seconds <= LEFT_OUT_SECONDS_MAX ? seconds : undefined;
}

const isEmpty = (media: unknown): boolean => Array.isArray(media) && media.length === 0;

/** The customer alone, if offered, otherwise the customer on one of two channels. */
function chooseMedia(offered: unknown): Media | undefined {
  const fit = (Array.isArray(offered) ? (offered as Media[]) : []).filter(
    (media) =>
      media?.type === 'audio' &&
      media.format === 'PCMU' &&
      media.rate === RATE_HZ &&
      Array.isArray(media.channels) &&
      media.channels.length <= 2 &&
      media.channels.includes('external'),
  );
  return fit.find((media) => media.channels.length === 1) ?? fit[0];
}

function formatOf({ channels }: Media): LiveFormat {
  return {
    format: { encoding: 'mulaw', sampleRateHz: RATE_HZ, channels: channels.length },
    customerChannel: channels.indexOf('external') + 1,
    isCustomerAlone: true,
  };
}
