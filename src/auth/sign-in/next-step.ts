// The next step of a sign-in, from what is known about the person and what they have proven so far. Pure.

export type SignInMethod = 'password' | 'totp' | 'recovery-code' | 'passkey';
export type SignInStep = 'second-factor' | 'new-password' | 'set-up-factor' | 'done';

export interface SignInFacts {
  /** What the person has proven, in order. */
  methods: readonly SignInMethod[];
  hasSecondFactor: boolean;
  /** The person's role requires one. */
  needsSecondFactor: boolean;
  mustChangePassword: boolean;
}

export function nextStep({
  methods,
  hasSecondFactor,
  needsSecondFactor,
  mustChangePassword,
}: SignInFacts): SignInStep {
  // First of all: somebody who has only the password must not get to choose a new one. A passkey is two
  // factors by itself: the device, and what unlocks it.
  const isProven = methods.length > 1 || methods.includes('passkey');
  if (hasSecondFactor && !isProven) return 'second-factor';
  if (mustChangePassword && methods.includes('password')) return 'new-password';
  if (needsSecondFactor && !hasSecondFactor) return 'set-up-factor';
  return 'done';
}
