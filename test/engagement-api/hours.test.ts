// Hours of operation: zones, daylight saving time, spans over midnight, exceptions.
import { describe, expect, it } from 'vitest';
import { isOpen } from '../../src/engagement-api/hours.js';
import { isDate, isTimeZone } from '../../src/engagement-api/local-time.js';
import type { DateException, HoursOfOperation, WeeklySpan } from '../../src/engagement-api/model.js';

const at = (text: string) => Date.parse(text);
const minutes = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const span = (weekday: WeeklySpan['weekday'], start: string, end: string): WeeklySpan => ({
  weekday,
  startMinute: minutes(start),
  endMinute: minutes(end),
});
const hours = (
  timeZone: string,
  spans: WeeklySpan[],
  exceptions: DateException[] = [],
): HoursOfOperation => ({
  siteId: 's',
  hoursId: 'h',
  agentGroupId: undefined,
  timeZone,
  spans,
  exceptions,
});

describe('hours of operation', () => {
  it('are open from the first minute to before the last, in local time', () => {
    // 2024-01-08 is a Monday; New York is five hours behind.
    const monday = hours('America/New_York', [span(1, '09:00', '17:00')]);
    expect(isOpen(monday, at('2024-01-08T13:59:59Z'))).toBe(false);
    expect(isOpen(monday, at('2024-01-08T14:00:00Z'))).toBe(true);
    expect(isOpen(monday, at('2024-01-08T21:59:59Z'))).toBe(true);
    expect(isOpen(monday, at('2024-01-08T22:00:00Z'))).toBe(false);
    expect(isOpen(monday, at('2024-01-09T15:00:00Z'))).toBe(false);
  });

  it('follow daylight saving time', () => {
    const monday = hours('America/New_York', [span(1, '09:00', '17:00')]);
    // In July New York is four hours behind.
    expect(isOpen(monday, at('2024-07-08T13:00:00Z'))).toBe(true);
    expect(isOpen(monday, at('2024-07-08T21:00:00Z'))).toBe(false);
    // Berlin skips 02:00 to 03:00 on 2024-03-31, a Sunday: a span that lies wholly in it never opens.
    const night = hours('Europe/Berlin', [span(7, '02:00', '03:00')]);
    expect(isOpen(night, at('2024-03-31T00:59:00Z'))).toBe(false);
    expect(isOpen(night, at('2024-03-31T01:00:00Z'))).toBe(false);
    // And repeats it on 2024-10-27: both times count.
    expect(isOpen(night, at('2024-10-27T00:30:00Z'))).toBe(true);
    expect(isOpen(night, at('2024-10-27T01:30:00Z'))).toBe(true);
    expect(isOpen(night, at('2024-10-27T02:00:00Z'))).toBe(false);
  });

  it('run over midnight, also from Sunday to Monday', () => {
    const night = hours('UTC', [span(7, '22:00', '06:00')]);
    // 2024-01-07 is a Sunday.
    expect(isOpen(night, at('2024-01-07T21:59:00Z'))).toBe(false);
    expect(isOpen(night, at('2024-01-07T22:00:00Z'))).toBe(true);
    expect(isOpen(night, at('2024-01-08T05:59:00Z'))).toBe(true);
    expect(isOpen(night, at('2024-01-08T06:00:00Z'))).toBe(false);
    expect(isOpen(night, at('2024-01-08T22:00:00Z'))).toBe(false);
  });

  it('are open all day from 00:00 to 24:00, and around the clock when the end equals the start', () => {
    expect(isOpen(hours('UTC', [span(1, '00:00', '24:00')]), at('2024-01-08T23:59:59Z'))).toBe(true);
    const around = hours('UTC', [span(1, '08:00', '08:00')]);
    expect(isOpen(around, at('2024-01-08T08:00:00Z'))).toBe(true);
    expect(isOpen(around, at('2024-01-09T07:59:00Z'))).toBe(true);
    expect(isOpen(around, at('2024-01-09T08:00:00Z'))).toBe(false);
  });

  it('give way to exceptions: closed days, other hours, several spans of a date', () => {
    const week = ([1, 2, 3, 4, 5] as const).map((day) => span(day, '09:00', '17:00'));
    const special = hours('UTC', week, [
      { date: '2024-12-25', closed: true },
      { date: '2024-12-24', closed: false, startMinute: 540, endMinute: 720 },
      { date: '2024-12-28', closed: false, startMinute: 600, endMinute: 660 },
      { date: '2024-12-28', closed: false, startMinute: 900, endMinute: 960 },
    ]);
    expect(isOpen(special, at('2024-12-25T10:00:00Z'))).toBe(false);
    expect(isOpen(special, at('2024-12-24T11:59:00Z'))).toBe(true);
    expect(isOpen(special, at('2024-12-24T12:00:00Z'))).toBe(false);
    expect(isOpen(special, at('2024-12-26T10:00:00Z'))).toBe(true);
    expect(['10:30', '12:00', '15:30'].map((time) => isOpen(special, at(`2024-12-28T${time}:00Z`)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('let a night that began before a closed day end in it, and start none in it', () => {
    const nights = ([1, 2, 3, 4, 5, 6, 7] as const).map((day) => span(day, '22:00', '02:00'));
    const special = hours('UTC', nights, [{ date: '2024-12-25', closed: true }]);
    expect(isOpen(special, at('2024-12-25T01:59:00Z'))).toBe(true);
    expect(isOpen(special, at('2024-12-25T23:00:00Z'))).toBe(false);
    expect(isOpen(special, at('2024-12-26T01:00:00Z'))).toBe(false);
  });

  it('know real zones and real dates only', () => {
    expect(['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'].map(isTimeZone)).toEqual([
      true,
      true,
      true,
    ]);
    expect(['Mars/Base', '', '+01:00', 'Europe/Berlin; drop'].map(isTimeZone)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(['2024-02-29', '2023-02-29', '2024-13-01', '24-01-01'].map(isDate)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
