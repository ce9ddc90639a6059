// English: what the server refuses, where its own sentence would read oddly on a page. {1}, {2} are the places where it
// puts something in.

const CHANGED_LIST = 'This list has changed. Reload the page.';

const serverSays: Readonly<Record<string, string>> = {
  'is incorrect': 'This is not correct.',
  'is mandatory: a code from your authenticator app, a recovery code, or the response of a passkey':
    'Enter a code from your authenticator app or a recovery code, or use a passkey.',
  'does not match; make sure that the time on your phone is correct':
    'This code does not match. Make sure that the time on your phone is correct.',
  'is not valid; each code works once, so wait for the next one':
    'This code is not valid. Each code works once: wait for the next one.',
  'is not a response from one of your passkeys to this challenge':
    'None of your passkeys confirmed this. Please try again.',
  'is not a response to this challenge': 'The passkey was not accepted. Please try again.',
  'change your own password with ChangePassword': 'You change your own password in your profile.',
  'no such {1}': 'There is no such {1}.',
  'must have at least one entry': 'Enter at least one.',
  "must be at most the agent's slots, {1}": 'This is more than the agent’s conversations at once, {1}.',
  'is not a token of this list': CHANGED_LIST,
  'is not a page token of this log': CHANGED_LIST,
  'is not a cursor of this log': CHANGED_LIST,
  'no longer belongs to this list': CHANGED_LIST,
  'is not from a previous response': CHANGED_LIST,
};

export const text = { serverSays, serverNumber: (said: string): string => said };
