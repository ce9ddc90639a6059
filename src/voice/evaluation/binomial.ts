// Exact confidence intervals of a share (Clopper and Pearson): what can be said about a rate after a number
// of events in a number of trials, even if there was none.
import type { Interval } from './metrics.js';

export function shareWithInterval(events: number, trials: number, level: number): Interval {
  if (trials === 0) return { value: NaN, low: 0, high: 1 };
  const tail = (1 - level) / 2;
  return {
    value: events / trials,
    low: events === 0 ? 0 : betaQuantile(tail, events, trials - events + 1),
    high: events === trials ? 1 : betaQuantile(1 - tail, events + 1, trials - events),
  };
}

/** By bisection: the distribution is increasing, and twelve digits are plenty. */
function betaQuantile(p: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The regularized incomplete beta function. */
function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast only on the near side of the mean; the other side is its mirror image.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return (front / a) * betaFraction(x, a, b);
}

/** The continued fraction of the incomplete beta function, evaluated from the front (Lentz). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return result;
}

/** Stirling's series, after moving the argument to where it is exact to double precision. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 10) {
    shift += Math.log(z);
    z += 1;
  }
  const inverse = 1 / z;
  const square = inverse * inverse;
  const series = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680)));
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
