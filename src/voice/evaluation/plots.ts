// The two pictures of an evaluation, as SVG text: the DET curve and the histograms of both kinds of score.
import type { Trial } from './arrange.js';
import type { OperatingPoint } from './metrics.js';
import { probit } from './normal.js';
import { percent } from './percent.js';

const WIDTH = 640;
const HEIGHT = 480;
const margin = { left: 64, right: 20, top: 36, bottom: 52 };
const INK = '#1f2933';
const colors = { target: '#0b7285', impostor: '#c92a2a' } as const;

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function frame(title: string, xLabel: string, yLabel: string, body: string): string {
  const middle = (margin.left + WIDTH - margin.right) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="${INK}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${middle}" y="22" text-anchor="middle" font-size="15">${escape(title)}</text>`,
    body,
    `<text x="${middle}" y="${HEIGHT - 14}" text-anchor="middle">${escape(xLabel)}</text>`,
    `<text transform="translate(18 ${HEIGHT / 2}) rotate(-90)" text-anchor="middle">${escape(yLabel)}</text>`,
    '</svg>\n',
  ].join('\n');
}

type Scale = (value: number) => number;

function grid(
  xTicks: readonly [number, string][],
  yTicks: readonly [number, string][],
  x: Scale,
  y: Scale,
): string {
  const [left, right, top, bottom] = [margin.left, WIDTH - margin.right, margin.top, HEIGHT - margin.bottom];
  const lines = [
    ...xTicks.map(
      ([v, label]) =>
        `<path d="M${x(v).toFixed(1)} ${top}V${bottom}" stroke="#e4e7eb"/><text x="${x(v).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${label}</text>`,
    ),
    ...yTicks.map(
      ([v, label]) =>
        `<path d="M${left} ${y(v).toFixed(1)}H${right}" stroke="#e4e7eb"/><text x="${left - 6}" y="${(y(v) + 4).toFixed(1)}" text-anchor="end">${label}</text>`,
    ),
    `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}" fill="none" stroke="#9aa5b1"/>`,
  ];
  return lines.join('\n');
}

/** Misses against false accepts on normal-deviate axes, where good systems give straight lines. */
export function detPlot(points: readonly OperatingPoint[], title: string): string {
  const [least, most] = [0.0005, 0.5];
  const span = probit(most) - probit(least);
  const unit = (p: number): number => (probit(Math.min(most, Math.max(least, p))) - probit(least)) / span;
  const x: Scale = (p) => margin.left + unit(p) * (WIDTH - margin.left - margin.right);
  const y: Scale = (p) => HEIGHT - margin.bottom - unit(p) * (HEIGHT - margin.top - margin.bottom);
  const ticks = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4].map((p): [number, string] => [
    p,
    `${+(100 * p).toFixed(1)}`,
  ]);
  let path = '';
  let drawn = { falseAccept: NaN, miss: NaN };
  // Half a million trials give as many points; steps below a hundredth cannot be seen.
  const moved = (now: number, before: number): boolean =>
    !(Math.abs(now - before) < 0.01 * Math.max(before, least));
  for (const { falseAccept, miss } of points) {
    if (
      falseAccept > most ||
      miss > most ||
      !(moved(falseAccept, drawn.falseAccept) || moved(miss, drawn.miss))
    )
      continue;
    path += `${path ? 'L' : 'M'}${x(falseAccept).toFixed(1)} ${y(miss).toFixed(1)}`;
    drawn = { falseAccept, miss };
  }
  const diagonal = `<path d="M${x(least)} ${y(least)}L${x(most)} ${y(most)}" stroke="#9aa5b1" stroke-dasharray="4 4"/>`;
  return frame(
    title,
    'false accepts, %',
    'misses, %',
    `${grid(ticks, ticks, x, y)}\n${diagonal}\n<path d="${path}" fill="none" stroke="${colors.target}" stroke-width="2"/>`,
  );
}

export function scorePlot(
  trials: readonly Trial[],
  thresholds: readonly { far: number; llr: number }[],
  title: string,
): string {
  const scores = trials.map((trial) => trial.score);
  const low = Math.floor(scores.reduce((a, b) => Math.min(a, b), 0));
  const high = Math.ceil(scores.reduce((a, b) => Math.max(a, b), 1));
  const bins = 80;
  const histogram = (target: boolean): number[] => {
    const counts = new Array<number>(bins).fill(0);
    const own = trials.filter((trial) => trial.target === target);
    for (const { score } of own) {
      const bin = Math.min(bins - 1, Math.floor(((score - low) / (high - low)) * bins));
      counts[bin] = (counts[bin] ?? 0) + 1 / own.length;
    }
    return counts;
  };
  const both = { target: histogram(true), impostor: histogram(false) };
  const peak = Math.max(...both.target, ...both.impostor, 1e-9);
  const x: Scale = (v) => margin.left + ((v - low) / (high - low)) * (WIDTH - margin.left - margin.right);
  const y: Scale = (v) => HEIGHT - margin.bottom - (v / peak) * (HEIGHT - margin.top - margin.bottom);
  const step = Math.max(1, Math.round((high - low) / 8));
  const xTicks = Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i): [number, string] => [
    low + i * step,
    `${low + i * step}`,
  ]);
  const yTicks = [0.25, 0.5, 0.75, 1].map((share): [number, string] => [
    share * peak,
    (share * peak).toFixed(2),
  ]);
  const area = (kind: 'target' | 'impostor'): string => {
    const steps = both[kind].map(
      (v, i) =>
        `L${x(low + (i * (high - low)) / bins).toFixed(1)} ${y(v).toFixed(1)}H${x(low + ((i + 1) * (high - low)) / bins).toFixed(1)}`,
    );
    return `<path d="M${x(low)} ${y(0)}${steps.join('')}L${x(high)} ${y(0)}Z" fill="${colors[kind]}" fill-opacity="0.35" stroke="${colors[kind]}"/>`;
  };
  const marks = thresholds.map(
    ({ far, llr }) =>
      `<path d="M${x(llr).toFixed(1)} ${margin.top}V${HEIGHT - margin.bottom}" stroke="${INK}" stroke-dasharray="3 3"/><text x="${(x(llr) + 3).toFixed(1)}" y="${margin.top + 12}" font-size="10">${percent(far)}</text>`,
  );
  const legend = (['target', 'impostor'] as const).map(
    (kind, i) =>
      `<text x="${margin.left + 10}" y="${margin.top + 30 + 16 * i}" fill="${colors[kind]}">${kind === 'target' ? 'same speaker' : 'different speakers'}</text>`,
  );
  return frame(
    title,
    'log-likelihood ratio',
    'share of trials',
    [grid(xTicks, yTicks, x, y), area('impostor'), area('target'), ...marks, ...legend].join('\n'),
  );
}
