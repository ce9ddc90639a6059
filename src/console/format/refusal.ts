// Turns a refusal into a sentence for people: by its code in the reader's words, otherwise in those of the server.
import { pathInRequest } from '../../client/contract.js';
import type { LocalizedMessageJson, StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { filled } from '../../words/fill.js';
import { t } from '../text/shell.js';
import { sentence } from './sentence.js';

/** By code. */
export interface ServerWords {
  said: Readonly<Record<string, string>>;
  /** Codes whose English begins with a verb. */
  predicates?: ReadonlySet<string>;
  /** A number, or any other inserted value, as the reader writes it. */
  valueWords: (value: string) => string;
}

/** Undefined if the catalogue has no words for it. */
export function saidWords(
  { messageResourceId = '', parameters = {}, parts = {} }: LocalizedMessageJson,
  words: ServerWords,
): string | undefined {
  const template = words.said[messageResourceId];
  return (
    template &&
    filled(template, (name) => {
      const part = parts[name];
      if (part === undefined) return words.valueWords(parameters[name] ?? '');
      return saidWords(part, words) ?? part.message ?? '';
    })
  );
}

const byKind: Readonly<Record<string, string>> = {
  MANDATORY_FIELD_MISSING: t.errors.mandatory,
  TOO_LONG: t.errors.tooLong,
  TOO_SHORT: t.errors.tooShort,
};

export function fieldWords(
  violation: NonNullable<StatusJson['fieldViolations']>[number],
  words: ServerWords,
): string {
  const { userMessage = {}, message: own } = violation;
  if (!own) return byKind[violation.violation ?? 'MANDATORY_FIELD_MISSING'] ?? t.errors.invalidField;
  const isManifest = pathInRequest(violation.field ?? '') === 'manifest';
  const needsSubject = words.predicates?.has(userMessage.messageResourceId ?? '') && !isManifest;
  const whole = needsSubject ? `This ${own}` : own;
  return saidWords(userMessage, words) ?? sentence(whole, isManifest);
}

export const wholeWords = (said: LocalizedMessageJson, words: ServerWords): string =>
  saidWords(said, words) ?? sentence(said.message ?? '');
