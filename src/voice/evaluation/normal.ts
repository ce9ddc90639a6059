// The normal distribution, for plots and for tails that are beyond what the trials can show.

/** Share of a normal distribution that lies beyond x. */
export function normalTail(x: number): number {
  return 0.5 * (1 - erf(x / Math.SQRT2));
}

/** Inverse of the normal distribution, by bisection on its error function. */
export function probit(p: number): number {
  let [low, high] = [-6, 6];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (1 - normalTail(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The error function by its Maclaurin series; its arguments here stay below 4.3, where it converges well. */
function erf(x: number): number {
  if (Math.abs(x) > 4) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; n < 120; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}
