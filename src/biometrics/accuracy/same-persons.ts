// Persons whom somebody of the tenant has marked as one person under two names: measurements of how well people are told apart
// do not treat them as strangers. Nothing else changes: they remain two persons, each with their own prints.
import { AppError, missingField, notFound } from '../../errors.js';
import { auditedBy } from '../../audit/model.js';
import type { Actors } from '../../audit/ports.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { PersonPair, SamePersons } from '../ports/same-persons.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

/** Somebody examines each pair, and all of them are read for every report. */
const PAIRS_MAX = 1000;

interface PairInput extends PersonPair {
  context: RequestContext;
}

interface NamedPair extends SamePersons {
  /** The own IDs. */
  personId: string;
  otherPersonId: string;
  actorName: string;
}

export async function listSamePersons(
  deps: BiometricsDeps & { actors: Actors },
  call: Call,
  { context }: { context: RequestContext },
): Promise<NamedPair[]> {
  const gkScopeId = await openTenant(deps, call, context);
  const { read } = deps.store;
  const pairs = await read.samePersons.list(gkScopeId);
  const ids = new Set(pairs.flatMap(({ gkPersonId, gkOtherPersonId }) => [gkPersonId, gkOtherPersonId]));
  const people = await read.parties.findMany(gkScopeId, [...ids]);
  const idOf = new Map(people.map(({ gkId, externalId }) => [gkId, externalId]));
  const names = await deps.actors.namesOf(pairs.map(({ actor }) => actor.subject));
  return pairs.map((pair) => ({
    ...pair,
    personId: idOf.get(pair.gkPersonId) ?? '',
    otherPersonId: idOf.get(pair.gkOtherPersonId) ?? '',
    actorName: names.get(pair.actor.subject) ?? '',
  }));
}

/** Marking twice is no error: a retry must succeed. */
export async function markSamePerson(deps: BiometricsDeps, call: Call, input: PairInput): Promise<void> {
  const gkScopeId = await openTenant(deps, call, input.context, faultsOf(input).found);
  await deps.store.transaction(async (tx) => {
    // Locked in a fixed order, so that no two wait for each other: an erasure has finished with them, or
    // comes later.
    const pair = [
      ['gk_person_id', input.gkPersonId],
      ['gk_other_person_id', input.gkOtherPersonId],
    ] as const;
    for (const [field, gkPersonId] of pair.toSorted(([, one], [, other]) => (one < other ? -1 : 1)))
      if (!(await tx.parties.find(gkScopeId, 'PERSON', gkPersonId))) throw notFound('person', field);
    const { actor } = auditedBy(call);
    const { gkPersonId, gkOtherPersonId } = input;
    const marked = { gkScopeId, gkPersonId, gkOtherPersonId, actor, createdAtMs: deps.clock.now() };
    if (!(await tx.samePersons.insert(marked))) return;
    if ((await tx.samePersons.count(gkScopeId)) > PAIRS_MAX)
      throw new AppError('TOO_LARGE', `a tenant can have at most ${PAIRS_MAX} pairs of persons who are one`);
    await tell(tx, call, gkScopeId, { operation: 'MarkSamePerson', ...input });
  });
}

/** If they are not such a pair, there is nothing to undo. */
export async function unmarkSamePerson(deps: BiometricsDeps, call: Call, input: PairInput): Promise<void> {
  const gkScopeId = await openTenant(deps, call, input.context, faultsOf(input).found);
  await deps.store.transaction(async (tx) => {
    if (!(await tx.samePersons.delete(gkScopeId, input))) return;
    await tell(tx, call, gkScopeId, { operation: 'UnmarkSamePerson', ...input });
  });
}

function faultsOf({ gkPersonId, gkOtherPersonId }: PersonPair): Faults {
  const faults = new Faults().required('gk_person_id', gkPersonId);
  if (gkOtherPersonId === '') return faults.add(missingField('gk_other_person_id'));
  if (gkPersonId === gkOtherPersonId)
    faults.add({
      field: 'gk_other_person_id',
      violation: 'FIELD_CONFLICT',
      ...say('SAME_PERSON'),
      value: gkOtherPersonId,
    });
  return faults;
}

function tell(
  tx: Parameters<typeof audit>[0],
  call: Call,
  gkScopeId: string,
  { operation, gkPersonId, gkOtherPersonId }: PersonPair & { operation: AuditAct },
): Promise<void> {
  const subjects = [gkPersonId, gkOtherPersonId];
  return audit(tx, call, { type: 'PERSON_EVENT', operation, gkScopeId, subjects });
}

/** One ID represents all that are the same person, even by way of a third. */
function voicesIn(pairs: readonly (readonly [string, string])[]): (owner: string) => string {
  const standsFor = new Map<string, string>();
  const voiceOf = (owner: string): string => {
    const next = standsFor.get(owner);
    return next === undefined ? owner : voiceOf(next);
  };
  for (const [one, other] of pairs) {
    const [voice, same] = [voiceOf(one), voiceOf(other)];
    if (voice !== same) standsFor.set(voice, same);
  }
  return voiceOf;
}

/** Who is the same person for this tenant, including the caller's additions for one report. */
export async function voicesOf(
  { store }: BiometricsDeps,
  gkScopeId: string,
  more: readonly (readonly [string, string])[] = [],
): Promise<(owner: string) => string> {
  const marked = await store.read.samePersons.list(gkScopeId);
  return voicesIn([
    ...marked.map(({ gkPersonId, gkOtherPersonId }) => [gkPersonId, gkOtherPersonId] as const),
    ...more,
  ]);
}
