// What the engagement API would answer, now or at another moment, and the counts behind it.
import { useState, type ReactNode } from 'react';
import { get } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Badge, Card } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { ENGAGEMENT, unitLabel, type Availability } from './model.js';
import type { SectionProps } from './site.js';
import './engagement.css';

export function AvailabilityPreview({ model }: SectionProps): ReactNode {
  const [unit, setUnit] = useState(model.units[0]?.businessUnitId ?? '');
  const [group, setGroup] = useState('');
  const [threshold, setThreshold] = useState('');
  const [attributes, setAttributes] = useState('');
  const [at, setAt] = useState('');
  const key =
    unit === ''
      ? undefined
      : ['availability', model.site.siteId, unit, group, threshold, attributes, at].join(' ');
  const answer = useQuery(
    key,
    (signal) =>
      get<Availability>(
        `${ENGAGEMENT}/availability`,
        {
          siteId: model.site.siteId,
          businessUnitId: unit,
          agentGroupId: group,
          queueThreshold: threshold,
          agentAttributes: attributes,
          at: at === '' ? undefined : new Date(at).toISOString(),
        },
        signal,
      ),
    { everyMs: 10_000 },
  );
  if (model.units.length === 0) {
    return (
      <EmptyState icon="people" title="Begin with a business unit">
        Add a business unit, an agent group and agents in the other tabs; the answer appears here.
      </EmptyState>
    );
  }
  return (
    <div className="availability">
      <Card title="The question">
        <div className="stack">
          <SelectField
            label="Business unit"
            value={unit}
            onValue={setUnit}
            options={model.units.map((item) => ({ value: item.businessUnitId, label: unitLabel(item) }))}
          />
          <SelectField
            label="Agent group"
            value={group}
            onValue={setGroup}
            options={[
              { value: '', label: 'Any' },
              ...model.groups
                .filter((item) => item.businessUnitId === unit)
                .map((item) => ({ value: item.agentGroupId, label: item.name || item.agentGroupId })),
            ]}
          />
          <TextField
            label="Longest queue still called available"
            optional
            type="number"
            min={0}
            value={threshold}
            onValue={setThreshold}
            error={answer.error?.problem('queueThreshold')}
          />
          <TextField
            label="Agent attributes"
            optional
            hint="name,value;name,value"
            value={attributes}
            onValue={setAttributes}
            error={answer.error?.problem('agentAttributes')}
          />
          <TextField
            label="At"
            optional
            type="datetime-local"
            hint="In your own time zone. Now when empty."
            value={at}
            onValue={setAt}
          />
        </div>
      </Card>
      <Card
        title="The answer"
        actions={
          <Button size="small" onClick={answer.reload} busy={answer.busy}>
            Ask again
          </Button>
        }
      >
        <Loaded query={answer} what="Asking">
          {(result) => <Answer result={result} />}
        </Loaded>
      </Card>
    </div>
  );
}

function Answer({ result }: { result: Availability }): ReactNode {
  const online = result.availability === 'AVAILABILITY_STATUS_ONLINE';
  return (
    <div className="stack" aria-live="polite">
      <p className="availability-word" data-open={result.isAvailable || undefined}>
        {result.isAvailable ? 'Available' : 'Not available'}
      </p>
      <div className="row">
        <Badge
          tone={online ? 'good' : result.availability === 'AVAILABILITY_STATUS_BUSY' ? 'warn' : 'neutral'}
        >
          {words(result.availability, 'AVAILABILITY_STATUS')}
        </Badge>
        <Badge tone={result.isInHop ? 'good' : 'warn'}>
          {result.isInHop ? 'Inside the opening hours' : 'Outside the opening hours'}
        </Badge>
      </div>
      <dl className="counts">
        <Count label="logged in" value={result.agentsLoggedIn} />
        <Count label="active" value={result.agentsActive} />
        <Count label="free places" value={result.freeSlots} />
        <Count label="waiting" value={result.queueLength} />
      </dl>
    </div>
  );
}

function Count({ label, value = 0 }: { label: string; value: number | undefined }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
