// A call that brings a recording for a print or a person says whose voice the recording contains and whom the session is
// about, even if the call is refused. If that person has been erased, the recording is not kept; otherwise, the link is
// remembered in case the person is erased later. What arrives after an erasure, or was kept and may be kept no longer, is
// erased by a job of its own.
import { AppError, isBusy, isOutage } from '../../errors.js';
import { type Job, newJob } from '../model/jobs.js';
import type { Profile } from '../model/profiles.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { AskedPerson } from '../ports/erasure.js';
import type { BiometricsStore, BiometricsTransaction } from '../ports/store.js';
import type { SessionContext } from './context.js';

/** Whom a call names, and the recording, or the session with its recordings, that it brings for them. */
export interface NamedInCall {
  gkScopeId: string;
  prints?: readonly string[] | undefined;
  gkPersonId?: string | undefined;
  of: {
    gkMediaSegmentId?: string | undefined;
    gkProcessedAudioId?: string | undefined;
    gkSessionId?: string | undefined;
  };
  /** Set if the call asks for them: a session in which nobody else is asked for is about them. */
  askedIn?: AskedIn | undefined;
}

type AskedIn = Pick<AskedPerson, 'gkEngagementId' | 'gkSessionId'>;

export const askedIn = ({ engagement, session }: SessionContext): AskedIn => ({
  gkEngagementId: engagement.gkEngagementId,
  gkSessionId: session.gkSessionId,
});

/**
 * If the work does not find what the call names, the reason may be an erasure; if it refuses it, the
 * recording has an owner.
 */
export async function refusingErased<T>(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  named: NamedInCall,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await noteRefused(deps, named, error);
    throw error;
  }
}

/**
 * Records whose voice the recording of a refused call is said to contain. If that cannot be stored now, the
 * call fails for that reason, and is retried.
 */
export async function noteRefused(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  named: NamedInCall,
  error: unknown,
): Promise<void> {
  if (error instanceof AppError && error.code === 'NOT_FOUND') await giveToErased(deps, named);
  if (!isWorthRetrying(error)) await giveToOwner(deps, named);
}

/** For a call that was refused before anything was looked up. */
export async function linkNamed(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  named: NamedInCall,
): Promise<void> {
  await giveToErased(deps, named);
  await giveToOwner(deps, named);
}

/**
 * Such a call is retried, and then says whose voice it was; it must not cost a write while there is no space.
 */
export const isWorthRetrying = (error: unknown): boolean => isOutage(error) || isBusy(error);

/** More prints than one person has. */
const PRINTS_OF_ONE_MAX = 20;

/**
 * A print that exists but cannot be used: it is locked, not trained, its owner has opted out, or a print that
 * never existed is named beside it.
 */
async function giveToOwner(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  { gkScopeId, prints = [], gkPersonId: said, of, askedIn: session }: NamedInCall,
): Promise<void> {
  // A call that asks for many attributes the voice to nobody.
  if (prints.length > PRINTS_OF_ONE_MAX) return;
  const { profiles, parties, erasure } = deps.store.read;
  // Without a session it was a change of owner or claim: refused, it has changed nothing.
  const isSaid = said && session && (await parties.find(gkScopeId, 'PERSON', said)) !== undefined;
  const named = await profiles.findMany(gkScopeId, [...new Set(prints)]);
  const former =
    named.length < prints.length ? await erasure.formerOwners(gkScopeId, prints) : new Map<string, string>();
  const owners = named.map(({ ownerType, gkOwnerId }) => (ownerType === 'PERSON' ? gkOwnerId : ''));
  const [gkPersonId, ...others] = new Set([...(isSaid ? [said] : []), ...owners, ...former.values()]);
  if ((named.length === 0 && !isSaid) || !gkPersonId || others.length > 0) return;
  await rememberSpeaker(deps, { gkScopeId, gkPersonId }, of, session);
}

/**
 * Stores whose voice a recording was said to contain, and in which session, if the call itself could not be
 * stored. The call reports its own fault, unless nothing can be stored now: then it has to be retried.
 */
export async function rememberSpeaker(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  person: Erasable,
  of: NamedInCall['of'],
  session?: AskedIn,
): Promise<void> {
  await linkSpeaker(deps, person, of, session).catch((cause: unknown) => {
    if (isOutage(cause)) throw cause;
  });
}

/**
 * Stores whose voice a recording is said to contain; durable by itself, whatever happens to the call that
 * says so.
 */
export async function linkSpeaker(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  person: Erasable,
  of: NamedInCall['of'],
  session?: AskedIn,
): Promise<void> {
  const { gkScopeId, gkPersonId } = person;
  const { read } = deps.store;
  const heard = await mediaOf(read, gkScopeId, of);
  // Usually it is known: the session claims the person, or the same recording was sent before.
  const isLinked = !heard || (await read.media.isLinked(heard, gkPersonId));
  if (isLinked && !session) return;
  await deps.store.transaction(async (tx) => {
    await tx.erasure.hold([gkPersonId]);
    if (session) await tx.erasure.noteAsked({ ...person, ...session });
    if (isLinked) return;
    await tx.media.link(gkScopeId, heard, gkPersonId);
    await eraseIfErased(deps, tx, person);
  });
}

async function giveToErased(
  deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>,
  { gkScopeId, prints = [], gkPersonId, of, askedIn: session }: NamedInCall,
): Promise<void> {
  const owners = await erasedOwners(deps.store, gkScopeId, prints, gkPersonId);
  if (owners.length === 0) return;
  await deps.store.transaction(async (tx) => {
    const [only, ...others] = owners;
    if (session && only !== undefined && others.length === 0)
      await tx.erasure.noteAsked({ gkScopeId, gkPersonId: only, ...session });
    const recordings = await recordingsOf(tx, gkScopeId, of);
    if (!recordings) return;
    for (const owner of owners) {
      await tx.erasure.linkSaid({ gkScopeId, gkPersonId: owner }, recordings);
      await eraseIfErased(deps, tx, { gkScopeId, gkPersonId: owner });
    }
  });
}

/** All owners that the call names are gone; if one of several exists, it may be that one's voice. */
async function erasedOwners(
  { read }: BiometricsStore,
  gkScopeId: string,
  prints: readonly string[],
  gkPersonId: string | undefined,
): Promise<string[]> {
  const former = await read.erasure.formerOwners(gkScopeId, prints);
  if (prints.some((print) => !former.has(print))) return [];
  const persons = new Set([...former.values(), ...(gkPersonId ? [gkPersonId] : [])]);
  const erased: string[] = [];
  // A person who was only deleted may be erased later: then it is known whose it is. A person who never
  // existed is nobody.
  for (const person of persons)
    if (former.size > 0 || (await read.erasure.isErased(person))) erased.push(person);
  return erased;
}

async function recordingsOf(
  tx: BiometricsTransaction,
  gkScopeId: string,
  of: NamedInCall['of'],
): Promise<{ gkMediaSegmentId: string } | { gkSessionId: string } | undefined> {
  if (of.gkSessionId) return { gkSessionId: of.gkSessionId };
  const heard = await mediaOf(tx, gkScopeId, of);
  return heard ? { gkMediaSegmentId: heard } : undefined;
}

async function mediaOf(
  tx: Pick<BiometricsTransaction, 'processedAudios'>,
  gkScopeId: string,
  { gkMediaSegmentId, gkProcessedAudioId }: NamedInCall['of'],
): Promise<string | undefined> {
  if (!gkProcessedAudioId) return gkMediaSegmentId;
  return (await tx.processedAudios.find(gkScopeId, gkProcessedAudioId))?.gkMediaSegmentId;
}

export interface DeletePersonalDataJobInput {
  gkPersonId: string;
}

/** A person who is, or may have been, erased. */
interface Erasable {
  gkScopeId: string;
  gkPersonId: string;
}

export function erasureJob(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  job: Pick<Job, 'gkJobId' | 'gkScopeId' | 'requestedBy'>,
  { gkPersonId }: DeletePersonalDataJobInput,
): Job {
  const input: DeletePersonalDataJobInput = { gkPersonId };
  return newJob({ ...job, kind: 'DELETE_PERSONAL_DATA' }, input, clock.now());
}

/** The requester of a repeated erasure, because a recording of an erased person came late. */
const LATE_REQUESTED_BY = 'voxgate';

export const isRepeatErasure = ({ requestedBy }: Job): boolean => requestedBy === LATE_REQUESTED_BY;

/**
 * Erases again what has arrived for an erased person; one job per person, repeated if it may have looked
 * already.
 */
export async function eraseAgain(
  { clock }: Pick<BiometricsDeps, 'clock'>,
  tx: BiometricsTransaction,
  person: Erasable,
): Promise<void> {
  const { gkScopeId, gkPersonId } = person;
  const late = { gkJobId: `late-${gkPersonId}`, gkScopeId, requestedBy: LATE_REQUESTED_BY };
  await tx.jobs.ask(erasureJob({ clock }, late, person));
}

/**
 * The reason for keeping recordings of erased persons, a hold or an outcome, may be gone: those that nothing
 * else keeps are erased at once, even if this node stops now. Returns for how many persons.
 */
export async function eraseWhatWasKept(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  gkScopeId: string,
  kept: { gkMediaSegmentId: string } | { gkEngagementId: string },
): Promise<number> {
  const persons = await tx.erasure.reconsider(gkScopeId, kept);
  for (const person of persons) await eraseAgain(deps, tx, person);
  if (persons.length > 0) tx.afterCommit(() => deps.jobs.wake());
  return persons.length;
}

/**
 * The print of a fraudster is deleted: recordings of erased persons that were kept only for it are deleted
 * too.
 */
export async function eraseWhatPrintKept(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  { gkScopeId, gkVoiceprintProfileId, ownerType }: Profile,
): Promise<void> {
  if (ownerType !== 'FRAUDSTER') return;
  for (const { gkMediaSegmentId } of await tx.enrollment.list(gkVoiceprintProfileId))
    if (gkMediaSegmentId) await eraseWhatWasKept(deps, tx, gkScopeId, { gkMediaSegmentId });
}

/** If a person was erased while the call ran, what the call has stored must be erased too. */
export async function eraseIfErased(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  person: Erasable,
): Promise<void> {
  if (!(await tx.erasure.isErased(person.gkPersonId))) return;
  await eraseAgain(deps, tx, person);
  tx.afterCommit(() => deps.jobs.wake());
}

/** The person whose print this was, if both print and person are gone for good. */
export async function erasedOwnerOf(
  { erasure }: Pick<BiometricsTransaction, 'erasure'>,
  gkScopeId: string,
  gkVoiceprintProfileId: string,
): Promise<string | undefined> {
  const owner = (await erasure.formerOwners(gkScopeId, [gkVoiceprintProfileId])).get(gkVoiceprintProfileId);
  return owner !== undefined && (await erasure.isErased(owner)) ? owner : undefined;
}
