// Hours of operation: a week at a glance, edited as short text by day, with single dates as exceptions.
import type { ReactNode } from 'react';
import { put } from '../../api/client.js';
import { plural, words } from '../../format/text.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import {
  weekdays,
  exceptionText,
  readExceptions,
  readSpans,
  sitePath,
  spanText,
  type AgentGroup,
  type Hours,
} from './model.js';
import type { SectionProps } from './site.js';
import { TimeZoneField } from './time-zone.js';
import './engagement.css';

const hoursPath = (siteId: string, hoursId: string): string =>
  `${sitePath(siteId)}/hours/${encodeURIComponent(hoursId)}`;

export function HoursOfOperation({ model, reload }: SectionProps): ReactNode {
  const { site, groups } = model;
  const about = ({ agentGroupId, timeZone, exceptions = [] }: Hours): string => {
    const group = groups.find((item) => item.agentGroupId === agentGroupId);
    const parts = [
      agentGroupId ? `Agent group ${group?.name || agentGroupId}` : 'Whole site',
      timeZone || site.timeZone || 'UTC',
      ...(exceptions.length > 0 ? [plural(exceptions.length, 'exception')] : []),
    ];
    return parts.join(', ');
  };
  return (
    <div className="stack">
      <EditableList
        what="hours"
        verb="are"
        rows={model.hours}
        idOf={(hours) => hours.hoursId}
        pathOf={(hours) => hoursPath(site.siteId, hours.hoursId)}
        reload={reload}
        consequence="Availability is no longer limited by these hours."
        empty={{
          icon: 'clock',
          title: 'No hours of operation',
          text: 'Say when the site, or one agent group, is open.',
        }}
        addLabel="New hours"
        editor={(props) => <HoursDialog {...props} siteId={site.siteId} groups={groups} />}
      >
        {(hours, buttons) => (
          <Card key={hours.hoursId} title={hours.hoursId} hint={about(hours)} actions={buttons}>
            <Week hours={hours} />
          </Card>
        )}
      </EditableList>
    </div>
  );
}

const spansOn = (hours: Hours, weekday: string) =>
  (hours.spans ?? []).filter((span) => span.weekday === weekday);

/** Bars on a day of 24 hours; the same is said in text. */
function Week({ hours }: { hours: Hours }): ReactNode {
  return (
    <div className="week" role="list" aria-label={`Week of ${hours.hoursId}`}>
      {weekdays.map((weekday) => {
        const spans = spansOn(hours, weekday);
        return (
          <div key={weekday} className="week-day" role="listitem">
            <span>{words(weekday, 'WEEKDAY')}</span>
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
            <span className="small soft">{spans.length === 0 ? 'closed' : spanText(spans)}</span>
          </div>
        );
      })}
    </div>
  );
}

const OFFICE = '09:00-17:00';

function HoursDialog({
  item: hours,
  siteId,
  groups,
  onClose,
  onDone,
}: EditorProps<Hours> & { siteId: string; groups: readonly AgentGroup[] }): ReactNode {
  const form = useForm(
    () => ({
      hoursId: hours?.hoursId ?? '',
      agentGroupId: hours?.agentGroupId ?? '',
      timeZone: hours?.timeZone ?? '',
      days: Object.fromEntries(
        weekdays.map((weekday, index) => [
          weekday,
          hours ? spanText(spansOn(hours, weekday)) : index < 5 ? OFFICE : '',
        ]),
      ),
      exceptions: exceptionText(hours?.exceptions),
    }),
    async (draft) => {
      const hoursId = draft.hoursId.trim();
      await put(hoursPath(siteId, hoursId), {
        hours: {
          siteId,
          hoursId,
          ...(draft.agentGroupId === '' ? {} : { agentGroupId: draft.agentGroupId }),
          ...(draft.timeZone.trim() === '' ? {} : { timeZone: draft.timeZone.trim() }),
          spans: read.flatMap(([weekday, spans = []]) => spans.map((span) => ({ weekday, ...span }))),
          exceptions: dates ?? [],
        },
      });
      onDone();
    },
  );
  const { days, hoursId, exceptions } = form.draft;
  const read = weekdays.map((weekday) => [weekday, readSpans(days[weekday] ?? '')] as const);
  const dates = readExceptions(exceptions);
  const unreadable = dates === undefined || read.some(([, spans]) => spans === undefined);
  const singleDates = form.text('exceptions');
  return (
    <FormDialog
      title={hours ? `Edit ${hours.hoursId}` : 'New hours of operation'}
      onClose={onClose}
      submitLabel="Save hours"
      disabled={hoursId.trim() === '' || unreadable}
      wide
      {...form.submit}
    >
      {hours ? null : <TextField label="ID" autoFocus spellCheck={false} {...form.text('hoursId')} />}
      <div className="grid">
        <SelectField
          label="For"
          options={[
            { value: '', label: 'The whole site' },
            ...groups.map((item) => ({ value: item.agentGroupId, label: item.name || item.agentGroupId })),
          ]}
          {...form.text('agentGroupId')}
        />
        <TimeZoneField hint="That of the site when empty." {...form.text('timeZone')} />
      </div>
      <div className="grid">
        {read.map(([weekday, spans]) => (
          <TextField
            key={weekday}
            label={words(weekday, 'WEEKDAY')}
            placeholder="closed"
            value={days[weekday] ?? ''}
            onValue={(text) => form.set({ days: { ...days, [weekday]: text } })}
            error={spans === undefined ? 'Write times like 09:00-12:00, 13:00-17:00.' : undefined}
          />
        ))}
      </div>
      <TextArea
        label="Single dates"
        optional
        hint="One on each line: 2026-12-25 closed, or 2026-12-24 09:00-12:00."
        spellCheck={false}
        {...singleDates}
        error={dates === undefined ? 'Write a date, then closed or times.' : singleDates.error}
      />
    </FormDialog>
  );
}
