// Which two are one person under two names, as somebody has said here: kept in this browser for each tenant, by identifiers alone.
import { useState } from 'react';
import type { SamePair } from './rates.js';

const PREFIX = 'voxgate.same-person';

/** As many as the server takes. */
const PAIRS_MAX = 100;

const isPair = (value: unknown): value is SamePair => {
  const { owner, other } = (value ?? {}) as Partial<SamePair>;
  return typeof owner === 'string' && owner !== '' && typeof other === 'string' && other !== '';
};

function readPairs(key: string): readonly SamePair[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isPair).slice(0, PAIRS_MAX) : [];
  } catch {
    return [];
  }
}

export function useSamePairs(gkScopeId: string): [readonly SamePair[], (pairs: readonly SamePair[]) => void] {
  const key = `${PREFIX}.${gkScopeId}`;
  const [pairs, setPairs] = useState(() => readPairs(key));
  const keep = (next: readonly SamePair[]): void => {
    setPairs(next);
    try {
      if (next.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Not to be kept here: they last as long as the page.
    }
  };
  return [pairs, keep];
}
