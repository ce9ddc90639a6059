// One call that is being listened to. Audio comes by any protocol in pieces of any size; the engine gets
// larger pieces, one at a time, and at every checkpoint the call is judged again.
import { AppError } from '../errors.js';
import type { ProcessedAudio, StreamProgress } from '../voice/engine.js';
import { CallCourse, faultOf, isSessionOver, type Listener } from './call-course.js';
import { netMsOf, voicesOf, wholeOf, type HandoverState } from './call-handover.js';
import { Overtaken } from './call-outcomes.js';
import type { AskToReconnect, OnDisplaced, LiveCallParts } from './call-parts.js';
import { FIRST_LIVE_CHECKPOINT_MS } from '../biometrics/rules/checkpoints.js';
import { LostConnection } from './lost-connection.js';
import type { OpenPrompt } from './open-prompt.js';
import type { EndReason, LiveCallInfo, LiveEvent } from './model.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import { CollectedSpeech } from './collected-speech.js';
import { SkippedAudio, Pace, SLOW_MS, WaitingAudio } from './waiting-audio.js';
import { inEnglish } from '../words/server/say.js';

export class LiveCall {
  readonly #parts: LiveCallParts;
  readonly #course: CallCourse;
  readonly #waiting: WaitingAudio;
  readonly #pace: Pace;
  readonly #skipped: SkippedAudio;
  readonly said: CollectedSpeech;
  #pushing: Promise<void> | undefined;
  #netMs = 0;
  #grossMs = 0;
  #heldBytes = 0;
  #spareMs = 0;
  /** What is left of `#spareMs` after the audio that the engine is processing now. */
  #spareBehindMs = 0;
  #receivedBytes = 0;
  #holder: OnDisplaced | undefined;
  #askToReconnect: AskToReconnect | undefined;
  readonly #lost: LostConnection;
  #isLeaving = false;
  #finishing: Promise<LiveEvent> | undefined;
  /** Speech and length of what was heard on another node. */
  #handedOverMs = { net: 0, gross: 0 };
  /** Why nothing of it could be heard, if it ends now. */
  #doubt: string | undefined;
  #over = false;
  /** Resolves when its last event is stored and told. */
  #ended: Promise<LiveEvent> | undefined;
  /** When audio last arrived. */
  heardAtMs: number;
  /** The last one. */
  prompt: OpenPrompt | undefined;
  /** Reads what its connection has received by now. */
  readLine: () => Promise<void> = async () => {};

  constructor(parts: LiveCallParts) {
    this.#parts = parts;
    const { handover, info } = parts;
    this.heardAtMs = handover ? parts.clock.now() : info.startedAtMs;
    this.#waiting = new WaitingAudio(parts.bytesPerSecond);
    this.#pace = new Pace(parts.clock);
    this.#skipped = new SkippedAudio(handover?.gaps);
    this.said = new CollectedSpeech(handover);
    this.#lost = new LostConnection(parts, this);
    this.#course = new CallCourse(parts, this);
    if (!handover) return;
    this.#receivedBytes = handover.receivedBytes;
    this.#handedOverMs = { net: netMsOf(handover.windows), gross: handover.grossMs };
  }

  get info(): LiveCallInfo {
    return {
      ...this.#parts.info,
      ended: this.#trail.last.endReason !== undefined,
      events: this.#trail.events,
      netSpeechMs: this.#parts.isShared ? this.#course.customerMs : this.#handedOverMs.net + this.#netMs,
      positionMs: this.positionOf(),
      ...this.#trail.assessed,
      ...this.said.info,
      ...(this.#parts.collects && { isCollecting: true }),
      ...this.#lost.info,
    };
  }

  get #trail(): CallCourse['trail'] {
    return this.#course.trail;
  }

  get #heardMs(): number {
    return this.#handedOverMs.gross + this.#grossMs;
  }

  /** Where in the call a window of speech ends; without one, where the call is now. */
  positionOf(windowEndMs?: number): number {
    return windowEndMs === undefined
      ? this.#skipped.positionAt(this.#heardMs)
      : this.#skipped.endOf(windowEndMs);
  }

  /** Memory for its audio and everything derived from it. */
  get heldBytes(): number {
    return this.#over ? 0 : this.#heldBytes + this.#waiting.bytes + (this.prompt?.heldBytes ?? 0);
  }

  /** Nothing more is heard; its last event may still have to be stored. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Whether it waits for another connection. */
  get isWaiting(): boolean {
    return !this.#over && !this.#finishing && this.#lost.isWaiting;
  }

  get resumeToken(): string {
    return this.#parts.resumeToken;
  }

  get prints(): readonly string[] {
    return this.#parts.prints;
  }

  get externalCallId(): string {
    return this.#parts.externalCallId;
  }

  get pausesWhenDecided(): boolean {
    return this.#parts.pausesWhenDecided;
  }

  /** The connection is alive, although no audio arrives. */
  touch(): void {
    this.heardAtMs = this.#parts.clock.now();
  }

  /** 0 if pieces have no fixed length. */
  get bytesPerSecond(): number {
    return this.#parts.bytesPerSecond;
  }

  /** Bytes of audio since the beginning of the call. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** The voice that its decision is about. */
  get voice(): VoiceSample | undefined {
    return this.#course.voice;
  }

  tellPrompt(...told: Parameters<CallCourse['tellPrompt']>): Promise<void> {
    return this.#course.tellPrompt(...told);
  }

  /** A person with whom it was compared was erased. */
  forgetScores(): void {
    this.#trail.forgetScores();
  }

  /** Stores the state of the call. Never fails: what was decided is in the session anyway. */
  async keep(): Promise<void> {
    const { liveCallId } = this.#parts.info;
    await this.#parts
      .keep(() => this.#course.current)
      .catch((cause: unknown) =>
        this.#parts.log.warn({ liveCallId, cause: String(cause) }, 'a call could not be stored'),
      );
  }

  /** From now on, this connection brings the audio; the previous one is notified. */
  attach(displaced: OnDisplaced, ask?: AskToReconnect): void {
    this.#lost.end();
    this.#holder?.('resumed');
    this.#holder = displaced;
    this.#askToReconnect = ask;
  }

  /** The server is shutting down: senders that can reconnect are asked to, and are still heard until they do. */
  async release(): Promise<void> {
    if (this.#holder && !this.#over && !this.#finishing) await this.#askToReconnect?.();
  }

  /** Nothing more comes from this connection; earlier audio may not have been processed yet. */
  lineEnded(holder?: OnDisplaced): void {
    if (this.#holder === holder) this.#lost.noteEnd();
  }

  /** The connection broke: the call waits for another one, for a while. */
  lose(holder: OnDisplaced): void {
    if (this.#over || this.#finishing || this.#holder !== holder) return;
    this.#holder = undefined;
    if (this.#isLeaving) return;
    this.#lost.begin();
  }

  /** Sends everything so far, then everything to come. */
  subscribe(listener: Listener): () => void {
    return this.#trail.subscribe(listener);
  }

  /** For this long, nothing that its sender sends will be useful, if it sends in real time. */
  get idleMs(): number {
    // For packets without a fixed length, it is not known how much is missing.
    if (this.#over || this.#isLeaving || this.#finishing || this.bytesPerSecond === 0) return 0;
    if (!this.#pushing) return this.#pace.untilMs(this.#waiting.missingMs(this.#spareMs));
    // Whatever the engine answers, this much after its current audio cannot complete a decision.
    const spareMs = this.#pace.untilMs(this.#spareBehindMs - this.#waiting.ms);
    if (spareMs > 0) return spareMs;
    // Beyond that, the engine's next needs are unknown; a slow engine has enough to go on with.
    return this.#waiting.ms < SLOW_MS || this.#pace.isAhead ? 0 : SLOW_MS;
  }

  /** The same as `audio` if there is no need to wait for room; otherwise false, and nothing was taken. */
  hear(chunk: Uint8Array): boolean {
    if (this.#isLeaving) return true;
    if (this.#over || this.#waiting.isTooMuch) return false;
    this.#take(chunk);
    return true;
  }

  /** Resolves when there is room for more. */
  async audio(chunk: Uint8Array): Promise<void> {
    // The next node asks for it again.
    if (this.#isLeaving) return;
    if (this.info.ended) throw new AppError('INVALID_REQUEST', inEnglish('the call is over'));
    this.#take(chunk);
    while (!this.#over && this.#waiting.isTooMuch) await this.#pushing;
  }

  #take(chunk: Uint8Array): void {
    this.touch();
    // Audio that arrives after the end has begun is not processed.
    if (chunk.length === 0 || this.#finishing || this.#over) return;
    this.#waiting.add(chunk);
    this.prompt?.hear(chunk);
    if (this.bytesPerSecond > 0) this.#pace.heard((1000 * chunk.length) / this.bytesPerSecond);
    this.#receivedBytes += chunk.length;
    if (this.#waiting.isBatch(this.#spareMs)) this.#pump();
  }

  /** The sender has left out this much of the call after the audio sent so far. */
  skip(ms: number): void {
    if (this.bytesPerSecond > 0) this.#skipped.add((1000 * this.#receivedBytes) / this.bytesPerSecond, ms);
  }

  /** Processes what is left, judges it, and ends. */
  async finish(endReason: EndReason): Promise<LiveEvent> {
    if (this.#ended) return this.#ended;
    if (this.#over || this.#isLeaving) return this.#trail.last;
    return (this.#finishing ??= this.#finish(endReason));
  }

  async #finish(endReason: EndReason): Promise<LiveEvent> {
    this.#lost.note(endReason, this.heardAtMs);
    try {
      await this.prompt?.end();
      await this.#hearAll();
      return await this.#conclude(endReason);
    } catch (cause) {
      return this.fail(cause);
    }
  }

  /**
   * Processes what is left, and ends here without an end for followers: another node continues. Undefined if
   * the connection cannot be made again, or if there is nothing to continue with.
   */
  async moveAway(): Promise<HandoverState | undefined> {
    if (this.#over || this.#isLeaving || this.#finishing) return undefined;
    if (!this.#holder && !this.#lost.isWaiting) return undefined;
    // Nobody may give up the call while it is moving.
    this.#isLeaving = true;
    this.#lost.stop();
    try {
      await this.#hearAll();
      const heard = this.#grossMs > 0 ? await this.#hearEnd(FIRST_LIVE_CHECKPOINT_MS) : undefined;
      const prompt = await this.prompt?.leave();
      if (this.#over) return undefined;
      this.#close();
      return {
        ...voicesOf(this.#parts.handover, heard, this.#parts.detectors),
        alarms: this.#parts.alarms.raised,
        ...(this.#parts.isShared && { customerMs: this.#course.customerMs }),
        grossMs: this.#heardMs,
        gaps: this.#skipped.gaps,
        receivedBytes: this.#receivedBytes,
        events: this.#trail.events,
        decision: this.#course.decision,
        voice: this.voice,
        prompt,
        ...this.said.handover,
        ...this.#lost.handover,
      };
    } catch (cause) {
      await this.fail(cause);
      return undefined;
    }
  }

  /** If the call has been stored, the connection is told why it must close; otherwise the call is over for everybody. */
  async sendAway(isKept: boolean, why: Parameters<OnDisplaced>[0]): Promise<void> {
    if (isKept) this.#holder?.(why);
    else await this.#end('draining');
  }

  /** Ends without processing what is left. */
  async fail(cause: unknown): Promise<LiveEvent> {
    if (this.#ended) return this.#ended;
    if (this.#over) return this.#trail.last;
    this.#parts.stream.cancel();
    if (cause instanceof Overtaken) return this.#endWith(() => this.#course.adopt(cause.course));
    // Nobody sent audio any more, and the session ended meanwhile.
    if (this.info.lostAtMs !== undefined && isSessionOver(cause)) return this.#end('lost');
    this.#parts.log.warn({ liveCallId: this.info.liveCallId, cause: String(cause) }, 'a live call failed');
    return this.#end('failed', faultOf(cause));
  }

  async #hearAll(): Promise<void> {
    while (!this.#waiting.isEmpty || this.#pushing) {
      this.#pump();
      await this.#pushing;
    }
  }

  async #conclude(endReason: EndReason): Promise<LiveEvent> {
    if (this.#doubt !== undefined)
      throw new AppError('INVALID_REQUEST', inEnglish(this.#doubt), {
        diagnostics: [{ code: 'INVALID_AUDIO' }],
      });
    if (this.#grossMs === 0) {
      // A call that ends before anybody spoke is not a failure.
      this.#parts.stream.cancel();
      return this.#end(endReason);
    }
    // A shutdown ends the call early: if there is too little speech to decide on, it stays undecided.
    const result = await this.#hearEnd(endReason === 'draining' ? FIRST_LIVE_CHECKPOINT_MS : 0, true);
    if (this.#parts.collects && !this.#over) this.said.collect(wholeOf(this.#parts, result));
    return this.#end(endReason);
  }

  /** Judges the call by everything received, if it is enough. */
  async #hearEnd(speechMsMin: number, isLast = false): Promise<ProcessedAudio> {
    const result = await this.#parts.stream.finish();
    this.#grossMs = result.quality?.grossMs ?? this.#grossMs;
    this.#netMs = result.quality?.netMs ?? this.#netMs;
    const { voice, quality, windows, speakerChange, verdict, spoof } = result;
    const netMs = this.#handedOverMs.net + (voice?.netMs ?? 0);
    // If nothing was said since the last change, the only news is that this is the last event.
    const moreMs = netMs - this.#trail.last.netSpeechMs;
    const isNew = moreMs > 0 || (isLast && moreMs === 0);
    if (voice && quality && isNew && netMs >= speechMsMin) {
      const change = speakerChange ? { speakerChange } : {};
      const reached = { checkpointMs: voice.netMs, voice, windows, verdict, quality, spoof, ...change };
      await this.#course.conclude({ reached, dueMs: speechMsMin, isLast });
    } else await this.#course.settled();
    return result;
  }

  #pump(): void {
    if (this.#pushing || this.#over) return;
    if (this.#waiting.isEmpty) return;
    const isUrgent = this.#waiting.ms >= this.#spareMs;
    this.#spareBehindMs = Math.max(0, this.#spareMs - this.#waiting.ms);
    this.#pushing = this.#push(this.#waiting.take(), isUrgent)
      .catch((cause: unknown) => void this.fail(cause))
      .finally(() => {
        this.#pushing = undefined;
        if (this.#waiting.isBatch(this.#spareMs)) this.#pump();
      });
  }

  async #push(chunks: Uint8Array[], isUrgent: boolean): Promise<void> {
    const { stream, clock } = this.#parts;
    const givenAtMs = clock.now();
    const progress: StreamProgress = await stream.push(...chunks);
    if (isUrgent) this.#parts.answered(clock.now() - givenAtMs);
    this.#netMs = progress.netMs;
    this.#grossMs = progress.grossMs;
    this.#heldBytes = progress.heldBytes;
    this.#spareMs = progress.spareMs;
    this.#doubt = progress.doubt;
    for (const point of progress.checkpoints) await this.#course.reached(point);
  }

  #end(endReason: EndReason, failure?: string): Promise<LiveEvent> {
    return this.#endWith(() => this.#course.end(endReason, failure));
  }

  #endWith(last: () => Promise<LiveEvent>): Promise<LiveEvent> {
    if (!this.#over) this.#close();
    return (this.#ended ??= last());
  }

  #close(): void {
    this.#over = true;
    this.#lost.stop();
    void this.prompt?.leave();
    this.prompt = undefined;
    this.#waiting.take();
    this.#parts.ended();
  }
}
