// Hours of operation: a week at a glance, edited as short text by day, with single dates as exceptions.
import { useState, type ReactNode } from 'react';
import { del, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { plural, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { EmptyState } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import {
  WEEKDAYS,
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

export function HoursOfOperation({ model, reload }: SectionProps): ReactNode {
  const [editing, setEditing] = useState<Hours | 'new'>();
  const [deleting, setDeleting] = useState<Hours>();
  const path = `${sitePath(model.site.siteId)}/hours`;
  const remove = useAction(async (hours: Hours) => {
    await del(`${path}/${encodeURIComponent(hours.hoursId)}`);
    setDeleting(undefined);
    toast('The hours are deleted.');
    reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      New hours
    </Button>
  );
  return (
    <div className="stack">
      {model.hours.length === 0 ? (
        <EmptyState icon="clock" title="No hours of operation" action={add}>
          Say when the site, or one agent group, is open.
        </EmptyState>
      ) : (
        <>
          <div className="row">{add}</div>
          {model.hours.map((hours) => (
            <Card
              key={hours.hoursId}
              title={hours.hoursId}
              hint={`${hours.agentGroupId ? `Agent group ${hours.agentGroupId}` : 'Whole site'}, ${hours.timeZone || model.site.timeZone || 'UTC'}${hours.exceptions?.length ? `, ${plural(hours.exceptions.length, 'exception')}` : ''}`}
              actions={
                <>
                  <Button size="small" onClick={() => setEditing(hours)}>
                    Edit
                  </Button>
                  <Button size="small" kind="danger" onClick={() => setDeleting(hours)}>
                    Delete
                  </Button>
                </>
              }
            >
              <Week hours={hours} />
            </Card>
          ))}
        </>
      )}
      {editing ? (
        <HoursDialog
          path={path}
          siteId={model.site.siteId}
          groups={model.groups}
          hours={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            toast('The hours are saved.');
            reload();
          }}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete hours ${deleting.hoursId}?`}
          word={deleting.hoursId}
          consequence="Availability is no longer limited by these hours."
          action="Delete hours"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </div>
  );
}

const spansOn = (hours: Hours, weekday: string) =>
  (hours.spans ?? []).filter((span) => span.weekday === weekday);

/** Bars on a day of 24 hours; the same is said in text. */
function Week({ hours }: { hours: Hours }): ReactNode {
  return (
    <div className="week" role="list" aria-label={`Week of ${hours.hoursId}`}>
      {WEEKDAYS.map((weekday) => {
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
  path,
  siteId,
  groups,
  hours,
  onClose,
  onDone,
}: {
  path: string;
  siteId: string;
  groups: readonly AgentGroup[];
  hours: Hours | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [id, setId] = useState(hours?.hoursId ?? '');
  const [group, setGroup] = useState(hours?.agentGroupId ?? '');
  const [timeZone, setTimeZone] = useState(hours?.timeZone ?? '');
  const [days, setDays] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      WEEKDAYS.map((weekday, index) => [
        weekday,
        hours ? spanText(spansOn(hours, weekday)) : index < 5 ? OFFICE : '',
      ]),
    ),
  );
  const [exceptions, setExceptions] = useState(exceptionText(hours?.exceptions));
  const read = WEEKDAYS.map((weekday) => [weekday, readSpans(days[weekday] ?? '')] as const);
  const dates = readExceptions(exceptions);
  const unreadable = dates === undefined || read.some(([, spans]) => spans === undefined);
  const save = useAction(async () => {
    await put(`${path}/${encodeURIComponent(id.trim())}`, {
      hours: {
        siteId,
        hoursId: id.trim(),
        ...(group === '' ? {} : { agentGroupId: group }),
        ...(timeZone.trim() === '' ? {} : { timeZone: timeZone.trim() }),
        spans: read.flatMap(([weekday, spans = []]) => spans.map((span) => ({ weekday, ...span }))),
        exceptions: dates ?? [],
      },
    });
    onDone();
  });
  return (
    <FormDialog
      title={hours ? `Edit ${hours.hoursId}` : 'New hours of operation'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save hours"
      busy={save.busy}
      error={save.error}
      disabled={id.trim() === '' || unreadable}
      wide
    >
      {hours ? null : (
        <TextField
          label="ID"
          value={id}
          onValue={setId}
          autoFocus
          spellCheck={false}
          error={save.error?.problem('hoursId')}
        />
      )}
      <div className="grid">
        <SelectField
          label="For"
          value={group}
          onValue={setGroup}
          options={[
            { value: '', label: 'The whole site' },
            ...groups.map((item) => ({ value: item.agentGroupId, label: item.name || item.agentGroupId })),
          ]}
          error={save.error?.problem('agentGroupId')}
        />
        <TimeZoneField
          value={timeZone}
          onValue={setTimeZone}
          hint="That of the site when empty."
          error={save.error?.problem('timeZone')}
        />
      </div>
      <div className="grid">
        {read.map(([weekday, spans]) => (
          <TextField
            key={weekday}
            label={words(weekday, 'WEEKDAY')}
            placeholder="closed"
            value={days[weekday] ?? ''}
            onValue={(text) => setDays({ ...days, [weekday]: text })}
            error={spans === undefined ? 'Write times like 09:00-12:00, 13:00-17:00.' : undefined}
          />
        ))}
      </div>
      <TextArea
        label="Single dates"
        optional
        hint="One on each line: 2026-12-25 closed, or 2026-12-24 09:00-12:00."
        value={exceptions}
        onValue={setExceptions}
        spellCheck={false}
        error={
          dates === undefined ? 'Write a date, then closed or times.' : save.error?.problem('exceptions')
        }
      />
    </FormDialog>
  );
}
