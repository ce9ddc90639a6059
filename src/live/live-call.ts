// One call that is listened to. Audio of any door comes in pieces of any size; the engine gets them in larger ones, one at a time;
// at every checkpoint the call is judged anew, and each change of state is an event.
import { AppError } from '../errors.js';
import type { Clock, Log } from '../platform.js';
import type { LiveDecision } from '../biometrics/operations/live-decision.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { CheckpointReached, EngineStream, ProcessedAudio, StreamProgress } from '../voice/engine.js';
import type { EndReason, LiveCallInfo, LiveEvent, LiveState } from './model.js';

/** The engine gets at least so much audio at a time: a message for every 20 ms would cost more than the work. */
const BATCH_MS = 250;
/** So much audio may wait; whoever sends faster than we listen has to wait too. */
const BACKLOG_MS = 10_000;

export interface LiveCallParts {
  info: Omit<LiveCallInfo, 'ended' | 'events' | 'netSpeechMs' | 'positionMs'> & {
    door: string;
    startedAtMs: number;
  };
  /** The telephone system's own ID; empty: none. */
  externalCallId: string;
  /** Lets another connection go on with the call. */
  resumeToken: string;
  /** How long it waits for that. */
  resumeMs: number;
  /** Whether a door that can asks for no more audio once it is known who speaks. */
  pausesWhenDecided: boolean;
  /** Whether what was heard is kept for enrollment when the call is over. */
  collects: boolean;
  stream: EngineStream;
  /** Bytes of a second of audio; 0 where pieces have no fixed length. */
  bytesPerSecond: number;
  /** Undefined where there is nothing to decide about yet. */
  decide(point: CheckpointReached, before: Decision | undefined): Promise<LiveDecision | undefined>;
  clock: Clock;
  log: Log;
  /** Told when the call is over, whichever way. */
  ended(): void;
}

type Listener = (event: LiveEvent) => void;

/** Told that another connection has taken the call over. */
type Displaced = () => void;

export class LiveCall {
  readonly #parts: LiveCallParts;
  readonly #listeners = new Set<Listener>();
  readonly #events: LiveEvent[] = [];
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #pushing: Promise<void> | undefined;
  #decision: Decision | undefined;
  #netMs = 0;
  #grossMs = 0;
  #heldBytes = 0;
  #receivedBytes = 0;
  #holder: Displaced | undefined;
  #lost: NodeJS.Timeout | undefined;
  #collected: ProcessedAudio | undefined;
  #over = false;
  /** When audio last came. */
  heardAtMs: number;

  constructor(parts: LiveCallParts) {
    this.#parts = parts;
    this.heardAtMs = parts.info.startedAtMs;
    this.#emit('LISTENING', { reason: 'STARTED', netSpeechMs: 0 }, 0);
  }

  get info(): LiveCallInfo {
    return {
      ...this.#parts.info,
      ended: this.#over,
      events: this.#events,
      netSpeechMs: this.#netMs,
      positionMs: this.#grossMs,
    };
  }

  /** Memory for its audio and what is known of it. */
  get heldBytes(): number {
    return this.#over ? 0 : this.#heldBytes + this.#waitingBytes;
  }

  get isOver(): boolean {
    return this.#over;
  }

  get resumeToken(): string {
    return this.#parts.resumeToken;
  }

  get externalCallId(): string {
    return this.#parts.externalCallId;
  }

  get pausesWhenDecided(): boolean {
    return this.#parts.pausesWhenDecided;
  }

  /** The connection is there, although no audio comes. */
  touch(): void {
    this.heardAtMs = this.#parts.clock.now();
  }

  /** 0 where pieces have no fixed length. */
  get bytesPerSecond(): number {
    return this.#parts.bytesPerSecond;
  }

  /** Of the audio, since the beginning of the call. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** What was heard, where it was collected, the call is over and nobody has forgotten it. */
  get collected(): ProcessedAudio | undefined {
    return this.#collected;
  }

  forgetCollected(): void {
    this.#collected = undefined;
  }

  /** From now on this connection brings the audio; the one before it is told. */
  attach(displaced: Displaced): void {
    clearTimeout(this.#lost);
    this.#holder?.();
    this.#holder = displaced;
  }

  /** The connection broke: the call waits for another one, for a while. */
  lose(holder: Displaced): void {
    if (this.#over || this.#holder !== holder) return;
    this.#holder = undefined;
    this.#lost = setTimeout(() => void this.finish('lost'), this.#parts.resumeMs).unref();
  }

  /** Hears of everything so far, then of everything to come. */
  subscribe(listener: Listener): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Resolves when there is room for more. */
  async audio(chunk: Uint8Array): Promise<void> {
    if (this.#over) throw new AppError('INVALID_REQUEST', 'the call is over');
    this.touch();
    if (chunk.length === 0) return;
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    this.#receivedBytes += chunk.length;
    if (this.#millisecondsOf(this.#waitingBytes) >= BATCH_MS) this.#pump();
    while (!this.#over && this.#millisecondsOf(this.#waitingBytes) > BACKLOG_MS) await this.#pushing;
  }

  /** Hears what is left, judges it, and ends. */
  async finish(endReason: EndReason): Promise<LiveEvent> {
    if (this.#over) return this.#events.at(-1) as LiveEvent;
    try {
      while (this.#waiting.length > 0 || this.#pushing) {
        this.#pump();
        await this.#pushing;
      }
      return await this.#conclude(endReason);
    } catch (cause) {
      return this.fail(cause);
    }
  }

  /** Ends at once, without hearing what is left. */
  fail(cause: unknown): LiveEvent {
    if (this.#over) return this.#events.at(-1) as LiveEvent;
    this.#parts.log.warn(
      { liveCallId: this.#parts.info.liveCallId, cause: String(cause) },
      'a live call failed',
    );
    this.#parts.stream.cancel();
    return this.#end('failed', cause instanceof AppError ? cause.code : 'INTERNAL_ERROR');
  }

  async #conclude(endReason: EndReason): Promise<LiveEvent> {
    if (this.#grossMs === 0) {
      // A call that ends before anybody spoke is no failure.
      this.#parts.stream.cancel();
      return this.#end(endReason);
    }
    const result = await this.#parts.stream.finish();
    this.#grossMs = result.quality?.grossMs ?? this.#grossMs;
    this.#netMs = result.quality?.netMs ?? this.#netMs;
    const { voice, quality, windows, speakerChange, verdict, spoof } = result;
    if (this.#parts.collects) this.#collected = result;
    const isNew = voice && voice.netMs > (this.#events.at(-1)?.netSpeechMs ?? 0);
    if (voice && quality && isNew) {
      const change = speakerChange ? { speakerChange } : {};
      await this.#judge({ checkpointMs: voice.netMs, voice, windows, verdict, quality, spoof, ...change });
    }
    return this.#end(endReason);
  }

  #millisecondsOf(bytes: number): number {
    const { bytesPerSecond } = this.#parts;
    // Of packets without a fixed length, 20 ms each is what telephony sends.
    return bytesPerSecond > 0 ? (1000 * bytes) / bytesPerSecond : 20 * this.#waiting.length;
  }

  #pump(): void {
    if (this.#pushing || this.#over) return;
    const chunks = this.#waiting;
    if (chunks.length === 0) return;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#pushing = this.#push(chunks)
      .catch((cause: unknown) => void this.fail(cause))
      .finally(() => {
        this.#pushing = undefined;
        if (this.#millisecondsOf(this.#waitingBytes) >= BATCH_MS) this.#pump();
      });
  }

  async #push(chunks: Uint8Array[]): Promise<void> {
    const progress: StreamProgress = await this.#parts.stream.push(...chunks);
    this.#netMs = progress.netMs;
    this.#grossMs = progress.grossMs;
    this.#heldBytes = progress.heldBytes;
    for (const point of progress.checkpoints) await this.#judge(point);
  }

  async #judge(point: CheckpointReached): Promise<void> {
    const decided = await this.#parts.decide(point, this.#decision);
    if (!decided || decided.decision === this.#decision) return;
    this.#decision = decided.decision;
    this.#emit(stateOf(decided.decision), decided, point.windows.at(-1)?.endMs ?? this.#grossMs);
  }

  #emit(
    state: LiveState,
    what: Pick<LiveEvent, 'reason' | 'netSpeechMs'> & Partial<Omit<LiveDecision, 'decision' | 'reason'>>,
    positionMs: number,
    endReason?: EndReason,
  ): LiveEvent {
    const { reason, risk, score, gkVoiceprintProfileId, netSpeechMs } = what;
    const event: LiveEvent = {
      liveCallId: this.#parts.info.liveCallId,
      sequence: this.#events.length + 1,
      atMs: this.#parts.clock.now(),
      state,
      reason,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
      ...(gkVoiceprintProfileId && { gkVoiceprintProfileId }),
      netSpeechMs,
      positionMs,
      ...(endReason && { endReason }),
    };
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
    return event;
  }

  /** The last event repeats the last state, with why the call is over. */
  #end(endReason: EndReason, failure?: string): LiveEvent {
    this.#over = true;
    clearTimeout(this.#lost);
    this.#waiting = [];
    this.#waitingBytes = 0;
    const last = this.#events.at(-1) as LiveEvent;
    const { risk, reliability, ...rest } = last;
    const event = this.#emit(
      last.state,
      {
        ...rest,
        reason: failure ?? last.reason,
        ...(risk !== undefined && reliability !== undefined && { risk: { risk, reliability } }),
      },
      this.#grossMs,
      endReason,
    );
    this.#parts.ended();
    return event;
  }
}

function stateOf(decision: Decision): LiveState {
  switch (decision) {
    case 'AUTHENTIC':
    case 'NO_MATCH':
    case 'FRAUD':
    case 'NO_RISK_DETECTED':
      return decision;
    default:
      return 'UNCERTAIN';
  }
}
