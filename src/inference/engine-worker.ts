// The worker thread of the voice engine: loads the models once, then serves files and streams.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessOptions } from '../voice/engine.js';
import { createLogMelExtractor } from '../voice/features/log-mel.js';
import { loadSpeechModel } from '../voice/speech/speech-model.js';
import { AudioStream } from './audio-stream.js';
import { readDetector, readSpeakerModel } from './manifest.js';
import { openModel } from './onnx.js';
import { processAudio } from './pipeline.js';
import type { Detector, Models } from './models.js';
import { serveJobs } from './worker-host.js';

/** Folders of the models, all absolute. */
export interface WorkerSettings {
  speaker: string;
  vad: string;
  synthetic?: string;
  playback?: string;
}

export type EngineRequest =
  | { do: 'process'; bytes: Uint8Array; options: ProcessOptions }
  | { do: 'open'; stream: number; options: ProcessOptions }
  | { do: 'push'; stream: number; chunk: Uint8Array }
  | { do: 'finish'; stream: number }
  | { do: 'forget'; stream: number };

async function openDetector(folder: string): Promise<Detector> {
  const files = readDetector(folder);
  const run = await openModel(files.modelFile, files.input, files.output);
  return { info: files.info, score: (data, windows) => run(data, [windows, data.length / windows]) };
}

async function loadModels(settings: WorkerSettings): Promise<Models> {
  const speaker = readSpeakerModel(settings.speaker, false);
  const run = await openModel(speaker.modelFile, speaker.input, speaker.output);
  const { melBins } = speaker.features;
  return {
    revision: speaker.model.revision,
    logmel: createLogMelExtractor(speaker.features),
    speech: loadSpeechModel(readFileSync(join(settings.vad, 'weights.bin'))),
    embed: (features, frames) => run(features, [1, frames, melBins]),
    window: speaker.window,
    detectors: {
      ...(settings.synthetic ? { synthetic: await openDetector(settings.synthetic) } : {}),
      ...(settings.playback ? { playback: await openDetector(settings.playback) } : {}),
    },
  };
}

await serveJobs(async (settings) => {
  const models = await loadModels(settings as WorkerSettings);
  const streams = new Map<number, AudioStream>();
  const open = (id: number): AudioStream => {
    const stream = streams.get(id);
    if (!stream) throw new Error('no such stream');
    return stream;
  };
  return async (message, check) => {
    const request = message as EngineRequest;
    switch (request.do) {
      case 'process':
        return processAudio(models, request.bytes, request.options, check);
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
});
