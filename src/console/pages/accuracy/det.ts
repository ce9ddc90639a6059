// The DET curve on its own scale, where normally distributed scores make a straight line.
import type { AccuracyReportJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import { percent } from '../../text/tools.js';
import type { Axis } from '../../plots/chart.js';
import { t } from '../../text/accuracy.js';
import { valueOf } from './rates.js';

const detRates = [0.0001, 0.001, 0.01, 0.05, 0.2, 0.4] as const;

/** Both axes on the normal-deviate scale, where a DET curve of normal scores is a straight line. */
export function detOf(report: AccuracyReportJson): { x: number[]; y: number[][]; xAxis: Axis; yAxis: Axis } {
  const floor = 0.5 / Math.max(1, Math.min(report.targetTrials ?? 1, report.nontargetTrials ?? 1));
  const bounded = (rate: number): number => probit(Math.min(0.6, Math.max(Math.min(floor, 0.01), rate)));
  const points = (report.detPoints ?? [])
    .map((point) => ({
      x: bounded(valueOf(point.falseAcceptRate)),
      y: bounded(valueOf(point.falseRejectRate)),
    }))
    .sort((a, b) => a.x - b.x || b.y - a.y);
  const marks = detRates.map((rate) => [probit(rate), percent(rate)] as const);
  const range: [number, number] = [probit(Math.min(floor, 0.01)) - 0.1, probit(0.6)];
  const seen = marks.filter(([at]) => at >= range[0] && at <= range[1]);
  return {
    x: points.map((point) => point.x),
    y: [points.map((point) => point.y)],
    xAxis: { label: t.report.falseAccepts, marks: seen, range },
    yAxis: { label: t.report.falseRejects, marks: seen, range },
  };
}

/** Inverse of the normal distribution, by bisection of a close approximation: exact enough for a picture. */
function probit(share: number): number {
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
  const t1 = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t1 *
    (0.31938153 + t1 * (-0.356563782 + t1 * (1.781477937 + t1 * (-1.821255978 + t1 * 1.330274429))));
  return x > 0 ? 1 - tail : tail;
}
