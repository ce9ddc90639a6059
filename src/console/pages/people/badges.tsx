// Consent and voiceprints of a person at a glance.
import type { ReactNode } from 'react';
import type { ConsentStatusJson } from '../../../gen/vendor/biosec/v1/entities/entities_pb.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { t } from '../../text/people.js';

const tones: Readonly<Record<ConsentStatusJson, BadgeTone>> = {
  CONSENT_STATUS_UNSPECIFIED: 'neutral',
  CONSENT_STATUS_OPTED_IN: 'good',
  CONSENT_STATUS_OPTED_OUT: 'warn',
};

export function Consent({
  status = 'CONSENT_STATUS_UNSPECIFIED',
}: {
  status: ConsentStatusJson | undefined;
}): ReactNode {
  return <Badge tone={tones[status]}>{t.consent[status]}</Badge>;
}

export function Prints({
  prints,
  trained,
  locked = 0,
}: {
  prints: number;
  trained: number;
  locked?: number;
}): ReactNode {
  if (prints === 0) return <Badge>{t.prints.none}</Badge>;
  return (
    <div className="row">
      <Badge tone={trained > 0 ? 'good' : 'warn'}>
        {trained > 0 ? t.prints.trained(trained) : t.prints.notTrained}
      </Badge>
      {locked > 0 ? <Badge tone="bad">{t.prints.locked}</Badge> : null}
    </div>
  );
}
