// The words of the pages this server draws itself, in the languages that the console speaks. The English sentence is the key,
// so that code reads as the page does; a sentence that has no translation is shown as it is.
import type { FastifyReply } from 'fastify';
import { german } from './german.js';
import { Markup, markup } from './page-frame.js';

type Language = 'en' | 'de';
export const pageLanguages: readonly Language[] = ['en', 'de'];

export interface Say {
  language: Language;
  /** `{name}` stands where that part goes. */
  (text: string, parts?: Readonly<Record<string, string | Markup>>): Markup;
}

const catalogues: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en: {}, de: german };

/** `asked`: the authorization request, whose `ui_locales` goes before what the browser prefers. */
export function wordsFor(reply: FastifyReply, asked = ''): Say {
  const locales = new URLSearchParams(asked).get('ui_locales')?.split(' ') ?? [];
  const language = firstKnown([...locales, ...preferredOf(reply.request.headers['accept-language'])]);
  const catalogue = catalogues[language];
  const say = (text: string, parts: Readonly<Record<string, string | Markup>> = {}): Markup =>
    filled(translated(catalogue, text), parts);
  return Object.assign(say, { language });
}

/** Numbers in a sentence are the same in every language. */
function translated(catalogue: Readonly<Record<string, string>>, text: string): string {
  const numbers = text.match(/\d+/g) ?? [];
  const found = catalogue[text.replace(/\d+/g, '#')];
  if (found === undefined) return text;
  let at = 0;
  return found.replace(/#/g, () => numbers[at++] ?? '');
}

function filled(text: string, parts: Readonly<Record<string, string | Markup>>): Markup {
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
