// Were the prints of a list made for the calibration that is required now? Counts that can be added up, and the first few
// that were not.
import type { PrintDetails } from '../model/profiles.js';

/** A print that cannot be scored: not trained, made by another speaker model, or damaged. */
export interface UnusablePrint extends PrintDetails {
  trained?: { calibrationRevisionId: string; modelRevision: string };
  damaged?: true;
}

export interface RequiredCalibration {
  revisionId: string;
  modelRevision: string;
}

export interface ListConsistency {
  compatible: number;
  /** Neither compatible nor incompatible. */
  untrained: number;
  incompatible: number;
  /** The unreadable ones among the incompatible. */
  damaged: readonly string[];
  /** The first of the incompatible, by identifier. */
  first: readonly UnusablePrint[];
}

/** A print that was never trained has no calibration to be judged by. */
export function judgeList(
  prints: Iterable<UnusablePrint>,
  required: RequiredCalibration,
  limit: number,
): ListConsistency {
  let [compatible, untrained] = [0, 0];
  const incompatible: UnusablePrint[] = [];
  for (const print of prints) {
    const { trained, damaged } = print;
    const fits =
      trained?.calibrationRevisionId === required.revisionId &&
      trained.modelRevision === required.modelRevision;
    if (fits) compatible += 1;
    else if (trained || damaged) incompatible.push(print);
    else untrained += 1;
  }
  const first = incompatible.sort(byId);
  return {
    compatible,
    untrained,
    incompatible: incompatible.length,
    damaged: first.flatMap((print) => (print.damaged ? print.gkVoiceprintProfileId : [])),
    first: first.slice(0, limit),
  };
}

export function joinJudged(parts: readonly ListConsistency[], limit: number): ListConsistency {
  const sum = (count: (part: ListConsistency) => number) => parts.reduce((all, part) => all + count(part), 0);
  return {
    compatible: sum((part) => part.compatible),
    untrained: sum((part) => part.untrained),
    incompatible: sum((part) => part.incompatible),
    damaged: parts.flatMap((part) => part.damaged).sort(),
    first: parts
      .flatMap((part) => part.first)
      .sort(byId)
      .slice(0, limit),
  };
}

function byId(a: PrintDetails, b: PrintDetails): number {
  return a.gkVoiceprintProfileId < b.gkVoiceprintProfileId ? -1 : 1;
}
