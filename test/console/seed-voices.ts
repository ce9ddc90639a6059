// A small contact center of invented people: enrolled persons with consent, fraudsters on a watchlist, a group, and
// calls with their decisions. For screenshots and for checks that need every page filled.
import type { VoiceName } from '../support/fixtures.js';
import type { ConsoleTest } from './support.js';
import { enrollOwner, openSession, sendVoice, type CallContext, type Owner } from './voices.js';

export interface SeededVoices {
  person: Owner;
  fraudster: Owner;
  gkGroupId: string;
  gkWatchlistId: string;
  /** A session with a decision and several factors. */
  gkSessionId: string;
}

const people = [
  ['anna-4711', 'anna', 'Anna', 'Keller'],
  ['bruno-0815', 'bruno', 'Bruno', 'Rossi'],
  ['dora-2231', 'dora', 'Dora', 'Lindqvist'],
  ['emil-9020', 'emil', 'Emil', 'Novak'],
] as const;

export async function seedVoices(console: ConsoleTest): Promise<SeededVoices> {
  const api = async (method: string, path: string, body: object) => {
    const answer = await console.api(method, path, body);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const owners = new Map<string, Owner>();
  for (const [id, voice, firstName, lastName] of people)
    owners.set(voice, await enrollOwner(console, 'person', id, voice, { firstName, lastName }));
  const carl = await enrollOwner(console, 'fraudster', 'case-118', 'carl');
  const fritz = await enrollOwner(console, 'fraudster', 'case-204', 'fritz');
  const ownerOf = (voice: string): Owner => owners.get(voice) as Owner;

  const desk = await openSession(console);
  for (const voice of ['anna', 'bruno', 'dora'])
    await api('PUT', `/v1/persons/${ownerOf(voice).gkId}/optin`, { context: desk });
  const group = await api('POST', '/v1/groups', { context: desk, groupId: 'keller-household' });
  for (const voice of ['anna', 'bruno', 'emil'])
    await api('POST', `/v1/groups/${group.gkGroupId.value}/persons`, {
      context: desk,
      gkPersonId: { value: ownerOf(voice).gkId },
    });
  const watchlist = await api('POST', '/v1/watchlists', { context: desk, watchlistId: 'card-fraud-ring' });
  for (const { gkId } of [carl, fritz])
    await api('POST', `/v1/watchlists/${watchlist.gkWatchlistId.value}/fraudsters`, {
      context: desk,
      gkFraudsterId: { value: gkId },
    });

  /** One call: who they say they are, whose voice it is, and the checks of a telephone bank. */
  const phone = async (
    sessionId: string,
    claimed: VoiceName,
    speaks: VoiceName,
    sentence: number,
  ): Promise<CallContext> => {
    const context = await openSession(console, 'SESSION_TYPE_CALL_CENTER', {
      sessionId,
      ani: `+4930555${String(1000 + sentence * 37)}`,
      claimedGkPersonId: { value: ownerOf(claimed).gkId },
    });
    const gkMediaSegmentId = await sendVoice(console, context, speaks, sentence);
    await api('POST', '/v1/voiceprints/known-fraudsters-detection', {
      context,
      gkMediaSegmentId,
      watchlist: { uniqueId: watchlist.gkWatchlistId },
    });
    await api('POST', `/v1/voiceprints/${ownerOf(claimed).profile}/verification`, {
      context,
      gkMediaSegmentId,
    });
    return context;
  };
  const good = await phone('call-20931', 'anna', 'anna', 4);
  await api('PUT', '/v1/sessions/stop', { context: good });
  const stranger = await phone('call-20932', 'bruno', 'dora', 5);
  await api('PUT', '/v1/sessions/stop', { context: stranger });
  const fraud = await phone('call-20933', 'dora', 'carl', 4);
  await api('PUT', '/v1/engagements/verdict', {
    context: fraud,
    gkEngagementId: fraud['gkEngagementId'],
    verdict: 'ENGAGEMENT_VERDICT_FRAUD',
    description: 'Called back on the known number: it was not her.',
  });
  const open = await phone('call-20934', 'dora', 'dora', 5);
  await api('POST', '/v1/audios/spoofing', {
    context: open,
    gkMediaSegmentId: await sendVoice(console, open, 'dora', 4),
    syntheticSpeechDetectionParameters: {},
    channelPlaybackDetectionParameters: {},
  });
  return {
    person: ownerOf('anna'),
    fraudster: carl,
    gkGroupId: group.gkGroupId.value,
    gkWatchlistId: watchlist.gkWatchlistId.value,
    gkSessionId: (fraud['gkSessionId'] as { value: string }).value,
  };
}
