// The microphone: opened for one take and closed after it, without the browser's own clean-up of the sound,
// which would change the voice.
import { t } from '../text/voice.js';
import workletUrl from './recorder-worklet.ts?worker&url';
import { SpeechMeter, type MeterReading } from './speech-meter.js';
import { takeFromSamples, type Take } from './take.js';
import { join, resample } from './wav.js';

export interface Recording {
  stop: () => Promise<Take>;
  cancel: () => void;
}

export async function record(onReading: (reading: MeterReading) => void): Promise<Recording> {
  if (!('mediaDevices' in navigator)) {
    throw new Error(t.capture.insecure);
  }
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    });
  } catch (thrown) {
    throw new Error(microphoneProblem(thrown));
  }
  const context = new AudioContext();
  const close = (): void => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
  } catch (thrown) {
    close();
    throw thrown;
  }
  const blocks: Float32Array[] = [];
  const meter = new SpeechMeter(context.sampleRate);
  const node = new AudioWorkletNode(context, 'voxgate-recorder', { numberOfInputs: 1, numberOfOutputs: 1 });
  const silent = context.createGain();
  silent.gain.value = 0;
  node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    blocks.push(data);
    onReading(meter.push(data));
  };
  // A node that leads nowhere is not run by every browser: lead it to the output, unheard.
  context.createMediaStreamSource(stream).connect(node).connect(silent).connect(context.destination);
  return {
    stop: async () => {
      node.port.onmessage = null;
      close();
      return takeFromSamples(await resample(join(blocks), context.sampleRate), t.capture.microphone);
    },
    cancel: () => {
      node.port.onmessage = null;
      close();
    },
  };
}

function microphoneProblem(thrown: unknown): string {
  switch (thrown instanceof DOMException ? thrown.name : '') {
    case 'NotAllowedError':
      return t.capture.denied;
    case 'NotFoundError':
      return t.capture.missing;
    case 'NotReadableError':
      return t.capture.inUse;
    default:
      return t.capture.cannotOpen;
  }
}
