// How values read: times in the reader's language, enum names as words, long ids shortened.

/** `AGENT_STATE_BUSY` with prefix `AGENT_STATE` becomes `Busy`. */
export function words(value: string | undefined, prefix = ''): string {
  if (!value) return '-';
  const bare = prefix !== '' && value.startsWith(`${prefix}_`) ? value.slice(prefix.length + 1) : value;
  const text = bare.toLowerCase().replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function dateTime(value: string | number | undefined): string {
  if (value === undefined || value === '') return '-';
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(value),
  );
}

/** "3 minutes ago", "in 2 hours". */
export function relativeTime(value: string | number | undefined, now = Date.now()): string {
  if (value === undefined || value === '') return 'never';
  const seconds = (new Date(value).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  return format.format(Math.round(seconds), 'second');
}

/** JSON form of a protobuf Duration ("2.5s") in seconds. */
export function durationSeconds(value: string | undefined): number {
  return value === undefined ? 0 : Number.parseFloat(value) || 0;
}

export function shortId(value: string | undefined): string {
  return value === undefined ? '-' : value.length > 12 ? `${value.slice(0, 8)}…` : value;
}

export function percent(value: number, digits = 2): string {
  return `${(value * 100).toFixed(digits)} %`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
