// Descriptions of values and operators, for rearranging a graph.

/** A value that is available as rows. */
export interface Rows {
  name: string;
  /** If known. */
  channels?: number;
  /** A single row, the same at all times. */
  steady: boolean;
  /** The value is `name` divided by this row; dividing after a sum over time is cheaper. */
  divisor?: string;
}

/** The input rows that a convolution reads for one output row, and the padding at the ends. */
export interface Reach {
  taps: number;
  step: number;
  /** 1 for every row, 2 for every second one, and so on. */
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
