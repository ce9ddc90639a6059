// What a call takes along when it moves to another node: what was heard so far, as voices and not as sound, and where it stood. The
// node that goes on hears the rest as audio of its own and puts the two together.
import { deserialize, serialize } from 'node:v8';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { LiveQuestion } from '../biometrics/operations/live-decision.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { Caller } from '../platform.js';
import { voiceOfWindows } from '../voice/embedding/speech-windows.js';
import type { CheckpointReached, VoiceWindow } from '../voice/engine.js';
import { speakerChange } from '../voice/quality/speaker-change.js';
import type { LiveEvent, LiveFormat } from './model.js';

/** Of what was heard before the move. */
export interface Carried {
  windows: readonly VoiceWindow[];
  /** Of these, what the customer has said; absent where all of it is, and from nodes that did not know. */
  customerMs?: number;
  grossMs: number;
  receivedBytes: number;
  events: readonly LiveEvent[];
  decision: Decision | undefined;
  agentWord: AgentWord | undefined;
  /** Whether the agent said, too, that the customer agrees to a voiceprint. */
  agentConsent: boolean;
}

/** A whole call on its way. */
export interface MovingCall {
  liveCallId: string;
  door: string;
  startedAtMs: number;
  externalCallId: string;
  resumeToken: string;
  caller: Caller;
  question: LiveQuestion;
  audio: LiveFormat;
  /** Whose windows cannot be compared with those of another. */
  modelRevision: string;
  carried: Carried;
}

export const netMsOf = (windows: Carried['windows']): number =>
  windows.reduce((sum, { netMs }) => sum + netMs, 0);

export const customerMsOf = ({ customerMs, windows }: Carried): number => customerMs ?? netMsOf(windows);

/** Without voices that cannot be compared with those to come. */
export const comparable = ({ modelRevision, carried }: MovingCall, revision: string): Carried =>
  modelRevision === revision ? carried : { ...carried, windows: [], customerMs: 0 };

/** Not JSON: it holds numbers in bulk, and a caller's rights as sets. */
export const packMoving = (call: MovingCall): Uint8Array => serialize(call);

export const unpackMoving = (bytes: Uint8Array): MovingCall => deserialize(bytes) as MovingCall;

type Heard = Pick<CheckpointReached, 'windows' | 'voice' | 'quality' | 'speakerChange'>;

/** What was heard before and after the move, as one. The sound itself was measured after it only. */
export function joinedWith<T extends Heard>({ windows: before, grossMs }: Carried, heard: T): T {
  if (before.length === 0) return heard;
  const later = heard.windows.map((window) => ({
    ...window,
    startMs: window.startMs + grossMs,
    endMs: window.endMs + grossMs,
  }));
  const windows = [...before, ...later];
  const netMs = netMsOf(windows);
  const { speakerChange: _before, ...rest } = heard;
  const change = speakerChange(windows);
  return {
    ...(rest as T),
    windows,
    voice: { ...heard.voice, embedding: voiceOfWindows(windows), netMs },
    quality: { ...heard.quality, netMs, grossMs: heard.quality.grossMs + grossMs },
    ...(change && { speakerChange: change }),
  };
}
