// Base32 (RFC 4648, without padding), which authenticator apps accept and people can copy from paper.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      text += LETTERS[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + LETTERS[(value << (5 - bits)) & 31];
}

/** In groups of four, for people. */
export function grouped(text: string, between: string): string {
  return (text.match(/.{1,4}/g) ?? []).join(between);
}
