// The events of one call, in order, and their receivers.
import { listening } from '../biometrics/assessment/model.js';
import { withoutScores } from '../biometrics/model/live-outcomes.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { LiveDecision } from '../biometrics/operations/live-decision.js';
import { AppError } from '../errors.js';
import type { Clock } from '../platform.js';
import type { EndReason, LiveCallInfo, LiveEvent, LivePrompt, LiveState } from './model.js';

const STARTED = 'STARTED';
/** It ended before anything could be decided. */
const TOO_LITTLE = 'AUDIO_TOO_SHORT';

export type Listener = (event: LiveEvent) => void;

type Finding = Pick<LiveEvent, 'reason' | 'netSpeechMs'> & Partial<Omit<LiveDecision, 'decision' | 'reason'>>;

export class CallTrail {
  readonly #liveCallId: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<Listener>();
  readonly #events: LiveEvent[];
  /** Findings since the last event, if they repeat it: only the end reports them. */
  #since: Finding | undefined;

  /** `before`: events that another node has already sent. */
  constructor(liveCallId: string, clock: Clock, before: readonly LiveEvent[] = []) {
    this.#liveCallId = liveCallId;
    this.#clock = clock;
    this.#events = [...before];
    if (before.length === 0)
      this.tell(
        this.next('LISTENING', { reason: STARTED, netSpeechMs: 0, assessment: listening }, { positionMs: 0 }),
      );
  }

  get events(): readonly LiveEvent[] {
    return this.#events;
  }

  get last(): LiveEvent {
    return this.#events.at(-1) as LiveEvent;
  }

  /** What it means now. */
  get assessed(): Pick<LiveCallInfo, 'assessment'> {
    const { assessment } = this.#since ?? this.last;
    return assessment ? { assessment } : {};
  }

  /** Sends everything so far, then everything to come. */
  subscribe(listener: Listener): () => void {
    for (const event of this.#events) listener(event);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The next event; it is not sent yet. */
  next(
    state: LiveState,
    { reason, risk, score, gkVoiceprintProfileId, netSpeechMs, assessment }: Finding,
    { positionMs, endReason, prompt }: { positionMs: number; endReason?: EndReason; prompt?: LivePrompt },
  ): LiveEvent {
    return {
      liveCallId: this.#liveCallId,
      sequence: this.#events.length + 1,
      atMs: this.#clock.now(),
      state,
      reason,
      ...(risk && { risk: risk.risk, reliability: risk.reliability }),
      ...(score !== undefined && { score }),
      ...(gkVoiceprintProfileId && { gkVoiceprintProfileId }),
      netSpeechMs,
      positionMs: Math.round(positionMs),
      ...(assessment && { assessment }),
      ...(prompt && { prompt }),
      ...(endReason && { endReason }),
    };
  }

  /** What was already sent cannot be taken back; from now on, no scores are reported. */
  forgetScores(): void {
    const { events } = withoutScores({ events: this.#events });
    this.#events.splice(0, events.length, ...events);
    this.#since = undefined;
  }

  /** The same decision as before, on more speech. */
  confirm(finding: Finding): void {
    this.#since = finding;
  }

  tell(event: LiveEvent): void {
    this.#since = undefined;
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  /** The last event repeats the last state, based on everything heard, and says why the call is over; it is not sent yet. */
  ending(positionMs: number, endReason: EndReason, failure?: string): LiveEvent {
    const finding = this.#found;
    const reason = failure ?? (finding.reason === STARTED ? TOO_LITTLE : finding.reason);
    // Nobody listens any more: as lists say of the session.
    const undecided = finding.assessment?.headline === 'LISTENING';
    const assessment = undecided ? { ...listening, headline: 'NONE' as const } : finding.assessment;
    const end = { ...finding, reason, ...(assessment && { assessment }) };
    return this.next(this.last.state, end, { positionMs, endReason });
  }

  /** An event about a prompt repeats the rest; it is not sent yet. */
  prompted(positionMs: number, prompt: LivePrompt): LiveEvent {
    return this.next(this.last.state, this.#found, { positionMs, prompt });
  }

  /** What was found last, whether it was told or only confirmed. */
  get #found(): Finding {
    const { risk, reliability, ...rest } = this.last;
    const isScored = risk !== undefined && reliability !== undefined;
    return this.#since ?? { ...rest, ...(isScored && { risk: { risk, reliability } }) };
  }
}

export function stateOf(decision: Decision): LiveState {
  switch (decision) {
    case 'AUTHENTIC':
    case 'NO_MATCH':
    case 'FRAUD':
    case 'NO_RISK_DETECTED':
      return decision;
    case 'UNCERTAIN':
    case 'FAILED':
      return 'UNCERTAIN';
  }
}

/** There is nothing more to hear in the session; a session of an erased person is reported as such. */
export const isSessionOver = (cause: unknown): boolean =>
  ['SESSION_OVER', 'ENGAGEMENT_OVER'].includes(faultOf(cause));

/** The reason that followers of the call get: the closest one that exists. */
export function faultOf(cause: unknown): string {
  if (!(cause instanceof AppError)) return 'INTERNAL_ERROR';
  const [diagnostic] = cause.diagnostics;
  return diagnostic?.extras?.['reason'] ?? diagnostic?.code ?? cause.code;
}
