// Config sets: named bundles of parameters in immutable revisions, of which at most one is ACTIVE.
export type ConfigsetState = 'SAVED' | 'VALIDATED' | 'ACTIVE' | 'INACTIVE' | 'INVALID';
export type ConfigsetType = 'SYSTEM' | 'SCOPE' | 'OPERATIONAL';
export type ConfigClass = 'CONFIGSET' | 'TEMPLATE';

export interface ConfigsetRevision {
  gkConfigsetRevisionId: string;
  gkScopeId: string;
  /** As the caller wrote it; compared without case. */
  configsetId: string;
  type: ConfigsetType;
  configClass: ConfigClass;
  state: ConfigsetState;
  /** The JSON document, exactly as stored; parsed and defaulted by parameters.ts. */
  content: string;
  description: string;
  createdBy: string;
  updatedBy: string;
  createdAtMs: number;
  modifiedAtMs: number;
}
