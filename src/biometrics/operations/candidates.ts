// Which prints an operation compares with: one, a list, or the members of a group or watchlist with a tag.
// Locked, untrained and incompatible prints are left out and not counted (facts 6).
import { AppError, invalidFields, notFound } from '../../errors.js';
import type { CollectionKind } from '../entities/model.js';
import type { OwnerType } from '../outcome.js';
import type { Profile, TrainedPrint } from '../profiles/model.js';
import { isLocked } from '../profiles/profile-changes.js';
import type { OperationDeps } from './deps.js';
import type { ComparisonOutcome } from './score-candidates.js';

export interface CollectionAndTag {
  gkId: string;
  tag?: string;
}

export interface CandidateTarget {
  profileIds?: readonly string[];
  collection?: CollectionAndTag;
}

export type Candidate = Profile & { trained: TrainedPrint };

/** A print may be compared only by the speaker model that made it. */
export function isCompatible(trained: TrainedPrint, modelRevision: string): boolean {
  return trained.template.modelRevision === modelRevision;
}

const collectionPrintsMax = 10_000;

export async function findPrints(
  deps: OperationDeps,
  gkScopeId: string,
  ownerType: OwnerType,
  target: CandidateTarget,
  listMax: number,
): Promise<Profile[]> {
  const { profileIds, collection } = target;
  const prints: Profile[] = [];
  if (profileIds && profileIds.length > 0)
    prints.push(...(await listed(deps, gkScopeId, ownerType, profileIds, listMax)));
  if (collection) prints.push(...(await collected(deps, gkScopeId, ownerType, collection)));
  return prints;
}

/** Those of the prints that can be scored now. */
export function usable(deps: OperationDeps, prints: readonly Profile[]): Candidate[] {
  const now = deps.clock.now();
  const known = new Set<string>();
  return prints.filter((print): print is Candidate => {
    if (!print.trained || isLocked(print, now) || !isCompatible(print.trained, deps.engine.model.revision))
      return false;
    if (known.has(print.gkVoiceprintProfileId)) return false;
    known.add(print.gkVoiceprintProfileId);
    return true;
  });
}

/** Nothing to score although prints were named: where none of them was ever trained, more segments are needed. */
export function explainNoScores(outcome: ComparisonOutcome, prints: readonly Profile[]): ComparisonOutcome {
  const untrained = prints.length > 0 && prints.every((print) => !print.trained);
  return outcome.reason === 'NO_SCORES' && untrained
    ? { ...outcome, reason: 'NOT_ENOUGH_SEGMENTS' }
    : outcome;
}

async function listed(
  deps: OperationDeps,
  gkScopeId: string,
  ownerType: OwnerType,
  ids: readonly string[],
  listMax: number,
): Promise<Profile[]> {
  const field = 'gk_voiceprint_profile_ids.unique_ids';
  if (ids.length > listMax) {
    throw new AppError('TOO_LARGE', `${field}: at most ${listMax} prints may be listed`, {
      fields: [{ field, violation: 'TOO_LONG', message: `at most ${listMax} prints may be listed` }],
    });
  }
  const prints = await deps.store.read.profiles.findMany(gkScopeId, [...new Set(ids)]);
  const byId = new Map(prints.map((print) => [print.gkVoiceprintProfileId, print]));
  ids.forEach((id, index) => {
    const print = byId.get(id);
    if (!print) throw notFound('voiceprint profile', `${field}[${index}]`);
    if (print.ownerType !== ownerType) {
      throw invalidFields([
        {
          field: `${field}[${index}]`,
          violation: 'FIELD_CONFLICT',
          message: `is the print of a ${print.ownerType.toLowerCase()}, not of a ${ownerType.toLowerCase()}`,
        },
      ]);
    }
  });
  return prints;
}

async function collected(
  deps: OperationDeps,
  gkScopeId: string,
  ownerType: OwnerType,
  { gkId, tag }: CollectionAndTag,
): Promise<Profile[]> {
  const kind: CollectionKind = ownerType === 'PERSON' ? 'GROUP' : 'WATCHLIST';
  const field = `${kind.toLowerCase()}.unique_id`;
  if (!(await deps.store.read.collections.find(gkScopeId, kind, gkId)))
    throw notFound(kind.toLowerCase(), field);
  const prints = await deps.store.read.profiles.listByCollection(
    gkScopeId,
    gkId,
    tag,
    collectionPrintsMax + 1,
  );
  if (prints.length > collectionPrintsMax) {
    throw new AppError(
      'TOO_LARGE',
      `${field}: more than ${collectionPrintsMax} prints; narrow it by tag or split it`,
    );
  }
  return prints;
}
