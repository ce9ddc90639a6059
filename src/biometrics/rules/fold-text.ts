// Folds text the way people search: without accents and capitals.

/** `Müller` and `MULLER` are the same. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
