// What a call takes along when it moves to another node: what was heard so far, as embeddings instead of sound, and its state.
// The node that continues processes the rest as its own audio and combines the two.
import { deserialize, serialize } from 'node:v8';
import type { AgentWord } from '../biometrics/operations/agent-word.js';
import type { LiveQuestion } from '../biometrics/operations/live-decision.js';
import type { Decision } from '../biometrics/model/outcome.js';
import type { RaisedAlarms } from '../biometrics/rules/latched-alarms.js';
import type { Prompt } from '../biometrics/model/prompts.js';
import type { Caller } from '../platform.js';
import { rawWidth } from '../voice/audio/codecs/pcm.js';
import { voiceOfWindows } from '../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../voice/embedding/voice-window.js';
import type { CheckpointReached, ProcessedAudio, VoiceEngine } from '../voice/engine.js';
import { speakerChange } from '../voice/quality/speaker-change.js';
import type { VoiceSample } from '../voice/scoring/speaker-model.js';
import {
  spoofScore,
  type DetectorInfo,
  type SpokenEdges,
  type SpoofConditions,
  type SpoofScore,
} from '../voice/spoof/detector.js';
import { joinedEdges, worstStretch } from '../voice/spoof/stretch.js';
import type { Gap } from './waiting-audio.js';
import type { LiveEvent, LiveFormat } from './model.js';

type Sound = Pick<VoiceSample, 'snrDb' | 'bandwidth'>;

/** A prompt that was not answered yet. */
export interface PromptHandover {
  prompt: Prompt;
  /** Who has asked. */
  caller: Caller;
  /** What was heard since its end. */
  answer?: { endedAtMs: number; chunks: readonly Uint8Array[]; reference: VoiceSample | undefined };
}

/** State from before the move. */
export interface HandoverState {
  windows: readonly VoiceWindow[];
  /**
   * How the windows sounded: noise and bandwidth count in their scores. Absent from nodes that did not know
   * it.
   */
  sound?: Sound;
  /**
   * What the attack checks heard in it; absent if none was requested, and from nodes that did not know it.
   */
  attacks?: CheckpointReached['spoof'];
  /** The alarms raised so far; absent from nodes that did not know them. */
  alarms?: RaisedAlarms;
  /** How much of it the customer said; absent if all of it, and from nodes that did not know it. */
  customerMs?: number;
  /** The voice that a prompt has to be answered in; absent before a decision, and from nodes that did not know it. */
  voice?: VoiceSample | undefined;
  /** Absent if there is none, and from nodes that did not know it. */
  prompt?: PromptHandover | undefined;
  grossMs: number;
  /** What the sender has left out; absent from nodes that did not know it. */
  gaps?: readonly Gap[];
  receivedBytes: number;
  events: readonly LiveEvent[];
  decision: Decision | undefined;
  agentWord: AgentWord | undefined;
  /** Whether the agent also said that the customer agrees to a voiceprint. */
  agentConsent: boolean;
  /** It was reported that the call waits for its connection; absent from nodes that did not know it. */
  isReportedLost?: true;
}

/** A whole call on its way to another node. */
export interface MovingCall {
  liveCallId: string;
  protocol: string;
  startedAtMs: number;
  externalCallId: string;
  resumeToken: string;
  caller: Caller;
  question: LiveQuestion;
  audio: LiveFormat;
  /** Windows of different revisions cannot be compared. */
  modelRevision: string;
  handover: HandoverState;
}

/** Drops an incomplete last sample: the next node needs it whole, and so asks for it again. */
export function inWholeSamples(handover: HandoverState, { format }: LiveFormat): HandoverState {
  if (format.encoding === 'opus') return handover;
  const { receivedBytes } = handover;
  return {
    ...handover,
    receivedBytes: receivedBytes - (receivedBytes % (rawWidth(format) * format.channels)),
  };
}

export const netMsOf = (windows: HandoverState['windows']): number =>
  windows.reduce((sum, { netMs }) => sum + netMs, 0);

export const customerMsOf = ({ customerMs, windows }: HandoverState): number =>
  customerMs ?? netMsOf(windows);

/** Without embeddings that cannot be compared with later ones. */
export function comparable({ modelRevision, handover }: MovingCall, revision: string): HandoverState {
  if (modelRevision === revision) return handover;
  const { voice: _voice, prompt, ...rest } = handover;
  const answer = prompt?.answer && { answer: { ...prompt.answer, reference: undefined } };
  return { ...rest, windows: [], customerMs: 0, ...(prompt && { prompt: { ...prompt, ...answer } }) };
}

/** As other nodes read it, those of version 0.2.0 included, which knows the state by other names. */
type PackedCall = Omit<MovingCall, 'handover' | 'protocol'> & {
  door: string;
  carried: Omit<HandoverState, 'gaps' | 'isReportedLost'> & { leftOut?: readonly Gap[]; isToldAsLost?: true };
};

/** Not JSON: it contains many numbers, and a caller's rights as sets. */
export function packMoving({ handover, protocol: door, ...call }: MovingCall): Uint8Array {
  const { gaps: leftOut, isReportedLost: isToldAsLost, ...state } = handover;
  const carried = { ...state, ...(leftOut && { leftOut }), ...(isToldAsLost && { isToldAsLost }) };
  return serialize({ ...call, door, carried } satisfies PackedCall);
}

export function unpackMoving(bytes: Uint8Array): MovingCall {
  const { carried, door: protocol, ...call } = deserialize(bytes) as PackedCall;
  const { leftOut: gaps, isToldAsLost: isReportedLost, ...state } = carried;
  return {
    ...call,
    protocol,
    handover: { ...state, ...(gaps && { gaps }), ...(isReportedLost && { isReportedLost }) },
  };
}

type Heard = Pick<CheckpointReached, 'windows' | 'voice' | 'quality' | 'speakerChange' | 'spoof'>;
type Detectors = VoiceEngine['detectors'];

/** The voices that a call takes along, from here and from earlier nodes. */
export function voicesOf(
  before: HandoverState | undefined,
  { windows, voice, quality, ...rest }: Partial<Heard> = {},
  detectors: Detectors = {},
): Pick<HandoverState, 'windows' | 'sound' | 'attacks'> {
  if (!windows || !voice || !quality) {
    const { sound, attacks } = before ?? {};
    return { windows: before?.windows ?? [], ...(sound && { sound }), ...(attacks && { attacks }) };
  }
  const heard: Heard = { windows, voice, quality, ...rest };
  const all = before ? joinedWith(before, heard, detectors) : heard;
  const { snrDb, bandwidth } = all.voice;
  return { windows: all.windows, sound: { snrDb, bandwidth }, ...(all.spoof && { attacks: all.spoof }) };
}

/** Weighted by the amount of speech, as a print weights its segments. */
function soundOf(
  before: Sound | undefined,
  beforeMs: number,
  { snrDb, bandwidth, netMs }: VoiceSample,
): Sound {
  if (!before) return { snrDb, bandwidth };
  return {
    snrDb: (before.snrDb * beforeMs + snrDb * netMs) / (beforeMs + netMs),
    bandwidth: beforeMs > netMs ? before.bandwidth : bandwidth,
  };
}

/**
 * The result of the attack checks over both parts, from the windows of both. An alarm in the later part alone
 * stays: earlier speech does not make up for a voice that took over there. The same holds for a voice that
 * took over shortly before the move and went on speaking after it.
 */
function attacksIn(
  { attacks: before = {}, grossMs }: HandoverState,
  now: NonNullable<Heard['spoof']>,
  at: SpoofConditions,
  detectors: Detectors,
): NonNullable<Heard['spoof']> {
  const all = { ...now };
  for (const kind of ['synthetic', 'playback'] as const) {
    const [first, then, detector] = [before[kind], now[kind], detectors[kind]];
    // Windows of another detector are scored on a different scale.
    if (!first || !then || first.revision !== then.revision || !detector) continue;
    const later = then.heard.map((window) => behind(window, grossMs));
    const named = [...first.spans, ...then.spans.map((span) => behind(span, grossMs))];
    const whole = spoofScore(detector, [...first.heard, ...later], at, named);
    const { across, spoken } = overTheMove(detector, first.spoken, edgesBehind(then.spoken, grossMs), at);
    const found = whole.alarm ? whole : then.alarm ? then : (across ?? whole);
    all[kind] = { ...found, heard: whole.heard, ...(spoken && { spoken }) };
  }
  return all;
}

/**
 * The stretch across both parts, if it is an attack, and the joined edges of the two; earlier versions
 * reported no edges.
 */
function overTheMove(
  detector: DetectorInfo,
  before: SpokenEdges | undefined,
  after: SpokenEdges | undefined,
  at: SpoofConditions,
): { across?: SpoofScore | undefined; spoken?: SpokenEdges | undefined } {
  if (!before || !after) return { spoken: after };
  return {
    across: worstStretch(detector, [...before.last, ...after.first], at),
    spoken: joinedEdges(before, after),
  };
}

const edgesBehind = (edges: SpokenEdges | undefined, ms: number): SpokenEdges | undefined =>
  edges && {
    first: edges.first.map((window) => behind(window, ms)),
    last: edges.last.map((window) => behind(window, ms)),
  };

const behind = <T extends { startMs: number; endMs: number }>(window: T, ms: number): T => ({
  ...window,
  startMs: window.startMs + ms,
  endMs: window.endMs + ms,
});

/** Combines what was heard before and after the move. Quality was measured only after it. */
export function joinedWith<T extends Heard>(handover: HandoverState, heard: T, detectors: Detectors): T {
  const { windows: before, grossMs, sound } = handover;
  const windows = [...before, ...heard.windows.map((window) => behind(window, grossMs))];
  const netMs = netMsOf(windows);
  const { speakerChange: _before, ...rest } = heard;
  const change = speakerChange(windows);
  const voice = {
    ...heard.voice,
    ...soundOf(sound, netMsOf(before), heard.voice),
    embedding: voiceOfWindows(windows),
    netMs,
  };
  return {
    ...(rest as T),
    windows,
    voice,
    ...(heard.spoof && { spoof: attacksIn(handover, heard.spoof, voice, detectors) }),
    quality: { ...heard.quality, netMs, grossMs: heard.quality.grossMs + grossMs },
    ...(change && { speakerChange: change }),
  };
}

/** All of a call that is over, including what was heard on another node. */
export function wholeOf(
  { handover, detectors }: { handover?: HandoverState; detectors: Detectors },
  result: ProcessedAudio,
): ProcessedAudio {
  const { voice, quality } = result;
  return handover && voice && quality
    ? joinedWith(handover, { ...result, voice, quality }, detectors)
    : result;
}
