// How people search: without accents and capitals, and a telephone number however it is written.

/** `Müller` and `MULLER` are the same. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const DIGITS_MIN = 3;

/**
 * Whether any of the texts has what was searched for in it; a number also when its spaces and signs differ, or when it
 * was written with 0 or 00 in front instead of + and a country.
 */
export function hasText(texts: readonly (string | undefined)[], query: string): boolean {
  const sought = folded(query.trim());
  const digits = /^[\d\s()+./-]+$/.test(sought) ? sought.replace(/\D/g, '').replace(/^0+/, '') : '';
  return texts.some((text) => {
    if (!text) return false;
    if (folded(text).includes(sought)) return true;
    return digits.length >= DIGITS_MIN && text.replace(/\D/g, '').includes(digits);
  });
}
