/** G.711 A-law and mu-law expansion (ITU-T G.711), as tables over the 256 code words, scaled to -1..1. */

function expandMuLaw(code: number): number {
  const v = ~code & 0xff;
  const magnitude = (((v & 0x0f) << 3) + 0x84) << ((v & 0x70) >> 4);
  return v & 0x80 ? 0x84 - magnitude : magnitude - 0x84;
}

function expandALaw(code: number): number {
  const v = code ^ 0x55;
  const segment = (v & 0x70) >> 4;
  let magnitude = (v & 0x0f) << 4;
  magnitude = segment === 0 ? magnitude + 8 : (magnitude + 0x108) << (segment - 1);
  return v & 0x80 ? magnitude : -magnitude;
}

function table(expand: (code: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, code) => expand(code) / 32768);
}

export const muLawTable = table(expandMuLaw);
export const aLawTable = table(expandALaw);
