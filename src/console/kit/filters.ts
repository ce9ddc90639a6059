// What a list is narrowed by, kept in the address: a link shows the same list to whoever follows it, and the browser's
// back button brings it back.
import { useEffect, useState } from 'react';
import { setQuery, useLocation } from '../router.js';

export interface Filters<F> {
  values: F;
  set: (part: Partial<F>) => void;
  clear: () => void;
  /** Anything but the order is narrowed. */
  isNarrowed: boolean;
  /** What the address asks for and the list does not know, such as `decision=maybe`; the usual is taken instead. */
  ignored: readonly string[];
  /** Takes what is ignored out of the address. */
  forgetIgnored: () => void;
}

const ORDER = 'sort';
const dates = new Set(['from', 'to']);

/** A day that the calendar has. */
const isDay = (value: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? new Date(`${value}T00:00:00Z`) : undefined;
  return at !== undefined && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value);
};

/** `known`: of those that are a choice, what can be chosen. */
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

/** The value once typing has paused: for what asks the server. */
export function usePaused(value: string, pauseMs = TYPING_PAUSE_MS): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === '' ? 0 : pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  // Nobody goes on typing nothing: what is cleared is cleared at once, for an export right after it too.
  return value === '' ? '' : settled;
}
