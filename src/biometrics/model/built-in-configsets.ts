// The two config sets that exist without being made: SYSTEM and SCOPE, both with the defaults of the program
// until a scope makes a revision of its own.
import type { ConfigClass, ConfigsetRevision } from './configsets.js';

const builtIn = ['SYSTEM', 'SCOPE'] as const;

export function builtInSets(gkScopeId: string): ConfigsetRevision[] {
  return builtIn.map((type) =>
    shippedRevision(gkScopeId, type, type, 'CONFIGSET', '{}', 'Defaults of the program'),
  );
}

export function builtInSet(gkScopeId: string, configsetId: string): ConfigsetRevision | undefined {
  return builtInSets(gkScopeId).find(
    (revision) => revision.configsetId.toLowerCase() === configsetId.toLowerCase(),
  );
}

/** A revision that is part of the program; the same for every scope, older than everything. */
export function shippedRevision(
  gkScopeId: string,
  configsetId: string,
  type: ConfigsetRevision['type'],
  configClass: ConfigClass,
  content: string,
  description: string,
): ConfigsetRevision {
  return {
    gkConfigsetRevisionId: `factory-${configsetId}`,
    gkScopeId,
    configsetId,
    type,
    configClass,
    state: 'ACTIVE',
    content,
    description,
    createdBy: 'voxgate',
    updatedBy: 'voxgate',
    createdAtMs: 0,
    modifiedAtMs: 0,
  };
}
