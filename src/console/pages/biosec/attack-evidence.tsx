// What an attack check rests on, as people read it: that it is experimental, the stretches that sound like an attack, and
// why it cannot be relied on.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { StatusJson } from '../../../gen/vendor/rpc/status_pb.js';
import type { AttackEvidenceJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { num } from '../../text/tools.js';
import { durationSeconds } from '../../format/text.js';
import { Badge } from '../../kit/layout.js';
import { t } from '../../text/checks.js';

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
interface Judged {
  decision?: DecisionJson | undefined;
  evidence?: AttackEvidenceJson | undefined;
}

/** Stretches are a finding only where the check itself has found something: one that could not decide accuses nobody. */
const foundIn = ({ decision, evidence }: Judged) =>
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

export function ExperimentalBadge({ evidence }: { evidence: AttackEvidenceJson | undefined }): ReactNode {
  return evidence?.experimental ? (
    <Badge tone="warn" plain>
      {text.experimental}
    </Badge>
  ) : null;
}

/** `isSynthetic`: of the check for synthetic speech, which finds several kinds of it and tells none apart. */
export function EvidenceNotes({
  decision,
  evidence,
  isSynthetic,
}: Judged & { isSynthetic: boolean }): ReactNode {
  if (!evidence) return null;
  const reasons = (evidence.doubts ?? []).map(({ measure = '' }) => text.measures[measure] ?? measure);
  const places = foundIn({ decision, evidence }).map(({ start, end }) =>
    text.place(num(durationSeconds(start), 1), num(durationSeconds(end), 1)),
  );
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} className="small">
          {reason}.
        </p>
      ))}
      {places.length > 0 ? (
        <p className="small">
          {text.places(places.join(', '))}
          {isSynthetic ? ` ${text.noKind}` : ''}
        </p>
      ) : null}
      {evidence.experimental ? <p className="small soft">{text.experimentalText}</p> : null}
    </>
  );
}
