// The vocabulary of a running call: its states, its events, and what a protocol receives.
import type { LiveAssessment } from '../biometrics/assessment/model.js';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { StreamFormat } from '../voice/audio/types.js';

export type LiveState = 'LISTENING' | 'AUTHENTIC' | 'NO_MATCH' | 'UNCERTAIN' | 'FRAUD' | 'NO_RISK_DETECTED';

/**
 * Why a call is over. `stopped`: its sender said so, or hung up where that is how it says so. `ended`: somebody asked for it
 * (EndCall). `lost`: the connection was lost, and nobody came back. `idle`: nothing arrived for too long. `draining`: the
 * server is shutting down. `failed`: something went wrong here. `crashed`: the server that listened disappeared; another one
 * reports it.
 */
export type EndReason = 'stopped' | 'ended' | 'idle' | 'lost' | 'draining' | 'failed' | 'crashed';

/** Digits that the caller was asked to repeat, and what became of it. */
export interface LivePrompt {
  state: 'ASKED' | 'ENDED' | 'PASSED' | 'FAILED' | 'UNCERTAIN';
  expectedText: string;
  detectedText?: string;
  reason?: string;
  /** From the end of the prompt until the caller began to answer. */
  delayMs?: number;
}

/** The caller may still answer. */
export const isOpenPrompt = ({ state }: LivePrompt): boolean => state === 'ASKED' || state === 'ENDED';

export interface LiveEvent {
  liveCallId: string;
  /** From 1 on, without gaps. */
  sequence: number;
  atMs: number;
  state: LiveState;
  reason: string;
  risk?: number;
  reliability?: number;
  score?: number;
  gkVoiceprintProfileId?: string;
  /** The speech that the state is based on. */
  netSpeechMs: number;
  /** Where in the call that speech ends. */
  positionMs: number;
  /** What the call means so far. */
  assessment?: LiveAssessment;
  /** If the event is about a prompt. */
  prompt?: LivePrompt;
  /** Set in the last event. */
  endReason?: EndReason;
}

/** The audio that a protocol is about to deliver. */
export interface LiveFormat {
  format: StreamFormat;
  /** From 1; the channel on which the customer speaks. */
  customerChannel: number;
  /** The telephone system keeps agents off this channel. */
  isCustomerAlone?: true;
}

/** What happened to the speech that a call has collected. */
export interface CallEnrollment {
  enrolled: boolean;
  /** `ENROLL_OK`, or why not: a code for programs. */
  reason: string;
  /** The same for people, or why the print was not trained with it; empty if all went well. */
  message: string;
  trained: boolean;
  /** The result of the training, if there were enough segments for one. */
  trainReason?: string;
}

/** A call in a list, with the names that people know it by. */
export interface ListedCall extends LiveCallInfo {
  session: { sessionId: string; ani: string } | undefined;
  /** The person whom the caller claims to be, or whose print was named. */
  gkPersonId?: string;
  /** Known fraudsters who were recognized. */
  gkFraudsterIds: readonly string[];
}

export interface LiveCallInfo {
  /** Set once somebody has confirmed whose speech it is, and the call is over. */
  enrollment?: CallEnrollment;
  /** Its speech may become part of a print. */
  isCollecting?: true;
  /** What the agent has said about the caller. */
  agentWord?: AgentWord;
  liveCallId: string;
  gkScopeId: string;
  gkEngagementId: string;
  gkSessionId: string;
  /** Absent while it is only prepared. */
  protocol?: string;
  startedAtMs?: number;
  ended: boolean;
  events: readonly LiveEvent[];
  netSpeechMs: number;
  positionMs: number;
  /** Since when nobody has sent its audio: it waits for a connection, or has ended for lack of one. */
  lostAtMs?: number;
  /** As of now: from the last event, or found since. */
  assessment?: LiveAssessment;
  /** That it could not be judged for a while was told to followers, and is not in the audit trail yet. */
  heldUp?: HeldUp;
}

export interface HeldUp {
  reason: string;
  atMs: number;
}
