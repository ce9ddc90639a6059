// What the rearranging of a graph knows of values and operators.

/** A value that is at hand as rows. */
export interface Rows {
  name: string;
  /** Where known. */
  channels?: number;
  /** One row, the same at all times. */
  steady: boolean;
  /** The value is `name` divided by this row, which is cheaper after a sum over time. */
  divisor?: string;
}

/** The rows that a convolution reads for one of its own, and those it imagines at the ends. */
export interface Reach {
  taps: number;
  step: number;
  /** Every row, every second one and so on. */
  stride: number;
  before: number;
  after: number;
}

export class UnsupportedGraph extends Error {}

export const unary = new Set([
  'Relu',
  'Sigmoid',
  'Tanh',
  'Sqrt',
  'Exp',
  'Abs',
  'Neg',
  'Clip',
  'LeakyRelu',
  'HardSigmoid',
]);
export const binary = new Set(['Add', 'Sub', 'Mul', 'Div']);
export const reductions = new Set(['ReduceMean', 'ReduceSum', 'ReduceMax']);
export const TIME = 2;
