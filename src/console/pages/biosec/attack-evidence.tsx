// The evidence of an attack check in readable form: that it is experimental, the stretches that sound like an
// attack, and why it cannot be relied on.
import type { ReactNode } from 'react';
import type { AttackEvidenceJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { helpAddress } from '../../help/entries.js';
import { fill } from '../../kit/fill.js';
import { Badge } from '../../kit/layout.js';
import { Link } from '../../router.js';
import { t } from '../../text/checks.js';
import { tenantThresholdIn, placesIn, type Judged } from './attack-spans.js';

const text = t.attackEvidence;

export function ExperimentalBadge({ evidence }: { evidence: AttackEvidenceJson | undefined }): ReactNode {
  return evidence?.experimental ? (
    <Badge tone="warn" plain>
      {text.experimental}
    </Badge>
  ) : null;
}

/** Once on a page: what the badge of an unproven check means. */
export function Unproven({ all }: { all: readonly (AttackEvidenceJson | undefined)[] }): ReactNode {
  if (!all.some((evidence) => evidence?.experimental)) return null;
  return (
    <p className="small soft">
      {fill(text.experimentalText, {
        accuracy: <Link to={helpAddress('reference/accuracy', 'synthetic-speech')}>{text.accuracy}</Link>,
      })}
    </p>
  );
}

/**
 * `isSynthetic`: for the check for synthetic speech, which detects several kinds but does not tell them
 * apart.
 */
export function EvidenceNotes({
  decision,
  evidence,
  isSynthetic,
}: Judged & { isSynthetic: boolean }): ReactNode {
  if (!evidence) return null;
  const reasons = (evidence.doubts ?? []).flatMap(({ measure = '' }) => text.measures[measure] ?? []);
  const places = placesIn({ decision, evidence });
  const tenantThreshold = tenantThresholdIn(evidence);
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} className="small">
          {reason}.
        </p>
      ))}
      {places ? (
        <p className="small">
          {places}
          {isSynthetic && decision === 'DECISION_FRAUD' ? ` ${text.noKind}` : ''}
        </p>
      ) : null}
      {tenantThreshold ? <p className="small">{tenantThreshold}</p> : null}
    </>
  );
}
