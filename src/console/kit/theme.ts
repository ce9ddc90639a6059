// Light or dark: follows the system until the user chooses; the choice is kept in this browser.
import { useSyncExternalStore } from 'react';

const KEY = 'voxgate.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

type Theme = 'light' | 'dark';

function current(): Theme {
  const chosen = localStorage.getItem(KEY);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset['theme'] = current();
  for (const listener of listeners) listener();
}

export function startTheme(): void {
  system.addEventListener('change', apply);
  apply();
}

export function useTheme(): { theme: Theme; toggle: () => void } {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return {
    theme,
    toggle: () => {
      localStorage.setItem(KEY, theme === 'dark' ? 'light' : 'dark');
      apply();
    },
  };
}
