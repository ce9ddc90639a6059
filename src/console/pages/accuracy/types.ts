// Error rates and shadow runs as the pages read them.
import type { Id } from '../biosec/types.js';

export interface Estimate {
  value?: number;
  lower?: number;
  upper?: number;
}

export interface ErrorPoint {
  threshold?: number;
  falseAcceptRate?: number;
  falseRejectRate?: number;
}

export interface AccuracyReport {
  targetTrials?: number;
  nontargetTrials?: number;
  speakers?: number;
  histogram?: { start?: number; binWidth?: number; targetCounts?: number[]; nontargetCounts?: number[] };
  detPoints?: ErrorPoint[];
  thresholdPoints?: ErrorPoint[];
  equalErrorRate?: Estimate;
  equalErrorThreshold?: number;
  activeThreshold?: number;
  activeFalseAcceptRate?: Estimate;
  activeFalseRejectRate?: Estimate;
  cllr?: number;
  confidenceLevel?: number;
  warnings?: string[];
}

export interface Suggestion {
  threshold?: Estimate;
  falseAcceptRate?: Estimate;
  falseRejectRate?: Estimate;
  lowRiskThreshold?: number;
  targetTrials?: number;
  nontargetTrials?: number;
  warnings?: string[];
}

export interface Revision {
  gkConfigsetRevisionId?: Id;
  configsetId?: string;
  type?: string;
  state?: string;
  description?: string;
  createdBy?: string;
  creationTimestamp?: string;
}

export interface ShadowReport {
  gkActiveRevisionId?: Id;
  gkShadowRevisionId?: Id;
  since?: string;
  calls?: string;
  pairs?: { active?: string; shadow?: string; count?: string }[];
  differences?: {
    time?: string;
    gkSessionId?: Id;
    operation?: string;
    active?: string;
    shadow?: string;
    score?: number;
  }[];
}

/** What the report is made from. */
export type Source = { kind: 'own' } | { kind: 'trials'; name: string; text: string; count: number };

/** Proto JSON leaves zeros out: a member that is not there is 0. */
export function rateWords(rate: Estimate | undefined): string {
  if (!rate) return '-';
  const text = (share = 0): string =>
    share === 0 ? '0 %' : `${Number((share * 100).toPrecision(3)).toString()} %`;
  return `${text(rate.value)} (${text(rate.lower)} to ${text(rate.upper)})`;
}
