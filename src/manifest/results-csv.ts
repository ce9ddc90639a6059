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
  ['undecided_checks', 'undecidedChecks'],
  ['checks_not_made', 'checksNotMade'],
  ['channels', 'channels'],
] as const;

type Member = (typeof columns)[number][1];
type Value = string | number | readonly (string | number)[] | undefined;
type Result = Readonly<Partial<Record<Member, Value>>>;

/** The prefix that all outcomes share says nothing. */
const prefix = /^LINE_OUTCOME_/;

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
  const rows = results.map((result) =>
    columns.map(([, member]) =>
      member === 'outcome' ? String(result.outcome ?? '').replace(prefix, '') : cellOf(result[member]),
    ),
  );
  const [first = [], ...rest] = rows;
  return rows.length === 0
    ? ''
    : toCsv(
        first.map((cell) => String(cell ?? '')),
        rest,
      );
}
