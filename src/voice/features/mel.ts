// The mel filters of the log-mel features, in Kaldi's definition: triangles that are linear in mel, without
// the FFT bin at the Nyquist frequency. Tested against vectors recorded on the training side.

export interface FeatureSettings {
  sampleRateHz: number;
  frameLength: number;
  frameShift: number;
  fftSize: number;
  melBins: number;
  melLowHz: number;
  melHighHz: number;
  preemphasis: number;
  logFloor: number;
  /** Samples in [-1, 1) are multiplied by this before anything else. */
  sampleScale: number;
}

export const standardFeatures: FeatureSettings = {
  sampleRateHz: 16000,
  frameLength: 400,
  frameShift: 160,
  fftSize: 512,
  melBins: 80,
  melLowHz: 20,
  melHighHz: 7600,
  preemphasis: 0.97,
  logFloor: 1.1920929e-7,
  sampleScale: 32768,
};

interface MelFilter {
  firstBin: number;
  weights: number[];
}

const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700);

export function melFilters(settings: FeatureSettings = standardFeatures): MelFilter[] {
  const low = mel(settings.melLowHz);
  const width = (mel(settings.melHighHz) - low) / (settings.melBins + 1);
  return Array.from({ length: settings.melBins }, (_, index) => {
    const left = low + index * width;
    const center = left + width;
    const right = center + width;
    const filter: MelFilter = { firstBin: 0, weights: [] };
    for (let bin = 0; bin < settings.fftSize / 2; bin++) {
      const at = mel((settings.sampleRateHz / settings.fftSize) * bin);
      if (at <= left || at >= right) continue;
      if (filter.weights.length === 0) filter.firstBin = bin;
      filter.weights.push(at <= center ? (at - left) / (center - left) : (right - at) / (right - center));
    }
    return filter;
  });
}
