// ONNX Runtime sessions for worker threads: one intra-op thread each, since the pool provides the
// parallelism.
import type { InRuntime } from './work.js';
import { InferenceSession, Tensor } from 'onnxruntime-node';

/** Runs a model on float data of the given shape and returns its one output. */
export type Run = (data: Float32Array, shape: readonly number[]) => Promise<Float32Array>;

const settings: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  graphOptimizationLevel: 'all',
  // Every audio has a different length: memory plans per shape would only pile up.
  enableMemPattern: false,
  logSeverityLevel: 3,
};

/** The network is a file, or its bytes. Everything in the runtime runs through `inRuntime`. */
export async function openModel(
  model: string | Uint8Array,
  input: string,
  output: string,
  inRuntime?: InRuntime,
): Promise<Run> {
  const run = await openOutputs(model, input, [output], inRuntime);
  return async (data, shape) => {
    const [result] = await run(data, shape);
    return result as Float32Array;
  };
}

/** The same for a model with several outputs, returned in the order of their names. */
export async function openOutputs(
  model: string | Uint8Array,
  input: string,
  outputs: readonly string[],
  inRuntime: InRuntime = (work) => work(),
): Promise<(data: Float32Array, shape: readonly number[]) => Promise<Float32Array[]>> {
  const session = await inRuntime(() =>
    typeof model === 'string'
      ? InferenceSession.create(model, settings)
      : InferenceSession.create(model, settings),
  );
  const absent = outputs.find((output) => !session.outputNames.includes(output));
  if (!session.inputNames.includes(input) || absent !== undefined) {
    const named = typeof model === 'string' ? `${model}: ` : '';
    throw new Error(`${named}no input ${input} or no output ${absent ?? outputs.join(', ')}`);
  }
  return async (data, shape) => {
    const feeds = { [input]: new Tensor('float32', data, [...shape]) };
    const result = await inRuntime(() => session.run(feeds, outputs));
    return outputs.map((output) => result[output]?.data as Float32Array);
  };
}
