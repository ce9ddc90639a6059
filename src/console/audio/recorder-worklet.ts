// Runs on the audio thread: collects what the microphone gives into blocks and hands them to the page.
declare const registerProcessor: (name: string, processor: unknown) => void;
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}

const BLOCK = 2048;

class VoxgateRecorder extends AudioWorkletProcessor {
  #block = new Float32Array(BLOCK);
  #filled = 0;

  process(inputs: Float32Array[][]): boolean {
    const channel = inputs[0]?.[0];
    if (channel) {
      for (const sample of channel) {
        this.#block[this.#filled] = sample;
        this.#filled += 1;
        if (this.#filled === BLOCK) {
          this.port.postMessage(this.#block, [this.#block.buffer]);
          this.#block = new Float32Array(BLOCK);
          this.#filled = 0;
        }
      }
    }
    return true;
  }
}

registerProcessor('voxgate-recorder', VoxgateRecorder);

export {};
