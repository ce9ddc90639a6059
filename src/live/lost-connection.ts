// A call whose connection was lost waits for a new one for a while. This is reported only after a moment:
// merely switching connections loses nothing.
import type { LiveCallParts } from './call-parts.js';
import type { EndReason, LiveCallInfo } from './model.js';

const TOLD_AFTER_MS = 1000;
/**
 * A continuing call may be silent for this long; a sender that stays connected after its call is silent for
 * longer.
 */
const QUIET_MS = 5000;

/** The call itself. */
interface Waiting {
  readonly info: LiveCallInfo;
  finish(endReason: EndReason): Promise<unknown>;
}

export class LostConnection {
  readonly #parts: LiveCallParts;
  readonly #call: Waiting;
  #atMs: number | undefined;
  /** Since when nothing has come from the connection. */
  #endedAtMs: number | undefined;
  #isReported: boolean;
  #timers: NodeJS.Timeout[] = [];

  constructor(parts: LiveCallParts, call: Waiting) {
    this.#parts = parts;
    this.#call = call;
    // By another node, before the call came here.
    this.#isReported = parts.handover?.isReportedLost === true;
  }

  /** Since when nobody has sent audio. */
  get info(): Pick<LiveCallInfo, 'lostAtMs'> {
    return this.#atMs === undefined ? {} : { lostAtMs: this.#atMs };
  }

  get handover(): { isReportedLost?: true } {
    return this.#isReported ? { isReportedLost: true } : {};
  }

  get isWaiting(): boolean {
    return this.#timers.length > 0;
  }

  /** Audio that was already sent may still have to be processed, which takes time. */
  noteEnd(): void {
    this.#endedAtMs ??= this.#parts.clock.now();
  }

  get #since(): number {
    return this.#endedAtMs ?? this.#parts.clock.now();
  }

  begin(): void {
    this.#atMs = this.#since;
    this.#timers = [
      setTimeout(() => void this.#call.finish('lost'), this.#parts.resumeMs).unref(),
      setTimeout(() => this.#tell(), TOLD_AFTER_MS).unref(),
    ];
  }

  /** Another connection has arrived. */
  end(): void {
    this.stop();
    this.#atMs = undefined;
    this.#endedAtMs = undefined;
    if (!this.#isReported) return;
    this.#isReported = false;
    this.#parts.goesOn(() => this.#call.info);
  }

  /** Nothing comes any more, and no connection is expected. */
  note(why: EndReason, heardAtMs: number): void {
    this.stop();
    if (why === 'lost') this.#atMs ??= this.#since;
    if (why === 'idle') this.#atMs ??= heardAtMs + QUIET_MS;
  }

  /** The call is over, or moves away. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #tell(): void {
    this.#isReported = true;
    this.#parts.waits(() => this.#call.info);
  }
}
