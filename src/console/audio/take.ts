// One piece of audio ready to be sent: from the microphone or from a file the user chose.
import { encodeWav } from '../../client/browser/wav.js';
import { t } from '../text/voice.js';
import { resample, WAV_RATE } from './wav.js';

export interface Take {
  /** The file's name, or a name for the microphone. */
  name: string;
  isFile: boolean;
  bytes: Uint8Array<ArrayBuffer>;
  container: 'CONTAINER_WAV' | 'CONTAINER_MP3';
  /** For drawing and playing; absent if only the server can decode the file. */
  samples: Float32Array | undefined;
  seconds: number | undefined;
  /** Of the file; 1 if only the server can tell. */
  channels: number;
  /** The chosen channel, from 1; if absent, all of them mixed. */
  channel?: number;
}

export function takeFromSamples(samples: Float32Array<ArrayBuffer>, name: string): Take {
  return {
    name,
    isFile: false,
    bytes: encodeWav(samples, WAV_RATE),
    container: 'CONTAINER_WAV',
    samples,
    seconds: samples.length / WAV_RATE,
    channels: 1,
  };
}

/**
 * WAV and MP3 go to the server as they are (it knows telephone encodings that browsers do not); everything
 * else that the browser can decode is sent as 16 kHz WAV.
 */
export async function takeFromFile(file: File): Promise<Take> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.length === 0) throw new Error(t.capture.empty(file.name));
  const buffer = await decode(bytes).catch(() => undefined);
  const samples = buffer && (await samplesOf(buffer));
  const container = containerOf(bytes);
  if (container) {
    return {
      name: file.name,
      isFile: true,
      bytes,
      container,
      samples,
      seconds: buffer?.duration,
      channels: buffer?.numberOfChannels ?? 1,
    };
  }
  if (!buffer || !samples) throw new Error(t.capture.unreadable(file.name));
  return { ...takeFromSamples(samples, file.name), isFile: true, channels: buffer.numberOfChannels };
}

/**
 * Selects one channel of a file. A file that the server reads itself is sent whole, and the server picks the
 * channel.
 */
export async function takeOfChannel(file: File, channel: number): Promise<Take> {
  const whole = await takeFromFile(file);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const samples = await samplesOf(await decode(bytes), channel);
  return containerOf(bytes)
    ? { ...whole, samples, channel }
    : { ...takeFromSamples(samples, file.name), isFile: true, channels: whole.channels };
}

function containerOf(bytes: Uint8Array): Take['container'] | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('RIFF') && head.endsWith('WAVE')) return 'CONTAINER_WAV';
  if (head.startsWith('ID3') || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2))
    return 'CONTAINER_MP3';
  return undefined;
}

async function decode(bytes: Uint8Array<ArrayBuffer>): Promise<AudioBuffer> {
  return new OfflineAudioContext(1, 1, WAV_RATE).decodeAudioData(bytes.slice().buffer);
}

/** One channel (from 1), or all of them mixed. */
async function samplesOf(buffer: AudioBuffer, channel?: number): Promise<Float32Array<ArrayBuffer>> {
  if (channel !== undefined)
    return resample(new Float32Array(buffer.getChannelData(channel - 1)), buffer.sampleRate);
  const mixed = new Float32Array(buffer.length);
  for (let index = 0; index < buffer.numberOfChannels; index += 1) {
    buffer.getChannelData(index).forEach((sample, at) => {
      mixed[at] = (mixed[at] ?? 0) + sample / buffer.numberOfChannels;
    });
  }
  return resample(mixed, buffer.sampleRate);
}
