// Time series of the server on a common time axis.
import type { MetricSeriesJson } from '../../../gen/voxgate/management/v1/system_pb.js';
import { finite } from '../../format/text.js';

interface Aligned {
  /** Seconds since 1970. */
  x: number[];
  y: (number | null)[][];
}

const at = (time: string | undefined): number => new Date(time ?? 0).getTime() / 1000;

/** Several series on the union of their times; a missing point is a gap. */
export function align(
  series: readonly MetricSeriesJson[],
  operation: string,
  names: readonly string[],
): Aligned {
  const own = series.filter((one) => (one.labels?.['operation'] ?? '') === operation);
  const x = [...new Set(own.flatMap(({ points = [] }) => points.map(({ time }) => at(time))))].sort(
    (a, b) => a - b,
  );
  const y = names.map((name) => {
    const points = new Map(
      own.find((one) => one.name === name)?.points?.map(({ time, value }) => [at(time), finite(value) ?? 0]),
    );
    return x.map((time) => points.get(time) ?? null);
  });
  return { x, y };
}
