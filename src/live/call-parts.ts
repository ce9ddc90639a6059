// The parts of a live call: its question, its engine stream, and the receivers of its events.
import type { LiveAssessment } from '../biometrics/assessment/model.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { LiveDecision, LiveFinding } from '../biometrics/operations/live-decision.js';
import type { LatchedAlarms } from '../biometrics/rules/latched-alarms.js';
import type { Clock, Log } from '../platform.js';
import type { CheckpointReached, EngineStream, VoiceEngine } from '../voice/engine.js';
import type { HandoverState } from './call-handover.js';
import type { LiveCallInfo } from './model.js';

/** Called when another connection has taken over the call, or when another node must. */
export type OnDisplaced = (why: 'resumed' | 'draining') => void;
/** Asks the sender to reconnect; resolves when it has closed this connection, or has had enough time to. */
export type AskToReconnect = () => Promise<void>;

export interface LiveCallParts {
  info: Omit<
    LiveCallInfo,
    'ended' | 'events' | 'netSpeechMs' | 'positionMs' | 'agentWord' | 'enrollment' | 'isCollecting'
  > & {
    protocol: string;
    startedAtMs: number;
  };
  /** The prints that it names: it cannot go on without them. */
  prints: readonly string[];
  /** The telephone system's own ID; empty: none. */
  externalCallId: string;
  /** Set if the call began on another node. */
  handover?: HandoverState;
  /** Token with which another connection can resume the call. */
  resumeToken: string;
  /** How long it waits for that. */
  resumeMs: number;
  /** Whether to ask for no more audio once it is known who is speaking, if the protocol supports that. */
  pausesWhenDecided: boolean;
  /** Whether what was heard is kept for enrollment when the call is over. */
  collects: boolean;
  stream: EngineStream;
  detectors: VoiceEngine['detectors'];
  /** The alarms that its attack checks have raised so far. */
  alarms: Pick<LatchedAlarms, 'raised'>;
  /** Bytes per second of audio; 0 if pieces have no fixed length. */
  bytesPerSecond: number;
  /** The agent may be heard too: then the amount of the customer's speech is known window by window. */
  isShared: boolean;
  /** Decides after this much of the customer's speech. A new decision, and the last one, is stored together with the resulting state of the call. */
  decide(
    point: CheckpointReached,
    by: { before: Decision | undefined; dueMs: number; isLast: boolean },
    current: (decided: LiveDecision) => LiveCallInfo,
  ): Promise<LiveFinding>;
  /** Aborted when a fault of the database is no longer waited for: this server shuts down. */
  patience: AbortSignal;
  /** Stores the state of the call in turn; fails if the database is away. */
  keepOnce(current: () => LiveCallInfo): Promise<void>;
  /** The same as soon as the database can: when it is over, and when the agent has said something. */
  keep(current: () => LiveCallInfo): Promise<void>;
  /** What its session means, once the call is over. */
  assessed(): Promise<LiveAssessment | undefined>;
  /** Its connection was lost and it waits for another one; or the new one has arrived. */
  waits(current: () => LiveCallInfo): void;
  goesOn(current: () => LiveCallInfo): void;
  clock: Clock;
  log: Log;
  /** How long the engine took for audio that may have completed a checkpoint. */
  answered(waitedMs: number): void;
  /** Called when the call is over, in whatever way. */
  ended(): void;
}
