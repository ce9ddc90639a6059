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
}

const ORDER = 'sort';

export function useFilters<F extends Readonly<Record<string, string>>>(defaults: F): Filters<F> {
  const { query } = useLocation();
  const names = Object.keys(defaults) as (keyof F & string)[];
  const values = Object.fromEntries(names.map((name) => [name, query.get(name) ?? defaults[name]])) as F;
  return {
    values,
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
