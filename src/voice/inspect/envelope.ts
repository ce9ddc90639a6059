// The outline of a recording for drawing: the lowest and highest sample of each of a number of equal steps.

export interface Envelope {
  /** Within -1..1; as long as `maximum`. */
  minimum: Float32Array;
  maximum: Float32Array;
}

export function envelopeOf(samples: Float32Array, points: number): Envelope {
  const steps = Math.min(points, samples.length);
  const minimum = new Float32Array(steps);
  const maximum = new Float32Array(steps);
  for (let step = 0; step < steps; step++) {
    const from = Math.floor((step * samples.length) / steps);
    const to = Math.floor(((step + 1) * samples.length) / steps);
    let low = Infinity;
    let high = -Infinity;
    for (let i = from; i < to; i++) {
      const sample = samples[i] as number;
      if (sample < low) low = sample;
      if (sample > high) high = sample;
    }
    minimum[step] = Math.max(-1, low);
    maximum[step] = Math.min(1, high);
  }
  return { minimum, maximum };
}
