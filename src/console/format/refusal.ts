// Turns a refusal into a sentence for people: in the words of a catalogue if it has some, otherwise in those
// of the server.
import { pathInRequest } from '../../client/contract.js';
import type { StatusJson } from '../../gen/vendor/rpc/status_pb.js';
import { t } from '../text/shell.js';
import { wordsFor, type ServerWords } from './said.js';
import { sentence } from './sentence.js';

const byKind: Readonly<Record<string, string>> = {
  MANDATORY_FIELD_MISSING: t.errors.mandatory,
  TOO_LONG: t.errors.tooLong,
  TOO_SHORT: t.errors.tooShort,
};

/** Fragments that must follow the name of their field. */
const aboutField = /^(?:is|has|was|does|names|holds|belongs|ends|counts|leaves)\b/;

export function fieldWords(
  violation: NonNullable<StatusJson['fieldViolations']>[number],
  words: ServerWords,
): string {
  const own = violation.userMessage?.message || violation.message;
  if (!own || own === 'is mandatory')
    return byKind[violation.violation ?? 'MANDATORY_FIELD_MISSING'] ?? t.errors.invalidField;
  const isManifest = pathInRequest(violation.field ?? '') === 'manifest';
  const whole = aboutField.test(own) && !isManifest ? `This ${own}` : own;
  return wordsFor(own, words) ?? sentence(whole, isManifest);
}

export const wholeWords = (message: string, words: ServerWords): string =>
  wordsFor(message, words) ?? sentence(message);
