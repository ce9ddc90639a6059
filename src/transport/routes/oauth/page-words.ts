// The words of the pages this server draws itself, in the languages that the console speaks. The English text is the key, so that
// code reads as the page does; one without German does not compile. What the server refuses comes by its code.
import type { FastifyReply } from 'fastify';
import { german as germanOfServer } from '../../../words/server/german.js';
import { filled } from '../../../words/fill.js';
import type { Said } from '../../../words/server/say.js';
import { german } from './german.js';
import { Markup, markup } from './page-frame.js';

type Language = 'en' | 'de';
export const pageLanguages: readonly Language[] = ['en', 'de'];

export type PageText = keyof typeof german;
/** With `{fault}` in the text. */
export type PageSentence = PageText | Said | { text: PageText; fault: Said };
type Parts = Readonly<Record<string, string | Markup>>;

export interface Say {
  language: Language;
  /** `{name}` stands where that part goes. */
  (sentence: PageSentence, parts?: Parts): Markup;
}

/** `asked`: the authorization request, whose `ui_locales` goes before what the browser prefers. */
export function wordsFor(reply: FastifyReply, asked = ''): Say {
  const locales = new URLSearchParams(asked).get('ui_locales')?.split(' ') ?? [];
  const language = firstKnown([...locales, ...preferredOf(reply.request.headers['accept-language'])]);
  const told = (text: PageText): string => (language === 'de' ? german[text] : text);
  const say = (sentence: PageSentence, parts: Parts = {}): Markup => {
    if (typeof sentence === 'string') return withParts(told(sentence), parts);
    if ('text' in sentence)
      return withParts(told(sentence.text), { ...parts, fault: saidIn(language, sentence.fault) });
    return markup`${saidIn(language, sentence)}`;
  };
  return Object.assign(say, { language });
}

function saidIn(language: Language, { message, code, parameters = {} }: Said): string {
  if (language === 'en' || code === undefined) return message;
  return filled(germanOfServer[code], (name) => {
    const part = parameters[name] ?? '';
    return typeof part === 'object' ? saidIn(language, part) : String(part);
  });
}

function withParts(text: string, parts: Parts): Markup {
  const pieces = text.split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return markup`${piece}`;
    const part = parts[piece];
    return part instanceof Markup ? part : markup`${part}`;
  });
  return new Markup(pieces.map((piece) => piece.text).join(''));
}

/** The tags of an Accept-Language header, the most wanted first; those that are refused are left out. */
function preferredOf(header = ''): string[] {
  const tags = header
    .slice(0, 512)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 };
    });
  return tags
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

function firstKnown(tags: readonly string[]): Language {
  const primary = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return primary.flatMap((tag) => pageLanguages.find((language) => language === tag) ?? [])[0] ?? 'en';
}
