// Samples as a WAV file: 16-bit PCM, one channel. For listening, and for generated sound.
const HEADER_BYTES = 44;

export function encodeWav(samples: Float32Array, sampleRateHz: number): Uint8Array {
  const file = new Uint8Array(HEADER_BYTES + samples.length * 2);
  const view = new DataView(file.buffer);
  const text = (at: number, word: string) =>
    [...word].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRateHz, true);
  view.setUint32(28, sampleRateHz * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  for (let i = 0; i < samples.length; i++) {
    const sample = Math.round((samples[i] ?? 0) * 32768);
    view.setInt16(HEADER_BYTES + 2 * i, sample < -32768 ? -32768 : sample > 32767 ? 32767 : sample, true);
  }
  return file;
}
