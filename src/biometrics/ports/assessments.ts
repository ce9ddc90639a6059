// What sessions mean, stored so that lists find and sort them by it.
import type { Decision } from '../model/outcome.js';

/** Headlines and caveats by their names (biometrics/assessment). */
export interface StoredAssessment {
  gkSessionId: string;
  headline: string;
  /** As of now. */
  decision?: Decision | undefined;
  caveats: readonly string[];
  /** Other sessions of the engagement change it: it has no decision of its own, or an inherited one. */
  followsEngagement: boolean;
}

export interface AssessmentFilter {
  /** All of these groups; of each, one of the names. */
  caveats: readonly (readonly string[])[];
  /** Any of these; all if empty. */
  headlines: readonly string[];
  decisions: readonly Decision[];
  /** Also those that are not assessed yet: they may fit. */
  orUnassessed: boolean;
}

export interface AssessmentRepository {
  hasUnassessed(gkScopeId: string): Promise<boolean>;
  sessionsWith(gkScopeId: string, filter: AssessmentFilter): Promise<Set<string>>;
  findMany(
    gkScopeId: string,
    gkSessionIds: readonly string[],
  ): Promise<Map<string, Pick<StoredAssessment, 'headline' | 'decision'>>>;
  /** Of one tenant, the newest. */
  unassessed(limit: number): Promise<{ gkScopeId: string; gkSessionIds: string[] } | undefined>;
  countUnassessed(): Promise<number>;
  /** Inside a transaction: stores what these sessions mean now. */
  assess(gkScopeId: string, gkSessionIds: readonly string[]): Promise<void>;
  /** Inside a transaction: enters what 0.2.0 has written, which assesses nothing. `sinceMs`: outcomes that are not older. */
  enterWrittenBefore(sinceMs: number): Promise<void>;
}
