// What a session means, in words: one catalogue by headline, caveat and result, for the console, the agent's widget, spreadsheets and
// the command line. A text that is missing in english.ts or german.ts does not compile.
import type {
  PartyResultJson,
  SessionCaveatJson,
  SessionHeadlineJson,
} from '../gen/voxgate/biosec/v1/assessment_pb.js';

/** Without the member that stands for nothing, and without the prefix that the wire gives every member. */
type NamesIn<Json extends string, Prefix extends string> = Exclude<
  Json extends `${Prefix}_${infer Name}` ? Name : never,
  'UNSPECIFIED'
>;

export type HeadlineName = NamesIn<SessionHeadlineJson, 'SESSION_HEADLINE'>;
export type CaveatName = NamesIn<SessionCaveatJson, 'SESSION_CAVEAT'>;
type PartyResultName = NamesIn<PartyResultJson, 'PARTY_RESULT'>;
type AttackCheckName = 'SYNTHETIC_SPEECH' | 'CHANNEL_PLAYBACK';
/** By what makes a check unreliable, otherwise by its reason. */
export type CauseName =
  | 'FRAUDSTER_INDICATION'
  | 'SYNTHETIC_SPEECH_DETECTED'
  | 'PLAYBACK_INDICATION'
  | 'SPEAKER_CHANGED'
  | 'AUDIO_TOO_SHORT'
  | 'AUDIO_TOO_SOFT'
  | 'AUDIO_TOO_LOUD'
  | 'AUDIO_TOO_NOISY'
  | 'INVALID_AUDIO'
  | 'NOT_ENROLLED'
  | 'PERSON_OPTED_OUT'
  | 'PROFILE_COOLING_OFF'
  | 'NO_SCORES'
  | 'INTERNAL_ERROR'
  | 'two_voices'
  | 'too_short'
  | 'noise'
  | 'channel'
  | 'print'
  | 'net_speech_s'
  | 'snr_db'
  | 'bandwidth'
  | 'spread'
  | 'distance'
  | 'score'
  | 'reliability'
  | 'not_measured';
type FoundName = AttackCheckName | 'FRAUD_DETECTION' | 'ENROLLMENT';

interface HeadlineWords {
  /** For a badge, a column, a line. */
  word: string;
  /** The same if the decision comes from another session; absent where none can. */
  inherited?: string;
  /** One sentence for the top of a page, without the caveats. */
  meaning: string;
  /** What to do if no caveat says otherwise; empty if nothing. */
  next: string;
}

interface CaveatWords {
  word: string;
  /** One sentence: what it says about the result. */
  meaning: string;
  /** One sentence: what to do about it; empty if nothing. */
  next: string;
}

export interface AssessmentWords {
  headlines: Readonly<Record<HeadlineName, HeadlineWords>>;
  caveats: Readonly<Record<CaveatName, CaveatWords>>;
  /** How the voice and somebody go together. */
  results: Readonly<Record<PartyResultName, string>>;
  /** The same for the person claimed. */
  claimed: Readonly<Record<PartyResultName, string>>;
  /** The same for a known fraudster. */
  fraudsters: Readonly<Record<'MATCHED' | 'ENROLLED', string>>;
  checks: Readonly<Record<AttackCheckName, string>>;
  /** What was found later. */
  found: Readonly<Record<FoundName, string>>;
  /** What a headline rests on, in a few words. */
  causes: Readonly<Record<CauseName, string>>;
  /** The same as a sentence. */
  because: (causes: string) => string;
  /** Said once where a check cannot answer on the channel of the call. */
  unavailable: Readonly<Record<AttackCheckName, string>>;
  /** Beside an unresolved attack check that alone takes green away. */
  requiredForGreen: string;
  /** One word for everything that was not checked, or not to its end. */
  incomplete: string;
  onAgentsChannel: string;
  /** Beside somebody whom the session is about that a decision comes from. */
  inEarlierSession: string;
  erasedPerson: string;
  unknownPerson: string;
  deleted: (id: string) => string;
}
