import type { Engagement, Factor, Session } from './model.js';

export interface Page {
  limit: number;
  /** Opaque position returned with the previous page. */
  after?: string;
}

export interface EngagementRepository {
  insert(engagement: Engagement): Promise<void>;
  /** Locks the row until the transaction ends when called inside one. */
  find(gkScopeId: string, gkEngagementId: string): Promise<Engagement | undefined>;
  findByExternalId(gkScopeId: string, engagementId: string): Promise<Engagement | undefined>;
  /** Newest first. */
  listByCorrelation(gkScopeId: string, correlationId: string, limit: number): Promise<Engagement[]>;
  update(engagement: Engagement): Promise<void>;
  touch(gkEngagementId: string, at: number): Promise<void>;
}

export interface SessionRepository {
  insert(session: Session): Promise<void>;
  find(gkScopeId: string, gkSessionId: string): Promise<Session | undefined>;
  listByEngagement(gkScopeId: string, gkEngagementId: string): Promise<Session[]>;
  /** Newest first, for the console. */
  list(
    gkScopeId: string,
    filter: { active?: boolean; from?: number; to?: number },
    page: Page,
  ): Promise<{ sessions: Session[]; next?: string }>;
  update(session: Session): Promise<void>;
  touch(gkSessionId: string, at: number): Promise<void>;
}

export interface FactorRepository {
  insert(factor: Factor): Promise<void>;
  /** Oldest first. */
  listBySession(gkScopeId: string, gkSessionId: string): Promise<Factor[]>;
  listByEngagement(gkScopeId: string, gkEngagementId: string): Promise<Factor[]>;
}
