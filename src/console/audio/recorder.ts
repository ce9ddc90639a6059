// A recording from the microphone, with the meter's readings while it runs.
import { joined, MicrophoneError, openMicrophone } from '../../client/browser/microphone.js';
import workletUrl from '../../client/browser/recorder-worklet.ts?worker&url';
import { t } from '../text/voice.js';
import { SpeechMeter, type MeterReading } from './speech-meter.js';
import { takeFromSamples, type Take } from './take.js';
import { resample } from './wav.js';

export interface Recording {
  stop: () => Promise<Take>;
  cancel: () => void;
}

export const microphoneProblems = {
  INSECURE: t.capture.insecure,
  DENIED: t.capture.denied,
  MISSING: t.capture.missing,
  IN_USE: t.capture.inUse,
  FAILED: t.capture.cannotOpen,
} as const;

export async function record(onReading: (reading: MeterReading) => void): Promise<Recording> {
  const blocks: Float32Array[] = [];
  let meter: SpeechMeter | undefined;
  const microphone = await openMicrophone((block) => {
    blocks.push(block);
    meter ??= new SpeechMeter(microphone.sampleRateHz);
    onReading(meter.push(block));
  }, workletUrl).catch((thrown: unknown) => {
    throw thrown instanceof MicrophoneError ? new Error(microphoneProblems[thrown.fault]) : thrown;
  });
  return {
    stop: async () => {
      microphone.close();
      return takeFromSamples(await resample(joined(blocks), microphone.sampleRateHz), t.capture.microphone);
    },
    cancel: () => microphone.close(),
  };
}
