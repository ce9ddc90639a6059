// The vocabulary of outcomes that every biometric operation shares: decisions, reasons, risk and the
// quality of the audio behind them. Names follow the contract without its prefixes; the transport maps them.

export type Decision = 'AUTHENTIC' | 'NO_MATCH' | 'FRAUD' | 'UNCERTAIN' | 'FAILED' | 'NO_RISK_DETECTED';

/** Reasons of the voiceprint operations (docs/reference/errors-and-reasons.md#decision-reasons). */
export type VoiceprintReason =
  | 'AUDIO_OK'
  | 'NOT_ENOUGH_SEGMENTS'
  | 'INVALID_AUDIO'
  | 'AUDIO_TOO_SHORT'
  | 'AUDIO_TOO_SOFT'
  | 'AUDIO_TOO_LOUD'
  | 'AUDIO_TOO_NOISY'
  | 'FRAUDSTER_INDICATION'
  | 'VOICEPRINT_MATCH'
  | 'VOICEPRINT_NO_MATCH'
  | 'LOW_RELIABILITY'
  | 'NO_RISK_DETECTED'
  | 'NO_SCORES'
  | 'INTERNAL_ERROR';

/** Reasons of the attack checks (contract: audio.DecisionReason). */
export type SpoofReason =
  | 'AUDIO_OK'
  | 'NOT_ENOUGH_SEGMENTS'
  | 'INVALID_AUDIO'
  | 'AUDIO_TOO_SHORT'
  | 'AUDIO_TOO_SOFT'
  | 'AUDIO_TOO_LOUD'
  | 'AUDIO_TOO_NOISY'
  | 'SYNTHETIC_SPEECH_DETECTED'
  | 'PLAYBACK_INDICATION'
  | 'LOW_RELIABILITY'
  | 'INTERNAL_ERROR';

/** Reasons of a session or engagement decision (contract: sessions.DecisionReason). */
export type SessionReason =
  | 'LOW_RELIABILITY'
  | 'NO_RISK_DETECTED'
  | 'AUTHENTIC'
  | 'FRAUD_RISK'
  | 'NO_MATCH'
  | 'NO_DATA'
  | 'BAD_CONFIGURATION'
  | 'NO_AVAILABLE_SCORES'
  | 'BAD_AUDIO'
  | 'INTERNAL_ERROR';

export type AudioValidity =
  | 'AUDIO_OK'
  | 'NOT_ENOUGH_SEGMENTS'
  | 'INVALID_AUDIO'
  | 'AUDIO_TOO_SHORT'
  | 'AUDIO_TOO_SOFT'
  | 'AUDIO_TOO_LOUD'
  | 'AUDIO_TOO_NOISY'
  | 'MULTIPLE_SPEAKERS_DETECTED'
  | 'INTERNAL_ERROR';

/** Faults of a recording, not of the voice in it. */
const faultsOfAudio: Readonly<Record<AudioValidity, boolean>> = {
  AUDIO_OK: false,
  NOT_ENOUGH_SEGMENTS: false,
  INVALID_AUDIO: true,
  AUDIO_TOO_SHORT: true,
  AUDIO_TOO_SOFT: true,
  AUDIO_TOO_LOUD: true,
  AUDIO_TOO_NOISY: true,
  MULTIPLE_SPEAKERS_DETECTED: true,
  INTERNAL_ERROR: false,
};

/** Whether the reason of a factor is about the recording. */
export const isAboutAudio = (reason: string): boolean =>
  Object.hasOwn(faultsOfAudio, reason) && faultsOfAudio[reason as AudioValidity];

export interface RiskResult {
  /** 0 to 1000, higher is riskier. */
  risk: number;
  /** 0 to 100, trust in the risk value. */
  reliability: number;
}

export type OwnerType = 'PERSON' | 'FRAUDSTER';

export type CustomData = Readonly<Record<string, string>>;
