// Near-term adaptation: after a certain match with enough speech, the print is adapted to it. Off unless the config set turns
// it on.
import { buildTemplate } from '../../voice/scoring/template.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import type { Parameters } from '../model/parameters.js';
import type { ProcessedAudio } from '../model/media.js';
import type { Profile } from '../model/profiles.js';

export function adapted(
  profile: Profile,
  audio: ProcessedAudio,
  model: SpeakerModel,
  { authentication }: Parameters,
  nowMs: number,
): Profile {
  const { trained } = profile;
  if (!authentication.nearTermAdaptation || !trained || !audio.model) return profile;
  if (audio.netAudioMs < authentication.adaptationNetSpeechSecondsMin * 1000) return profile;
  const { template } = trained;
  // The old template is weighted by the speech behind it, so that one call moves it only a little.
  const old = {
    embedding: template.embedding,
    netMs: template.netMs,
    snrDb: template.snrDb,
    bandwidth: template.bandwidth,
    modelRevision: template.modelRevision,
  };
  return {
    ...profile,
    trained: { ...trained, template: buildTemplate(model, [old, audio.model.voice]) },
    nearTermAdaptation: true,
    modifiedAtMs: nowMs,
  };
}
