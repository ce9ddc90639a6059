// Lists of voiceprint profiles with their owner and the progress of their enrollment.
import type { Call } from '../../platform.js';
import type { Parameters } from '../model/parameters.js';
import { parametersOfPrint } from '../configsets/print-parameters.js';
import { openContext } from '../call/context.js';
import type { BiometricsDeps } from '../ports/deps.js';
import { enrollStatus, type EnrollStatus } from '../rules/enrollment-status.js';
import type { OwnerType } from '../model/outcome.js';
import { pageOf, searchPage, type Found } from '../call/paging.js';
import type { Profile, ProfileStatus } from '../model/profiles.js';
import type { ProfileFilter } from '../ports/profiles.js';
import { isLocked, lockAt } from '../rules/profile-changes.js';
import { placesOf } from '../voice-search/stored-calls.js';
import type { Page } from '../ports/page.js';
import type { Repositories } from '../ports/store.js';
import type { Listing, PageRequest } from './list-parties.js';

interface ProfileEntry {
  profile: Profile;
  /** Empty if the owner was deleted. */
  ownerExternalId: string;
  enrollStatus: EnrollStatus;
  segments: number;
  netAudioMs: number;
  /** Set if requested. */
  recordings?: readonly PrintRecording[];
}

/** The call that a segment was recorded in. */
interface PrintRecording {
  gkProcessedAudioId: string;
  gkSessionId: string;
  sessionId: string;
}

interface ListProfilesInput extends PageRequest {
  ownerType?: OwnerType;
  gkOwnerId?: string;
  statuses?: readonly ProfileStatus[];
  locked?: boolean;
  /** Also return where the segments come from; only for one owner. */
  withRecordings?: boolean;
}

export async function listProfiles(
  deps: BiometricsDeps,
  call: Call,
  input: ListProfilesInput,
): Promise<Listing<ProfileEntry>> {
  const page = pageOf(input);
  // A print's own config set decides how much enrollment is enough; the named one is for prints without one.
  const { gkScopeId, parameters } = await openContext(deps, call, input.context, {
    engagement: 'unused',
    session: 'unused',
    configset: 'optional',
  });
  const { ownerType, gkOwnerId, statuses, locked } = input;
  const text = input.query?.trim();
  const filter: ProfileFilter = {
    ...(ownerType && { ownerType }),
    ...(gkOwnerId && { gkOwnerId }),
    ...(statuses && { statuses }),
    ...(text && { text }),
  };
  const { profiles: repository } = deps.store.read;
  const read = async (at: Page) => {
    const { profiles, next } = await repository.list(gkScopeId, filter, at);
    return { items: profiles, ...(next && { next }) };
  };
  const now = deps.clock.now();
  let found: Found<Profile>;
  if (locked === undefined) {
    found = { ...(await read(page)), total: await repository.count(gkScopeId, filter) };
  } else {
    // Locks end with time, which no column reflects.
    const fits = (profile: Profile) => isLocked(profile, now) === locked;
    found = await searchPage(read, fits, positionOf, page, { count: true, signal: call.signal });
  }
  const entries = await entriesOf(deps, gkScopeId, found.items, parameters, now);
  const withSessions = input.withRecordings === true && gkOwnerId !== undefined;
  return {
    entries: withSessions ? await withRecordings(deps.store.read, gkScopeId, entries) : entries,
    ...(found.next && { next: found.next }),
    total: found.total ?? found.items.length,
  };
}

const positionOf = (profile: Profile) => ({
  createdAtMs: profile.createdAtMs,
  id: profile.gkVoiceprintProfileId,
});

/** A recording that was uploaded for others belongs to the first call that heard it. */
async function withRecordings(
  read: Repositories,
  gkScopeId: string,
  entries: readonly ProfileEntry[],
): Promise<ProfileEntry[]> {
  const segments = await read.enrollment.listMany(
    entries.map(({ profile }) => profile.gkVoiceprintProfileId),
  );
  const audios = await read.processedAudios.findMany(gkScopeId, [
    ...new Set(segments.map(({ gkProcessedAudioId }) => gkProcessedAudioId)),
  ]);
  const places = await placesOf(read, gkScopeId, audios);
  const sessions = await read.sessions.findMany(gkScopeId, [
    ...new Set([...places.values()].flatMap(([place]) => place?.gkSessionId ?? [])),
  ]);
  const byId = new Map(sessions.map((session) => [session.gkSessionId, session]));
  return entries.map((entry) => ({
    ...entry,
    recordings: segments.flatMap(({ gkVoiceprintProfileId, gkProcessedAudioId }): PrintRecording[] => {
      const session = byId.get(places.get(gkProcessedAudioId)?.[0]?.gkSessionId ?? '');
      if (gkVoiceprintProfileId !== entry.profile.gkVoiceprintProfileId || !session) return [];
      const { gkSessionId, details } = session;
      return [{ gkProcessedAudioId, gkSessionId, sessionId: details.sessionId }];
    }),
  }));
}

async function entriesOf(
  deps: BiometricsDeps,
  gkScopeId: string,
  profiles: readonly Profile[],
  parameters: Parameters,
  nowMs: number,
): Promise<ProfileEntry[]> {
  const owners = await deps.store.read.parties.findMany(gkScopeId, [
    ...new Set(profiles.map((p) => p.gkOwnerId)),
  ]);
  const externalIds = new Map(owners.map((owner) => [owner.gkId, owner.externalId]));
  const totals = await deps.store.read.enrollment.totals(
    profiles.map((profile) => profile.gkVoiceprintProfileId),
  );
  const ownParameters = new Map<string, Parameters>();
  for (const profile of profiles) {
    const { configsetId = '' } = profile;
    if (!ownParameters.has(configsetId))
      ownParameters.set(configsetId, await parametersOfPrint(deps, deps.store.read, profile, parameters));
  }
  return profiles.map((profile) => {
    const { segments, netAudioMs } = totals.get(profile.gkVoiceprintProfileId) ?? {
      segments: 0,
      netAudioMs: 0,
    };
    return {
      profile: { ...profile, lock: lockAt(profile.lock, nowMs) },
      ownerExternalId: externalIds.get(profile.gkOwnerId) ?? '',
      enrollStatus: enrollStatus(
        { added: segments, trainable: segments, netSpeechMs: netAudioMs },
        ownParameters.get(profile.configsetId ?? '') ?? parameters,
      ),
      segments,
      netAudioMs,
    };
  });
}
