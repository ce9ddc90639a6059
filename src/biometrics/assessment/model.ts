// What a session means, as everything that shows one tells it: what came of it, who called, and what to know before relying on it.
import type { FactorKind } from '../model/sessions.js';
import type { Caveat } from './caveats.js';

/** Worst first. */
export const headlines = [
  'FRAUD',
  'NO_MATCH',
  'REFUSED',
  'UNCERTAIN',
  'FAILED',
  'AUTHENTIC',
  'NO_RISK_DETECTED',
  'ENROLLMENT',
  'UPLOAD',
  'LISTENING',
  'NONE',
] as const;

export type Headline = (typeof headlines)[number];

export type Tone = 'GOOD' | 'NEUTRAL' | 'WARNING' | 'ALARM';

export type PartyResult = 'MATCHED' | 'NOT_MATCHED' | 'UNDECIDED' | 'NOT_COMPARED' | 'ENROLLED';

/** Somebody whom a session is about. */
export interface AssessedParty {
  kind: 'PERSON' | 'FRAUDSTER';
  /** Empty if the person was erased, or if nobody is known by the name that was claimed. */
  gkId: string;
  result: PartyResult;
  isClaimed?: true;
  /** Heard only on the channel of an agent: it says nothing about the caller. */
  isAgent?: true;
}

interface InheritedFrom {
  /** Empty if that session was deleted. */
  gkSessionId: string;
  whoCalled: readonly AssessedParty[];
}

/** What was found after the call; ENROLLMENT: a fraudster's print was made from it. */
export interface FoundLater {
  check: FactorKind;
  gkFraudsterId?: string;
  /** Whose name only those who may search are told. */
  isBySearch?: true;
  atMs?: number;
  /** If it was found in the session that the decision comes from. */
  gkSessionId?: string;
}

/** A check that the headline rests on. */
export interface HeadlineCause {
  check: FactorKind;
  reason: string;
  /** What makes it unreliable. */
  measures: readonly string[];
}

export interface Assessment {
  headline: Headline;
  tone: Tone;
  /** What raised the alarm, or could not tell. */
  causes: readonly HeadlineCause[];
  /** The gravest first. */
  caveats: readonly Caveat[];
  whoCalled: readonly AssessedParty[];
  inheritedFrom?: InheritedFrom;
  foundLater: readonly FoundLater[];
  /** Attack checks that could not decide, or were not made. */
  unresolvedChecks: readonly FactorKind[];
  /** Those of them that were not made. */
  missingChecks: readonly FactorKind[];
  /** Attack checks that cannot answer on the channel of the call. */
  unavailableChecks: readonly FactorKind[];
}

/** What a running call means so far; it names nobody, because its events are kept and sent without asking who may know. */
export type LiveAssessment = Pick<
  Assessment,
  'headline' | 'tone' | 'causes' | 'caveats' | 'unresolvedChecks' | 'missingChecks' | 'unavailableChecks'
>;

export const listening: LiveAssessment = {
  headline: 'LISTENING',
  tone: 'NEUTRAL',
  causes: [],
  caveats: [],
  unresolvedChecks: [],
  missingChecks: [],
  unavailableChecks: [],
};

/** For whoever may not know whom it is about. */
export const withoutNames = ({
  whoCalled: _who,
  inheritedFrom: _from,
  foundLater: _found,
  ...rest
}: Assessment): LiveAssessment => rest;
