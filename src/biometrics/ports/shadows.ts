// Where it is kept which config-set revisions run in the shadow.

export interface ShadowRun {
  gkScopeId: string;
  /** Compared without case. */
  configsetId: string;
  gkConfigsetRevisionId: string;
  sinceAtMs: number;
}

export interface ShadowRepository {
  find(gkScopeId: string, configsetId: string): Promise<ShadowRun | undefined>;
  /** Takes the place of an earlier run of the same config set. */
  put(run: ShadowRun): Promise<void>;
  delete(gkScopeId: string, configsetId: string): Promise<boolean>;
}
