// What runs on the audio thread: collects what the microphone gives into blocks and hands them to the page. One function
// that uses nothing outside itself, because its text may be all that reaches that thread.
declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

export const RECORDER_NAME = 'voxgate-recorder';

export function defineRecorder(name: string): void {
  const blockLength = 2048;
  registerProcessor(
    name,
    class extends AudioWorkletProcessor {
      block = new Float32Array(blockLength);
      filled = 0;

      process(inputs: Float32Array[][]): boolean {
        for (const sample of inputs[0]?.[0] ?? []) {
          this.block[this.filled] = sample;
          this.filled += 1;
          if (this.filled === blockLength) {
            this.port.postMessage(this.block, [this.block.buffer]);
            this.block = new Float32Array(blockLength);
            this.filled = 0;
          }
        }
        return true;
      }
    },
  );
}
