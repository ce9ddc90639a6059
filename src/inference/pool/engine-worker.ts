// The worker thread of the voice engine: loads the models once, then serves files and streams.
import { decodeAudio } from '../../voice/audio/decode-audio.js';
import { encodeWav } from '../../voice/audio/encode-wav.js';
import type { InspectOptions, PlayableAudio, PlayOptions, ProcessOptions } from '../../voice/engine.js';
import { AudioStream } from '../audio-stream.js';
import { inspectAudio } from '../models/inspect.js';
import { loadModels } from '../models/load-models.js';
import type { ModelFolders } from '../models/load-models.js';
import { processAudio } from '../pipeline.js';
import { serveJobs, type Handler } from './worker-host.js';

export type EngineRequest =
  | { do: 'process'; bytes: Uint8Array; options: ProcessOptions }
  | { do: 'inspect'; bytes: Uint8Array; options: InspectOptions }
  | { do: 'play'; bytes: Uint8Array; options: PlayOptions }
  | { do: 'open'; stream: number; options: ProcessOptions }
  | { do: 'push'; stream: number; chunk: Uint8Array }
  | { do: 'finish'; stream: number }
  | { do: 'forget'; stream: number };

async function toWav(bytes: Uint8Array, options: PlayOptions): Promise<PlayableAudio> {
  const decoded = await decodeAudio(bytes, options);
  if (!decoded.ok) return { ok: false, reason: decoded.reason };
  return { ok: true, wav: encodeWav(decoded.samples, decoded.sampleRateHz) };
}

await serveJobs(async (settings) => {
  const models = await loadModels(settings as ModelFolders);
  const streams = new Map<number, AudioStream>();
  const open = (id: number): AudioStream => {
    const stream = streams.get(id);
    if (!stream) throw new Error('no such stream');
    return stream;
  };
  const handle: Handler = async (message, check) => {
    const request = message as EngineRequest;
    switch (request.do) {
      case 'process':
        return processAudio(models, request.bytes, request.options, check);
      case 'inspect':
        return inspectAudio(models, request.bytes, request.options, check);
      case 'play':
        return toWav(request.bytes, request.options);
      case 'open':
        streams.set(request.stream, new AudioStream(models, request.options));
        return undefined;
      case 'push':
        return open(request.stream).push(request.chunk, check);
      case 'finish': {
        const stream = open(request.stream);
        streams.delete(request.stream);
        return stream.finish(check);
      }
      case 'forget':
        streams.delete(request.stream);
        return undefined;
    }
  };
  return { handle, ...(models.fallback !== undefined && { warning: models.fallback }) };
});
