// The pictures of an accuracy report: how far scores lie apart, what each threshold costs, and the DET curve.
import { useMemo, type ReactNode } from 'react';
import { sentence } from '../../api/errors.js';
import { Facts } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { Chart, type Axis, type ChartSeries, type Marker } from '../../plots/chart.js';
import { rateWords, type AccuracyReport } from './types.js';

const scoreAxis: Axis = { label: 'Score (log-likelihood ratio)' };
const countAxis: Axis = { label: 'Share of trials, %' };
const rateAxis: Axis = { label: 'Errors, %' };
const histogramSeries: readonly ChartSeries[] = [
  { label: 'Same speaker', color: 'chart-1', steps: true },
  { label: 'Different speakers', color: 'chart-2', steps: true, dashed: true },
];
const rateSeries: readonly ChartSeries[] = [
  { label: 'False accepts', color: 'chart-2' },
  { label: 'False rejects', color: 'chart-1', dashed: true },
];
const detSeries: readonly ChartSeries[] = [{ label: 'DET curve', color: 'chart-3' }];
const detRates = [0.0001, 0.001, 0.01, 0.05, 0.2, 0.4] as const;

export function ReportView({
  report,
  suggested,
}: {
  report: AccuracyReport;
  suggested: number | undefined;
}): ReactNode {
  const markers = useMemo<Marker[]>(
    () => [
      ...(report.activeThreshold === undefined
        ? []
        : [{ x: report.activeThreshold, label: 'Active threshold', color: 'ink' as const }]),
      ...(suggested === undefined
        ? []
        : [{ x: suggested, label: 'Suggested threshold', color: 'chart-4' as const }]),
    ],
    [report, suggested],
  );
  const histogram = useMemo(() => histogramOf(report), [report]);
  const rates = useMemo(() => {
    const points = report.thresholdPoints ?? [];
    return {
      x: points.map((point) => point.threshold ?? 0),
      y: [
        points.map((point) => (point.falseAcceptRate ?? 0) * 100),
        points.map((point) => (point.falseRejectRate ?? 0) * 100),
      ],
    };
  }, [report]);
  const det = useMemo(() => detOf(report), [report]);
  return (
    <div className="stack" data-loose>
      {(report.warnings ?? []).map((warning) => (
        <Notice key={warning} tone="warn">
          <span>{sentence(warning)}</span>
        </Notice>
      ))}
      <Facts
        items={[
          [
            'Trials',
            `${(report.targetTrials ?? 0).toLocaleString()} of the same speaker, ${(report.nontargetTrials ?? 0).toLocaleString()} of different speakers${report.speakers ? `, ${String(report.speakers)} speakers` : ''}`,
          ],
          [
            'Equal error rate',
            `${rateWords(report.equalErrorRate)} at score ${(report.equalErrorThreshold ?? 0).toFixed(2)}`,
          ],
          [
            'With the active threshold',
            report.activeThreshold === undefined
              ? 'No config set chosen'
              : `score ${report.activeThreshold.toFixed(2)}: false accepts ${rateWords(report.activeFalseAcceptRate)}, false rejects ${rateWords(report.activeFalseRejectRate)}`,
          ],
          ['Cost of the scores (Cllr)', (report.cllr ?? 0).toFixed(3)],
        ]}
      />
      <div className="accuracy-charts">
        <Chart
          title="Score distributions"
          summary="The less the two overlap, the better voices can be told apart."
          x={histogram.x}
          y={histogram.y}
          series={histogramSeries}
          xAxis={scoreAxis}
          yAxis={countAxis}
          markers={markers}
        />
        <Chart
          title="Errors against threshold"
          summary="A higher threshold lets fewer strangers in and turns more of the right people away."
          x={rates.x}
          y={rates.y}
          series={rateSeries}
          xAxis={scoreAxis}
          yAxis={rateAxis}
          markers={markers}
        />
        <Chart
          title="DET curve"
          summary="Every threshold as one point: nearer to the lower left corner is better."
          x={det.x}
          y={det.y}
          series={detSeries}
          xAxis={det.xAxis}
          yAxis={det.yAxis}
        />
      </div>
    </div>
  );
}

function histogramOf({ histogram }: AccuracyReport): { x: number[]; y: number[][] } {
  const targets = histogram?.targetCounts ?? [];
  const others = histogram?.nontargetCounts ?? [];
  const share = (counts: readonly number[]): number[] => {
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    return counts.map((count) => (count / all) * 100);
  };
  const bins = Math.max(targets.length, others.length);
  return {
    x: Array.from(
      { length: bins },
      (_unused, index) => (histogram?.start ?? 0) + index * (histogram?.binWidth ?? 1),
    ),
    y: [share(targets), share(others)],
  };
}

/** Both axes on the normal-deviate scale: there a DET curve of normal scores is a straight line. */
function detOf(report: AccuracyReport): { x: number[]; y: number[][]; xAxis: Axis; yAxis: Axis } {
  const floor = 0.5 / Math.max(1, Math.min(report.targetTrials ?? 1, report.nontargetTrials ?? 1));
  const bounded = (rate: number | undefined): number =>
    probit(Math.min(0.6, Math.max(Math.min(floor, 0.01), rate ?? 0)));
  const points = (report.detPoints ?? [])
    .map((point) => ({ x: bounded(point.falseAcceptRate), y: bounded(point.falseRejectRate) }))
    .sort((a, b) => a.x - b.x || b.y - a.y);
  const marks = detRates.map((rate) => [probit(rate), `${String(rate * 100)} %`] as const);
  const range: [number, number] = [probit(Math.min(floor, 0.01)) - 0.1, probit(0.6)];
  const seen = marks.filter(([at]) => at >= range[0] && at <= range[1]);
  return {
    x: points.map((point) => point.x),
    y: [points.map((point) => point.y)],
    xAxis: { label: 'False accepts', marks: seen, range },
    yAxis: { label: 'False rejects', marks: seen, range },
  };
}

/** Inverse of the normal distribution, by bisection of a close approximation: exact enough for a picture. */
export function probit(share: number): number {
  let low = -6;
  let high = 6;
  for (let round = 0; round < 40; round += 1) {
    const middle = (low + high) / 2;
    if (normal(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x > 0 ? 1 - tail : tail;
}
