// What an attack check rests on, as people read it: that it is experimental, the stretches that sound like an attack, and
// why it cannot be relied on.
import type { ReactNode } from 'react';
import type { AttackEvidenceJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { num } from '../../text/tools.js';
import { durationSeconds } from '../../format/text.js';
import { Badge } from '../../kit/layout.js';
import { t } from '../../text/checks.js';
import { foundIn, type Judged } from './attack-spans.js';

const text = t.attackEvidence;

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
