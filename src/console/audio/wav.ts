// Samples at the rate that the server expects: 16 kHz.

export const WAV_RATE = 16_000;

/** The browser's own resampler, which filters before it drops samples. */
export async function resample(
  samples: Float32Array<ArrayBuffer>,
  from: number,
  to = WAV_RATE,
): Promise<Float32Array<ArrayBuffer>> {
  if (from === to || samples.length === 0) return samples;
  const length = Math.max(1, Math.ceil((samples.length * to) / from));
  const offline = new OfflineAudioContext(1, length, to);
  const buffer = offline.createBuffer(1, samples.length, from);
  buffer.copyToChannel(samples, 0);
  const source = offline.createBufferSource();
  source.buffer = buffer;
  source.connect(offline.destination);
  source.start();
  return new Float32Array((await offline.startRendering()).getChannelData(0));
}
