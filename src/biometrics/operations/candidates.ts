// Which prints an operation compares with: one, a list, or the members of a group or watchlist with a tag. Locked,
// untrained and incompatible prints are left out and not counted
// (docs/reference/voiceprint-contract.md#candidates).
import { AppError, type FieldFault, missingChoice, missingField, notFound } from '../../errors.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { GalleryView } from '../galleries/gallery-view.js';
import type { CandidateScore, ComparisonOutcome, CoolingPrint, LockedPrint } from '../model/comparison.js';
import type { CollectionKind } from '../model/entities.js';
import type { OwnerType } from '../model/outcome.js';
import type { Profile, TrainedPrint } from '../model/profiles.js';
import type { WhyNoPrint } from '../model/sessions.js';
import { addUp, betterModel, countByModel, servedElsewhere } from '../rules/other-models.js';
import { comparedFromMs, isCoolingOff, isLocked } from '../rules/profile-changes.js';
import { isCompatible, OTHER_MODEL, searchable, verifiable, wrongOwner } from '../rules/usable-print.js';
import type { OperationDeps } from './deps.js';
import type { OpenedCall } from './opened-call.js';
import { say } from '../../words/server/say.js';

export interface CollectionAndTag {
  gkId: string;
  tag?: string;
}

export interface CandidateTarget {
  profileIds?: readonly string[];
  collection?: CollectionAndTag;
}

export type Candidate = Profile & { trained: TrainedPrint };

type ScoreOfOne = Pick<CandidateScore, 'llr' | 'reliability' | 'weakness'>;

/** What an audio is compared with. */
export interface Candidates {
  count: number;
  /**
   * The highest scores of each sample, best first. With `enoughLlr`, samples after one that scores that high
   * may have no answers: they can be requested again.
   */
  nearest(
    model: SpeakerModel,
    samples: readonly VoiceSample[],
    enoughLlr?: number,
  ): Promise<CandidateScore[][]>;
  /** For one of them, regardless of the others. */
  scores(
    model: SpeakerModel,
    samples: readonly VoiceSample[],
    gkVoiceprintProfileId: string,
  ): Promise<readonly ScoreOfOne[] | undefined>;
}

/**
 * For a group or watchlist, callers want the nearest; the recommended size is 100
 * (docs/reference/voiceprint-contract.md#candidates).
 */
const COLLECTION_RESULTS_MAX = 100;
const LIST_FIELD = 'gk_voiceprint_profile_ids.unique_ids';

/** The prints that a target names, scorable or not. */
export interface NamedPrints {
  listed: readonly Profile[];
  collected?: GalleryView;
  /** The group or watchlist that they come from. */
  gkCollectionId?: string;
  /** The list has members, but none of them has a print with the requested tag. */
  hasUnknownTag?: boolean;
  /** The recording is old: locks do not apply to people who spoke then. */
  despiteLocks?: boolean;
  /** The requested person has none. */
  whyNoPrint?: WhyNoPrint;
}

/** Faults of a target that requires one of its members. */
export function targetFaults(target: CandidateTarget, collectionField: string): FieldFault[] {
  if (target.collection) return collectionFaults(target.collection, collectionField);
  if ((target.profileIds?.length ?? 0) > 0) return listFaults(target.profileIds);
  return missingChoice(['gk_voiceprint_profile_ids', collectionField]);
}

/** An entry without an ID is a mistake; it names no print that could be missing. */
export function listFaults(profileIds: readonly string[] = []): FieldFault[] {
  return profileIds.flatMap((id, index) => (id.trim() ? [] : missingField(`${LIST_FIELD}[${index}]`)));
}

export function collectionFaults(collection: CollectionAndTag | undefined, field: string): FieldFault[] {
  return collection && !collection.gkId ? [missingField(`${field}.unique_id`)] : [];
}

export async function findPrints(
  opened: OpenedCall,
  ownerType: OwnerType,
  { profileIds, collection }: CandidateTarget,
): Promise<NamedPrints> {
  const listed = profileIds && profileIds.length > 0 ? await listPrints(opened, profileIds, ownerType) : [];
  if (!collection) return { listed };
  const view = await collected(opened, ownerType, collection);
  const isEmpty = view.trained + view.unusable === 0;
  return {
    listed,
    collected: view,
    gkCollectionId: collection.gkId,
    ...(collection.tag && isEmpty && view.members !== 0 && { hasUnknownTag: true }),
  };
}

/** The prints that can be scored now. */
export function scorable(
  { deps, context }: Pick<OpenedCall, 'deps' | 'context'>,
  { listed: list, collected: view, despiteLocks = false }: NamedPrints,
): Candidates {
  const now = deps.clock.now();
  const { coolingOffMinutes } = context.parameters.enrollment;
  const few = list.filter(
    (print): print is Candidate =>
      print.trained !== undefined &&
      // A lock protects a person's print from guessing; it must never hide a fraudster.
      (print.ownerType === 'FRAUDSTER' ||
        ((despiteLocks || !isLocked(print, now)) && !isCoolingOff(print, coolingOffMinutes, now))) &&
      isCompatible(print.trained, deps.engine.model) &&
      !view?.has(print.gkVoiceprintProfileId),
  );
  const one = fewCandidates(few);
  if (!view) return one;
  return {
    count: one.count + view.scorable,
    scores: async (model, samples, id) =>
      (await one.scores(model, samples, id)) ?? (await view.scores(model, samples, id)),
    nearest: async (model, samples, enoughLlr) => {
      const limit = COLLECTION_RESULTS_MAX;
      const collected = await view.nearest({
        model,
        samples,
        limit,
        ...(enoughLlr !== undefined && { enoughLlr }),
      });
      const ones = await one.nearest(model, samples.slice(0, collected.length));
      return collected.map((prints, index) =>
        [
          ...(ones[index] ?? []),
          ...prints.map(({ label, llr, reliability }) => ({ candidate: label, llr, reliability })),
        ].sort((a, b) => b.llr - a.llr),
      );
    },
  };
}

/** A few prints in memory, each scored by itself. */
export function fewCandidates(candidates: readonly Candidate[]): Candidates {
  const score = (model: SpeakerModel, sample: VoiceSample, candidate: Candidate): ScoreOfOne => {
    const { llr, reliability, weakness } = scoreSample(model, candidate.trained.template, sample);
    return { llr, reliability, weakness };
  };
  return {
    count: candidates.length,
    scores: async (model, samples, id) => {
      const candidate = candidates.find((print) => print.gkVoiceprintProfileId === id);
      return candidate && samples.map((sample) => score(model, sample, candidate));
    },
    nearest: async (model, samples) =>
      samples.map((sample) =>
        candidates
          .map((candidate) => ({ candidate, ...score(model, sample, candidate) }))
          .sort((a, b) => b.llr - a.llr),
      ),
  };
}

/**
 * What the outcome leaves open about the named prints: the list that they come from, those that are damaged,
 * locked or too new, and why there was nothing to score. If none of them was ever trained, more segments are
 * needed; a damaged one may have been the match.
 */
export function explainNoScores(
  outcome: ComparisonOutcome,
  prints: NamedPrints,
  { nowMs, coolingOffMinutes }: { nowMs: number; coolingOffMinutes: number },
): ComparisonOutcome {
  const damaged = damagedAmong(prints);
  const locked = lockedAmong(prints, nowMs);
  const coolingOff = coolingOffAmong(prints, coolingOffMinutes, nowMs);
  const { gkCollectionId, hasUnknownTag } = prints;
  const explained = {
    ...outcome,
    ...(gkCollectionId && { gkCollectionId }),
    ...(hasUnknownTag && { hasUnknownTag }),
    ...(damaged.length > 0 && { damaged }),
    ...(locked.length > 0 && { locked }),
    ...(coolingOff.length > 0 && { coolingOff }),
    ...(prints.whyNoPrint && { whyNoPrint: prints.whyNoPrint }),
    ...(outcome.prints > 0 && notComparedIn(prints)),
  };
  if (outcome.reason !== 'NO_SCORES') return explained;
  if (damaged.length > 0) return { ...explained, decision: 'FAILED', reason: 'INTERNAL_ERROR' };
  const [print] = locked;
  if (print) {
    // A request that names one print is about its owner, as with Verify.
    const isForOne = prints.listed.length === 1 && !prints.collected;
    return { ...explained, refused: isForOne ? { print } : {} };
  }
  const { listed: list, collected: view } = prints;
  const { trained = 0, unusable = 0, unusableTrained = 0 } = view ?? {};
  const anyNamed = list.length + unusable + trained > 0;
  const anyTrained = list.some((print) => print.trained) || unusableTrained + trained > 0;
  return anyNamed && !anyTrained ? { ...explained, reason: 'NOT_ENOUGH_SEGMENTS' } : explained;
}

/** Members without a usable print: an answer about the others does not apply to them. */
function notComparedIn({ collected }: NamedPrints): Pick<ComparisonOutcome, 'notCompared'> {
  const { members = 0, owners = members } = collected ?? {};
  return owners < members ? { notCompared: { count: members - owners, members } } : {};
}

function damagedAmong({ listed, collected }: NamedPrints): string[] {
  const ids = listed.flatMap((print) => (print.damaged ? print.gkVoiceprintProfileId : []));
  return [...new Set([...ids, ...(collected?.damaged ?? [])])];
}

/**
 * Prints of persons: a lock never hides a fraudster. Locked prints in a group were not requested by anybody.
 */
const lockedAmong = ({ listed, despiteLocks }: NamedPrints, nowMs: number): LockedPrint[] =>
  listed.flatMap((print): LockedPrint[] => {
    if (despiteLocks || print.ownerType !== 'PERSON' || !print.trained || !isLocked(print, nowMs)) return [];
    const { gkVoiceprintProfileId, gkOwnerId } = print;
    const { autoUnlockAtMs } = print.lock;
    return [{ gkVoiceprintProfileId, gkOwnerId, ...(autoUnlockAtMs !== undefined && { autoUnlockAtMs }) }];
  });

/** A fraudster's print can be used at once, and so can that of a group's member. */
const coolingOffAmong = ({ listed }: NamedPrints, minutes: number, nowMs: number): CoolingPrint[] =>
  listed.flatMap((print) =>
    print.ownerType === 'PERSON' && !isLocked(print, nowMs) && isCoolingOff(print, minutes, nowMs)
      ? {
          gkVoiceprintProfileId: print.gkVoiceprintProfileId,
          comparedFromMs: comparedFromMs(print, minutes),
        }
      : [],
  );

/** The named prints, each once. */
export async function listPrints(
  { deps, context: { gkScopeId, parameters } }: OpenedCall,
  ids: readonly string[],
  ownerType?: OwnerType,
): Promise<Profile[]> {
  const field = LIST_FIELD;
  const listMax = parameters.authentication.identifyPrintsMax;
  const unique = [...new Set(ids)];
  if (unique.length > listMax) {
    throw new AppError('TOO_LARGE', `${field}: at most ${listMax} voiceprints may be listed`, {
      fields: [{ field, violation: 'TOO_LONG', ...say('TOO_MANY_PRINTS_LISTED', { max: listMax }) }],
    });
  }
  const prints = await deps.store.read.profiles.findMany(gkScopeId, unique);
  const byId = new Map(prints.map((print) => [print.gkVoiceprintProfileId, print]));
  ids.forEach((id, index) => {
    const print = byId.get(id);
    if (!print) throw notFound('voiceprint profile', `${field}[${index}]`);
    if (ownerType && print.ownerType !== ownerType) throw wrongOwner(print, ownerType, `${field}[${index}]`);
  });
  return prints;
}

async function collected(
  { deps, context: { gkScopeId } }: OpenedCall,
  ownerType: OwnerType,
  { gkId, tag }: CollectionAndTag,
): Promise<GalleryView> {
  const kind: CollectionKind = ownerType === 'PERSON' ? 'GROUP' : 'WATCHLIST';
  const field = `${kind.toLowerCase()}.unique_id`;
  if (!(await deps.store.read.collections.find(gkScopeId, kind, gkId)))
    throw notFound(kind.toLowerCase(), field);
  return deps.galleries.view({ gkScopeId, collectionGkId: gkId, field }, { nowMs: deps.clock.now(), tag });
}

type Deps = Pick<OperationDeps, 'engine' | 'modelsElsewhere'>;
/** How recent the knowledge about other nodes' models has to be. */
type AsOf = 'beat' | 'now';

/** Refuses a comparison if nodes with another model can compare with more of the prints. */
export async function deferToBetterNode(deps: Deps, { listed, collected }: NamedPrints): Promise<void> {
  const { model } = deps.engine;
  const trained = listed.flatMap((print) => print.trained ?? []);
  const others = trained.filter((print) => !isCompatible(print, model));
  const named = countByModel(others.map(({ template }) => template.modelRevision));
  const counts = addUp([named, collected?.ofOtherModels ?? {}]);
  if (Object.keys(counts).length === 0) return;
  const own = trained.length - others.length + (collected?.trained ?? 0);
  const better = betterModel(own, counts, await deps.modelsElsewhere('now'));
  if (better !== undefined) throw servedElsewhere(better, model.revision);
}

/** The print, if Verify can compare with it here. */
export function verifiableHere(
  deps: Deps & Pick<OperationDeps, 'clock'>,
  found: Profile | undefined,
  asOf: AsOf = 'now',
): Promise<Profile> {
  return usableHere(deps, asOf, () => verifiable(found, deps.engine.model, deps.clock.now()));
}

/** The trained part of a fraudster's print, if it can be searched for here. */
export function searchableHere(deps: Deps, print: Profile, model: SpeakerModel): Promise<TrainedPrint> {
  return usableHere(deps, 'now', () => searchable(print, model));
}

async function usableHere<T>(deps: Deps, asOf: AsOf, rule: () => T): Promise<T> {
  try {
    return rule();
  } catch (refusal) {
    throw await refusalHere(deps, refusal, asOf);
  }
}

/**
 * The error for a print that is refused here: to retry, if other nodes have the model of the print; otherwise
 * the reason of the refusal.
 */
async function refusalHere(deps: Deps, refusal: unknown, asOf: AsOf): Promise<unknown> {
  const made = refusal instanceof AppError && refusal.diagnostics.find(({ code }) => code === OTHER_MODEL);
  const printModel = made ? made.extras?.['print_model'] : undefined;
  if (printModel === undefined) return refusal;
  const elsewhere = await deps.modelsElsewhere(asOf);
  return elsewhere.includes(printModel) ? servedElsewhere(printModel, deps.engine.model.revision) : refusal;
}
