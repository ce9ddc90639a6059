// `voxgate watchlist calls`, `voices` and `add-voice`: looking back through stored calls, where the tenant has a legal basis for it.
import type { Command } from 'commander';
import type { Voxgate } from '../../client/index.js';
import { AppError } from '../../errors.js';
import { table, text, wholeNumber } from '../flags.js';
import type { CliIo } from '../io.js';
import { addRemoteCommand, type RemoteFlags } from './remote-command.js';

const TAG = 'main';
const DAYS_TEXT = 'how far back (default: lookBack.days of the config set SCOPE)';

async function printOf(
  voxgate: Voxgate,
  fraudsterId: string,
  flags: RemoteFlags,
): Promise<{ value: string }> {
  const tag = text(flags, 'tag') ?? TAG;
  const { gkVoiceprintProfileId } = await voxgate.call('GetGkVoiceprintProfileId', {
    context: voxgate.context,
    owner: { fraudsterId, tag },
  });
  if (gkVoiceprintProfileId?.value) return { value: gkVoiceprintProfileId.value };
  throw new AppError('NOT_FOUND', `${fraudsterId} has no voiceprint with the tag ${tag}`);
}

/** `idOf` finds a watchlist by its name. */
export function registerLookBack(
  watchlist: Command,
  io: CliIo,
  idOf: (voxgate: Voxgate, watchlistId: string) => Promise<{ value: string }>,
): void {
  registerCalls(watchlist, io);
  registerRecurring(watchlist, io);
  addRemoteCommand(
    watchlist,
    io,
    'add-voice <watchlist> <fraudster> <audios...>',
    'make a fraudster of the voice of some stored calls (their processed audio IDs), and put it on a watchlist',
    async (voxgate, [id = '', fraudsterId = '', ...audios], flags) => {
      const gkWatchlistId = await idOf(voxgate, id);
      const made = await voxgate.inSession(({ context }) =>
        voxgate.call('AddVoiceToWatchlist', {
          context,
          gkWatchlistId,
          fraudsterId,
          tag: text(flags, 'tag') ?? TAG,
          gkProcessedAudioIds: audios.map((value) => ({ value })),
        }),
      );
      return { value: made, lines: [`added ${fraudsterId}, from ${made.segments ?? 0} recordings`] };
    },
  ).option('--tag <tag>', 'of the print (default: main)');
}

function registerCalls(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'calls <fraudster>',
    'find the stored calls in which a fraudster speaks; needs lookBack.hasLegalBasis in the config set SCOPE',
    async (voxgate, [fraudsterId = ''], flags) => {
      const gkVoiceprintProfileId = await printOf(voxgate, fraudsterId, flags);
      const { context } = voxgate;
      const days = wholeNumber(flags, 'days');
      const answer = await voxgate.call('FindCalls', { context, gkVoiceprintProfileId, days });
      const lines = (answer.calls ?? []).map(({ call = {}, biometricScore = 0, expectedByChance = 0 }) => [
        call.time ?? '',
        call.gkSessionId?.value ?? '',
        call.gkProcessedAudioId?.value ?? '',
        call.personId ?? '',
        `score ${Number(biometricScore).toFixed(2)}`,
        `${Number(expectedByChance).toPrecision(2)} expected by chance`,
      ]);
      return {
        value: answer,
        lines: table(lines, `not found in ${answer.lookedAt?.searched ?? 0} recordings`),
      };
    },
  )
    .option('--tag <tag>', 'which print of the fraudster (default: main)')
    .option('--days <number>', DAYS_TEXT);
}

function registerRecurring(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'voices',
    'find voices that called under more than one identity; needs lookBack.hasLegalBasis in the config set SCOPE',
    async (voxgate, _args, flags) => {
      const { context } = voxgate;
      const answer = await voxgate.call('FindRecurringVoices', { context, days: wholeNumber(flags, 'days') });
      const lines = (answer.voices ?? []).flatMap(({ identities = 0, calls = [] }, index) =>
        calls.map((call) => [
          `voice ${index + 1}`,
          `${identities} identities`,
          call.time ?? '',
          call.personId ?? '',
          call.gkProcessedAudioId?.value ?? '',
        ]),
      );
      return { value: answer, lines: table(lines, `none in ${answer.lookedAt?.searched ?? 0} recordings`) };
    },
  ).option('--days <number>', DAYS_TEXT);
}
