// One piece of audio ready to be sent: from the microphone or from a file the user chose.
import { encodeWav, resample, WAV_RATE } from './wav.js';

export interface Take {
  /** Where it came from, for people. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  container: 'CONTAINER_WAV' | 'CONTAINER_MP3';
  /** For pictures and playing; absent when only the server can decode the file. */
  samples: Float32Array | undefined;
  seconds: number | undefined;
}

export function takeFromSamples(samples: Float32Array<ArrayBuffer>, name: string): Take {
  return {
    name,
    bytes: encodeWav(samples),
    container: 'CONTAINER_WAV',
    samples,
    seconds: samples.length / WAV_RATE,
  };
}

/**
 * WAV and MP3 go to the server as they are (it knows telephone encodings that browsers do not); everything
 * else the browser can decode is sent as 16 kHz WAV.
 */
export async function takeFromFile(file: File): Promise<Take> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length === 0) throw new Error(`${file.name} is empty`);
  const samples = await decode(bytes).catch(() => undefined);
  const container = containerOf(bytes);
  if (container) {
    return { name: file.name, bytes, container, samples, seconds: samples && samples.length / WAV_RATE };
  }
  if (!samples)
    throw new Error(`${file.name} is not a sound file that this browser can read. WAV and MP3 always work`);
  return takeFromSamples(samples, file.name);
}

function containerOf(bytes: Uint8Array): Take['container'] | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('RIFF') && head.endsWith('WAVE')) return 'CONTAINER_WAV';
  if (head.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2))
    return 'CONTAINER_MP3';
  return undefined;
}

async function decode(bytes: Uint8Array<ArrayBuffer>): Promise<Float32Array<ArrayBuffer>> {
  const context = new OfflineAudioContext(1, 1, WAV_RATE);
  const buffer = await context.decodeAudioData(bytes.slice().buffer);
  const mixed = new Float32Array(buffer.length);
  for (let channel = 0; channel < buffer.numberOfChannels; channel += 1) {
    buffer.getChannelData(channel).forEach((sample, index) => {
      mixed[index] = (mixed[index] ?? 0) + sample / buffer.numberOfChannels;
    });
  }
  return resample(mixed, buffer.sampleRate);
}
