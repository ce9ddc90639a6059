// The microphone of a browser: opened for one take or one call and closed after it, without the browser's own clean-up of
// the sound, which would change the voice.
import { Queue } from '../queue.js';
import { defineRecorder, RECORDER_NAME } from './recorder.js';
import { linear16, wavOf } from './wav.js';

/** Why the microphone cannot be used. */
export type MicrophoneFault = 'INSECURE' | 'DENIED' | 'MISSING' | 'IN_USE' | 'FAILED';

/** The microphone cannot be used. */
export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  /** Why: `INSECURE` (the page was not loaded over TLS), `DENIED`, `MISSING`, `IN_USE` or `FAILED`. */
  readonly fault: MicrophoneFault;

  constructor(fault: MicrophoneFault, cause?: unknown) {
    super(messages[fault], cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

const messages: Readonly<Record<MicrophoneFault, string>> = {
  INSECURE: 'the browser gives the microphone only to pages that were loaded over https',
  DENIED: 'the use of the microphone was refused',
  MISSING: 'there is no microphone',
  IN_USE: 'another program uses the microphone',
  FAILED: 'the microphone cannot be opened',
};

export interface MicrophoneOptions {
  /**
   * Address of `recorder-worklet.js` of this package. Needed only if the content security policy does not allow scripts
   * from `blob:` addresses.
   */
  workletUrl?: string | undefined;
  /** Called with each block of samples as it is recorded, for a level meter. */
  onBlock?: ((samples: Float32Array<ArrayBuffer>) => void) | undefined;
}

/** An open microphone. */
interface OpenMicrophone {
  readonly sampleRateHz: number;
  close(): void;
}

const RATE_HZ_MAX = 48_000;
/** Ten minutes and more that nobody took: somebody forgot to close it. */
const PIECES_MAX = 16_000;

/** Opens the microphone and hands over what it hears. */
export async function openMicrophone(
  onBlock: (samples: Float32Array<ArrayBuffer>) => void,
  workletUrl?: string,
): Promise<OpenMicrophone> {
  // Not declared as absent, and absent all the same in pages that were not loaded over TLS.
  if (!('mediaDevices' in navigator)) throw new MicrophoneError('INSECURE');
  const stream = await navigator.mediaDevices
    .getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    })
    .catch((thrown: unknown) => {
      throw new MicrophoneError(faultOf(thrown), thrown);
    });
  let context = new AudioContext();
  if (context.sampleRate > RATE_HZ_MAX) {
    await context.close();
    context = new AudioContext({ sampleRate: RATE_HZ_MAX });
  }
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await addWorklet(context, workletUrl);
    await context.resume();
  } catch (thrown) {
    close();
    throw thrown;
  }
  const node = new AudioWorkletNode(context, RECORDER_NAME, { numberOfInputs: 1, numberOfOutputs: 1 });
  const silent = context.createGain();
  silent.gain.value = 0;
  node.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) => onBlock(data);
  // A node that leads nowhere is not run by every browser: lead it to the output, unheard.
  context.createMediaStreamSource(stream).connect(node).connect(silent).connect(context.destination);
  return {
    sampleRateHz: context.sampleRate,
    close: () => {
      node.port.onmessage = null;
      close();
    },
  };
}

/**
 * A microphone for one recording or one live call. For a recording, `stop` returns the WAV file; a live call takes the
 * microphone as its audio: `voxgate.live(microphone, { format: microphone.format, ... })`.
 */
export class Microphone implements AsyncIterable<Uint8Array<ArrayBuffer>> {
  readonly #pieces = new Queue<Uint8Array<ArrayBuffer>>();
  #open: OpenMicrophone | undefined;

  static async open({ workletUrl, onBlock }: MicrophoneOptions = {}): Promise<Microphone> {
    const microphone = new Microphone();
    microphone.#open = await openMicrophone((block) => {
      onBlock?.(block);
      microphone.#pieces.push(linear16(block));
      if (microphone.#pieces.length >= PIECES_MAX) microphone.#close();
    }, workletUrl);
    return microphone;
  }

  /** Encoding of its audio. */
  get format(): { encoding: 'LINEAR16'; sampleRateHz: number } {
    return { encoding: 'LINEAR16', sampleRateHz: this.#open?.sampleRateHz ?? 0 };
  }

  /** Closes it and returns what was recorded, unless a live call took it, as a WAV file for `enroll` and `verify`. */
  async stop(): Promise<Uint8Array<ArrayBuffer>> {
    this.#close();
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#pieces) pieces.push(piece);
    return wavOf(pieces, this.format.sampleRateHz);
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array<ArrayBuffer>> {
    return this.#pieces[Symbol.asyncIterator]();
  }

  #close(): void {
    this.#open?.close();
    this.#pieces.end();
  }
}

async function addWorklet(context: AudioContext, workletUrl: string | undefined): Promise<void> {
  if (workletUrl !== undefined) return context.audioWorklet.addModule(workletUrl);
  const source = `(${defineRecorder.toString()})(${JSON.stringify(RECORDER_NAME)})`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    await context.audioWorklet.addModule(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

function faultOf(thrown: unknown): MicrophoneFault {
  switch (thrown instanceof DOMException ? thrown.name : '') {
    case 'NotAllowedError':
      return 'DENIED';
    case 'NotFoundError':
      return 'MISSING';
    case 'NotReadableError':
      return 'IN_USE';
    default:
      return 'FAILED';
  }
}

export function joined(blocks: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.length;
  }
  return whole;
}
