// Where revisions of config sets are kept.
import type { ConfigClass, ConfigsetRevision, ConfigsetState } from '../model/configsets.js';

export interface ConfigsetRepository {
  insert(revision: ConfigsetRevision): Promise<void>;
  find(gkScopeId: string, gkConfigsetRevisionId: string): Promise<ConfigsetRevision | undefined>;
  /** Locks nothing, even in a transaction: every call of a tenant reads it. */
  findActive(
    gkScopeId: string,
    configClass: ConfigClass,
    configsetId: string,
  ): Promise<ConfigsetRevision | undefined>;
  /** The same, for replacing it: until the transaction ends, nobody else can. */
  takeActive(
    gkScopeId: string,
    configClass: ConfigClass,
    configsetId: string,
  ): Promise<ConfigsetRevision | undefined>;
  /** Newest first. */
  list(
    gkScopeId: string,
    configClass: ConfigClass,
    filter: { configsetId?: string; states?: readonly ConfigsetState[] },
  ): Promise<ConfigsetRevision[]>;
  update(revision: ConfigsetRevision): Promise<void>;
  delete(gkScopeId: string, gkConfigsetRevisionId: string): Promise<void>;
  deleteAll(gkScopeId: string, configClass: ConfigClass, configsetId: string): Promise<number>;
}
