// FindRecurringVoices: voices that called under more than one identity in the last days. Every recent call is compared once with
// the voices that came before it; nothing is kept between two requests.
import type { Call } from '../../platform.js';
import { thresholdForFar } from '../../voice/scoring/risk.js';
import { VoiceGroups } from '../../voice/search/voice-groups.js';
import type { RequestContext } from '../call/context.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { OperationDeps } from '../operations/deps.js';
import { openSearch, recordSearch } from './open-search.js';
import { eachVoice, nothingHeard, type Heard } from './read-voices.js';
import { callsOf, type StoredCall } from './stored-calls.js';

export interface RecurringVoicesInput {
  context: RequestContext;
  /** 0: as many as the tenant allows. */
  days: number;
  /** Least number of identities; 2 when less. */
  identitiesMin: number;
}

export interface RecurringVoice {
  identities: number;
  /** Least score with which one of its calls was taken for the same voice. */
  weakestLlr: number;
  calls: StoredCall[];
}

export interface RecurringVoices extends Heard {
  voices: RecurringVoice[];
  fromMs: number;
}

const CALLS_MAX = 5000;
const VOICES_MAX = 100;
const CALLS_PER_VOICE_MAX = 100;
const IDENTITIES_MIN = 2;
/** One pair of strangers in ten thousand is as alike; measured, see docs/adr/0065-looking-back.md. */
const JOIN_RATE = 0.0001;
/** For groups, all of whose calls have a say. */
const GROUPS_JOIN_RATE = 0.001;

interface Member {
  gkProcessedAudioId: string;
  gkSessionId: string;
}

export async function findRecurringVoices(
  deps: OperationDeps,
  call: Call,
  input: RecurringVoicesInput,
): Promise<RecurringVoices> {
  const search = await openSearch(deps, call, input);
  const { gkScopeId, model, fromMs } = search;
  const groups = new VoiceGroups<Member>(model, thresholdForFar(model, JOIN_RATE));
  const heard = nothingHeard();
  const span = { gkScopeId, model, fromMs, callsMax: CALLS_MAX };
  await eachVoice(deps, call, span, heard, ({ gkProcessedAudioId, gkSessionId, voice }) =>
    groups.add({ gkProcessedAudioId, gkSessionId }, voice),
  );
  const pause = pauseBetweenSlices(call);
  for (const _step of groups.join(thresholdForFar(model, GROUPS_JOIN_RATE))) await pause();
  const identitiesMin = Math.max(IDENTITIES_MIN, input.identitiesMin);
  const voices: RecurringVoice[] = [];
  for (const { members, weakestLlr } of groups.groups()) {
    if (new Set(members.map(({ gkSessionId }) => gkSessionId)).size < identitiesMin) continue;
    const calls = await callsOf(deps, gkScopeId, members, CALLS_PER_VOICE_MAX);
    const identities = new Set(calls.flatMap(({ gkPersonId }) => gkPersonId ?? [])).size;
    if (identities >= identitiesMin) voices.push({ identities, weakestLlr, calls });
  }
  voices.sort((a, b) => b.identities - a.identities || b.calls.length - a.calls.length);
  const reported = voices.slice(0, VOICES_MAX);
  const facts = { operation: 'FindRecurringVoices', detail: { voices: reported.length } };
  await deps.store.transaction((tx) => recordSearch(tx, call, search, heard, facts));
  return { ...heard, voices: reported, fromMs };
}
