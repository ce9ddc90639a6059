// ONNX Runtime sessions for worker threads: one intra-op thread each, since the pool is what is parallel.
import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { arrangeByRows } from './graph/rows-graph.js';

/** Runs a model on float data of the given shape and returns its one output. */
export type Run = (data: Float32Array, shape: readonly number[]) => Promise<Float32Array>;

export interface OpenOptions {
  /** The model takes one recording per call, so its graph may be rearranged for speed (see rows-graph.ts). */
  byRows?: boolean;
}

const settings: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Every audio has another length: plans for one shape would only pile up.
  enableMemPattern: false,
  logSeverityLevel: 3,
};

async function openSession(file: string, byRows: boolean): Promise<InferenceSession> {
  const arranged = byRows ? arrangeByRows(readFileSync(file)) : undefined;
  // Whatever the runtime does not like about the rearranged graph, the file itself is what must work.
  return arranged
    ? InferenceSession.create(arranged, settings).catch(() => InferenceSession.create(file, settings))
    : InferenceSession.create(file, settings);
}

export async function openModel(
  file: string,
  input: string,
  output: string,
  { byRows = false }: OpenOptions = {},
): Promise<Run> {
  const session = await openSession(file, byRows);
  if (!session.inputNames.includes(input) || !session.outputNames.includes(output)) {
    throw new Error(`${file}: no input ${input} or no output ${output}`);
  }
  return async (data, shape) => {
    const result = await session.run({ [input]: new Tensor('float32', data, [...shape]) }, [output]);
    return result[output]?.data as Float32Array;
  };
}
