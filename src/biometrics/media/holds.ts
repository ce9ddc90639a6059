// Evidence holds: recordings of a person, or one recording, that neither retention nor an erasure may delete, with the reason,
// the end and who wants it. When a hold goes, what it alone has kept of erased persons is erased.
import { auditedBy } from '../../audit/model.js';
import type { Actors } from '../../audit/ports.js';
import { AppError, missingChoice, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit, auditBySystem } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { eraseWhatWasKept } from '../call/data-subjects.js';
import { Faults } from '../call/limits.js';
import { partyOrThrow } from '../entities/party-rules.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Hold } from '../ports/holds.js';
import type { BiometricsTransaction } from '../ports/store.js';
import { say } from '../../words/server/say.js';

/** Each is somebody's decision about a case. */
const HOLDS_MAX = 10_000;
const LISTED_MAX = 1000;
const ENDED_AT_ONCE = 100;

interface HoldInput {
  context: RequestContext;
  gkPersonId: string;
  gkMediaSegmentId: string;
  reason: string;
  endsAtMs?: number;
}

export interface NamedHold extends Hold {
  actorName: string;
}

type HoldDeps = BiometricsDeps & { actors: Actors };

/** Nodes of 0.2.0 know no holds, and would delete what is held. */
export type PlacingDeps = HoldDeps & { hasOlderNodes(): Promise<boolean> };

export async function placeHold(deps: PlacingDeps, call: Call, input: HoldInput): Promise<NamedHold> {
  const { gkPersonId, gkMediaSegmentId, endsAtMs } = input;
  const now = deps.clock.now();
  const reason = input.reason.trim();
  const faults = new Faults().required('reason', reason).text('reason', reason);
  if (!gkPersonId && !gkMediaSegmentId)
    for (const fault of missingChoice(['gk_person_id', 'gk_media_segment_id'])) faults.add(fault);
  if (endsAtMs !== undefined && endsAtMs <= now)
    faults.add({ field: 'end_time', violation: 'OUT_OF_RANGE', ...say('NOT_IN_FUTURE') });
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  if (await deps.hasOlderNodes())
    throw new AppError(
      'BUSY',
      'this installation is being upgraded, and nodes of the earlier version do not know holds: try again when they are gone',
      { diagnostics: [{ code: 'UPGRADE_IN_PROGRESS' }] },
    );
  const hold: Hold = {
    gkHoldId: deps.ids.uuid(),
    gkScopeId,
    ...(gkPersonId ? { gkPersonId } : { gkMediaSegmentId }),
    reason,
    actor: auditedBy(call).actor,
    placedAtMs: now,
    ...(endsAtMs !== undefined && { endsAtMs }),
  };
  await deps.store.transaction(async (tx) => {
    await requireHeld(tx, hold);
    await tx.holds.insert(hold);
    if ((await tx.holds.count(gkScopeId)) > HOLDS_MAX)
      throw new AppError('TOO_LARGE', `a tenant can have at most ${HOLDS_MAX} holds`);
    await audit(tx, call, {
      type: typeOf(hold),
      operation: 'PlaceHold',
      gkScopeId,
      subjects: [subjectOf(hold)],
      detail: { gkHoldId: hold.gkHoldId, endTime: endOf(hold) },
      personal: { reason },
    });
  });
  return named(deps, [hold]).then(([placed]) => placed as NamedHold);
}

/** Locked, so that an erasure has either seen the hold or is over. */
async function requireHeld(
  tx: BiometricsTransaction,
  { gkScopeId, gkPersonId, gkMediaSegmentId }: Hold,
): Promise<void> {
  if (gkMediaSegmentId !== undefined) {
    if (!(await tx.media.find(gkScopeId, gkMediaSegmentId)))
      throw notFound('media segment', 'gk_media_segment_id');
    return;
  }
  const person = gkPersonId ?? '';
  await tx.erasure.hold([person]);
  if (!(await tx.erasure.hasTraces(gkScopeId, person)))
    await partyOrThrow(tx.parties, gkScopeId, 'PERSON', person);
}

export async function liftHold(
  deps: BiometricsDeps,
  call: Call,
  input: { context: RequestContext; gkHoldId: string; reason: string },
): Promise<void> {
  const reason = input.reason.trim();
  const faults = new Faults()
    .required('gk_hold_id', input.gkHoldId)
    .required('reason', reason)
    .text('reason', reason);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  await deps.store.transaction(async (tx) => {
    const hold = await tx.holds.find(gkScopeId, input.gkHoldId);
    if (!hold || !(await tx.holds.delete(gkScopeId, hold.gkHoldId))) throw notFound('hold', 'gk_hold_id');
    await eraseWhatHoldKept(deps, tx, hold);
    await audit(tx, call, {
      type: typeOf(hold),
      operation: 'LiftHold',
      gkScopeId,
      subjects: [subjectOf(hold)],
      detail: { gkHoldId: hold.gkHoldId },
      personal: { reason },
    });
  });
}

export async function listHolds(
  deps: HoldDeps,
  call: Call,
  { context, gkPersonId }: { context: RequestContext; gkPersonId?: string },
): Promise<NamedHold[]> {
  const gkScopeId = await openTenant(deps, call, context);
  return named(deps, await deps.store.read.holds.list(gkScopeId, gkPersonId, LISTED_MAX));
}

/** Ends the holds whose time has come; answers how many. */
export async function endHolds(deps: Pick<BiometricsDeps, 'store' | 'clock' | 'jobs'>): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await deps.store.read.holds.listEnded(deps.clock.now(), ENDED_AT_ONCE);
    for (const hold of due)
      await deps.store.transaction(async (tx) => {
        if (!(await tx.holds.delete(hold.gkScopeId, hold.gkHoldId))) return;
        await eraseWhatHoldKept(deps, tx, hold);
        await auditBySystem(tx, {
          type: typeOf(hold),
          operation: 'EndHold',
          gkScopeId: hold.gkScopeId,
          subjects: [subjectOf(hold)],
          detail: { gkHoldId: hold.gkHoldId, endTime: endOf(hold) },
        });
        ended += 1;
      });
    if (due.length < ENDED_AT_ONCE) return ended;
  }
}

async function eraseWhatHoldKept(
  deps: Pick<BiometricsDeps, 'clock' | 'jobs'>,
  tx: BiometricsTransaction,
  { gkScopeId, gkPersonId, gkMediaSegmentId }: Hold,
): Promise<void> {
  const recordings =
    gkPersonId === undefined
      ? [{ gkMediaSegmentId: gkMediaSegmentId ?? '' }]
      : await tx.media.listByPerson(gkScopeId, gkPersonId);
  for (const { gkMediaSegmentId: id } of recordings)
    if (!(await tx.media.find(gkScopeId, id))?.legalHold)
      await eraseWhatWasKept(deps, tx, gkScopeId, { gkMediaSegmentId: id });
}

const typeOf = ({ gkPersonId }: Hold): 'MEDIA_EVENT' | 'PERSON_EVENT' =>
  gkPersonId === undefined ? 'MEDIA_EVENT' : 'PERSON_EVENT';

const subjectOf = ({ gkPersonId, gkMediaSegmentId }: Hold): string => gkPersonId ?? gkMediaSegmentId ?? '';

const endOf = ({ endsAtMs }: Hold): string | undefined =>
  endsAtMs === undefined ? undefined : new Date(endsAtMs).toISOString();

async function named({ actors }: HoldDeps, holds: readonly Hold[]): Promise<NamedHold[]> {
  const names = await actors.namesOf(holds.map(({ actor }) => actor.subject));
  return holds.map((hold) => ({ ...hold, actorName: names.get(hold.actor.subject) ?? '' }));
}
