// Which channel of a recording was heard, and on which ones the caller speaks: callers of the API may say who speaks on each. Pure.
import type { HeardChannel } from '../../marks/story.js';
import type { CallParty, MediaSegment, ProcessedAudio } from '../model/media.js';

const isCaller = ({ partyType }: CallParty): boolean => partyType !== 'AGENT' && partyType !== 'IVR';

/** Nothing where there is one channel, and nobody has said who speaks on it. */
export function heardChannel(
  { mediaChannels = 1, selectedChannel }: Pick<ProcessedAudio, 'mediaChannels' | 'selectedChannel'>,
  { callParties }: Pick<MediaSegment, 'callParties'>,
): HeardChannel | undefined {
  const parties = callParties.filter(({ channelIndex }) => channelIndex <= mediaChannels);
  if (mediaChannels === 1 && parties.length === 0) return undefined;
  const named = new Set(parties.map(({ channelIndex }) => channelIndex));
  const all = Array.from({ length: mediaChannels }, (_, at) => at + 1);
  // Where some are named, a channel that is not may be a caller's.
  const callers = all.filter(
    (channel) =>
      !named.has(channel) || parties.some((party) => party.channelIndex === channel && isCaller(party)),
  );
  return {
    heard: mediaChannels === 1 ? 1 : (selectedChannel ?? 0),
    of: mediaChannels,
    ...(parties.length > 0 && { callers }),
  };
}
