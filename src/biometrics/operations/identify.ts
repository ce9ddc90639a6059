// Identify: whose voice is this, among the prints of a list or a group? And DetectKnownFraudsters: is it the voice of
// anybody on the watchlist?
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { Side } from '../model/comparison.js';
import type { OwnerType } from '../model/outcome.js';
import type { AudioInput } from './audio-input.js';
import { findPrints, targetFaults, type CandidateTarget } from './candidates.js';
import type { OperationDeps } from './deps.js';
import { comparisonRecord, comparisonResult, type ComparisonResult, type PromptWanted } from './record.js';
import { forgetMismatches } from './forget-mismatches.js';
import { runDecision } from './run-decision.js';
import { compare, Comparison, purposeOfComparison } from './score-candidates.js';
import type { AuditAct } from '../../words/audit/english.js';

interface CompareManyInput {
  context: RequestContext;
  audio: AudioInput;
  target: CandidateTarget;
  ignoreCheckpoints: boolean;
}

interface Variant {
  name: AuditAct;
  side: Side;
  ownerType: OwnerType;
  collectionField: string;
}

const identification: Variant = {
  name: 'Identify',
  side: 'AUTHENTICATION',
  ownerType: 'PERSON',
  collectionField: 'group',
};

const fraudsterDetection: Variant = {
  name: 'DetectKnownFraudsters',
  side: 'FRAUD_DETECTION',
  ownerType: 'FRAUDSTER',
  collectionField: 'watchlist',
};

export function identify(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
): Promise<ComparisonResult & PromptWanted> {
  return compareMany(deps, call, input, identification);
}

export function detectKnownFraudsters(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
): Promise<ComparisonResult & PromptWanted> {
  return compareMany(deps, call, input, fraudsterDetection);
}

function compareMany(
  deps: OperationDeps,
  call: Call,
  input: CompareManyInput,
  { name, side, ownerType, collectionField }: Variant,
): Promise<ComparisonResult & PromptWanted> {
  const { target, ignoreCheckpoints } = input;
  return runDecision(deps, call, {
    name,
    request: input,
    faults: targetFaults(target, collectionField),
    find: async (opened) =>
      Comparison.withPrints(opened, await findPrints(opened, ownerType, target), { side, ignoreCheckpoints }),
    named: { prints: target.profileIds },
    purpose: purposeOfComparison,
    judge: compare,
    // A request for one person says whose voice it is, as with Verify; a request for several does not.
    speaker: (comparison) => comparison.solePerson,
    conclude: async (tx, run, { judged }) => {
      await forgetMismatches(tx, run, judged.decision, judged);
      return { result: comparisonResult(run, judged), records: [comparisonRecord(run, side, judged)] };
    },
  });
}
