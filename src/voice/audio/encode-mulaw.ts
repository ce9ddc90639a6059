// Samples as G.711 mu-law, as telephone systems send them.

const BIAS = 0x84;
const MAGNITUDE_MAX = 32_635;

export function encodeMuLaw(samples: Float32Array): Uint8Array {
  return Uint8Array.from(samples, (value) => {
    const sample = Math.round(value * 32_767);
    const magnitude = Math.min(MAGNITUDE_MAX, Math.abs(sample)) + BIAS;
    const exponent = 24 - Math.clz32(magnitude);
    const code = (sample < 0 ? 0x80 : 0) | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f);
    return ~code & 0xff;
  });
}
