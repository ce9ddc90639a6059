// Requests about a call that runs on another node. They go through the database, sealed: the other node looks for them several
// times a second, handles each once on behalf of the caller, and stores the answer there. This usually takes a quarter of a
// second.
import { setTimeout as pause } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { LiveRequest, RunningCall } from '../biometrics/ports/live-calls.js';
import type { BiometricsStore } from '../biometrics/ports/store.js';
import { AppError, type AppErrorDetail, type ErrorCode } from '../errors.js';
import type { Call, Caller, Clock, Ids, Log } from '../platform.js';
import { type Said, inEnglish } from '../words/server/say.js';

const LOOK_MS = 150;
const ANSWER_LOOK_MS = 50;
/** A node that has not answered by then is down, or very busy. */
const ANSWER_MS_MAX = 10_000;

export type NodeRequest =
  | { do: 'end' }
  | { do: 'enroll'; consent: boolean }
  | { do: 'forget' }
  | { do: 'prompt' }
  | { do: 'endPrompt' }
  | { do: 'word'; word: AgentWord; consent: boolean }
  /** Returns the current state. */
  | { do: 'look' }
  /** Checks whether its connection is still there. */
  | { do: 'readLine' }
  /** Hands over the call, so that the node that asks can continue with it. */
  | { do: 'handOver' };

export type ServeRequest = (liveCallId: string, asked: NodeRequest, call: Call) => Promise<unknown>;

interface Asked {
  request: NodeRequest;
  caller: Caller;
  requestId: string;
}

type Answer =
  | { ok: true; value: unknown }
  // With the error of the other node; 0.2.0 knows only its message.
  | { ok: false; code: ErrorCode; message: string; said?: Said; detail: AppErrorDetail };

/** A request that was taken up here. */
interface Served {
  expiresAtMs: number;
  answer: Promise<Answer>;
  isReported: boolean;
}

interface NodeRequestsDeps {
  store: BiometricsStore;
  clock: Clock;
  ids: Ids;
  log: Log;
}

export class NodeRequests {
  readonly #deps: NodeRequestsDeps;
  readonly #nodeId: string;
  readonly #serve: ServeRequest;
  readonly #timer: NodeJS.Timeout;
  /**
   * Kept as long as a look can find them: a look that began before the answer was stored still sees them
   * afterwards.
   */
  readonly #served = new Map<string, Served>();
  /** Those that are being answered. */
  readonly #telling = new Map<string, Promise<void>>();
  #isLooking = false;

  /** `isNeeded`: whether there is anything here that others might ask about. */
  constructor(deps: NodeRequestsDeps, nodeId: string, serve: ServeRequest, isNeeded: () => boolean) {
    this.#deps = deps;
    this.#nodeId = nodeId;
    this.#serve = serve;
    this.#timer = setInterval(() => {
      if (isNeeded()) void this.#look();
    }, LOOK_MS).unref();
  }

  async ask<T>({ caller, signal, requestId }: Call, of: RunningCall, request: NodeRequest): Promise<T> {
    const { store, clock, ids } = this.#deps;
    const { liveCallId, gkScopeId, nodeId } = of;
    const id = ids.uuid();
    const untilMs = clock.now() + ANSWER_MS_MAX;
    const asked = serialize({ request, caller, requestId } satisfies Asked);
    const sent = { requestId: id, liveCallId, gkScopeId, nodeId, expiresAtMs: untilMs, asked };
    await store.transaction(({ liveRequests }) => liveRequests.put(sent));
    try {
      while (!signal.aborted && clock.now() < untilMs) {
        const answer = await store.read.liveRequests.findAnswer(id);
        if (answer) return valueOf<T>(deserialize(answer) as Answer);
        await pause(ANSWER_LOOK_MS);
      }
    } finally {
      await store.transaction(({ liveRequests }) => liveRequests.delete(id));
    }
    throw new AppError('BUSY', 'the node that listens to the call does not answer', { retryAfterMs: 5000 });
  }

  /** Resolves when all work for other nodes is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#telling.values());
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { store, clock } = this.#deps;
      const nowMs = clock.now();
      for (const [id, { expiresAtMs }] of this.#served) if (expiresAtMs <= nowMs) this.#served.delete(id);
      for (const request of await store.read.liveRequests.waitingFor(this.#nodeId, nowMs))
        this.#answer(request);
    } catch {
      // While the database is unavailable, nothing can be asked.
    } finally {
      this.#isLooking = false;
    }
  }

  #answer(request: LiveRequest): void {
    const { requestId, expiresAtMs } = request;
    const served = this.#served.get(requestId) ?? {
      expiresAtMs,
      answer: this.#do(request),
      isReported: false,
    };
    this.#served.set(requestId, served);
    if (served.isReported || this.#telling.has(requestId)) return;
    const telling = this.#tell(request, served).finally(() => this.#telling.delete(requestId));
    this.#telling.set(requestId, telling);
  }

  /** If the answer cannot be stored, the next look tries again. */
  async #tell(request: LiveRequest, served: Served): Promise<void> {
    const { store, log } = this.#deps;
    try {
      const answer = serialize(await served.answer);
      await store.transaction(({ liveRequests }) => liveRequests.answer(request, answer));
      served.isReported = true;
    } catch (cause) {
      log.warn({ liveCallId: request.liveCallId, cause: String(cause) }, 'another node was not answered');
    }
  }

  async #do({ liveCallId, asked }: LiveRequest): Promise<Answer> {
    const { log } = this.#deps;
    try {
      const { request, caller, requestId } = deserialize(asked) as Asked;
      const call: Call = { requestId, caller, signal: new AbortController().signal, log };
      return { ok: true, value: await this.#serve(liveCallId, request, call) };
    } catch (thrown) {
      return failureOf(thrown, log);
    }
  }
}

function failureOf(thrown: unknown, log: Log): Answer {
  if (thrown instanceof AppError && thrown.code !== 'INTERNAL_ERROR') {
    const { code, said, fields, diagnostics, retryAfterMs } = thrown;
    const detail = { fields, diagnostics, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    return { ok: false, code, message: said.message, said, detail };
  }
  log.error({ cause: String(thrown) }, 'a request from another node failed');
  return { ok: false, code: 'INTERNAL_ERROR', message: 'internal error', detail: {} };
}

function valueOf<T>(answer: Answer): T {
  if (answer.ok) return answer.value as T;
  const { code, said, message, detail } = answer;
  throw new AppError(code, said ?? inEnglish(message), detail);
}
