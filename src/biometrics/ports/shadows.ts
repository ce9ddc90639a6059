// Records which config-set revisions run in shadow mode, and which one did last.

export interface ShadowRun {
  gkScopeId: string;
  /** Compared without case. */
  configsetId: string;
  gkConfigsetRevisionId: string;
  sinceAtMs: number;
  /** Absent while it runs. */
  endedAtMs?: number;
}

export interface ShadowRepository {
  find(gkScopeId: string, configsetId: string): Promise<ShadowRun | undefined>;
  /** Replaces an earlier run of the same config set. */
  put(run: ShadowRun): Promise<void>;
  /** Its comparisons can still be read; false if none is running. */
  end(gkScopeId: string, configsetId: string, atMs: number): Promise<boolean>;
}
