// The filters of a list, kept in the address: a link shows everybody the same list, and the browser's back
// button restores it.
import { useEffect, useState } from 'react';
import { setQuery, useLocation } from '../router.js';

export interface Filters<F> {
  values: F;
  set: (part: Partial<F>) => void;
  clear: () => void;
  /** Whether any filter is set, apart from the order. */
  isNarrowed: boolean;
  /**
   * Values in the address that the list does not know, such as `decision=maybe`; the default is used instead.
   */
  ignored: readonly string[];
  /** Removes the ignored values from the address. */
  forgetIgnored: () => void;
}

const ORDER = 'sort';
const dates = new Set(['from', 'to']);

/** Whether the day exists in the calendar. */
const isDay = (value: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
};

/** `known`: the possible values of those filters that are a choice. */
export function useFilters<F extends Readonly<Record<string, string>>>(
  defaults: F,
  known: Partial<Record<keyof F & string, readonly string[]>> = {},
): Filters<F> {
  const { query } = useLocation();
  const names = Object.keys(defaults) as (keyof F & string)[];
  const isKnown = (name: keyof F & string): boolean => {
    const value = query.get(name);
    if (!value || value === defaults[name]) return true;
    return dates.has(name) ? isDay(value) : (known[name]?.includes(value) ?? true);
  };
  const unknown = names.filter((name) => !isKnown(name));
  const values = Object.fromEntries(
    names.map((name) => [name, (isKnown(name) ? query.get(name) : undefined) ?? defaults[name]]),
  ) as F;
  return {
    values,
    ignored: unknown.map((name) => `${name}=${query.get(name) ?? ''}`),
    forgetIgnored: () => setQuery(Object.fromEntries(unknown.map((name) => [name, undefined]))),
    set: (part) =>
      setQuery(
        Object.fromEntries(
          Object.entries(part).map(([name, value]) => [name, value === defaults[name] ? undefined : value]),
        ),
      ),
    clear: () => setQuery(Object.fromEntries(names.map((name) => [name, undefined]))),
    isNarrowed: names.some((name) => name !== ORDER && values[name] !== defaults[name]),
  };
}

const TYPING_PAUSE_MS = 200;

/** The value once typing has paused, for requests to the server. */
export function usePaused(value: string, pauseMs = TYPING_PAUSE_MS): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  // An empty value takes effect at once, so that an export right after clearing is not filtered.
  return value === '' ? '' : settled;
}
