// Prompts: how digits are drawn and read, and which prompt an answer is for. Pure.
import { type FieldFault, missingField } from '../../errors.js';
import { promptWords } from '../../voice/words/model.js';
import type { Prompt, RefusedPrompt } from '../model/prompts.js';
import { say } from '../../words/server/say.js';

/** The only language with a recognizer (docs/adr/0095-scoring-prompted-words.md). */
export const PROMPT_LANGUAGE = 'en';

const { digits } = promptWords[PROMPT_LANGUAGE];

/** Nobody says more at once; a single answer lasts 30 s at most. */
const EXPECTED_MAX = 16;
const TEXT_MAX = 200;

/** The largest multiple of ten in a byte: what is above would make some digits more likely than others. */
const FAIR = 250;

/** Without regular steps, such as 1234, 2468 or 7777. */
export function drawDigits(count: number, randomBytes: (count: number) => Uint8Array): string[] {
  for (;;) {
    const drawn: number[] = [];
    while (drawn.length < count)
      drawn.push(...[...randomBytes(count)].filter((byte) => byte < FAIR).map((byte) => byte % 10));
    const chosen = drawn.slice(0, count);
    const steps = new Set(chosen.slice(1).map((digit, at) => (digit - (chosen[at] ?? 0) + 10) % 10));
    if (steps.size > 1) return chosen.map((digit) => digits[digit] as string);
  }
}

/** As a speech synthesizer reads digits. */
export const figuresOf = (words: readonly string[]): string =>
  words.map((word) => digits.indexOf(word)).join('');

/** Digits as words or figures, or what is wrong with them. */
export function readExpected(text: string, field: string): { words: string[] } | { fault: FieldFault } {
  const trimmed = text.trim().toLowerCase();
  if (trimmed === '') return { fault: missingField(field) };
  const words = trimmed
    .slice(0, TEXT_MAX)
    .split(/[\s,.-]+/)
    .flatMap((word) => (/^\d+$/.test(word) ? [...word].map((figure) => digits[Number(figure)] ?? '') : word))
    .filter((word) => word !== '');
  if (text.length > TEXT_MAX || words.length > EXPECTED_MAX)
    return { fault: { field, violation: 'TOO_LONG', ...say('TOO_MANY_DIGITS', { max: EXPECTED_MAX }) } };
  if (words.length > 0 && words.every((word) => digits.includes(word))) return { words };
  return {
    fault: {
      field,
      violation: 'INVALID_FORMAT',
      ...say('NOT_ENGLISH_DIGITS', { words: digits.join(', ') }),
      value: text.slice(0, TEXT_MAX),
    },
  };
}

/** Who answers. */
interface Answering {
  gkSessionId: string;
  gkPersonId?: string | undefined;
}

/** The prompt with these words that is meant, or why none can be answered; `known` are all with the words, newest first. */
export function promptFor(
  known: readonly Prompt[],
  { gkSessionId, gkPersonId }: Answering,
): { prompt: Prompt } | { refused: RefusedPrompt } {
  const own = known.filter(
    (prompt) => prompt.gkSessionId === undefined || prompt.gkSessionId === gkSessionId,
  );
  const [newest] = own;
  if (!newest) return { refused: known.length > 0 ? 'PROMPT_OF_OTHER_SESSION' : 'PROMPT_UNKNOWN' };
  const prompt = own.find(({ usedAtMs }) => usedAtMs === undefined) ?? newest;
  if (prompt.usedAtMs !== undefined) return { refused: 'PROMPT_USED' };
  if (gkPersonId !== undefined && prompt.gkPersonId !== undefined && prompt.gkPersonId !== gkPersonId)
    return { refused: 'PROMPT_OF_OTHER_PERSON' };
  return { prompt };
}
