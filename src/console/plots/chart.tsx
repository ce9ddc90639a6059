// uPlot in the colors of the console: lines or steps, marked thresholds, and the numbers as a table for
// people who cannot see the picture.
import { useEffect, useRef, type ReactNode } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { color, useTheme, type ColorName } from '../kit/theme.js';
import { num } from '../text/tools.js';
import { LOCALE } from '../text/language.js';
import { t } from '../text/shell.js';
import './plots.css';

export interface ChartSeries {
  label: string;
  color: ColorName;
  dashed?: boolean;
  /** Bars between neighboring points, for histograms. */
  steps?: boolean;
}

export interface Axis {
  label: string;
  /** Tick positions and labels, for custom scales. */
  marks?: readonly (readonly [number, string])[];
  log?: boolean;
  range?: readonly [number, number];
  time?: boolean;
  /** For counts: no ticks between whole numbers. */
  counts?: boolean;
}

export interface Marker {
  x: number;
  label: string;
  color: ColorName;
}

interface ChartProps {
  title: string;
  /** One sentence that says what the picture shows. */
  summary: string;
  x: readonly number[];
  y: readonly (readonly (number | null)[])[];
  series: readonly ChartSeries[];
  xAxis: Axis;
  yAxis: Axis;
  markers?: readonly Marker[];
  height?: number;
}

const TABLE_ROWS = 60;
/** 1, 2, 5, 10 and so on, beyond any expected count. */
const wholeSteps = Array.from({ length: 8 }, (_, power) =>
  [1, 2, 5].map((step) => step * 10 ** power),
).flat();

export function Chart(props: ChartProps): ReactNode {
  const { title, summary, x, y, series, xAxis, yAxis, markers = [], height = 260 } = props;
  const place = useRef<HTMLDivElement>(null);
  const { theme } = useTheme();
  useEffect(() => {
    const element = place.current;
    if (!element || x.length === 0) return undefined;
    const data = [x, ...y] as unknown as uPlot.AlignedData;
    const plot = new uPlot(
      {
        ...optionsOf({ series, xAxis, yAxis, markers, sparse: isSparse(y) }),
        width: Math.max(120, element.clientWidth),
        height,
      },
      data,
      element,
    );
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(120, element.clientWidth), height }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [x, y, series, xAxis, yAxis, markers, height, theme]);
  const every = Math.max(1, Math.ceil(x.length / TABLE_ROWS));
  const rows = x.map((_value, index) => index).filter((index) => index % every === 0);
  const shown = (value: number | null | undefined, axis: Axis): string =>
    value === null || value === undefined
      ? t.none
      : axis.time
        ? moment(value, (x.at(-1) ?? 0) - (x[0] ?? 0))
        : num(Number(value.toPrecision(4)), undefined);
  return (
    <figure className="chart-figure">
      <figcaption>
        <h3>{title}</h3>
        <p className="small soft">{summary}</p>
      </figcaption>
      <div className="chart-place" ref={place} role="img" aria-label={`${title}. ${summary}`} />
      <div className="chart-legend" aria-hidden="true">
        {series.map((one) => (
          <span key={one.label}>
            <i data-dashed={one.dashed || undefined} style={{ color: `var(--${one.color})` }} />
            {one.label}
          </span>
        ))}
        {markers.map((marker) => (
          <span key={marker.label}>
            <i data-dashed style={{ color: `var(--${marker.color})` }} />
            {marker.label}
          </span>
        ))}
      </div>
      <details>
        <summary>{t.numbers}</summary>
        <div className="table-wrap" tabIndex={0} role="group" aria-label={t.numbersOf(title)}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{xAxis.label}</th>
                {series.map((one) => (
                  <th key={one.label} scope="col">
                    {one.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((index) => (
                <tr key={index}>
                  <td>{shown(x[index], xAxis)}</td>
                  {series.map((one, at) => (
                    <td key={one.label}>{shown(y[at]?.[index], yAxis)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

const DAY_SECONDS = 86_400;
/** From this many days on, ticks show days: the time of day would only repeat itself. */
const DAYS_SHOWN_FROM = 2;

/** Seconds since 1970 as a time or date in the reader's format, depending on the span of the picture. */
function moment(seconds: number, spanSeconds: number): string {
  const date = new Date(seconds * 1000);
  return spanSeconds < DAYS_SHOWN_FROM * DAY_SECONDS
    ? date.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString(LOCALE, { day: 'numeric', month: 'short' });
}

/** Labels of the time axis; when it shows days, only midnights have one. */
function momentMarks(plot: uPlot, times: readonly number[]): string[] {
  const { min, max } = plot.scales['x'] ?? {};
  const span = (max ?? 0) - (min ?? 0);
  const isDays = span >= DAYS_SHOWN_FROM * DAY_SECONDS;
  return times.map((time) => (isDays && new Date(time * 1000).getHours() !== 0 ? '' : moment(time, span)));
}

/** A line needs two adjacent points; isolated ones are drawn as dots. */
function isSparse(y: ChartProps['y']): boolean {
  const gap = (value: number | null | undefined): boolean => value === null || value === undefined;
  return y.some((values) =>
    values.some((value, index) => !gap(value) && gap(values[index - 1]) && gap(values[index + 1])),
  );
}

function optionsOf({
  series,
  xAxis,
  yAxis,
  markers,
  sparse,
}: Pick<ChartProps, 'series' | 'xAxis' | 'yAxis'> & { markers: readonly Marker[]; sparse: boolean }): Omit<
  uPlot.Options,
  'width' | 'height'
> {
  const stepped = uPlot.paths.stepped?.({ align: 1 });
  const axis = (facts: Axis): uPlot.Axis => ({
    label: facts.label,
    labelSize: 22,
    labelFont: '12px sans-serif',
    font: '11px sans-serif',
    stroke: color('ink-soft'),
    grid: { stroke: color('chart-grid'), width: 1 },
    ticks: { stroke: color('chart-grid'), width: 1 },
    ...(facts.time && { values: momentMarks }),
    ...(facts.counts && { incrs: wholeSteps }),
    ...(facts.marks && {
      splits: () => (facts.marks ?? []).map(([at]) => at),
      values: () => (facts.marks ?? []).map(([, text]) => text),
    }),
  });
  const scale = (facts: Axis): uPlot.Scale => ({
    time: facts.time ?? false,
    ...(facts.log && { distr: 3 as const, log: 10 as const }),
    ...(facts.range && { range: [facts.range[0], facts.range[1]] as uPlot.Range.MinMax }),
  });
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false } },
    scales: { x: scale(xAxis), y: scale(yAxis) },
    axes: [axis(xAxis), { ...axis(yAxis), size: 58 }],
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        stroke: color(one.color),
        width: 2,
        points: { show: sparse, size: 6, fill: color(one.color) },
        spanGaps: false,
        ...(one.dashed && { dash: [6, 4] }),
        ...(one.steps && { fill: `${color(one.color)}33`, ...(stepped && { paths: stepped }) }),
      })),
    ],
    hooks: {
      draw: [
        (plot) => {
          const { ctx, bbox } = plot;
          ctx.save();
          for (const marker of markers) {
            const at = plot.valToPos(marker.x, 'x', true);
            if (at < bbox.left || at > bbox.left + bbox.width) continue;
            ctx.strokeStyle = color(marker.color);
            ctx.lineWidth = 2 * devicePixelRatio;
            ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
            ctx.beginPath();
            ctx.moveTo(at, bbox.top);
            ctx.lineTo(at, bbox.top + bbox.height);
            ctx.stroke();
          }
          ctx.restore();
        },
      ],
    },
  };
}
