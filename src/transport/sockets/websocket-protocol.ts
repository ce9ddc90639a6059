// Our own WebSocket: the messages of LiveAudio.Listen as JSON texts, audio as binary messages.
import { create, toJson } from '@bufbuild/protobuf';
import { AppError } from '../../errors.js';
import {
  ListenRequestSchema,
  ListenResponseSchema,
  type ListenRequest,
} from '../../gen/voxgate/live/v1/live_pb.js';
import {
  NORMAL,
  POLICY,
  SERVICE_RESTART,
  type LiveProtocol,
  type ProtocolConnection,
  type ProtocolSession,
} from '../../live/protocols/live-protocol.js';
import type { OnDisplaced } from '../../live/call-parts.js';
import type { LiveCall } from '../../live/live-call.js';
import type { LiveCalls } from '../../live/live-calls.js';
import type { Call, Caller, Ids, Log } from '../../platform.js';
import { Refusal, unreadable } from '../refusal.js';
import { readObject } from '../rest/json-read.js';
import { listenAnswers, startListening } from '../services/live/live-audio.js';
import { inEnglish } from '../../words/server/say.js';

/** Somebody who connects and says nothing is not waited for. */
const START_MS_MAX = 10_000;

export function websocketProtocol(calls: LiveCalls, deps: { ids: Ids; log: Log }): LiveProtocol {
  return {
    path: '/v1/live',
    enter: async ({ caller }, connection) =>
      new WebsocketSession(calls, caller && callOf(caller, deps), connection),
  };
}

const callOf = (caller: Caller, { ids, log }: { ids: Ids; log: Log }): Call => ({
  requestId: ids.uuid(),
  caller,
  signal: new AbortController().signal,
  log,
});

class WebsocketSession implements ProtocolSession {
  readonly #calls: LiveCalls;
  readonly #call: Call | undefined;
  readonly #connection: ProtocolConnection;
  readonly #timer: NodeJS.Timeout;
  #live: LiveCall | undefined;
  #leave: (() => void) | undefined;
  #isDisplaced = false;
  readonly #displaced: OnDisplaced = (why) => {
    this.#isDisplaced = true;
    this.#leave?.();
    if (why === 'draining') this.#connection.close(SERVICE_RESTART, 'draining: resume with the token');
    else this.#connection.close(NORMAL, 'resumed by another connection');
  };

  constructor(calls: LiveCalls, call: Call | undefined, connection: ProtocolConnection) {
    this.#calls = calls;
    this.#call = call;
    this.#connection = connection;
    this.#timer = setTimeout(
      () => connection.close(POLICY, 'no start message arrived'),
      START_MS_MAX,
    ).unref();
  }

  get isKnown(): boolean {
    return this.#call !== undefined || this.#live !== undefined;
  }

  async text(data: string): Promise<void> {
    if (this.#isDisplaced) return;
    const { message } = readRequest(data);
    if (message.case === 'start') {
      if (this.#live) throw new AppError('INVALID_REQUEST', inEnglish('the call has already started'));
      clearTimeout(this.#timer);
      const live = await startListening(this.#calls, this.#call, 'websocket', message.value);
      this.#live = live;
      live.attach(this.#displaced);
      live.readLine = () => this.#connection.read();
      this.#leave = listenAnswers(live, message.value, (answer) => {
        this.#connection.sendText(
          JSON.stringify(toJson(ListenResponseSchema, create(ListenResponseSchema, answer))),
        );
        if (answer.event?.final) this.#connection.close(NORMAL, answer.event.endReason ?? '');
      });
    } else if (message.case === 'audio') await this.#started().audio(message.value);
    else if (message.case === 'stop') await this.#started().finish('stopped');
    else throw new AppError('BAD_REQUEST', 'a ListenRequest must have start, audio or stop');
  }

  async binary(data: Uint8Array): Promise<void> {
    if (!this.#isDisplaced) await this.#started().audio(data);
  }

  hear(data: Uint8Array): boolean {
    return !this.#isDisplaced && this.#live !== undefined && this.#live.hear(data);
  }

  get idleMs(): number {
    return this.#live?.idleMs ?? 0;
  }

  ended(): void {
    this.#live?.lineEnded(this.#displaced);
  }

  gone(mistaken: boolean): void {
    clearTimeout(this.#timer);
    this.#leave?.();
    if (this.#isDisplaced) return;
    if (mistaken) void this.#live?.finish('lost');
    else this.#live?.lose(this.#displaced);
  }

  #started(): LiveCall {
    if (!this.#live) throw new AppError('INVALID_REQUEST', inEnglish('the first message must be start'));
    return this.#live;
  }
}

/** As the body of a call over REST is read, except that nothing unknown is ignored. */
function readRequest(data: string): ListenRequest {
  const ignored: string[] = [];
  try {
    const request = readObject(ListenRequestSchema, JSON.parse(data), '', { ignored });
    const [unknown] = ignored;
    if (unknown === undefined) return request as ListenRequest;
    throw unreadable('no such field', unknown);
  } catch (thrown) {
    const why = thrown instanceof Refusal ? thrown.message : 'not JSON';
    throw new AppError('BAD_REQUEST', `not a ListenRequest: ${why}`, { cause: thrown });
  }
}
