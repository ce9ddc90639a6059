// Opens the models of one worker.
import { readFileSync } from 'node:fs';
import { messageOf } from '../../errors.js';
import { createLogMelExtractor } from '../../voice/features/log-mel.js';
import { usualLikeness } from '../../voice/scoring/speaker-model.js';
import { loadSpeechModel } from '../../voice/speech/speech-model.js';
import { spreadOf } from '../../voice/spoof/evidence.js';
import {
  checkSpeechDetector,
  readDetector,
  readSpeakerModel,
  readWordRecognizer,
  type SpeakerModelFiles,
} from './manifest.js';
import type { Detector, Models, WordRecognizer } from './models.js';
import { networkToRun } from './open-packed.js';
import type { InRuntime } from '../work.js';
import { openModel, openOutputs, type Run } from '../onnx.js';

/** Folders of the models, all absolute. */
export interface ModelFolders {
  speaker: string;
  vad: string;
  synthetic?: string;
  playback?: string;
  words?: string;
}

async function openWords(folder: string | undefined, inRuntime: InRuntime): Promise<WordRecognizer> {
  if (folder === undefined) throw new Error('there is no model for prompted words');
  const { modelFile, input, output, vocabulary, calibration } = readWordRecognizer(folder);
  const run = await openModel(modelFile, input, output, inRuntime);
  return { vocabulary, calibration, listen: (wave) => run(wave, [1, wave.length]) };
}

type Opened<Network> = Network & { fallback?: string };

async function openDetector(folder: string, inRuntime: InRuntime): Promise<Opened<Detector>> {
  const { modelFile: file, weights, otherFile, input, output, members, distance, info } = readDetector(folder);
  const further = [members, distance].filter((name) => name !== undefined);
  const { network, ...rest } = weights
    ? await networkToRun({ file, weights, ...(otherFile !== undefined && { otherFile }) }, inRuntime)
    : { network: file };
  const run = await openOutputs(network, input, [output, ...further], inRuntime);
  return {
    ...rest,
    info,
    score: async (window) => {
      const [scores, ...told] = await run(window, [1, window.length]);
      const named = (name: string | undefined) => (name === undefined ? undefined : told[further.indexOf(name)]);
      const votes = named(members);
      const far = named(distance)?.[0];
      return {
        score: scores?.[0] ?? NaN,
        ...(votes && { spread: spreadOf(votes) }),
        ...(far !== undefined && { distance: far }),
      };
    },
  };
}

/** The packed network if there is one that can be opened, otherwise the original; `fallback` says why. */
async function openSpeaker(files: SpeakerModelFiles, inRuntime: InRuntime): Promise<Opened<{ run: Run }>> {
  const { modelFile, packed, input, output } = files;
  const asFiled = async () => ({ run: await openModel(modelFile, input, output, inRuntime) });
  if (!packed) return asFiled();
  try {
    const { network, ...rest } = await networkToRun(packed, inRuntime);
    return { ...rest, run: await openModel(network, input, output, inRuntime) };
  } catch (cause) {
    return { ...(await asFiled()), fallback: `${packed.file} cannot be used: ${messageOf(cause)}` };
  }
}

/** Everything in the ONNX runtime runs through `inRuntime`. */
export async function loadModels(
  settings: ModelFolders,
  inRuntime: InRuntime = (work) => work(),
): Promise<Models> {
  const speaker = readSpeakerModel(settings.speaker, false);
  const { run, fallback } = await openSpeaker(speaker, inRuntime);
  const detectors = {
    ...(settings.synthetic ? { synthetic: await openDetector(settings.synthetic, inRuntime) } : {}),
    ...(settings.playback ? { playback: await openDetector(settings.playback, inRuntime) } : {}),
  };
  const fallbacks = [fallback, detectors.synthetic?.fallback, detectors.playback?.fallback].filter(
    (cause) => cause !== undefined,
  );
  let words: Promise<WordRecognizer> | undefined;
  const { melBins } = speaker.features;
  const { dim } = speaker.model;
  return {
    revision: speaker.model.revision,
    ...(fallbacks.length > 0 && { fallback: fallbacks.join('; ') }),
    logmel: createLogMelExtractor(speaker.features),
    speech: loadSpeechModel(readFileSync(checkSpeechDetector(settings.vad))),
    embed: async (features, frames) => {
      const embedding = await run(features, [1, frames, melBins]);
      if (embedding.length !== dim)
        throw new Error(`${speaker.modelFile}: answers with ${embedding.length} numbers, its manifest says ${dim}`);
      return embedding;
    },
    window: speaker.window,
    likeness: speaker.model.likeness ?? usualLikeness,
    detectors,
    words: () => (words ??= openWords(settings.words, inRuntime)),
  };
}
