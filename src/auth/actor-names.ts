// The names of acting people and programs: records identify them by ID, and readers know people by name.
import type { Actors } from '../audit/ports.js';
import type { AuthDeps } from './deps.js';
import type { Environment } from './model.js';

type NamingDeps = Pick<AuthDeps, 'directory' | 'store'>;

/** As many as one search can ask for; a name that more people share says little. */
const CALLED_MAX = 100;

export function actorNames(deps: NamingDeps): Actors {
  return {
    async namesOf(subjects) {
      const names = new Map<string, string>();
      for (const subject of new Set(subjects)) {
        const name = (await userName(deps, subject)) ?? (await clientName(deps, subject));
        if (name) names.set(subject, name);
      }
      return names;
    },
    async called(text) {
      const sought = folded(text);
      const { users, applications, environments, clients } = deps.store.direct;
      const isSought = (...names: readonly string[]): boolean =>
        names.some((name) => folded(name).includes(sought));
      const people = (await users.list()).filter((user) => isSought(user.userName, user.displayName));
      const found = people.map(({ userId }) => userId);
      for (const { applicationId, name } of await applications.list({})) {
        if (found.length >= CALLED_MAX) break;
        if (!isSought(name)) continue;
        for (const { appId } of await environments.list({ applicationId }))
          for (const { clientId } of await clients.list({ appId })) found.push(clientId);
      }
      return found.slice(0, CALLED_MAX);
    },
    async userNamed(name) {
      const named = await deps.store.direct.users.findByName(name.toLowerCase());
      const user = await deps.directory.userRights(named?.userId ?? name);
      if (!user) return undefined;
      const { userId, locked, tenants } = user;
      return { userId, isLocked: locked, reaches: (id) => tenants === 'all' || tenants.includes(id) };
    },
  };
}

/** Without accents and case. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

async function userName({ directory }: NamingDeps, userId: string): Promise<string | undefined> {
  const user = await directory.userRights(userId);
  return user && (user.displayName || user.userName);
}

/** With its application, because many clients are called `main`. */
async function clientName({ directory, store }: NamingDeps, clientId: string): Promise<string | undefined> {
  const client = (await directory.client(clientId))?.client;
  if (!client) return undefined;
  const environment: Environment | undefined =
    client.appId === undefined ? undefined : await directory.environment(client.appId);
  const application = environment && (await store.direct.applications.get(environment.applicationId));
  return application ? `${client.name} (${application.name})` : client.name;
}
