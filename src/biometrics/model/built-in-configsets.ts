// The two config sets that exist without being created: SYSTEM and SCOPE, both with the defaults of the program until a tenant
// creates a revision.
import type { ConfigsetRevision } from './configsets.js';

const builtIn = ['SYSTEM', 'SCOPE'] as const;

export function builtInSets(gkScopeId: string): ConfigsetRevision[] {
  return builtIn.map((type) =>
    shippedRevision(gkScopeId, {
      configsetId: type,
      type,
      configClass: 'CONFIGSET',
      content: '{}',
      description: 'Defaults of the program',
    }),
  );
}

export function builtInSet(gkScopeId: string, configsetId: string): ConfigsetRevision | undefined {
  return builtInSets(gkScopeId).find(
    (revision) => revision.configsetId.toLowerCase() === configsetId.toLowerCase(),
  );
}

/** A revision that is part of the program; the same for every tenant, older than everything. */
export function shippedRevision(
  gkScopeId: string,
  shipped: Pick<ConfigsetRevision, 'configsetId' | 'type' | 'configClass' | 'content' | 'description'>,
): ConfigsetRevision {
  return {
    ...shipped,
    gkConfigsetRevisionId: `factory-${shipped.configsetId}`,
    gkScopeId,
    state: 'ACTIVE',
    createdBy: 'voxgate',
    updatedBy: 'voxgate',
    createdAtMs: 0,
    modifiedAtMs: 0,
  };
}
