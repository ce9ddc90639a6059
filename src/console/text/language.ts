// The language of the console: as chosen in this browser, else as the browser prefers, else English. It is
// determined once, before anything is drawn; a change reloads the console.

const KEY = 'voxgate.language';

export type Language = 'en' | 'de';

/** Each by its own name, for which its readers look. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' };

const isLanguage = (value: string | null | undefined): value is Language => value === 'en' || value === 'de';

/** The part of a browser that is needed here; tests read the catalogue without one. */
interface Browser {
  navigator: { languages: readonly string[] };
  localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  location: { reload(): void };
}

const browser = 'document' in globalThis ? (globalThis as unknown as Browser) : undefined;
const preferred = browser?.navigator.languages ?? ['en-GB'];
const CHOSEN = browser?.localStorage.getItem(KEY);

export const LANGUAGE: Language = isLanguage(CHOSEN)
  ? CHOSEN
  : (preferred.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en');

/** For dates and numbers: the reader's own variant of the language, such as en-GB or de-AT. */
export const LOCALE: string = preferred.find((tag) => tag.startsWith(LANGUAGE)) ?? LANGUAGE;

export function chooseLanguage(next: Language): void {
  browser?.localStorage.setItem(KEY, next);
  browser?.location.reload();
}
