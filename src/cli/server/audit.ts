// `voxgate audit`: searches the audit trail, and proves that it is whole or names the first record that is not.
import type { Command } from 'commander';
import { SYSTEM_CHAIN } from '../../audit/model.js';
import { searchRecords } from '../../audit/search-records.js';
import { verifyChain } from '../../audit/verify-chain.js';
import type { Storage } from '../../storage/open-storage.js';
import { systemClock } from '../../platform.js';
import { tenantsOf } from '../../storage/tenants/tenants-store.js';
import { timeMs } from '../flags.js';
import { commonFlags, runCommand, tenantFlag, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

interface VerifyFlags extends CommonFlags {
  tenant?: string;
  head?: string;
}

export function registerAudit(program: Command, io: CliIo): void {
  const audit = program.command('audit').description('search and verify the audit trail');
  registerList(audit, io);
  tenantFlag(
    commonFlags(
      audit.command('verify').description('verify the hash chains; the exit code is 1 if one is broken'),
    ),
    'verify only the chain of this tenant, by scope_id or gk_scope_id (`system`: the installation itself)',
  )
    .option(
      '--head <seq:hash>',
      'head printed by an earlier run, which the chain must still contain (needs --tenant)',
    )
    .action((flags: VerifyFlags) => runCommand(io, flags, () => verify(io, flags)));
}

interface ListFlags extends CommonFlags {
  tenant?: string;
  since?: string;
  until?: string;
  operation?: string;
  actor?: string;
  target?: string;
  query?: string;
  changes?: boolean;
  limit?: string;
}

function registerList(audit: Command, io: CliIo): void {
  tenantFlag(
    commonFlags(audit.command('list').description('list records of the audit trail, newest first')),
    'trail of a tenant, by scope_id or gk_scope_id (default: `system`, the installation itself)',
  )
    .option('--since <time>', 'written at or after this time, such as 2026-11-15 or 2026-11-15T09:00:00Z')
    .option('--until <time>', 'written before this time')
    .option('--operation <name>', 'only this operation, such as client.create')
    .option('--actor <id>', 'ID of the user or client that acted')
    .option('--changes', 'only what changed something: no calls, checks and sign-ins')
    .option('--target <id>', 'ID of what was changed')
    .option('--query <text>', 'text inside the record')
    .option('--limit <number>', 'show at most this many (default: 50, limit: 1000)')
    .action((flags: ListFlags) => runCommand(io, flags, () => listRecords(io, flags)));
}

async function listRecords(io: CliIo, flags: ListFlags): Promise<void> {
  const fromMs = timeMs({ ...flags }, 'since');
  const toMs = timeMs({ ...flags }, 'until');
  if (flags.limit !== undefined && !/^([1-9]\d{0,2}|1000)$/.test(flags.limit))
    throw new Error('--limit must be a whole number from 1 to 1000');
  await withStorage(io, flags, async (storage) => {
    const { audit } = storage;
    const { entries } = await searchRecords(audit, await chainOf(storage, flags.tenant ?? SYSTEM_CHAIN), {
      pageSize: Number(flags.limit ?? 0),
      pageToken: '',
      operations: flags.operation === undefined ? [] : [flags.operation],
      ...(flags.actor === undefined ? {} : { actor: flags.actor }),
      changesOnly: flags.changes === true,
      ...(flags.target === undefined ? {} : { subjectId: flags.target }),
      ...(flags.query === undefined ? {} : { text: flags.query }),
      ...(fromMs === undefined ? {} : { fromMs }),
      ...(toMs === undefined ? {} : { toMs }),
    });
    const lines = entries.map(({ record: { seq, atMs, operation, actor, subjectIds } }) =>
      [seq, new Date(atMs).toISOString(), operation, actor.subject, subjectIds.join(',')].join('  '),
    );
    const records = entries.map(({ json }) => JSON.parse(json) as object);
    print(io, flags, { records }, lines.length === 0 ? ['no audit records'] : lines);
  });
}

async function verify(io: CliIo, flags: VerifyFlags): Promise<void> {
  const expected = parseHead(flags);
  await withStorage(io, flags, async (storage) => {
    const { audit } = storage;
    const chains = flags.tenant === undefined ? await audit.chains() : [await chainOf(storage, flags.tenant)];
    const reports = [];
    for (const chain of chains) reports.push(await verifyChain(audit, chain, expected));
    const ok = reports.every((report) => report.ok);
    const lines = reports.map((report) =>
      report.broken
        ? `${report.chain}: BROKEN at record ${report.broken.seq}: ${report.broken.message}`
        : `${report.chain}: ${report.records} records, head ${report.head.seq}:${report.head.hash}` +
          (report.from > 1
            ? `; starts at record ${report.from}, earlier ones were removed by retention`
            : ''),
    );
    print(io, flags, { ok, chains: reports }, lines.length === 0 ? ['no audit records'] : lines);
    if (!ok) io.exit(1);
  });
}

/** By either of a tenant's IDs. The chain of a deleted tenant is still there, under the one that the server gave. */
async function chainOf(storage: Storage, named: string): Promise<string> {
  if (named === SYSTEM_CHAIN || (await storage.audit.chains()).includes(named)) return named;
  const tenant = await tenantsOf(storage.database, systemClock).findByAnyId(named);
  if (tenant) return tenant.gkScopeId;
  throw new Error(
    `--tenant: there is no tenant \`${named}\` and no audit trail of one; \`voxgate audit verify\` without --tenant names every trail`,
  );
}

function parseHead(flags: VerifyFlags): { seq: number; hash: string } | undefined {
  if (flags.head === undefined) return undefined;
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(flags.head);
  if (!match || flags.tenant === undefined)
    throw new Error('--head needs --tenant and must have the form SEQ:HASH');
  return { seq: Number(match[1]), hash: match[2] ?? '' };
}
