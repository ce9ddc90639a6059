// Which server the commands for people talk to, and as whom: flags, then the environment, then a profile file.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../errors.js';
import { tenantFlag, type CliIo } from '../io.js';
import { inEnglish } from '../../words/server/say.js';

/** What a connection needs. */
interface Profile {
  server: string;
  tenant: string;
  clientId: string;
  clientSecret: string;
  configset: string | undefined;
}

export interface ProfileFlags {
  server?: string;
  tenant?: string;
  clientId?: string;
  clientSecretFile?: string;
  configset?: string;
  profile?: string;
  json?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function profileFlags(command: Command): Command {
  tenantFlag(command, 'ID of the tenant (VOXGATE_TENANT)');
  return command
    .option('--server <url>', 'address of the server (VOXGATE_SERVER)')
    .option('--client-id <id>', 'client that calls (VOXGATE_CLIENT_ID)')
    .option(
      '--client-secret-file <file>',
      'file with its secret (VOXGATE_CLIENT_SECRET holds the secret itself)',
    )
    .option('--configset <id>', 'config set to decide by (VOXGATE_CONFIGSET)')
    .option(
      '--profile <file>',
      'file with all of these, or what `voxgate bootstrap --json` printed (VOXGATE_PROFILE; default: ~/.config/voxgate/profile.json)',
    )
    .option('--json', 'print the result as JSON');
}

/** Everything that is missing is named at once. */
export function readProfile(io: CliIo, flags: ProfileFlags): Profile {
  const env = io.env ?? process.env;
  const file = readProfileFile(io, flags.profile ?? env['VOXGATE_PROFILE'], env);
  const secretFile = flags.clientSecretFile;
  const found = {
    server: flags.server ?? env['VOXGATE_SERVER'] ?? file.server,
    tenant: flags.tenant ?? env['VOXGATE_TENANT'] ?? file.tenant,
    clientId: flags.clientId ?? env['VOXGATE_CLIENT_ID'] ?? file.clientId,
    clientSecret:
      (secretFile === undefined ? undefined : readText(secretFile)) ??
      env['VOXGATE_CLIENT_SECRET'] ??
      file.clientSecret,
  };
  const names = {
    server: '--server',
    tenant: '--tenant',
    clientId: '--client-id',
    clientSecret: '--client-secret-file',
  } as const;
  const missing = Object.entries(names).filter(([name]) => !found[name as keyof typeof names]);
  if (missing.length > 0) {
    const flagNames = missing.map(([, flag]) => flag).join(', ');
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(
        `no server to talk to: give ${flagNames}, or a profile with --profile FILE (what \`voxgate bootstrap --json\` printed is one)`,
      ),
    );
  }
  return {
    ...(found as { [K in keyof typeof found]: string }),
    configset: flags.configset ?? env['VOXGATE_CONFIGSET'] ?? file.configset,
  };
}

function readProfileFile(io: CliIo, named: string | undefined, env: Environment): Partial<Profile> {
  const configHome = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const file = named ?? join(configHome, 'voxgate', 'profile.json');
  if (!existsSync(file)) {
    if (named === undefined) return {};
    throw new AppError('INVALID_REQUEST', inEnglish(`there is no profile ${file}`));
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(readText(file));
  } catch (cause) {
    throw new AppError('INVALID_REQUEST', inEnglish(`the profile ${file} cannot be read as JSON`), { cause });
  }
  const profile = profileOf(parsed as StoredProfile);
  if (profile.clientSecret !== undefined && (statSync(file).mode & 0o077) !== 0)
    io.err(`voxgate: others on this machine can read the secret in ${file}: chmod 600 ${file}`);
  return profile;
}

/** Our own members, and those of the report of `voxgate bootstrap`. */
interface StoredProfile {
  server?: string;
  tenant?: string;
  client_id?: string;
  client_secret?: string;
  configset?: string;
  urls?: { http?: string };
  scope?: { gk_scope_id?: string };
  application?: { client_id?: string; client_secret?: string };
  configset_id?: string;
}

function profileOf(stored: StoredProfile): Partial<Profile> {
  const { urls, scope, application } = stored;
  const members = {
    server: stored.server ?? urls?.http,
    tenant: stored.tenant ?? scope?.gk_scope_id,
    clientId: stored.client_id ?? application?.client_id,
    clientSecret: stored.client_secret ?? application?.client_secret,
    configset: stored.configset ?? stored.configset_id,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function readText(file: string): string {
  return readFileSync(file, 'utf8').trim();
}
