// The charts of an accuracy report: how far apart the scores are, the cost of each threshold, and the DET
// curve.
import { useMemo, type ReactNode } from 'react';
import type { AccuracyReportJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { num } from '../../text/tools.js';
import { finite } from '../../format/text.js';
import { Facts } from '../../kit/layout.js';
import { Chart, type Axis, type ChartSeries, type Marker } from '../../plots/chart.js';
import { t } from '../../text/accuracy.js';
import { AlikeTable } from './alike-table.js';
import { detOf } from './det.js';
import { rateWords, valueOf } from './rates.js';
import type { PairOfPersons } from './same-pairs.js';
import { Warnings } from './warnings.js';

const text = t.report;
const scoreAxis: Axis = { label: text.scoreAxis };
const countAxis: Axis = { label: text.shareAxis };
const rateAxis: Axis = { label: text.errorAxis };
const histogramSeries: readonly ChartSeries[] = [
  { label: text.same, color: 'chart-1', steps: true },
  { label: text.different, color: 'chart-2', steps: true, dashed: true },
];
const rateSeries: readonly ChartSeries[] = [
  { label: text.falseAccepts, color: 'chart-2' },
  { label: text.falseRejects, color: 'chart-1', dashed: true },
];
const detSeries: readonly ChartSeries[] = [{ label: text.det, color: 'chart-3' }];

export function ReportView({
  report,
  suggested,
  onSame,
}: {
  report: AccuracyReportJson;
  suggested: number | undefined;
  /** The user declares two to be one person. */
  onSame: (pair: PairOfPersons) => void;
}): ReactNode {
  const markers = useMemo<Marker[]>(() => {
    const active = finite(report.activeThreshold);
    return [
      ...(active === undefined ? [] : [{ x: active, label: text.activeThreshold, color: 'ink' as const }]),
      ...(suggested === undefined
        ? []
        : [{ x: suggested, label: text.suggestedThreshold, color: 'chart-4' as const }]),
    ];
  }, [report, suggested]);
  const histogram = useMemo(() => histogramOf(report), [report]);
  const rates = useMemo(() => {
    const points = report.thresholdPoints ?? [];
    return {
      x: points.map((point) => valueOf(point.threshold)),
      y: [
        points.map((point) => valueOf(point.falseAcceptRate) * 100),
        points.map((point) => valueOf(point.falseRejectRate) * 100),
      ],
    };
  }, [report]);
  const det = useMemo(() => detOf(report), [report]);
  return (
    <div className="stack" data-loose>
      <Warnings of={report.warningsSaid} />
      <Numbers report={report} />
      <div className="accuracy-charts">
        <Chart
          title={text.distributions}
          summary={text.distributionsText}
          x={histogram.x}
          y={histogram.y}
          series={histogramSeries}
          xAxis={scoreAxis}
          yAxis={countAxis}
          markers={markers}
        />
        <Chart
          title={text.errors}
          summary={text.errorsText}
          x={rates.x}
          y={rates.y}
          series={rateSeries}
          xAxis={scoreAxis}
          yAxis={rateAxis}
          markers={markers}
        />
        <Chart
          title={text.det}
          summary={text.detText}
          x={det.x}
          y={det.y}
          series={detSeries}
          xAxis={det.xAxis}
          yAxis={det.yAxis}
        />
      </div>
      <AlikeTable
        title={text.alike}
        hint={text.alikeText}
        rows={(report.alikePairs ?? []).map(({ gkOwnerId, gkOtherOwnerId, score }) => ({
          one: gkOwnerId?.value ?? '',
          other: gkOtherOwnerId?.value ?? '',
          score: valueOf(score),
        }))}
        onSame={onSame}
      />
    </div>
  );
}

export function answerOf(report: AccuracyReportJson): string {
  const active = finite(report.activeThreshold);
  return active === undefined
    ? text.noConfigset
    : text.answer(
        num(active, 2),
        rateWords(report.activeFalseAcceptRate),
        rateWords(report.activeFalseRejectRate),
      );
}

function Numbers({ report }: { report: AccuracyReportJson }): ReactNode {
  return (
    <Facts
      items={[
        [
          text.trials,
          [
            text.trialsText(report.targetTrials ?? 0, report.nontargetTrials ?? 0),
            ...(report.speakers ? [text.speakers(report.speakers)] : []),
          ].join(', '),
        ],
        [
          text.eer,
          text.eerText(rateWords(report.equalErrorRate), num(valueOf(report.equalErrorThreshold), 2)),
        ],
        [text.cllr, num(valueOf(report.cllr), 3)],
      ]}
    />
  );
}

function histogramOf({ histogram }: AccuracyReportJson): { x: number[]; y: number[][] } {
  const targets = histogram?.targetCounts ?? [];
  const others = histogram?.nontargetCounts ?? [];
  const share = (counts: readonly number[]): number[] => {
    const all = counts.reduce((sum, count) => sum + count, 0) || 1;
    return counts.map((count) => (count / all) * 100);
  };
  const bins = Math.max(targets.length, others.length);
  const start = valueOf(histogram?.start);
  const width = finite(histogram?.binWidth) ?? 1;
  return {
    x: Array.from({ length: bins }, (_unused, index) => start + index * width),
    y: [share(targets), share(others)],
  };
}
