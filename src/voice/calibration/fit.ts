// Fitting the calibration of a speaker model on labeled trials: logistic regression of the terms in
// score.ts, with both kinds of trial given equal weight, so that the sum of the weighted terms is a
// log-likelihood ratio. A little shrinkage keeps conditions that the corpus does not contain at zero.

interface CalibrationTrial {
  terms: readonly number[];
  target: boolean;
}

const SHRINKAGE = 1e-3;
const ROUNDS = 50;

/** Solves A x = b for a small symmetric positive matrix, by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let r = column + 1; r < n; r++)
      if (Math.abs(rows[r]?.[column] ?? 0) > Math.abs(rows[pivot]?.[column] ?? 0)) pivot = r;
    [rows[column], rows[pivot]] = [rows[pivot] as number[], rows[column] as number[]];
    const top = rows[column] as number[];
    const divisor = top[column] ?? 0;
    if (Math.abs(divisor) < 1e-12) continue;
    for (let r = 0; r < n; r++) {
      if (r === column) continue;
      const row = rows[r] as number[];
      const factor = (row[column] ?? 0) / divisor;
      for (let c = column; c <= n; c++) row[c] = (row[c] ?? 0) - factor * (top[c] ?? 0);
    }
  }
  return rows.map((row, i) => (Math.abs(row[i] ?? 0) < 1e-12 ? 0 : (row[n] ?? 0) / (row[i] ?? 1)));
}

/** Newton's method; the intercept (term 0) is not shrunk. */
export function fitCalibration(trials: readonly CalibrationTrial[]): number[] {
  const size = trials[0]?.terms.length ?? 0;
  const targets = trials.filter((trial) => trial.target).length;
  const impostors = trials.length - targets;
  if (size === 0 || targets === 0 || impostors === 0)
    throw new RangeError('calibration needs trials of both kinds');
  let weights = new Array<number>(size).fill(0);
  for (let round = 0; round < ROUNDS; round++) {
    const gradient = weights.map((w, i) => (i === 0 ? 0 : SHRINKAGE * w));
    const curvature = Array.from({ length: size }, (_, i) =>
      Array.from({ length: size }, (_row, j) => (i === j ? (i === 0 ? 1e-9 : SHRINKAGE) : 0)),
    );
    for (const { terms, target } of trials) {
      const share = target ? 0.5 / targets : 0.5 / impostors;
      const p = 1 / (1 + Math.exp(-terms.reduce((sum, x, i) => sum + x * (weights[i] ?? 0), 0)));
      const slope = share * (p - (target ? 1 : 0));
      const bend = share * p * (1 - p);
      for (let i = 0; i < size; i++) {
        const xi = terms[i] ?? 0;
        if (xi === 0) continue;
        gradient[i] = (gradient[i] ?? 0) + slope * xi;
        const row = curvature[i] as number[];
        for (let j = 0; j < size; j++) row[j] = (row[j] ?? 0) + bend * xi * (terms[j] ?? 0);
      }
    }
    const step = solve(curvature, gradient);
    weights = weights.map((w, i) => w - (step[i] ?? 0));
    if (Math.max(...step.map(Math.abs)) < 1e-6) break;
  }
  return weights;
}

/**
 * Thresholds at which the given rates of impostor scores are accepted; rates that the trials cannot show are
 * extrapolated from the tail.
 */
export function thresholdsFor(
  impostorScores: readonly number[],
  rates: readonly number[],
): { far: number; llr: number; trials: number; accepts: number }[] {
  const sorted = [...impostorScores].sort((a, b) => b - a);
  const at = (rate: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(rate * sorted.length))] ?? 0;
  const smallest = 10 / sorted.length;
  return rates.map((far) => {
    let llr = at(far);
    if (far < smallest) {
      // The tail of impostor LLRs falls about exponentially: continue its slope between the last two decades
      // seen.
      const [near, nearer] = [Math.min(0.5, smallest * 10), Math.min(0.25, smallest)];
      const perDecade = (at(nearer) - at(near)) / Math.max(1e-6, Math.log10(near / nearer));
      llr = at(nearer) + perDecade * Math.log10(nearer / far);
    }
    return { far, llr, trials: sorted.length, accepts: sorted.filter((score) => score >= llr).length };
  });
}
