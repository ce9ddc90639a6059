// The stored calls of a tenant in groups of one voice each. Each call is compared once: groups are stored, and a request
// continues where the last one ended. Only a limited number of calls, the newest, are in groups; calls that were deleted, or
// are older than the tenant looks back, are in none.
import { DAY_MS, type Call } from '../../platform.js';
import { thresholdForFar } from '../../voice/scoring/risk.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate } from '../../voice/scoring/template.js';
import { SAMPLES_MAX, VoiceGroups, type VoiceGroup } from '../../voice/search/voice-groups.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { OperationDeps } from '../operations/deps.js';
import type { GroupableCall, GroupingState } from '../ports/voice-groups.js';
import type { OpenSearch } from './open-search.js';
import { nothingHeard, type Heard } from './read-voices.js';

/** Calls in groups at a time; a middle takes about 400 bytes of memory while a request runs. */
const GROUPED_CALLS_MAX = 20_000;
/** Compared per request; the next request continues. */
const NEW_CALLS_MAX = 5000;
/** Opened without a pause, so that nobody waits long meanwhile. */
const CALLS_AT_ONCE = 200;
/** One pair of strangers in ten thousand is this alike; measured, see docs/adr/0065-voice-search.md. */
const JOIN_RATE = 0.0001;
/** For groups, all of whose calls count. */
const GROUPS_JOIN_RATE = 0.001;

interface GroupLimits {
  groupedMax?: number;
  newMax?: number;
}

/** A call, and the score with which it joined its group. */
interface GroupMember extends Omit<GroupableCall, 'place'> {
  llr: number;
}

interface CallGroups {
  heard: Heard;
  /** Calls since the requested time, newest first in each group. */
  groups: GroupMember[][];
}

/** Brings the groups up to date and returns them. */
export async function groupCalls(
  deps: OperationDeps,
  call: Call,
  search: OpenSearch,
  { groupedMax = GROUPED_CALLS_MAX, newMax = NEW_CALLS_MAX }: GroupLimits = {},
): Promise<CallGroups> {
  const { gkScopeId, fromMs, parameters } = search;
  const allowedFromMs = deps.clock.now() - parameters.voiceSearch.days * DAY_MS;
  const earliestMs = await deps.store.read.voiceGroups.earliestOf(gkScopeId, allowedFromMs, groupedMax);
  const grouping = await Grouping.open(deps, call, search, earliestMs);
  const heard = await grouping.addNew(newMax);
  await grouping.join();
  const groups = grouping.groups();
  heard.searched = groups.reduce((sum, members) => sum + members.length, 0);
  // Later than both only if there are more than fit: the search was opened a moment before this was called.
  heard.isPartial ||= earliestMs > Math.max(fromMs, allowedFromMs);
  return { heard, groups };
}

class Grouping {
  readonly #deps: OperationDeps;
  readonly #call: Call;
  readonly #search: OpenSearch;
  /** All calls that may be in a group, by recording, as they were stored. */
  readonly #calls: Map<string, GroupableCall>;
  /** Absent until there is a new call. */
  #groups: VoiceGroups | undefined;
  /** The state that was read is the one that is changed; absent once somebody else has changed it. */
  #state: GroupingState | undefined;

  constructor(
    deps: OperationDeps,
    call: Call,
    search: OpenSearch,
    stored: { state: GroupingState; calls: readonly GroupableCall[] },
  ) {
    this.#deps = deps;
    this.#call = call;
    this.#search = search;
    this.#state = stored.state;
    this.#calls = new Map(stored.calls.map((one) => [one.gkProcessedAudioId, one]));
  }

  static async open(
    deps: OperationDeps,
    call: Call,
    search: OpenSearch,
    earliestMs: number,
  ): Promise<Grouping> {
    const { gkScopeId, model, calibrationRevisionId } = search;
    const { store } = deps;
    const basis = `${model.revision} ${calibrationRevisionId}`;
    const state = await store.read.voiceGroups.state(gkScopeId);
    const begun = await store.transaction(async ({ voiceGroups }) => {
      if (state?.basis !== basis) return voiceGroups.begin(gkScopeId, basis);
      await voiceGroups.leaveBefore(gkScopeId, earliestMs);
      return state;
    });
    const calls = await store.read.voiceGroups.calls(gkScopeId, earliestMs);
    return new Grouping(deps, call, search, { state: begun, calls });
  }

  /** Compares calls that are in no group yet, newest first. */
  async addNew(newMax: number): Promise<Heard> {
    const { fromMs } = this.#search;
    const all = [...this.#calls.values()];
    const fresh = all.filter(({ place, createdAtMs }) => !place && createdAtMs >= fromMs);
    const heard = nothingHeard();
    for (let at = 0; at < fresh.length && !heard.isPartial; at += CALLS_AT_ONCE) {
      const ids = fresh.slice(at, at + CALLS_AT_ONCE).map(({ gkProcessedAudioId }) => gkProcessedAudioId);
      const { voices, unreadable, otherModel } = await this.#open(ids);
      heard.unreadable += unreadable;
      heard.otherModel += otherModel;
      const wanted = ids.filter((id) => voices.has(id));
      heard.isPartial = wanted.length > newMax - heard.searched;
      const some = wanted.slice(0, newMax - heard.searched);
      heard.searched += some.length;
      await this.#add(some, voices);
    }
    return heard;
  }

  async join(): Promise<void> {
    if (!this.#groups) return;
    const pause = pauseBetweenSlices(this.#call);
    for await (const _step of this.#groups.join(thresholdForFar(this.#search.model, GROUPS_JOIN_RATE)))
      await pause();
    await this.#save();
  }

  groups(): GroupMember[][] {
    const { fromMs } = this.#search;
    const found: GroupMember[][] = [];
    for (const { members } of this.#groups?.groups() ?? this.#stored()) {
      const calls = [...members].flatMap(([id, llr]) => {
        const { place: _place, ...one } = this.#calls.get(id) ?? { createdAtMs: -Infinity };
        return 'gkSessionId' in one && one.createdAtMs >= fromMs ? { ...one, llr } : [];
      });
      if (calls.length > 0) found.push(calls.sort((a, b) => b.createdAtMs - a.createdAtMs));
    }
    return found;
  }

  async #add(ids: readonly string[], voices: ReadonlyMap<string, VoiceSample>): Promise<void> {
    if (ids.length === 0) return;
    const groups = (this.#groups ??= await this.#restore());
    const pause = pauseBetweenSlices(this.#call);
    for (const id of ids) {
      const voice = voices.get(id);
      if (voice) await groups.add(id, voice);
      await pause();
    }
    // Completed work is stored, even if the caller leaves.
    await this.#save();
  }

  async #save(): Promise<void> {
    const [state, changes] = [this.#state, this.#groups?.takeChanges()];
    if (!state || !changes || changes.placed.size === 0) return;
    const { gkScopeId } = this.#search;
    const isSaved = await this.#deps.store.transaction((tx) =>
      tx.voiceGroups.save(gkScopeId, state, changes),
    );
    // Somebody else was faster: the answer is as good, and the next request finds what they have stored.
    this.#state = isSaved ? { ...state, version: state.version + 1 } : undefined;
  }

  async #restore(): Promise<VoiceGroups> {
    const { model, gkScopeId } = this.#search;
    const { store, ids } = this.#deps;
    const pause = pauseBetweenSlices(this.#call);
    const groups = new VoiceGroups({
      model,
      joinLlr: thresholdForFar(model, JOIN_RATE),
      newId: () => ids.uuid(),
      voicesOf: async (names) => [...(await this.#open(names)).voices.values()],
    });
    const stored = this.#stored();
    if (stored.length > 0) await store.transaction((tx) => tx.voiceGroups.dropOutdated(gkScopeId));
    for (let at = 0; at < stored.length; at += CALLS_AT_ONCE) {
      const some = stored.slice(at, at + CALLS_AT_ONCE);
      const groupIds = some.map(({ id }) => id);
      const middles = await store.read.voiceGroups.middles(gkScopeId, groupIds);
      for (const group of some) {
        const middle = middles.get(group.id);
        if (middle) groups.restore({ ...group, middle });
        else await this.#remake(groups, group);
        await pause();
      }
    }
    return groups;
  }

  /** With a new middle from what is left, because the old one was deleted with one of its calls. */
  async #remake(groups: VoiceGroups, group: StoredGroup): Promise<void> {
    const samples =
      group.samples.length > 0 ? group.samples : [...group.members.keys()].slice(0, SAMPLES_MAX);
    const voices = [...(await this.#open(samples)).voices.values()];
    if (voices.length > 0)
      groups.restore({ ...group, samples, middle: buildTemplate(this.#search.model, voices) }, true);
  }

  async #open(
    ids: readonly string[],
  ): Promise<{ voices: Map<string, VoiceSample>; unreadable: number; otherModel: number }> {
    const found = await this.#deps.store.read.callVoices.findMany(this.#search.gkScopeId, ids);
    const { revision } = this.#search.model;
    const own = found.voices.filter(({ voice }) => voice.modelRevision === revision);
    const voices = new Map(own.map(({ gkProcessedAudioId, voice }) => [gkProcessedAudioId, voice]));
    return { voices, unreadable: found.unreadable, otherModel: found.voices.length - own.length };
  }

  #stored(): StoredGroup[] {
    const groups = new Map<string, StoredGroup>();
    for (const { gkProcessedAudioId, place } of this.#calls.values()) {
      if (!place) continue;
      const { groupId, llr, isSample } = place;
      const group = groups.get(groupId) ?? { id: groupId, members: new Map<string, number>(), samples: [] };
      groups.set(groupId, group);
      group.members.set(gkProcessedAudioId, llr);
      if (isSample) group.samples.push(gkProcessedAudioId);
    }
    return [...groups.values()];
  }
}

type StoredGroup = Omit<VoiceGroup, 'middle'>;
