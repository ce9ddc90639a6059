// A first and a last day for a list, in the reader's own calendar.
import type { ReactNode } from 'react';
import { t } from '../text/shell.js';
import { TextField } from './field.js';

export function DateFields({
  from,
  to,
  onDates,
}: {
  from: string;
  to: string;
  onDates: (dates: { from?: string; to?: string }) => void;
}): ReactNode {
  return (
    <div className="list-dates">
      <TextField
        label={t.dates.from}
        type="date"
        value={from}
        max={to || undefined}
        onValue={(value) => onDates({ from: value })}
      />
      <TextField
        label={t.dates.to}
        type="date"
        value={to}
        min={from || undefined}
        error={from && to && from > to ? t.dates.reversed : undefined}
        onValue={(value) => onDates({ to: value })}
      />
    </div>
  );
}

/**
 * From the beginning of the first day to the end of the last, in the reader's time zone, as list requests
 * expect it.
 */
export function spanOf(from: string, to: string): { startTime?: string; endTime?: string } {
  const start = momentOf(from, 0);
  const end = momentOf(to, 1);
  return { ...(start && { startTime: start }), ...(end && { endTime: end }) };
}

function momentOf(day: string, daysLater: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (!year || !month || !date) return undefined;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}
