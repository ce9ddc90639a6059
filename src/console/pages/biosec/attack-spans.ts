// The stretches of a recording that an attack check has found: read from its answer, and to be drawn.
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { StatusJson } from '../../../gen/vendor/rpc/status_pb.js';
import type { AttackEvidenceJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { durationSeconds } from '../../format/text.js';
import { t } from '../../text/checks.js';
import { num } from '../../text/tools.js';

const text = t.attackEvidence;

export interface Span {
  startSeconds: number;
  endSeconds: number;
  label: string;
}

/** The answer of a check carries its evidence as diagnostics of the status. */
export function evidenceInStatus(status: StatusJson | undefined, check: string): AttackEvidenceJson {
  const own = (status?.diagnosticDetails ?? []).filter(({ extras }) => extras?.['check'] === check);
  const extrasOf = (code: string) =>
    own.filter((detail) => detail.code === code).map(({ extras = {} }) => extras);
  const seconds = (ms: string | undefined): string => `${String(Number(ms) / 1000)}s`;
  return {
    experimental: extrasOf('EXPERIMENTAL_CHECK').length > 0,
    spans: extrasOf('ATTACK_SPAN').map((extras) => ({
      start: seconds(extras['start_ms']),
      end: seconds(extras['end_ms']),
      score: Number(extras['score']),
    })),
    doubts: extrasOf('CHECK_UNRELIABLE').map((extras) => ({ measure: extras['measure'] ?? '' })),
  };
}

/** Its answer beside what it rests on. */
export interface Judged {
  decision?: DecisionJson | undefined;
  evidence?: AttackEvidenceJson | undefined;
}

/** Stretches are a finding only where the check itself has found something: one that could not decide accuses nobody. */
export const foundIn = ({ decision, evidence }: Judged) =>
  decision === 'DECISION_FRAUD' ? (evidence?.spans ?? []) : [];

/** To be drawn over the picture of the recording. */
export function spansOf(what: string, judged: Judged): Span[] {
  return foundIn(judged).map(({ start, end }) => {
    const [startSeconds, endSeconds] = [durationSeconds(start), durationSeconds(end)];
    return {
      startSeconds,
      endSeconds,
      label: text.span(what, num(startSeconds, 1), num(endSeconds, 1)),
    };
  });
}
