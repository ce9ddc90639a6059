// Opens the models of one worker.
import { readFileSync } from 'node:fs';
import { createLogMelExtractor } from '../../voice/features/log-mel.js';
import { loadSpeechModel } from '../../voice/speech/speech-model.js';
import { checkSpeechDetector, readDetector, readSpeakerModel } from './manifest.js';
import type { Detector, Models } from './models.js';
import { openModel } from '../onnx.js';

/** Folders of the models, all absolute. */
export interface ModelFolders {
  speaker: string;
  vad: string;
  synthetic?: string;
  playback?: string;
}

async function openDetector(folder: string): Promise<Detector> {
  const files = readDetector(folder);
  const run = await openModel(files.modelFile, files.input, files.output);
  return { info: files.info, score: (data, windows) => run(data, [windows, data.length / windows]) };
}

export async function loadModels(settings: ModelFolders): Promise<Models> {
  const speaker = readSpeakerModel(settings.speaker, false);
  const run = await openModel(speaker.modelFile, speaker.input, speaker.output, { byRows: true });
  const { melBins } = speaker.features;
  return {
    revision: speaker.model.revision,
    logmel: createLogMelExtractor(speaker.features),
    speech: loadSpeechModel(readFileSync(checkSpeechDetector(settings.vad))),
    embed: (features, frames) => run(features, [1, frames, melBins]),
    window: speaker.window,
    detectors: {
      ...(settings.synthetic ? { synthetic: await openDetector(settings.synthetic) } : {}),
      ...(settings.playback ? { playback: await openDetector(settings.playback) } : {}),
    },
  };
}
