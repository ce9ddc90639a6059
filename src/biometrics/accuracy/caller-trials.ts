// The strangers among a tenant's own callers: one stored call of each caller against the prints of other people. A caller is
// the person that the call was verified as or claimed to be, otherwise the session. People who opted out are left out, and so
// is audio of another speaker model. Persons marked as one person under two names count as one caller, not as strangers.
import type { Call } from '../../platform.js';
import type { StrangerTrial } from '../../voice/calibration/caller-thresholds.js';
import { seededRandom } from '../../voice/evaluation/metrics.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import type { Template } from '../../voice/scoring/template.js';
import { pauseBetweenSlices } from '../call/pause.js';
import type { BiometricsDeps } from '../ports/deps.js';
import type { Factor } from '../model/sessions.js';
import { voicesOf } from './same-persons.js';
import { type Said, say } from '../../words/server/say.js';

interface Caller {
  /** A person, by one of their IDs, or the session of an unnamed caller. */
  id: string;
  /** Also absent if the call was refused as this person's: then nobody knows who it was. */
  gkPersonId?: string;
  /** Of the call that is compared. */
  gkSessionId: string;
  sample: VoiceSample;
}

/** `groups` are people, whatever IDs they have; the rest says which call and whose print it was. */
export type CallerTrial = StrangerTrial & { caller: Caller; owner: string };

interface Print {
  owner: string;
  template: Template;
}

interface CallerTrials {
  trials: CallerTrial[];
  /** How many stored results were examined. */
  calls: number;
  warnings: Said[];
}

interface CallerTrialLimits {
  fromMs: number;
  netSpeechMsMin: number;
}

const CALLERS_MAX = 2000;
const PRINTS_MAX = 2000;
const FACTORS_MAX = 100_000;
const TRIALS_MAX = 200_000;
const PAGE_SIZE = 200;
const SEED = 1;

export async function callerTrials(
  deps: BiometricsDeps,
  call: Call,
  gkScopeId: string,
  model: SpeakerModel,
  limits: CallerTrialLimits,
): Promise<CallerTrials> {
  const warnings: Said[] = [];
  const pause = pauseBetweenSlices(call);
  const voiceOf = await voicesOf(deps, gkScopeId);
  const prints = await loadPrints(deps, gkScopeId, model, pause);
  const { callers, calls } = await loadCallers(deps, gkScopeId, model, { ...limits, voiceOf }, pause);
  if (prints.length >= PRINTS_MAX) warnings.push(say('NEWEST_PRINTS', { max: PRINTS_MAX }));
  if (callers.length >= CALLERS_MAX) warnings.push(say('NEWEST_CALLERS', { max: CALLERS_MAX }));
  const trials: CallerTrial[] = [];
  const share = TRIALS_MAX / Math.max(1, callers.length * prints.length);
  const random = seededRandom(SEED);
  for (const caller of callers)
    for (const { owner, template } of prints) {
      const groups = [caller.id, voiceOf(owner)] as const;
      if (groups[0] === groups[1] || (share < 1 && random() >= share)) continue;
      const { llr, normalized } = scoreSample(model, template, caller.sample);
      trials.push({ score: llr, normalized, target: false, groups, caller, owner });
      await pause();
    }
  return { trials, calls, warnings };
}

/** One print per owner, the newest. */
async function loadPrints(
  deps: BiometricsDeps,
  gkScopeId: string,
  model: SpeakerModel,
  pause: () => Promise<void>,
): Promise<Print[]> {
  const prints = new Map<string, Print>();
  let after: string | undefined;
  do {
    const page = await deps.store.read.profiles.list(
      gkScopeId,
      { ownerType: 'PERSON', trained: true },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    for (const { gkOwnerId, trained } of page.profiles)
      if (trained?.template.modelRevision === model.revision && !prints.has(gkOwnerId))
        prints.set(gkOwnerId, { owner: gkOwnerId, template: trained.template });
    after = page.next;
    await pause();
  } while (after && prints.size < PRINTS_MAX);
  return [...prints.values()].slice(0, PRINTS_MAX);
}

/** Somebody may have tried another person's account. */
const isRefused = ({ operation, decision }: Factor): boolean =>
  operation === 'Verify' && (decision === 'NO_MATCH' || decision === 'FRAUD');

/** The newest usable call of each caller; a call refused as theirs only if there is no other. */
async function loadCallers(
  deps: BiometricsDeps,
  gkScopeId: string,
  model: SpeakerModel,
  { fromMs, netSpeechMsMin, voiceOf }: CallerTrialLimits & { voiceOf: (gkPersonId: string) => string },
  pause: () => Promise<void>,
): Promise<{ callers: Caller[]; calls: number }> {
  const [callers, refused] = [new Map<string, Caller>(), new Map<string, Caller>()];
  const outOf = new Set<string>();
  let calls = 0;
  let after: string | undefined;
  do {
    const page = await deps.store.read.factors.list(
      gkScopeId,
      { fromMs },
      { limit: PAGE_SIZE, ...(after && { after }) },
    );
    const heard = page.factors.filter(
      (factor) => factor.kind === 'AUTHENTICATION' && factor.gkProcessedAudioId,
    );
    calls += heard.length;
    const names = await callerNames(deps, gkScopeId, heard);
    const people = await deps.store.read.parties.findMany(gkScopeId, [...new Set(names.values())]);
    for (const { gkId, consent } of people) if (consent?.status === 'OPTED_OUT') outOf.add(gkId);
    const audios = await deps.store.read.processedAudios.findMany(
      gkScopeId,
      heard.flatMap((factor) => factor.gkProcessedAudioId ?? []),
    );
    const voices = new Map(audios.map((audio) => [audio.gkProcessedAudioId, audio.model?.voice]));
    for (const factor of heard) {
      const { gkSessionId } = factor;
      const gkPersonId = names.get(factor.factorId);
      const id = gkPersonId === undefined ? gkSessionId : voiceOf(gkPersonId);
      const sample = voices.get(factor.gkProcessedAudioId ?? '');
      if (callers.has(id) || outOf.has(gkPersonId ?? '') || callers.size >= CALLERS_MAX) continue;
      if (sample?.modelRevision !== model.revision || sample.netMs < netSpeechMsMin) continue;
      if (isRefused(factor)) {
        if (!refused.has(id)) refused.set(id, { id, gkSessionId, sample });
      } else callers.set(id, { id, ...(gkPersonId !== undefined && { gkPersonId }), gkSessionId, sample });
    }
    after = page.next;
    await pause();
  } while (after && calls < FACTORS_MAX && callers.size < CALLERS_MAX);
  for (const [id, caller] of refused)
    if (!callers.has(id) && callers.size < CALLERS_MAX) callers.set(id, caller);
  return { callers: [...callers.values()], calls };
}

/**
 * Who is calling, by factor: the owner of the verified or matched print, else the person claimed in the
 * session.
 */
async function callerNames(
  deps: BiometricsDeps,
  gkScopeId: string,
  factors: readonly Factor[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const compared = factors.filter(
    ({ operation, decision, gkVoiceprintProfileId }) =>
      gkVoiceprintProfileId && (operation === 'Verify' || decision === 'AUTHENTIC'),
  );
  const profiles = await deps.store.read.profiles.findMany(gkScopeId, [
    ...new Set(compared.flatMap(({ gkVoiceprintProfileId }) => gkVoiceprintProfileId ?? [])),
  ]);
  const ownerOf = new Map(profiles.map((profile) => [profile.gkVoiceprintProfileId, profile.gkOwnerId]));
  for (const { factorId, gkVoiceprintProfileId } of compared) {
    const owner = ownerOf.get(gkVoiceprintProfileId ?? '');
    if (owner) names.set(factorId, owner);
  }
  const sessions = new Map<string, string | undefined>();
  for (const { factorId, gkSessionId } of factors) {
    if (names.has(factorId)) continue;
    if (!sessions.has(gkSessionId))
      sessions.set(
        gkSessionId,
        (await deps.store.read.sessions.find(gkScopeId, gkSessionId))?.claimedGkPersonId,
      );
    const claimed = sessions.get(gkSessionId);
    if (claimed) names.set(factorId, claimed);
  }
  return names;
}
