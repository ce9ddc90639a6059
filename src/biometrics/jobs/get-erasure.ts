// GetErasure: what the erasure of a person would delete and keep as things are now; for a person who was erased, what is still
// kept. It applies the same rules as the erasure itself (kept-recordings.ts), without changing anything.
import type { Call } from '../../platform.js';
import { openTenant, type RequestContext } from '../call/context.js';
import type { DeletePersonalDataJobInput } from '../call/data-subjects.js';
import { Faults } from '../call/limits.js';
import { findLines, claimedForOthers } from './lines-of-person.js';
import { reasonsToKeep } from './kept-recordings.js';
import { keptTexts } from './kept-texts.js';
import { uploadsWith } from './uploads-of-person.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Repositories } from '../ports/store.js';
import type { ReasonToKeep } from '../rules/erasure.js';
import { partyOrThrow } from '../entities/party-rules.js';

interface Erasure extends Record<ReasonToKeep, number> {
  erasedAtMs?: number;
  isRunning: boolean;
  recordings: number;
  keptSessions: number;
  /** Sessions that stay, with texts that may name the person. */
  keptTexts: readonly string[];
}

export async function getErasure(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkPersonId: string },
): Promise<Erasure> {
  const { gkPersonId } = input;
  const faults = new Faults().required('gk_person_id', gkPersonId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const { read } = deps.store;
  const erasedAtMs = await read.erasure.erasedAtMs(gkScopeId, gkPersonId);
  if (erasedAtMs === undefined && !(await read.erasure.hasTraces(gkScopeId, gkPersonId)))
    await partyOrThrow(read.parties, gkScopeId, 'PERSON', gkPersonId);
  const open = await read.jobs.listOpen(gkScopeId, 'DELETE_PERSONAL_DATA');
  return {
    ...(erasedAtMs !== undefined && { erasedAtMs }),
    isRunning: open.some(
      ({ input: asked }) => (JSON.parse(asked) as DeletePersonalDataJobInput).gkPersonId === gkPersonId,
    ),
    ...(await countRecordings(deps, { gkScopeId, gkPersonId })),
    keptTexts: await textsOf(read, { gkScopeId, gkPersonId }),
    keptSessions: await countKeptSessions(read, { gkScopeId, gkPersonId }),
  };
}

interface Person {
  gkScopeId: string;
  gkPersonId: string;
}

async function countRecordings(
  { store }: BiometricsDeps,
  { gkScopeId, gkPersonId }: Person,
): Promise<Pick<Erasure, 'recordings' | ReasonToKeep>> {
  const { read } = store;
  const counts = {
    recordings: 0,
    keptAsFraud: 0,
    keptOnLegalHold: 0,
    keptWithFraudster: 0,
    keptForOthers: 0,
  };
  const said = await claimedForOthers(read, gkScopeId, await findLines(store, { gkScopeId, gkPersonId }));
  const uploads = await uploadsWith(read, { gkScopeId, gkPersonId });
  const prints = await printsOf(read, { gkScopeId, gkPersonId });
  const person = { gkScopeId, gkPersonId, prints, uploads, claimedForOthers: said };
  const reasonToStay = reasonsToKeep(read, person);
  for (const segment of await read.media.listByPerson(gkScopeId, gkPersonId)) {
    const { gkMediaSegmentId, gkSessionId } = segment;
    // In an upload each recording is judged by itself: nothing is guessed from the one beside it.
    if (uploads.has(gkSessionId) && (await read.erasure.linkOf(gkMediaSegmentId, gkPersonId)).isGuess)
      continue;
    const stay = await reasonToStay(segment);
    if (stay === 'not known yet') counts.keptForOthers += 1;
    else counts[stay?.reason ?? 'recordings'] += 1;
  }
  return counts;
}

async function textsOf(read: Repositories, person: Person): Promise<string[]> {
  const prints = await printsOf(read, person);
  return keptTexts(read, { ...person, prints, uploads: await uploadsWith(read, person) });
}

/** Those they have, and those they had. */
export async function printsOf(read: Repositories, { gkScopeId, gkPersonId }: Person): Promise<string[]> {
  const current = await read.profiles.listByOwner(gkScopeId, gkPersonId);
  return [
    ...current.map(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId),
    ...(await read.erasure.formerPrints(gkScopeId, gkPersonId)),
  ];
}

/** Those in which they were claimed, heard, or asked for. */
export async function engagementsWith(read: Repositories, person: Person): Promise<ReadonlySet<string>> {
  const { gkScopeId, gkPersonId } = person;
  const prints = await printsOf(read, person);
  const uploads = await uploadsWith(read, person);
  return new Set([
    ...(await read.erasure.engagementsOf(gkScopeId, gkPersonId, { prints, uploads })),
    ...(await read.erasure.engagementsAskingFor(gkScopeId, gkPersonId)),
  ]);
}

/** All of those that were judged as fraud. */
async function countKeptSessions(read: Repositories, { gkScopeId, gkPersonId }: Person): Promise<number> {
  const engagements = await engagementsWith(read, { gkScopeId, gkPersonId });
  let count = 0;
  for (const gkEngagementId of engagements) {
    const engagement = await read.engagements.find(gkScopeId, gkEngagementId);
    if (engagement?.verdict?.verdict !== 'FRAUD') continue;
    count += (await read.sessions.listByEngagement(gkScopeId, gkEngagementId)).length;
  }
  return count;
}
