// FindRecurringVoices: voices that called under more than one identity in the last days, from the groups of
// calls of one voice.
import { auditDetail } from '../../audit/model.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { OperationDeps } from '../operations/deps.js';
import { groupCalls } from './call-groups.js';
import { openSearch, recordSearch } from './open-search.js';
import type { Heard } from './read-voices.js';
import { callsOf, type StoredCall } from './stored-calls.js';
import { say } from '../../words/server/say.js';

interface RecurringVoicesInput {
  context: RequestContext;
  /** 0: as many as the tenant allows. */
  days: number;
  /** Minimum number of identities; at least 2. */
  identitiesMin: number;
}

interface RecurringVoice {
  identities: number;
  /** The lowest score at which one of its calls was taken for the same voice. */
  weakestLlr: number;
  calls: StoredCall[];
}

interface RecurringVoices extends Heard {
  voices: RecurringVoice[];
  fromMs: number;
}

const VOICES_MAX = 100;
const CALLS_PER_VOICE_MAX = 100;
const IDENTITIES_MIN = 2;

export async function findRecurringVoices(
  deps: OperationDeps,
  call: Call,
  input: RecurringVoicesInput,
): Promise<RecurringVoices> {
  const faults = new Faults();
  if (input.identitiesMin < 0)
    faults.add({
      field: 'identities_min',
      violation: 'OUT_OF_RANGE',
      ...say('NEGATIVE'),
      value: String(input.identitiesMin),
    });
  const search = await openSearch(deps, call, input, faults);
  const { gkScopeId, fromMs } = search;
  const { groups, heard } = await groupCalls(deps, call, search);
  heard.liveCalls = await deps.store.read.factors.countLiveSessions(gkScopeId, fromMs);
  const identitiesMin = Math.max(IDENTITIES_MIN, input.identitiesMin);
  const voices: RecurringVoice[] = [];
  for (const members of groups) {
    if (new Set(members.map(({ gkSessionId }) => gkSessionId)).size < identitiesMin) continue;
    const calls = await callsOf(deps, gkScopeId, members, CALLS_PER_VOICE_MAX);
    calls.sort((a, b) => b.createdAtMs - a.createdAtMs);
    const identities = new Set(calls.flatMap(({ gkPersonId }) => gkPersonId ?? [])).size;
    if (identities >= identitiesMin)
      voices.push({ identities, weakestLlr: Math.min(...members.map(({ llr }) => llr)), calls });
  }
  voices.sort((a, b) => b.identities - a.identities || b.calls.length - a.calls.length);
  const reported = voices.slice(0, VOICES_MAX);
  const facts = {
    operation: 'FindRecurringVoices' as const,
    detail: auditDetail({ voices: reported.length }),
  };
  await deps.store.transaction((tx) => recordSearch(tx, call, search, heard, facts));
  return { ...heard, voices: reported, fromMs };
}
