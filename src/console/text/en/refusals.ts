// English: what the server refuses, where its own sentence would read oddly on a page.
import { predicates } from '../../../words/server/english.js';
import type { SaidCode } from '../../../words/server/say.js';

const CHANGED_LIST = 'This list has changed. Reload the page.';

const said: Partial<Record<SaidCode, string>> = {
  MANDATORY: 'This field is required.',
  INCORRECT: 'This is not correct.',
  PROOF_MANDATORY: 'Enter a code from your authenticator app or a recovery code, or use a passkey.',
  CODE_NOT_MATCHING: 'This code does not match. Make sure that the time on your phone is correct.',
  CODE_NOT_VALID: 'This code is not valid. Each code works once: wait for the next one.',
  NOT_OF_YOUR_PASSKEYS: 'None of your passkeys confirmed this. Please try again.',
  NOT_OF_THIS_CHALLENGE: 'The passkey was not accepted. Please try again.',
  OWN_PASSWORD: 'You change your own password in your profile.',
  NO_SUCH: 'There is no such {what}.',
  EMPTY_LIST: 'Enter at least one.',
  ABOVE_SLOTS: 'This is more than the agent’s conversations at once, {slots}.',
  NOT_OF_THIS_LIST: CHANGED_LIST,
  NO_LONGER_OF_LIST: CHANGED_LIST,
  NOT_A_CURSOR: CHANGED_LIST,
  NOT_A_PREVIOUS_CURSOR: CHANGED_LIST,
};

export const text = {
  said: said as Readonly<Record<string, string>>,
  predicates: new Set(Object.keys(predicates)) as ReadonlySet<string>,
  valueWords: (value: string): string => value,
};
