// `voxgate watchlist calls`, `voices`, `searches`, `search` and `add-voice`: looking back through stored calls, where the tenant has a legal basis for it.
import type { Command } from 'commander';
import type { FoundCallJson, LookedAtJson } from '../../gen/voxgate/biosec/v1/voice_search_pb.js';
import { table, text, wholeNumber } from '../flags.js';
import type { CliIo } from '../io.js';
import { administrationSession, addRemoteCommand } from './remote-command.js';

const TAG = 'main';
const DAYS_TEXT = 'how far back (default: voiceSearch.days of the config set SCOPE)';

export function registerVoiceSearch(watchlist: Command, io: CliIo): void {
  registerCalls(watchlist, io);
  registerRecurring(watchlist, io);
  registerSearches(watchlist, io);
  addRemoteCommand(
    watchlist,
    io,
    'add-voice <watchlist> <fraudster> <audios...>',
    'create a fraudster from the voice in some stored calls (their processed audio IDs), or add them to one, and put it on a watchlist',
    async (voxgate, [id = '', fraudsterId = '', ...audios], flags) => {
      const gkWatchlistId = await voxgate.names.watchlist(id);
      const made = await voxgate.inSession(
        async ({ context }) =>
          voxgate.call('AddVoiceToWatchlist', {
            context,
            gkWatchlistId,
            ...(flags['existing'] === true
              ? { gkFraudsterId: await voxgate.names.fraudster(fraudsterId), tag: text(flags, 'tag') }
              : { fraudsterId, tag: text(flags, 'tag') ?? TAG }),
            gkProcessedAudioIds: audios.map((value) => ({ value })),
            refuseListedVoice: flags['refuseListed'] === true,
            wholeRecordings: flags['whole'] === true,
          }),
        administrationSession,
      );
      const listed = made.alreadyListed?.fraudsterId;
      return {
        value: made,
        lines: [
          `added ${fraudsterId}, from ${made.segments ?? 0} recordings`,
          ...(listed ? [`this voice was already on the list as ${listed}`] : []),
        ],
      };
    },
  )
    .option('--tag <tag>', 'tag of the voiceprint (default: main)')
    .option('--existing', 'the fraudster exists already: add the recordings to the voiceprint')
    .option(
      '--refuse-listed',
      'change nothing where this voice is already on the watchlist, under another name',
    )
    .option(
      '--whole',
      'process the recordings to their end first; a check stops listening once it has decided',
    );
}

/** One line for each call. */
const linesOf = (
  calls: readonly FoundCallJson[] = [],
  { searched = 0, liveCalls = 0 }: LookedAtJson = {},
): string[] => [
  ...table(
    calls.map(({ call = {}, biometricScore = 0, expectedByChance = 0 }) => [
      call.time ?? '',
      call.gkSessionId?.value ?? '',
      call.gkProcessedAudioId?.value ?? '',
      call.personId ?? '',
      `score ${Number(biometricScore).toFixed(2)}`,
      `${Number(expectedByChance).toPrecision(2)} expected by chance`,
    ]),
    `not found in ${searched} recordings`,
  ),
  ...unsearched(liveCalls),
];

const unsearched = (liveCalls: number): string[] =>
  liveCalls > 0 ? [`${liveCalls} live calls could not be searched: nothing of their voices is kept`] : [];

function registerCalls(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'calls <fraudster>',
    'find the stored calls in which a fraudster speaks; needs voiceSearch.hasLegalBasis in the config set SCOPE',
    async (voxgate, [fraudsterId = ''], flags) => {
      const tag = text(flags, 'tag');
      const gkVoiceprintProfileId = await voxgate.names.print({ fraudsterId, tag });
      const { context } = voxgate;
      const days = wholeNumber(flags, 'days');
      const answer = await voxgate.call('FindCalls', { context, gkVoiceprintProfileId, days });
      return { value: answer, lines: linesOf(answer.calls, answer.lookedAt) };
    },
  )
    .option('--tag <tag>', 'which voiceprint of the fraudster (default: main)')
    .option('--days <number>', DAYS_TEXT);
}

function registerRecurring(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'voices',
    'find voices that called under more than one identity; needs voiceSearch.hasLegalBasis in the config set SCOPE',
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
      const { searched = 0, liveCalls = 0 } = answer.lookedAt ?? {};
      return {
        value: answer,
        lines: [...table(lines, `none in ${searched} recordings`), ...unsearched(liveCalls)],
      };
    },
  ).option('--days <number>', DAYS_TEXT);
}

function registerSearches(watchlist: Command, io: CliIo): void {
  addRemoteCommand(
    watchlist,
    io,
    'searches',
    'list automatic searches (voiceSearch.searchForNewFraudsters in the config set SCOPE)',
    async (voxgate) => {
      const answer = await voxgate.call('ListSearches', { context: voxgate.context });
      const lines = (answer.searches ?? []).map(({ gkJobId = '', state, found = 0, ...search }) => [
        search.creationTime ?? '',
        gkJobId,
        search.isDeleted && search.fraudsterId
          ? `${search.fraudsterId} (deleted)`
          : (search.fraudsterId ?? ''),
        (state ?? '').replace('SEARCH_STATE_', '').toLowerCase(),
        search.problem || `${found} calls`,
      ]);
      return { value: answer, lines: table(lines, 'no searches') };
    },
  );
  addRemoteCommand(
    watchlist,
    io,
    'search <id>',
    'show what such a search found',
    async (voxgate, [gkJobId = '']) => {
      const answer = await voxgate.call('GetSearch', { context: voxgate.context, gkJobId });
      return { value: answer, lines: linesOf(answer.calls, answer.search?.lookedAt) };
    },
  );
}
