// The catalogue: every text of the console, in sections that are loaded with the pages that need them. Each
// section exists once in every language, and the compiler ensures that none lacks a text that another one
// has.
import { LANGUAGE } from './language.js';

interface Section<T> {
  text: T;
}

/** Awaited where a section is defined, so that its importers find it loaded. */
export async function section<T>(en: () => Promise<Section<T>>, de: () => Promise<Section<T>>): Promise<T> {
  return (await (LANGUAGE === 'de' ? de() : en())).text;
}
