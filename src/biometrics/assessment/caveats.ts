// Every caveat of an assessment, the gravest first: all displays use this order.

interface CaveatRule {
  /** How it is colored where it stands alone. */
  severity: 'alarm' | 'warning' | 'note';
  /** A positive result is not green beside it. */
  takesGreen: boolean;
  /** Somebody should do something about it. */
  asksForAction: boolean;
  /** A session that inherits the decision has it too. */
  isInherited: boolean;
}

export const caveats = {
  FOUND_LATER: { severity: 'alarm', takesGreen: true, asksForAction: true, isInherited: true },
  OUTCOME_DISAGREES: { severity: 'warning', takesGreen: true, asksForAction: false, isInherited: false },
  OTHER_PERSON: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: false },
  CONTRADICTION: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: true },
  SECOND_VOICE: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: true },
  CLAIM_NOT_CONFIRMED: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: false },
  CALLER_NOT_ISOLATED: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: true },
  ATTACK_CHECK_MISSING: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: true },
  LIST_NOT_FULLY_COMPARED: { severity: 'warning', takesGreen: true, asksForAction: true, isInherited: true },
  CUT_OFF: { severity: 'warning', takesGreen: true, asksForAction: false, isInherited: false },
  INHERITED: { severity: 'note', takesGreen: true, asksForAction: true, isInherited: false },
  DATA_ERASED: { severity: 'note', takesGreen: true, asksForAction: false, isInherited: false },
  // Takes green away only if the config set says so (attackChecks.requiredForGreen).
  ATTACK_CHECK_UNRESOLVED: {
    severity: 'note',
    takesGreen: false,
    asksForAction: false,
    isInherited: true,
  },
  REFUSED: { severity: 'note', takesGreen: false, asksForAction: false, isInherited: false },
} as const satisfies Record<string, CaveatRule>;

export type Caveat = keyof typeof caveats;

export const caveatNames = Object.keys(caveats) as Caveat[];
