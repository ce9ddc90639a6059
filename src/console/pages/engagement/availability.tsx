// What the engagement API would answer, now or at another time, and the counts behind it.
import { useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { Badge, Card } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { t } from '../../text/engagement.js';
import { attributeQuery, readAttributes } from './attributes.js';
import { groupLabel, unitLabel, type SectionProps } from './model.js';
import './engagement.css';

const text = t.availability;

interface Question {
  unit: string;
  group: string;
  threshold: string;
  attributes: string;
  at: string;
}

export function AvailabilityPreview({ model }: SectionProps): ReactNode {
  const { siteId } = model.site;
  const [question, setQuestion] = useState<Question>({
    unit: model.units[0]?.businessUnitId ?? '',
    group: '',
    threshold: '',
    attributes: '',
    at: '',
  });
  const { unit, group, threshold, at } = question;
  const { attributes, problem } = readAttributes(question.attributes);
  const isReady = unit !== '' && problem === undefined;
  const answer = useQuery(
    isReady ? `availability ${siteId} ${JSON.stringify(question)}` : undefined,
    (signal) =>
      call(
        'PreviewAvailability',
        {
          siteId,
          businessUnitId: unit,
          agentGroupId: group,
          queueThreshold: threshold === '' ? undefined : Number(threshold),
          agentAttributes: attributeQuery(attributes),
          at: at === '' ? undefined : new Date(at).toISOString(),
        },
        signal,
      ),
    { everyMs: 10_000 },
  );
  if (model.units.length === 0) {
    return (
      <EmptyState icon="people" title={text.begin}>
        {text.beginText}
      </EmptyState>
    );
  }
  const change = (part: Partial<Question>): void => setQuestion((old) => ({ ...old, ...part }));
  return (
    <div className="availability">
      <Card title={text.question}>
        <div className="stack">
          <SelectField
            label={text.unit}
            value={unit}
            onValue={(value) => change({ unit: value, group: '' })}
            options={model.units.map((item) => ({
              value: item.businessUnitId ?? '',
              label: unitLabel(item),
            }))}
          />
          <SelectField
            label={text.group}
            value={group}
            onValue={(value) => change({ group: value })}
            options={[
              { value: '', label: text.any },
              ...model.groups
                .filter((item) => item.businessUnitId === unit)
                .map((item) => ({ value: item.agentGroupId ?? '', label: groupLabel(item) })),
            ]}
          />
          <TextField
            label={text.threshold}
            optional
            type="number"
            min={0}
            value={threshold}
            onValue={(value) => change({ threshold: value })}
            error={answer.error?.problem('queueThreshold')}
          />
          <TextArea
            label={text.attributes}
            optional
            hint={text.attributesHint}
            spellCheck={false}
            value={question.attributes}
            onValue={(value) => change({ attributes: value })}
            error={problem ?? answer.error?.problem('agentAttributes')}
          />
          <TextField
            label={text.at}
            optional
            type="datetime-local"
            hint={text.atHint}
            value={at}
            onValue={(value) => change({ at: value })}
          />
        </div>
      </Card>
      <Card
        title={text.answer}
        actions={
          <Button size="small" onClick={answer.reload} busy={answer.busy}>
            {text.again}
          </Button>
        }
      >
        {isReady ? (
          <Loaded query={answer} what={text.asking}>
            {(result) => <Answer result={result} />}
          </Loaded>
        ) : null}
      </Card>
    </div>
  );
}

function Answer({ result }: { result: AnswerOf<'PreviewAvailability'> }): ReactNode {
  const status = result.availability ?? 'AVAILABILITY_STATUS_UNSPECIFIED';
  const tone =
    status === 'AVAILABILITY_STATUS_ONLINE'
      ? 'good'
      : status === 'AVAILABILITY_STATUS_BUSY'
        ? 'warn'
        : 'neutral';
  return (
    <div className="stack" aria-live="polite">
      <p className="availability-word" data-open={result.isAvailable || undefined}>
        {result.isAvailable ? text.available : text.notAvailable}
      </p>
      <div className="row">
        <Badge tone={tone}>{t.statuses[status]}</Badge>
        <Badge tone={result.isInHop ? 'good' : 'warn'}>{result.isInHop ? text.inside : text.outside}</Badge>
      </div>
      <dl className="counts">
        <Count label={text.loggedIn} value={result.agentsLoggedIn} />
        <Count label={text.active} value={result.agentsActive} />
        <Count label={text.free} value={result.freeSlots} />
        <Count label={text.waiting} value={result.queueLength} />
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
