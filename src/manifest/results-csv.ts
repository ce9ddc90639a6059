// The results of a batch as a table: the same columns wherever they are written.
import { toCsv } from './csv.js';

/** Columns, and the members of a result that they show. */
const columns = [
  ['line', 'line'],
  ['request_id', 'requestId'],
  ['owner_id', 'ownerId'],
  ['outcome', 'outcome'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['decision', 'decision'],
  ['biometric_score', 'biometricScore'],
  ['risk', 'risk'],
  ['reliability', 'reliability'],
  ['net_speech', 'netSpeech'],
  ['synthetic_speech_risk', 'syntheticSpeechRisk'],
  ['playback_risk', 'playbackRisk'],
  ['gk_owner_id', 'gkOwnerId'],
  ['gk_voiceprint_profile_id', 'gkVoiceprintProfileId'],
  ['gk_session_id', 'gkSessionId'],
  ['gk_fraudster_id', 'gkFraudsterId'],
  ['recordings', 'recordings'],
  ['found', 'found'],
  ['fraudster_id', 'fraudsterId'],
  ['unresolved_checks', 'unresolvedChecks'],
  ['checks_not_made', 'checksNotMade'],
  ['channels', 'channels'],
  ['headline', 'headline'],
  ['tone', 'tone'],
  ['caveats', 'caveats'],
] as const;

type Member = (typeof columns)[number][1];
type Value = string | number | readonly (string | number)[] | undefined;
type Row = Readonly<Partial<Record<Member, Value>>>;

/** What the session of a line means. */
interface Meaning {
  headline?: string;
  tone?: string;
  caveats?: readonly string[];
  unresolvedChecks?: readonly string[];
}

type Result = Row & { assessment?: Meaning };

/** The prefix that all members of an enum share says nothing. */
const bare = (name: Value = ''): string => String(name).replace(/^(LINE_OUTCOME|SESSION_[A-Z]+)_/, '');

function rowOf({ assessment = {}, outcome, ...result }: Result): Row {
  const { headline, tone, caveats = [], unresolvedChecks = [] } = assessment;
  return {
    ...result,
    outcome: bare(outcome),
    unresolvedChecks,
    headline: bare(headline),
    tone: bare(tone),
    caveats: caveats.map(bare),
  };
}

/** Several as a manifest separates them. */
const cellOf = (value: Value): string | number | undefined =>
  typeof value === 'object' ? value.join('|') : value;

export function resultsHead(): string {
  return toCsv(
    columns.map(([name]) => name),
    [],
  );
}

/** Rows without their head. */
export function resultsRows(results: readonly Result[]): string {
  const rows = results.map(rowOf).map((row) => columns.map(([, member]) => cellOf(row[member])));
  const [first = [], ...rest] = rows;
  return rows.length === 0
    ? ''
    : toCsv(
        first.map((cell) => String(cell ?? '')),
        rest,
      );
}
