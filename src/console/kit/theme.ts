// Light or dark: follows the system until the user chooses; the choice is kept in this browser. And its colors, for canvases, which do
// not see CSS variables.
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

export type ColorName =
  | 'ink'
  | 'ink-soft'
  | 'line'
  | 'surface'
  | 'sunken'
  | 'accent'
  | 'accent-soft'
  | 'voice'
  | 'voice-soft'
  | 'good'
  | 'warn'
  | 'bad'
  | 'chart-1'
  | 'chart-2'
  | 'chart-3'
  | 'chart-4'
  | 'chart-grid';

export function color(name: ColorName): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function rgb(name: ColorName): [number, number, number] {
  const hex = color(name).replace('#', '');
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) || 0;
  return [part(0), part(2), part(4)];
}
