// Which channel of a recording is used, and on which channels the caller speaks: callers of the API may say who speaks on
// each. Pure.
import type { HeardChannel } from '../model/compared-voices.js';
import type { CallParty, MediaSegment, ProcessedAudio } from '../model/media.js';

const isCaller = ({ partyType }: CallParty): boolean => partyType !== 'AGENT' && partyType !== 'IVR';

/** If some are named, a channel that is not may be a caller's. */
function callersAmong(channels: readonly number[], parties: readonly CallParty[]): number[] {
  return channels.filter((channel) => {
    const there = parties.filter(({ channelIndex }) => channelIndex === channel);
    return there.length === 0 || there.some(isCaller);
  });
}

const upTo = (channels: number): number[] => Array.from({ length: channels }, (_, at) => at + 1);

/**
 * The channel that is used if a request names none: the caller's, if agents and machines are said to speak on
 * all others. Otherwise what an agent says would be taken for the caller
 * (docs/adr/0091-the-callers-channel.md). How many there are may not be known yet; two are usual.
 */
export function callersChannel({
  callParties,
  channels,
}: Pick<MediaSegment, 'callParties' | 'channels'>): number | undefined {
  if (callParties.length === 0) return undefined;
  const count = channels ?? Math.max(2, ...callParties.map(({ channelIndex }) => channelIndex));
  const [caller, ...others] = callersAmong(upTo(count), callParties);
  return others.length === 0 ? caller : undefined;
}

/**
 * Undefined if there is one channel, and nobody has said who speaks on it. Identical channels, as in the
 * stereo files of many recorders, count as one: everything in it was heard.
 */
export function heardChannel(
  {
    mediaChannels = 1,
    selectedChannel,
    isOneSound,
  }: Pick<ProcessedAudio, 'mediaChannels' | 'selectedChannel' | 'isOneSound'>,
  { callParties }: Pick<MediaSegment, 'callParties'>,
): HeardChannel | undefined {
  const parties = callParties.filter(({ channelIndex }) => channelIndex <= mediaChannels);
  if ((mediaChannels === 1 || isOneSound) && parties.length === 0) return undefined;
  const all = upTo(mediaChannels);
  const named = new Set(parties.map(({ channelIndex }) => channelIndex));
  return {
    heard: mediaChannels === 1 ? 1 : (selectedChannel ?? 0),
    of: mediaChannels,
    ...(parties.length > 0 && { callers: callersAmong(all, parties) }),
    ...(parties.length > 0 && named.size < mediaChannels && { isPartlyNamed: true }),
  };
}

/** It was the channel of an agent, or of a machine, and says nothing of the caller. */
export const isOfCaller = ({ channel }: { channel?: HeardChannel | undefined }): boolean =>
  !channel?.callers || channel.heard === 0 || channel.callers.includes(channel.heard);
