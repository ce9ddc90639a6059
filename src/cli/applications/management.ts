// What the management commands share: they do the same operations as the API, as the operator of the host, directly
// on the state; a running server sees their changes within seconds.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { Auth } from '../../auth/create.js';
import type { User } from '../../auth/model.js';
import { systemCall } from '../../auth/permissions.js';
import { openAuth } from '../../compose/auth.js';
import { openEngagement } from '../../compose/management.js';
import type { Core } from '../../compose/part.js';
import type { Storage } from '../../storage/open-storage.js';
import type { EngagementDeps } from '../../engagement-api/deps.js';
import { AppError } from '../../errors.js';
import { silentLog, systemClock, systemIds, type Call } from '../../platform.js';
import type { Flags } from '../flags.js';
import { commonFlags, print, runCommand, type CliIo } from '../io.js';
import { withStorage } from '../server/with-storage.js';

/** What one management command works with. */
export interface ManagementSession {
  auth: Auth;
  engagement: EngagementDeps;
  storage: Storage;
  core: Core;
  /** The operator: an administrator who also counts as the owner of everything. */
  call: Call;
}

/** What a command prints: an object for programs (names in snake_case), lines for people. */
export interface Result {
  value: object;
  lines: readonly string[];
}

/** Adds one command below `parent`; `usage` holds its name and arguments as commander writes them. */
export function addCommand(
  parent: Command,
  io: CliIo,
  usage: string,
  description: string,
  work: (session: ManagementSession, args: readonly string[], flags: Flags) => Promise<Result>,
): Command {
  return commonFlags(parent.command(usage).description(description)).action((...given: unknown[]) => {
    // Commander gives the arguments, then the flags, then the command itself.
    const flags = given.at(-2) as Flags;
    const args = given.slice(0, -2) as string[];
    return runCommand(io, flags, () =>
      withStorage(io, flags, async (storage, config) => {
        const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
        const auth = await openAuth(core, storage);
        const engagement = openEngagement(core, storage);
        const session = { auth, engagement, storage, core, call: systemCall(auth) };
        const { value, lines } = await work(session, args, flags);
        print(io, flags, inSnakeCase(value) as object, lines);
      }),
    );
  });
}

/** A user by name or by ID. */
export async function findUser({ auth }: ManagementSession, nameOrId: string): Promise<User> {
  const { users } = auth.store.direct;
  const user = (await users.findByName(nameOrId.toLowerCase())) ?? (await users.get(nameOrId));
  if (!user) throw new AppError('NOT_FOUND', `no such user: ${nameOrId}`);
  return user;
}

/** A file, or standard input for `-`. Secrets never come as arguments: other users of the host can see those. */
export function readText(file: string): string {
  return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
}

/** Names that people chose are values, not member names, and stay as they are. */
const ownNames = new Set(['attributes']);

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      ownNames.has(name) ? member : inSnakeCase(member),
    ]),
  );
}

export const SHOWN_ONCE = 'This secret is not shown again.';
