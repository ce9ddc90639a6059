// Colors of the design for canvases, which do not see CSS variables.

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
