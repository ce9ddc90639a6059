// Trials that the caller names: scores made elsewhere, pairs of recordings, or a recording and a print.
import { AppError, invalidFields, missingField, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { ProcessOptions } from '../../voice/engine.js';
import type { Trial } from '../../voice/evaluation/arrange.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../voice/scoring/template.js';
import { rawFormatOf } from '../rules/media-for-engine.js';
import type { OperationDeps } from '../operations/deps.js';
import type { TrialSet } from './own-trials.js';
import { pauseBetweenSlices } from '../call/pause.js';
import { say, type Said } from '../../words/server/say.js';

export type Evidence =
  | { score: number }
  // By the IDs of recordings, or of a print and a recording.
  | { enrollment: string; test: string }
  | { print: string; test: string };

interface ListedTrial {
  target: boolean;
  evidence?: Evidence;
}

export interface TrialList {
  trials: readonly ListedTrial[];
  text: string;
}

const TRIALS_MAX = 500_000;
/** Each may have to be processed, which takes a good part of a second. */
const RECORDINGS_MAX = 200;

export async function listedTrials(
  deps: OperationDeps,
  call: Call,
  gkScopeId: string,
  model: SpeakerModel,
  list: TrialList,
): Promise<TrialSet> {
  const voices = new Voices(deps, call, gkScopeId, model);
  const pause = pauseBetweenSlices(call);
  const trials: Trial[] = [];
  const sides = new Set<string>();
  let without = 0;
  let index = -1;
  for (const { target, evidence } of list.trials.length > 0 ? list.trials : readTrials(list.text)) {
    index += 1;
    const field = `trials.trials[${index}]`;
    if (!evidence) throw invalidFields([missingField(`${field}.score`)]);
    await pause();
    if ('score' in evidence) {
      if (!Number.isFinite(evidence.score))
        throw invalidFields([{ field: `${field}.score`, violation: 'OUT_OF_RANGE', ...say('NOT_A_NUMBER') }]);
      trials.push({ score: evidence.score, target });
      continue;
    }
    const first = 'print' in evidence ? evidence.print : evidence.enrollment;
    const template =
      'print' in evidence ? await voices.print(first, field) : await voices.template(first, field);
    const sample = await voices.sample(evidence.test, field);
    if (!template || !sample) {
      without += 1;
      continue;
    }
    trials.push({ score: scoreSample(model, template, sample).llr, target, groups: [first, evidence.test] });
    sides.add(first).add(evidence.test);
  }
  if (index < 0) throw invalidFields([missingField('trials.trials')]);
  const warnings = without > 0 ? [say('SILENT_TRIALS', { count: without })] : [];
  return { trials, speakers: sides.size, warnings };
}

/**
 * Lines of `target|nontarget score`, or of `target|nontarget id id`; empty lines and # comments are skipped.
 */
function* readTrials(text: string): Generator<ListedTrial> {
  let made = 0;
  let number = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const [kind, first, second, ...rest] = text
      .slice(start, end)
      .trim()
      .split(/[\s,;]+/);
    start = end + 1;
    number += 1;
    if (!kind || kind.startsWith('#')) continue;
    const fault = (said: Said) =>
      invalidFields([
        {
          field: 'trials.text',
          violation: 'INVALID_FORMAT',
          ...say('ON_LINE', { line: number, fault: said }),
        },
      ]);
    if (kind !== 'target' && kind !== 'nontarget') throw fault(say('NO_KIND_OF_TRIAL'));
    if (first === undefined || rest.length > 0) throw fault(say('NO_SCORE_OR_IDS'));
    made += 1;
    if (made > TRIALS_MAX) throw new AppError('TOO_LARGE', `trials.text: at most ${TRIALS_MAX} trials`);
    const target = kind === 'target';
    if (second !== undefined) yield { target, evidence: { enrollment: first, test: second } };
    else if (Number.isFinite(Number(first))) yield { target, evidence: { score: Number(first) } };
    else throw fault(say('SCORE_NOT_A_NUMBER'));
  }
}

/** The voices behind the IDs, each looked up and processed once. */
class Voices {
  readonly #deps: OperationDeps;
  readonly #call: Call;
  readonly #gkScopeId: string;
  readonly #model: SpeakerModel;
  readonly #samples = new Map<string, VoiceSample | undefined>();
  readonly #templates = new Map<string, Template | undefined>();

  constructor(deps: OperationDeps, call: Call, gkScopeId: string, model: SpeakerModel) {
    this.#deps = deps;
    this.#call = call;
    this.#gkScopeId = gkScopeId;
    this.#model = model;
  }

  async print(id: string, field: string): Promise<Template | undefined> {
    if (!id) throw invalidFields([missingField(`${field}.print.gk_voiceprint_profile_id`)]);
    if (this.#templates.has(id)) return this.#templates.get(id);
    const profile = await this.#deps.store.read.profiles.find(this.#gkScopeId, id);
    if (!profile) throw notFound('voiceprint profile', `${field}.print.gk_voiceprint_profile_id`);
    const template = profile.trained?.template;
    const usable = template?.modelRevision === this.#model.revision ? template : undefined;
    this.#templates.set(id, usable);
    return usable;
  }

  /** For one recording; the ID may also be that of a print, because text lists do not distinguish them. */
  async template(id: string, field: string): Promise<Template | undefined> {
    if (this.#templates.has(id)) return this.#templates.get(id);
    if (id && (await this.#deps.store.read.profiles.find(this.#gkScopeId, id))) return this.print(id, field);
    const sample = await this.sample(id, field);
    const template = sample && buildTemplate(this.#model, [sample]);
    this.#templates.set(id, template);
    return template;
  }

  async sample(id: string, field: string): Promise<VoiceSample | undefined> {
    if (!id) throw invalidFields([missingField(`${field}.media.gk_test_media_segment_id`)]);
    if (this.#samples.has(id)) return this.#samples.get(id);
    if (this.#samples.size >= RECORDINGS_MAX)
      throw new AppError('TOO_LARGE', `trials: at most ${RECORDINGS_MAX} different recordings`);
    const sample = await this.#find(id, field);
    this.#samples.set(id, sample);
    return sample;
  }

  async #find(id: string, field: string): Promise<VoiceSample | undefined> {
    const { read } = this.#deps.store;
    const media = await read.media.find(this.#gkScopeId, id);
    if (!media) throw notFound('media segment', field);
    const processed = await read.processedAudios.listByMedia(this.#gkScopeId, id);
    const known = processed
      .filter((audio) => !audio.endedByCheckpoint)
      .map((audio) => audio.model?.voice)
      .find((voice) => voice?.modelRevision === this.#model.revision);
    if (known || !media.blob) return known;
    const raw = rawFormatOf(media);
    const options: ProcessOptions = {
      client: this.#call.caller.clientId,
      priority: 'background',
      ...(raw && { raw }),
      ...(this.#call.deadlineAtMs !== undefined && { deadlineAtMs: this.#call.deadlineAtMs }),
    };
    return (
      await this.#deps.engine.processAudio(this.#deps.mediaBytes.read(media), options, this.#call.signal)
    ).voice;
  }
}
