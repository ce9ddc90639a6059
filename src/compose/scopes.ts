// Scope administration: the service, and the timer that deletes scopes whose waiting time is over.
import { deleteDueScopes } from '../scopes/delete-scope.js';
import type { ScopesDeps } from '../scopes/deps.js';
import { scopesStore, type ScopesStoreDeps } from '../storage/scopes/scopes-store.js';
import { scopesService } from '../transport/services/scopes.js';
import type { Core, Part } from './part.js';
import type { Storage } from './storage.js';

const SWEEP_EVERY_MS = 10 * 60_000;
const DAY_MS = 24 * 3600_000;

/** What lies in a scope is known only to the domains: each brings its way to delete it. */
export type ScopeContent = Pick<ScopesStoreDeps, 'contentDeleters' | 'onContentDeleted'>;

export function composeScopes(core: Core, storage: Storage, content: ScopeContent): Part {
  const { database, keyring, audit } = storage;
  const deps: ScopesDeps = {
    store: scopesStore({ database, keyring, audit, ...content }),
    clock: core.clock,
    ids: core.ids,
    deletionDelayMs: core.config.retention.scopeDeletionDays * DAY_MS,
  };
  const sweep = (): void => {
    deleteDueScopes(deps, core.log).catch((cause: unknown) =>
      core.log.warn({ err: cause }, 'deleting due scopes failed'),
    );
  };
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return {
    bindings: [scopesService(deps)],
    stop: async () => clearInterval(timer),
  };
}
