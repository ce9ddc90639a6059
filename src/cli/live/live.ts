// `voxgate live watch ID`: prints what becomes of a call that somebody sends. `voxgate live send` is in send.ts.
import { Option, type Command } from 'commander';
import { AppError } from '../../errors.js';
import { runCommand, type CliIo } from '../io.js';
import { followEvents, type CallProgress, type Following } from './follow-events.js';
import { watchByGrpc } from './grpc-watcher.js';
import { printer, HEADLINE_WIDTH } from './print-events.js';
import { registerSend } from './send.js';
import { inEnglish } from '../../words/server/say.js';

export function registerLive(program: Command, io: CliIo): void {
  const live = program.command('live').description('send audio as a telephone system does, and follow calls');
  registerSend(live, io);
  live
    .command('watch <id>')
    .description('print the events of a prepared, running or ended call until it is over')
    .requiredOption('--server <address>', 'http://HOST:PORT, or HOST:PORT with --by grpc')
    .addOption(new Option('--by <way>', 'how to follow it').choices(['events', 'grpc']).default('events'))
    .option('--token <token>', 'bearer token, or with --by events the token of an agent')
    .option('--after <number>', 'only events after this one')
    .option('--progress', 'also report how much speech was heard in between')
    .option('--json', 'print each event as one JSON object')
    .action((id: string, flags: WatchFlags) => runCommand(io, flags, () => watch(io, id, flags)));
}

interface WatchFlags {
  server: string;
  by: 'events' | 'grpc';
  token?: string;
  after?: string;
  progress?: boolean;
  json?: boolean;
}

async function watch(
  io: CliIo,
  id: string,
  { server, by, token, after, progress, json }: WatchFlags,
): Promise<void> {
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new AppError('INVALID_REQUEST', inEnglish('--after must be the number of an event'));
  const following: Following = {
    token,
    after,
    ...(progress && { onProgress: (now) => io.out(json ? JSON.stringify({ progress: now }) : soFar(now)) }),
  };
  const print = printer(io, json);
  if (by === 'grpc') return watchByGrpc(server, id, following, print);
  const url = new URL(`/v1/live/${encodeURIComponent(id)}/events${progress ? '?progress=1' : ''}`, server);
  return followEvents(url.href, following, print);
}

const soFar = ({ netSpeech = '0s', position = '0s' }: CallProgress): string =>
  `${''.padEnd(HEADLINE_WIDTH)} ${netSpeech} of speech in ${position}`;
