// Whether errors affect some people more than others: error rates by group, for any attribute that the tenant
// knows of its people.
import { useState, type FormEvent, type ReactNode } from 'react';
import type { FairnessReportJson, GroupErrorsJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { num } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Card, Facts } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import type { Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { rateWords } from './rates.js';
import { Warnings } from './warnings.js';

const text = t.fairness;
const CUSTOM = 'custom';
const CUSTOM_PREFIX = 'custom_data.';

/** As in the choice; a tenant's own field keeps its name. */
const groupingWords = (by = ''): string =>
  ({ language: text.language, gender: text.gender, line: text.line })[by] ?? by.replace(CUSTOM_PREFIX, '');

export function FairnessCard({ read }: { read: Context }): ReactNode {
  const [by, setBy] = useState('language');
  const [member, setMember] = useState('');
  const [report, setReport] = useState<FairnessReportJson>();
  const groupBy = by === CUSTOM ? `${CUSTOM_PREFIX}${member.trim()}` : by;
  const measure = useAction(async () => {
    setReport(undefined);
    const answer = await call('EvaluateScores', { context: read, groupBy: [groupBy] });
    setReport(answer.report?.fairness?.[0]);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void measure.run();
  };
  return (
    <Card title={text.title}>
      <div className="stack">
        <p className="accuracy-answer" aria-live="polite">
          {report?.by === groupBy ? answerOf(report) : text.notMeasured}
        </p>
        <form className="row" onSubmit={submit}>
          <SelectField
            label={text.by}
            value={by}
            onValue={setBy}
            options={[
              { value: 'language', label: text.language },
              { value: 'gender', label: text.gender },
              { value: 'line', label: text.line },
              { value: CUSTOM, label: text.custom },
            ]}
          />
          {by === CUSTOM ? (
            <TextField
              label={text.member}
              hint={text.memberHint}
              value={member}
              onValue={setMember}
              required
            />
          ) : null}
          <Button type="submit" busy={measure.busy}>
            {text.measure}
          </Button>
        </form>
        {measure.error ? <ErrorNotice error={measure.error} title={text.failed} /> : null}
        {report ? (
          <>
            <h3>{text.groupedBy(groupingWords(report.by))}</h3>
            <Groups report={report} />
          </>
        ) : null}
      </div>
    </Card>
  );
}

function answerOf({ by, groups = [], falseAcceptRatio, falseRejectRatio }: FairnessReportJson): string {
  if (groups.length < 2) return by === 'line' ? text.oneLine : text.noGroups;
  const times = (ratio: number | string | undefined): string => {
    const known = finite(ratio);
    return known === undefined ? text.tooFew : text.times(num(known, 1));
  };
  return text.answer(times(falseAcceptRatio), times(falseRejectRatio));
}

/** The product's own groups have translations; the tenant's keep their names. */
const wordsOf = (by: string | undefined, group: string): string =>
  (by === 'gender' ? text.genders[group] : by === 'line' ? text.lines[group] : undefined) ?? group;

function Groups({ report }: { report: FairnessReportJson }): ReactNode {
  const { groups = [], warningsSaid } = report;
  const garbe = finite(report.garbe);
  return (
    <div className="stack" aria-live="polite">
      <Warnings of={warningsSaid} groupWords={(group) => wordsOf(report.by, group)} />
      {groups.length > 0 ? (
        <Table
          caption={text.caption}
          rows={groups}
          rowKey={({ group = '' }) => group}
          columns={[
            { label: text.group, cell: ({ group = '' }: GroupErrorsJson) => wordsOf(report.by, group) },
            { label: text.speakers, number: true, cell: ({ speakers = 0 }) => num(speakers) },
            { label: t.report.falseAccepts, number: true, cell: (row) => rateWords(row.falseAcceptRate) },
            { label: t.report.falseRejects, number: true, cell: (row) => rateWords(row.falseRejectRate) },
          ]}
        />
      ) : null}
      {groups.length > 1 ? (
        <Facts items={[[text.garbe, garbe === undefined ? shell.none : text.garbeText(num(garbe, 2))]]} />
      ) : null}
    </div>
  );
}
