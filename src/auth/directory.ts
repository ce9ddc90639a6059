// Who exists and what they may do, cached for the hot paths (token requests, bearer checks). The change feed
// drops what others changed; the lifetime is only a backstop.
import { BoundedCache } from './bounded-cache.js';
import type { Clock, TenantRights } from '../platform.js';
import type { Client, ClientSecret, Environment, TenantGrant, UserRole } from './model.js';
import { auditorRights, tenantRights } from './roles.js';
import type { AuthRepositories } from './ports.js';
import type { ChangeFeed } from './node-state/change-feed.js';

export interface KnownClient {
  client: Client;
  secrets: readonly ClientSecret[];
}

/** A user's permissions, as tokens of the tooling interface carry them. */
export interface UserRights {
  userId: string;
  userName: string;
  displayName: string;
  role: UserRole;
  locked: boolean;
  /** All reachable tenants, whatever may be done there. */
  tenants: readonly string[] | 'all';
  /** The rights per tenant; absent for administrators, who may do everything. */
  rights: TenantRights | undefined;
}

const SIZE_MAX = 10_000;
const LIFETIME_MS = 60_000;
const ABSENT_MAX = 1000;
const ABSENT_MS = 2000;

export class Directory {
  readonly #deps: {
    read: AuthRepositories;
    clock: Clock;
    changes: ChangeFeed;
    builtIn: readonly Client[];
  };
  readonly #clients = new BoundedCache<KnownClient | undefined>(SIZE_MAX, LIFETIME_MS);
  /**
   * Recently requested names that do not exist: a flood of one made-up name must not become a flood of
   * queries.
   */
  readonly #absentClients = new BoundedCache<true>(ABSENT_MAX, ABSENT_MS);
  readonly #environments = new BoundedCache<Environment | undefined>(SIZE_MAX, LIFETIME_MS);
  readonly #users = new BoundedCache<UserRights | undefined>(SIZE_MAX, LIFETIME_MS);

  constructor(deps: {
    read: AuthRepositories;
    clock: Clock;
    changes: ChangeFeed;
    builtIn: readonly Client[];
  }) {
    this.#deps = deps;
    deps.changes.onChange((kind, key) => {
      if (kind === 'client') {
        this.#clients.delete(key);
        this.#absentClients.delete(key);
      }
      if (kind === 'user') this.#users.delete(key);
      if (kind === 'app') {
        this.#environments.delete(key);
        // Members get tenants from their applications, and tracking which ones is not worthwhile.
        this.#users.clear();
      }
    });
  }

  /**
   * Returns no promise if the client is known: a token request asks twice, mostly for a client that was just
   * here.
   */
  client(clientId: string): KnownClient | undefined | Promise<KnownClient | undefined> {
    const builtIn = this.#deps.builtIn.find((client) => client.clientId === clientId);
    if (builtIn) return { client: builtIn, secrets: [] };
    const now = this.#deps.clock.now();
    if (this.#absentClients.get(clientId, now)) return undefined;
    return this.#clients.get(clientId, now) ?? this.#readClient(clientId);
  }

  async #readClient(clientId: string): Promise<KnownClient | undefined> {
    const found = await this.#cached(this.#clients, clientId, async () => {
      const client = await this.#deps.read.clients.get(clientId);
      return client && { client, secrets: await this.#deps.read.clients.secrets(clientId) };
    });
    if (!found) this.#absentClients.set(clientId, true, this.#deps.clock.now());
    return found;
  }

  environment(appId: string): Environment | undefined | Promise<Environment | undefined> {
    return (
      this.#environments.get(appId, this.#deps.clock.now()) ??
      this.#cached(this.#environments, appId, () => this.#deps.read.environments.get(appId))
    );
  }

  userRights(userId: string): Promise<UserRights | undefined> {
    return this.#cached(this.#users, userId, async () => {
      const user = await this.#deps.read.users.get(userId);
      if (!user) return undefined;
      const { userName, displayName, role, locked } = user;
      const known = { userId, userName, displayName, role, locked };
      if (role === 'administrator') return { ...known, tenants: 'all', rights: undefined };
      if (role === 'auditor') return { ...known, tenants: 'all', rights: auditorRights };
      const rights = tenantRights([...user.tenantRoles, ...(await this.#grantsOf(userId))]);
      return { ...known, tenants: [...rights.byTenant.keys()], rights };
    });
  }

  /** A role in an application applies to the tenants of all its environments. */
  async #grantsOf(userId: string): Promise<TenantGrant[]> {
    const roles = await this.#deps.read.applications.rolesOf(userId);
    const environments = roles.size === 0 ? [] : await this.#deps.read.environments.list({ userId });
    return environments.flatMap(({ applicationId, tenants }) => {
      const role = roles.get(applicationId);
      return role === undefined ? [] : tenants.map((tenantId) => ({ tenantId, role }));
    });
  }

  async #cached<V>(
    cache: BoundedCache<V | undefined>,
    key: string,
    load: () => Promise<V | undefined>,
  ): Promise<V | undefined> {
    const hit = cache.get(key, this.#deps.clock.now());
    if (hit !== undefined) return hit;
    const generation = this.#deps.changes.generation;
    const value = await load();
    // Absence is not cached here: unknown names come from guessers and would push out real entries.
    if (value !== undefined && generation === this.#deps.changes.generation) {
      cache.set(key, value, this.#deps.clock.now());
    }
    return value;
  }
}
