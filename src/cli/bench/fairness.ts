// Errors by group of `voxgate bench accuracy --groups`.
import { fairnessOf } from '../../voice/evaluation/fairness.js';
import type { Interval } from '../../voice/evaluation/metrics.js';
import { percent } from '../../voice/evaluation/percent.js';
import { thresholdForFar } from '../../voice/scoring/risk.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Labels } from './groups.js';
import type { Scored } from '../recordings/scored-corpus.js';

export interface FairnessReport {
  by: string;
  threshold: { far_target: number; llr: number };
  groups: {
    group: string;
    speakers: number;
    target: number;
    impostor: number;
    /** Null without a trial of that kind. */
    far: Interval | null;
    frr: Interval | null;
  }[];
  far_worst_to_best: number | null;
  frr_worst_to_best: number | null;
  garbe: number | null;
  warnings: string[];
}

/** Errors by group for every column of the labels. */
export async function fairnessReports(
  model: SpeakerModel,
  scored: readonly Scored[],
  { columns, labelOf }: Labels,
  far: number,
): Promise<FairnessReport[]> {
  const threshold = thresholdForFar(model, far);
  const reports: FairnessReport[] = [];
  for (const by of columns) {
    const labeled = scored.map((trial) => ({
      ...trial,
      labels: [labelOf(by, trial.pair.first), labelOf(by, trial.pair.second)] as const,
    }));
    const found = await fairnessOf(by, labeled, { threshold, level: 0.95, pause: async () => {} });
    reports.push({
      by,
      threshold: { far_target: far, llr: threshold },
      groups: found.groups.map(({ group, speakers, targets, nontargets, falseAccept, miss }) => ({
        group,
        speakers,
        target: targets,
        impostor: nontargets,
        far: nontargets === 0 ? null : falseAccept,
        frr: targets === 0 ? null : miss,
      })),
      far_worst_to_best: found.falseAcceptRatio ?? null,
      frr_worst_to_best: found.missRatio ?? null,
      garbe: found.garbe ?? null,
      warnings: found.warnings.map(({ message }) => message),
    });
  }
  return reports;
}

export function fairnessText(report: FairnessReport): string[] {
  const interval = (rate: Interval | null): string =>
    rate === null
      ? 'not known'
      : `${percent(rate.value, 2)} (${percent(rate.low, 2)} to ${percent(rate.high, 2)})`;
  const ratio = (value: number | null): string => (value === null ? 'not known' : value.toFixed(1));
  return [
    `by ${report.by}, at the threshold for ${percent(report.threshold.far_target)} false accepts`,
    ...report.groups.map(
      (g) =>
        `  ${g.group.padEnd(20)} FAR ${interval(g.far)}, FRR ${interval(g.frr)}   ${g.speakers} ${g.speakers === 1 ? 'speaker' : 'speakers'}, ${g.target} target, ${g.impostor} impostor trials`,
    ),
    `  worst to best: FAR ${ratio(report.far_worst_to_best)}, FRR ${ratio(report.frr_worst_to_best)}; GARBE ${report.garbe?.toFixed(3) ?? 'not known'}`,
    ...report.warnings.map((warning) => `  warning: ${warning}`),
  ];
}
