// Trials from the tenant's own prints. Same speaker: each enrollment segment against a template of the others of
// its print. Different speakers: segments against the prints of other owners, drawn evenly when there are many.
import { notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { Trial } from '../../voice/evaluation/arrange.js';
import { seededRandom } from '../../voice/evaluation/metrics.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { Bandwidth, SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../voice/scoring/template.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { OwnerType } from '../model/outcome.js';
import type { Profile } from '../model/profiles.js';
import { pauseBetweenSlices } from '../call/pause.js';
import { voicesOf } from './same-persons.js';
import { type Said, say } from '../../words/server/say.js';

export interface OwnPrints {
  ownerType: OwnerType;
  gkGroupId?: string;
  tag?: string;
  /** 0: the default. */
  nontargetMax: number;
  /** Owners who are one person under two names, in addition to those that the tenant has marked. */
  sameVoice: readonly (readonly [string, string])[];
}

/**
 * `lines`: the kind of line on which the two sides were recorded, if the trial is made from recordings of
 * prints.
 */
export type OwnTrial = Trial & { lines?: readonly [Bandwidth, Bandwidth] };

export interface TrialSet {
  trials: OwnTrial[];
  speakers: number;
  warnings: Said[];
}

interface Print {
  owner: string;
  template: Template;
  samples: VoiceSample[];
}

const NONTARGET_DEFAULT = 20_000;
const NONTARGET_MOST = 200_000;
/** Every segment of a print is unsealed and held in memory. */
const PRINTS_MAX = 5000;
const PAGE_SIZE = 200;
const SEED = 1;

export async function ownTrials(
  deps: BiometricsDeps,
  call: Call,
  gkScopeId: string,
  model: SpeakerModel,
  spec: OwnPrints,
): Promise<TrialSet> {
  const warnings: Said[] = [];
  const voiceOf = await voicesOf(deps, gkScopeId, spec.sameVoice);
  const prints = await loadPrints(deps, gkScopeId, model, spec, warnings);
  const pause = pauseBetweenSlices(call);
  const trials: OwnTrial[] = [];
  for (const { owner, samples } of prints) {
    if (samples.length < 2) continue;
    for (const [index, sample] of samples.entries()) {
      const others = samples.filter((_, other) => other !== index);
      const template = buildTemplate(model, others);
      trials.push({
        score: scoreSample(model, template, sample).llr,
        target: true,
        groups: [owner, owner],
        lines: [template.bandwidth, sample.bandwidth],
      });
      await pause();
    }
  }
  const limit = Math.min(spec.nontargetMax || NONTARGET_DEFAULT, NONTARGET_MOST);
  for (const { print, sample, owner } of strangers(prints, limit, voiceOf)) {
    trials.push({
      score: scoreSample(model, print.template, sample).llr,
      target: false,
      groups: [print.owner, owner],
      lines: [print.template.bandwidth, sample.bandwidth],
    });
    await pause();
  }
  return { trials, speakers: new Set(prints.map((print) => voiceOf(print.owner))).size, warnings };
}

async function loadPrints(
  deps: BiometricsDeps,
  gkScopeId: string,
  model: SpeakerModel,
  spec: OwnPrints,
  warnings: Said[],
): Promise<Print[]> {
  const prints: Print[] = [];
  let left = 0;
  for await (const page of profilePages(deps, gkScopeId, spec)) {
    const segments = await deps.store.read.enrollment.listMany(
      page.map((profile) => profile.gkVoiceprintProfileId),
    );
    const used = segments.filter((segment) => segment.consistency !== 'INCONSISTENT');
    const audios = await deps.store.read.processedAudios.findMany(
      gkScopeId,
      used.map((segment) => segment.gkProcessedAudioId),
    );
    const voices = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.model?.voice]));
    for (const profile of page) {
      if (prints.length >= PRINTS_MAX) {
        left += 1;
        continue;
      }
      const samples = used
        .filter((segment) => segment.gkVoiceprintProfileId === profile.gkVoiceprintProfileId)
        .flatMap((segment) => voices.get(segment.gkProcessedAudioId) ?? [])
        .filter((sample) => sample.modelRevision === model.revision);
      if (samples.length === 0) continue;
      const trained = profile.trained?.template;
      const template = trained?.modelRevision === model.revision ? trained : buildTemplate(model, samples);
      prints.push({ owner: profile.gkOwnerId, template, samples });
    }
  }
  if (left > 0) warnings.push(say('NEWEST_PRINTS_OF_MORE', { max: PRINTS_MAX, left }));
  return prints;
}

async function* profilePages(
  deps: BiometricsDeps,
  gkScopeId: string,
  spec: OwnPrints,
): AsyncGenerator<Profile[]> {
  const { ownerType, gkGroupId, tag } = spec;
  if (gkGroupId) {
    const kind = ownerType === 'PERSON' ? 'GROUP' : 'WATCHLIST';
    const group = await deps.store.read.collections.find(gkScopeId, kind, gkGroupId);
    if (!group) throw notFound(kind.toLowerCase(), 'own_prints.gk_group_id');
    const members = await deps.store.read.profiles.listByCollection(gkScopeId, gkGroupId, tag, PRINTS_MAX);
    for (let at = 0; at < members.length; at += PAGE_SIZE) yield members.slice(at, at + PAGE_SIZE);
    return;
  }
  let after: string | undefined;
  let seen = 0;
  do {
    const page = await deps.store.read.profiles.list(
      gkScopeId,
      { ownerType, ...(tag && { tag }) },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    yield page.profiles;
    seen += page.profiles.length;
    after = page.next;
  } while (after && seen < 2 * PRINTS_MAX);
}

/** Pairs of a segment and somebody else's print: all of them, or this many drawn without repetition. */
function* strangers(
  prints: readonly Print[],
  limit: number,
  voiceOf: (owner: string) => string,
): Generator<{ print: Print; sample: VoiceSample; owner: string }> {
  const segments = prints.flatMap(({ owner, samples }) => samples.map((sample) => ({ owner, sample })));
  const pairs = segments.length * prints.length;
  const pick = (number: number) => {
    const segment = segments[Math.floor(number / prints.length)];
    const print = prints[number % prints.length];
    const isStranger = segment && print && voiceOf(segment.owner) !== voiceOf(print.owner);
    return isStranger ? { print, ...segment } : undefined;
  };
  if (pairs <= 2 * limit) {
    let made = 0;
    // A step that is coprime to the count visits every pair once, in no particular order.
    const step = coprimeStep(pairs);
    for (let i = 0, at = 0; i < pairs && made < limit; i++, at = (at + step) % pairs) {
      const pair = pick(at);
      if (!pair) continue;
      made += 1;
      yield pair;
    }
    return;
  }
  const random = seededRandom(SEED);
  const drawn = new Set<number>();
  for (let tries = 0; drawn.size < limit && tries < 4 * limit; tries++) {
    const at = Math.floor(random() * pairs);
    if (drawn.has(at)) continue;
    const pair = pick(at);
    if (!pair) continue;
    drawn.add(at);
    yield pair;
  }
}

function coprimeStep(count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  let step = Math.max(1, Math.floor(count * 0.618));
  while (divisor(step, count) !== 1) step += 1;
  return step;
}
