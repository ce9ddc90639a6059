// `voxgate user`: people who sign in to the console and the tooling interface.
import type { Command } from 'commander';
import { listToolingClients } from '../../auth/clients/read-clients.js';
import type { Client, TenantGrant, UserView } from '../../auth/model.js';
import { resetFactors } from '../../auth/factors/reset-factors.js';
import { isTenantRole, tenantRoles } from '../../auth/roles.js';
import { createUser } from '../../auth/users/create-user.js';
import { deleteUser } from '../../auth/users/delete-user.js';
import { listUsers } from '../../auth/users/list-users.js';
import { setPassword } from '../../auth/users/set-password.js';
import { signOutEverywhere } from '../../auth/users/sign-out-everywhere.js';
import { updateUser } from '../../auth/users/update-user.js';
import { AppError } from '../../errors.js';
import type { CliIo } from '../io.js';
import { collect, list, table, text, type Flags } from '../flags.js';
import { addCommand, findUser, readText, type ManagementSession, type Result } from './management.js';
import { inEnglish } from '../../words/server/say.js';

const PASSWORD_BYTES = 16;
const keepPassword: [flags: string, description: string] = [
  '--keep-password',
  'the person chose this password and keeps it; otherwise the next sign-in asks for a new one',
];

export function registerUser(program: Command, io: CliIo): void {
  const user = program
    .command('user')
    .description('manage the people who sign in to the console and the management API');
  registerCreate(user, io);
  registerAccounts(user, io);
  registerLocks(user, io);
}

function registerCreate(user: Command, io: CliIo): void {
  addCommand(
    user,
    io,
    'create <name>',
    'create a user; without --password-file, a password is generated and printed once',
    async (session, [userName = ''], flags) => {
      const { password, made } =
        flags['withoutPassword'] === true
          ? { password: undefined, made: undefined }
          : choosePassword(session, flags);
      const created = await createUser(session.auth, session.call, {
        userName,
        displayName: text(flags, 'displayName') ?? userName,
        role: flags['admin'] === true ? 'administrator' : flags['auditor'] === true ? 'auditor' : 'member',
        ...(password === undefined ? {} : { password }),
        temporary: flags['keepPassword'] !== true,
        tenantRoles: list(flags, 'tenant').map(parseTenantRole),
      });
      return {
        value: { ...created, password: made },
        lines: [...table([row(created)], ''), ...passwordLines(made)],
      };
    },
  )
    .option('--display-name <text>', 'name shown to other people')
    .option('--admin', 'make the user an administrator')
    .option('--auditor', 'make the user an auditor: sees everything, changes nothing')
    .option(
      '--tenant <gk_scope_id[=role]>',
      `tenant the user may access, and as what: ${tenantRoles.join(', ')} (default: developer); repeat for several`,
      collect,
    )
    .option('--password-file <file>', 'file that contains the password (-: standard input)')
    .option('--without-password', 'the person signs in with the identity provider')
    .option(...keepPassword);
}

function registerAccounts(user: Command, io: CliIo): void {
  addCommand(user, io, 'list', 'list all users', async ({ auth, call }) => {
    const users = await listUsers(auth, call);
    return { value: { users }, lines: table(users.map(row), 'no users') };
  });

  addCommand(
    user,
    io,
    'password <user>',
    'set a password; the sessions and tokens of the user end',
    async (session, [name = ''], flags) => {
      const { userId } = await findUser(session, name);
      const { password, made } = choosePassword(session, flags);
      const temporary = flags['keepPassword'] !== true;
      await setPassword(session.auth, session.call, { userId, newPassword: password, temporary });
      const left = await credentialsLeft(session, userId);
      return {
        value: { userId, password: made, ...left.value },
        lines: [...(made === undefined ? ['password set'] : passwordLines(made)), ...left.lines],
      };
    },
  )
    .option(
      '--password-file <file>',
      'file that contains the password (-: standard input); otherwise one is generated and printed once',
    )
    .option(...keepPassword);

  addCommand(
    user,
    io,
    'role <user> <role>',
    'change the role of a user (administrator, auditor or member)',
    async (session, [name = '', role = '']) => {
      if (role !== 'administrator' && role !== 'auditor' && role !== 'member')
        throw new AppError('INVALID_REQUEST', inEnglish('the role must be administrator, auditor or member'));
      const { userId } = await findUser(session, name);
      return changed(await updateUser(session.auth, session.call, { userId, role }));
    },
  );
}

function registerLocks(user: Command, io: CliIo): void {
  addCommand(
    user,
    io,
    'lock <user>',
    'stop a user from signing in; their tokens stop working',
    async (session, [name = '']) => {
      const { userId } = await findUser(session, name);
      return changed(await updateUser(session.auth, session.call, { userId, locked: true }));
    },
  );

  addCommand(
    user,
    io,
    'sign-out <user>',
    'sign a user out everywhere; their sessions, consents and tokens end',
    async (session, [name = '']) => {
      const { userId } = await findUser(session, name);
      await signOutEverywhere(session.auth, session.call, { userId });
      const left = await credentialsLeft(session, userId);
      return {
        value: { userId, signedOut: true, ...left.value },
        lines: ['signed out everywhere', ...left.lines],
      };
    },
  );

  addCommand(
    user,
    io,
    'credentials <user>',
    'list the tooling credentials of a user, newest first; voxgate client lock stops one',
    async (session, [name = '']) => {
      const { userId } = await findUser(session, name);
      const clients = await listToolingClients(session.auth, session.call, { userId });
      return { value: { credentials: clients }, lines: table(clients.map(credentialRow), 'no credentials') };
    },
  );

  addCommand(
    user,
    io,
    'unlock <user>',
    'let a locked user sign in again; ends waits after wrong passwords',
    async (session, [name = '']) => {
      const { userId } = await findUser(session, name);
      return changed(await updateUser(session.auth, session.call, { userId, locked: false }));
    },
  );

  addCommand(
    user,
    io,
    'reset-factors <user>',
    'remove the authenticator app, passkeys and recovery codes of a user who has lost them; their sessions and tokens end',
    async (session, [name = '']) => {
      const { userId } = await findUser(session, name);
      await resetFactors(session.auth, session.call, { userId });
      return { value: { userId, reset: true }, lines: ['second factors removed'] };
    },
  );

  addCommand(user, io, 'delete <user>', 'delete a user', async (session, [name = '']) => {
    const { userId } = await findUser(session, name);
    await deleteUser(session.auth, session.call, { userId });
    return { value: { userId, deleted: true }, lines: ['deleted'] };
  });
}

/** What can still get tokens after everything else of somebody has ended. */
async function credentialsLeft(
  { auth, call }: ManagementSession,
  userId: string,
): Promise<{ value: { credentials: Client[] }; lines: string[] }> {
  const credentials = await listToolingClients(auth, call, { userId });
  const working = credentials.filter(({ locked }) => !locked);
  const lines =
    working.length === 0
      ? []
      : [
          'These credentials can get new tokens, newest first. Lock those that somebody else may have made: voxgate client lock ID',
          ...table(working.map(credentialRow), ''),
        ];
  return { value: { credentials }, lines };
}

function credentialRow({ clientId, name, locked, createdAtMs }: Client): string[] {
  return [clientId, locked ? 'locked' : 'active', new Date(createdAtMs).toISOString(), name];
}

function parseTenantRole(text: string): TenantGrant {
  const equals = text.lastIndexOf('=');
  const role = equals < 0 ? 'developer' : text.slice(equals + 1);
  if (!isTenantRole(role))
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish(`--tenant: the role must be one of ${tenantRoles.join(', ')}`),
    );
  return { tenantId: equals < 0 ? text : text.slice(0, equals), role };
}

function choosePassword(
  { auth }: ManagementSession,
  flags: Flags,
): { password: string; made: string | undefined } {
  const file = text(flags, 'passwordFile');
  if (file !== undefined) return { password: readText(file), made: undefined };
  const made = auth.ids.token(PASSWORD_BYTES);
  return { password: made, made };
}

function passwordLines(made: string | undefined): string[] {
  return made === undefined ? [] : [`Password  ${made}`, 'This password is not shown again.'];
}

function row(user: UserView): string[] {
  return [user.userName, user.role, user.locked ? 'locked' : 'active', user.userId, user.displayName];
}

function changed(user: UserView): Result {
  return { value: user, lines: table([row(user)], '') };
}
