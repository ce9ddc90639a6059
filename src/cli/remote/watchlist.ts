// `voxgate watchlist`: lists of fraudsters, and whether one of them is heard.
import type { Command } from 'commander';
import { table } from '../flags.js';
import { readInput } from '../input-file.js';
import type { CliIo } from '../io.js';
import { registerVoiceSearch } from './voice-search.js';
import { addRemoteCommand, administrationSession, take } from './remote-command.js';
import { assessed, checkFlags, checkOptions } from './voices.js';

const ROWS_MAX = 1000;

export function registerWatchlist(program: Command, io: CliIo): void {
  const watchlist = program
    .command('watchlist')
    .description(
      'lists of known fraudsters, on a running server (`voxgate enroll --fraudster` makes their voiceprints)',
    );
  registerLists(watchlist, io);
  registerMembers(watchlist, io);
  registerVoiceSearch(watchlist, io);
  const check = addRemoteCommand(
    watchlist,
    io,
    'check <watchlist> <file>',
    'look for the voices of a watchlist in a recording; exits with 0 if none was found, with 2 otherwise',
    async (voxgate, [id = '', file = ''], flags) => {
      const found = await voxgate.checkWatchlist(id, readInput(file), checkOptions(flags));
      return assessed(voxgate, found, 'NO_RISK_DETECTED');
    },
  );
  checkFlags(check);
}

function registerLists(watchlist: Command, io: CliIo): void {
  addRemoteCommand(watchlist, io, 'list', 'list the watchlists', async (voxgate) => {
    const { rows } = await take(voxgate.each('ListWatchlists', { context: voxgate.context }), ROWS_MAX);
    const lines = rows.map(({ details, fraudsterCount = 0 }) => [
      details?.watchlistId ?? '',
      `${fraudsterCount} fraudsters`,
    ]);
    return { value: { watchlists: rows }, lines: table(lines, 'no watchlists') };
  });

  addRemoteCommand(watchlist, io, 'show <watchlist>', 'list who is on it', async (voxgate, [id = '']) => {
    const { context } = voxgate;
    const gkWatchlistId = await voxgate.names.watchlist(id);
    const { rows } = await take(voxgate.each('ListFraudsters', { context, gkWatchlistId }), ROWS_MAX);
    const lines = rows.map(({ details, trainedProfileCount = 0 }) => [
      details?.fraudsterId ?? '',
      `${trainedProfileCount} trained ${trainedProfileCount === 1 ? 'voiceprint' : 'voiceprints'}`,
    ]);
    return { value: { watchlistId: id, fraudsters: rows }, lines: table(lines, 'nobody') };
  });

  addRemoteCommand(watchlist, io, 'create <watchlist>', 'create a watchlist', async (voxgate, [id = '']) => {
    const { gkWatchlistId } = await voxgate.inSession(
      ({ context }) => voxgate.call('CreateWatchlist', { context, watchlistId: id }),
      administrationSession,
    );
    return { value: { watchlistId: id, gkWatchlistId: gkWatchlistId?.value }, lines: [`created ${id}`] };
  });

  addRemoteCommand(
    watchlist,
    io,
    'delete <watchlist>',
    'delete a watchlist; the fraudsters on it stay',
    async (voxgate, [id = '']) => {
      const gkWatchlistId = await voxgate.names.watchlist(id);
      await voxgate.inSession(
        ({ context }) => voxgate.call('DeleteWatchlist', { context, gkWatchlistId }),
        administrationSession,
      );
      return { value: { watchlistId: id, deleted: true }, lines: [`deleted ${id}`] };
    },
  );
}

function registerMembers(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'add <watchlist> <fraudster>',
    'put a fraudster on a watchlist',
    async (voxgate, [id = '', fraudsterId = '']) => {
      const gkWatchlistId = await voxgate.names.watchlist(id);
      const gkFraudsterId = await voxgate.names.fraudster(fraudsterId);
      await voxgate.inSession(
        ({ context }) => voxgate.call('AddFraudsterToWatchlist', { context, gkWatchlistId, gkFraudsterId }),
        administrationSession,
      );
      return { value: { watchlistId: id, fraudsterId, added: true }, lines: [`added ${fraudsterId}`] };
    },
  );

  addRemoteCommand(
    watchlist,
    io,
    'remove <watchlist> <fraudster>',
    'take a fraudster off a watchlist',
    async (voxgate, [id = '', fraudsterId = '']) => {
      const gkWatchlistId = await voxgate.names.watchlist(id);
      const gkFraudsterIds = [await voxgate.names.fraudster(fraudsterId)];
      await voxgate.inSession(
        ({ context }) =>
          voxgate.call('RemoveFraudstersFromWatchlist', { context, gkWatchlistId, gkFraudsterIds }),
        administrationSession,
      );
      return { value: { watchlistId: id, fraudsterId, removed: true }, lines: [`removed ${fraudsterId}`] };
    },
  );
}
