// The stretches of a recording that an attack check has found: read from its answer, and prepared for
// drawing.
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
  /** From a check that could not decide: not a finding, but a place to listen to. */
  isOpen: boolean;
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
    ...extrasOf('TENANT_ALARM_THRESHOLD').map(({ risk, bandwidth = '' }) => ({
      alarmRisk: Number(risk),
      bandwidth,
    }))[0],
    doubts: extrasOf('CHECK_UNRELIABLE').map((extras) => ({ measure: extras['measure'] ?? '' })),
  };
}

/** A check's answer with its evidence. */
export interface Judged {
  decision?: DecisionJson | undefined;
  evidence?: AttackEvidenceJson | undefined;
}

/** The check needs more than a telephone carries. */
export const isUnavailable = (judged: Judged): boolean =>
  isUndecided(judged) && (judged.evidence?.doubts ?? []).some(({ measure }) => measure === 'bandwidth');

const isUndecided = ({ decision }: Judged): boolean => decision === 'DECISION_UNCERTAIN';

/**
 * Stretches are a finding only if the check itself has found something. A check that could not decide accuses
 * nobody, but its stretches are the reason why it could not: the place to start listening.
 */
const stretchesIn = (judged: Judged) =>
  judged.decision === 'DECISION_FRAUD' || isUndecided(judged) ? (judged.evidence?.spans ?? []) : [];

/** The alarm threshold that comes with the detectors. */
const SHIPPED_RISK = 700;

/** The risk from which the check raises the alarm. */
export const alarmRiskOf = ({ alarmRisk }: AttackEvidenceJson): number => alarmRisk || SHIPPED_RISK;

/** A sentence, if the tenant's alarm threshold differs from the shipped one. */
export function tenantThresholdIn(evidence: AttackEvidenceJson): string | undefined {
  const risk = alarmRiskOf(evidence);
  if (risk === SHIPPED_RISK) return undefined;
  return text.tenantThreshold(risk, text.bands[evidence.bandwidth ?? ''] ?? '');
}

/** A sentence; undefined if there is nothing to show. */
export function placesIn(judged: Judged): string | undefined {
  const places = stretchesIn(judged).map(({ start, end }) =>
    text.place(num(durationSeconds(start), 1), num(durationSeconds(end), 1)),
  );
  if (places.length === 0) return undefined;
  return (isUndecided(judged) ? text.openPlaces : text.places)(places.join(', '));
}

/** Spans to draw over the recording. */
export function spansOf(what: string, judged: Judged): Span[] {
  const isOpen = isUndecided(judged);
  return stretchesIn(judged).map(({ start, end }) => {
    const [startSeconds, endSeconds] = [durationSeconds(start), durationSeconds(end)];
    const label = (isOpen ? text.openSpan : text.span)(what, num(startSeconds, 1), num(endSeconds, 1));
    return { startSeconds, endSeconds, label, isOpen };
  });
}
