// Every caveat of an assessment, the gravest first: all displays use this order.

interface CaveatRule {
  /** A positive result is not green beside it. */
  takesGreen: boolean;
  /** A session that inherits the decision has it too. */
  isInherited: boolean;
  /** Something was not checked, or not to its end. */
  isGap?: true;
}

export const caveats = {
  FOUND_LATER: { takesGreen: true, isInherited: true },
  OUTCOME_DISAGREES: { takesGreen: true, isInherited: false },
  OTHER_PERSON: { takesGreen: true, isInherited: false },
  CONTRADICTION: { takesGreen: true, isInherited: true },
  SECOND_VOICE: { takesGreen: true, isInherited: true },
  PROMPT_FAILED: { takesGreen: true, isInherited: true },
  PROMPT_WANTED: { takesGreen: true, isInherited: false, isGap: true },
  CLAIM_NOT_CONFIRMED: { takesGreen: true, isInherited: false, isGap: true },
  CALLER_NOT_ISOLATED: { takesGreen: true, isInherited: true, isGap: true },
  ATTACK_CHECK_MISSING: { takesGreen: true, isInherited: true, isGap: true },
  LIST_NOT_FULLY_COMPARED: { takesGreen: true, isInherited: true, isGap: true },
  CUT_OFF: { takesGreen: true, isInherited: false, isGap: true },
  INHERITED: { takesGreen: true, isInherited: false },
  DATA_ERASED: { takesGreen: true, isInherited: false },
  // Takes green away only if the config set says so (attackChecks.requiredForGreen).
  ATTACK_CHECK_UNRESOLVED: { takesGreen: false, isInherited: true, isGap: true },
  REFUSED: { takesGreen: false, isInherited: false },
} as const satisfies Record<string, CaveatRule>;

export type Caveat = keyof typeof caveats;

export const caveatNames = Object.keys(caveats) as Caveat[];

const isGap = (name: Caveat): boolean => 'isGap' in caveats[name];
/** One mark in lists: whichever of them it is, the answer is incomplete. */
export const gaps: readonly Caveat[] = caveatNames.filter(isGap);
