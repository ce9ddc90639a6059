// `voxgate audit verify`: proves that the audit trail is whole, or names the first record that is not.
import type { Command } from 'commander';
import { verifyChain } from '../../audit/verify-chain.js';
import { commonFlags, runCommand, type CliIo, type CommonFlags } from '../io.js';
import { print, withStorage } from './with-storage.js';

interface VerifyFlags extends CommonFlags {
  scope?: string;
  head?: string;
}

export function registerAudit(program: Command, io: CliIo): void {
  const audit = program.command('audit').description('verify the audit trail');
  commonFlags(
    audit.command('verify').description('verify the hash chains; the exit code is 1 if one is broken'),
  )
    .option('--scope <gk_scope_id>', 'verify only this chain (`system`: the installation itself)')
    .option(
      '--head <seq:hash>',
      'head printed by an earlier run, which the chain must still contain (needs --scope)',
    )
    .action((flags: VerifyFlags) => runCommand(io, flags, () => verify(io, flags)));
}

async function verify(io: CliIo, flags: VerifyFlags): Promise<void> {
  const expected = parseHead(flags);
  await withStorage(io, flags, async ({ audit }) => {
    const chains = flags.scope === undefined ? await audit.chains() : [flags.scope];
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

function parseHead(flags: VerifyFlags): { seq: number; hash: string } | undefined {
  if (flags.head === undefined) return undefined;
  const match = /^(\d{1,15}):([0-9a-f]{64})$/.exec(flags.head);
  if (!match || flags.scope === undefined)
    throw new Error('--head needs --scope and must have the form SEQ:HASH');
  return { seq: Number(match[1]), hash: match[2] ?? '' };
}
