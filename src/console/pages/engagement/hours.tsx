// Opening hours: a week at a glance, edited as short text by day, with single dates as exceptions.
import type { ReactNode } from 'react';
import type {
  AgentGroupJson,
  HoursOfOperationJson,
  WeekdayJson,
} from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/engagement.js';
import {
  exceptionText,
  groupLabel,
  readExceptions,
  readSpans,
  spanText,
  weekdays,
  type SectionProps,
} from './model.js';
import { TimeZoneField } from './time-zone.js';
import './engagement.css';

const text = t.hours;

export function OpeningHours({ model, reload }: SectionProps): ReactNode {
  const isFixed = !useMay()('administrator');
  const { site, groups } = model;
  const about = ({ agentGroupId, timeZone, exceptions = [] }: HoursOfOperationJson): string => {
    const group = groups.find((item) => item.agentGroupId === agentGroupId);
    const parts = [
      agentGroupId ? text.group(groupLabel(group ?? { agentGroupId })) : text.wholeSite,
      timeZone || site.timeZone || 'UTC',
      ...(exceptions.length > 0 ? [text.exceptions(exceptions.length)] : []),
    ];
    return parts.join(', ');
  };
  return (
    <div className="stack">
      <EditableList
        isFixed={isFixed}
        text={text.list}
        icon="clock"
        rows={model.hours}
        idOf={(hours) => hours.hoursId ?? ''}
        remove={({ hoursId }) => call('DeleteHoursOfOperation', { siteId: site.siteId, hoursId })}
        reload={reload}
        editor={(props) => <HoursDialog {...props} siteId={site.siteId} groups={groups} />}
      >
        {(hours, buttons) => (
          <Card key={hours.hoursId} title={hours.hoursId ?? ''} hint={about(hours)} actions={buttons}>
            <Week hours={hours} />
          </Card>
        )}
      </EditableList>
    </div>
  );
}

const spansOn = (hours: HoursOfOperationJson, weekday: WeekdayJson) =>
  (hours.spans ?? []).filter((span) => span.weekday === weekday);

/** Bars on a day of 24 hours; the same is also given as text. */
function Week({ hours }: { hours: HoursOfOperationJson }): ReactNode {
  return (
    <div className="week" role="list" aria-label={text.week(hours.hoursId ?? '')}>
      {weekdays.map((weekday) => {
        const spans = spansOn(hours, weekday);
        return (
          <div key={weekday} className="week-day" role="listitem">
            <span>{t.weekdays[weekday]}</span>
            <span className="week-track" aria-hidden="true">
              {spans.map(({ startMinute = 0, endMinute = 0 }) => (
                <span
                  key={startMinute}
                  className="week-span"
                  style={{
                    left: `${String((startMinute / 1440) * 100)}%`,
                    width: `${String((((endMinute <= startMinute ? 1440 : endMinute) - startMinute) / 1440) * 100)}%`,
                  }}
                />
              ))}
            </span>
            <span className="small soft">{spans.length === 0 ? text.closed : spanText(spans)}</span>
          </div>
        );
      })}
    </div>
  );
}

const OFFICE = '09:00-17:00';

/** Each weekday as text: the existing hours, or office hours for a new entry. */
function daysOf(hours: HoursOfOperationJson | undefined): Record<string, string> {
  return Object.fromEntries(
    weekdays.map((weekday, index) => [
      weekday,
      hours ? spanText(spansOn(hours, weekday)) : index < 5 ? OFFICE : '',
    ]),
  );
}

function HoursDialog({
  item: hours,
  siteId,
  groups,
  onClose,
  onDone,
}: EditorProps<HoursOfOperationJson> & { siteId: string; groups: readonly AgentGroupJson[] }): ReactNode {
  const form = useForm(
    () => ({
      hoursId: hours?.hoursId ?? '',
      agentGroupId: hours?.agentGroupId ?? '',
      timeZone: hours?.timeZone ?? '',
      days: daysOf(hours),
      exceptions: exceptionText(hours?.exceptions, text.closed),
    }),
    async (draft) => {
      await call('UpsertHoursOfOperation', {
        hours: {
          siteId,
          hoursId: draft.hoursId.trim(),
          agentGroupId: draft.agentGroupId || undefined,
          timeZone: draft.timeZone.trim() || undefined,
          spans: read.flatMap(([weekday, spans = []]) => spans.map((span) => ({ weekday, ...span }))),
          exceptions: dates ?? [],
        },
        expected: hours,
      });
      onDone();
    },
  );
  const { days, hoursId, exceptions } = form.draft;
  const read = weekdays.map((weekday) => [weekday, readSpans(days[weekday] ?? '')] as const);
  const dates = readExceptions(exceptions, text.closed);
  const unreadable = dates === undefined || read.some(([, spans]) => spans === undefined);
  const singleDates = form.text('exceptions');
  return (
    <FormDialog
      title={hours ? text.edit(hours.hoursId ?? '') : text.new}
      onClose={onClose}
      submitLabel={text.save}
      disabled={hoursId.trim() === '' || unreadable}
      wide
      {...form.submit}
    >
      {hours ? null : <TextField label={text.id} autoFocus spellCheck={false} {...form.text('hoursId')} />}
      <div className="grid">
        <SelectField
          label={text.for}
          options={[
            { value: '', label: text.theWholeSite },
            ...groups.map((item) => ({ value: item.agentGroupId ?? '', label: groupLabel(item) })),
          ]}
          {...form.text('agentGroupId')}
        />
        <TimeZoneField hint={text.zoneHint} {...form.text('timeZone')} />
      </div>
      <div className="grid">
        {read.map(([weekday, spans]) => (
          <TextField
            key={weekday}
            label={t.weekdays[weekday]}
            placeholder={text.closed}
            value={days[weekday] ?? ''}
            onValue={(value) => form.set({ days: { ...days, [weekday]: value } })}
            error={spans === undefined ? text.timesError : undefined}
          />
        ))}
      </div>
      <TextArea
        label={text.dates}
        optional
        hint={text.datesHint}
        spellCheck={false}
        {...singleDates}
        error={dates === undefined ? text.datesError : singleDates.error}
      />
    </FormDialog>
  );
}
