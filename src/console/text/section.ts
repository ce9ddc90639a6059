// The catalogue: every text that the console shows, in sections that are loaded with the pages that need them. Each
// section exists once in every language, and the compiler sees to it that none lacks a text that another one has.
import { LANGUAGE } from './language.js';

interface Section<T> {
  text: T;
}

/** Awaited where a section is named, so that whoever imports it finds it there. */
export async function section<T>(en: () => Promise<Section<T>>, de: () => Promise<Section<T>>): Promise<T> {
  return (await (LANGUAGE === 'de' ? de() : en())).text;
}
