// `voxgate events tail`: what happens in a tenant, as it happens.
import type { Command } from 'commander';
import { Voxgate } from '../../client/index.js';
import { DAY_MS } from '../../platform.js';
import { collect, list, text } from '../flags.js';
import { runCommand, type CliIo } from '../io.js';
import { profileFlags, readProfile } from './profile.js';
import type { RemoteFlags } from './remote-command.js';

export function registerEvents(program: Command, io: CliIo): void {
  const events = program
    .command('events')
    .description('changes and decisions in a tenant, on a running server');
  profileFlags(
    events
      .command('tail')
      .description(
        'print events, oldest first; with --json, one object per line. Events name no people, only identifiers and outcomes',
      ),
  )
    .option('-f, --follow', 'wait for more events; stop with Ctrl-C')
    .option(
      '--since <time>',
      'from this time on, such as 2026-01-31T12:00:00Z, or 90m, 24h or 7d ago (default: from now on with --follow)',
    )
    .option('--cursor <cursor>', 'continue after an earlier run, which printed this last')
    .option(
      '--type <type>',
      'such as voxgate.v1.Verify, or the beginning of one followed by *; repeat for several',
      collect,
    )
    .action((flags: RemoteFlags) => runCommand(io, flags, () => tail(io, flags)));
}

async function tail(io: CliIo, flags: RemoteFlags): Promise<void> {
  const voxgate = new Voxgate(readProfile(io, flags));
  const follow = flags['follow'] === true;
  const cursor = text(flags, 'cursor');
  const since =
    sinceOf(text(flags, 'since')) ?? (follow && cursor === undefined ? new Date().toISOString() : undefined);
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (follow) process.once('SIGINT', end).once('SIGTERM', end);
  const feed = voxgate.events({
    follow,
    cursor,
    startTime: since,
    types: list(flags, 'type'),
    signal: ended.signal,
  });
  try {
    for await (const event of feed) {
      if (flags.json) io.out(JSON.stringify(event));
      else {
        const { gkSessionId, detail = {} } = event.data ?? {};
        const facts = Object.entries(detail).map(([name, value]) => `${name}=${value}`);
        const where = gkSessionId === undefined ? [] : [`session=${gkSessionId}`];
        io.out(
          [event.time, event.data?.operation, event.subject, ...where, ...facts].filter(Boolean).join('  '),
        );
      }
    }
  } catch (thrown) {
    if (!ended.signal.aborted) throw thrown;
  } finally {
    process.removeListener('SIGINT', end).removeListener('SIGTERM', end);
  }
  if (feed.cursor !== undefined) io.err(`go on with --cursor ${feed.cursor}`);
}

const unitsMs: Readonly<Record<string, number>> = { m: 60_000, h: 3600_000, d: DAY_MS };

/** A time as the server takes it; so long ago becomes one. */
function sinceOf(said: string | undefined): string | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(said ?? '') ?? [];
  return count === undefined
    ? said
    : new Date(Date.now() - Number(count) * (unitsMs[unit] ?? 0)).toISOString();
}
