// Agent and customer on one channel: windows of speech that sound like the agent are left out before a call is judged. Leaving
// them out can only remove evidence; if too little remains, nothing is decided.
import { AppError, notFound } from '../../errors.js';
import { yieldToEventLoop } from '../../platform.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import type { CheckpointReached } from '../../voice/engine.js';
import { judgeAudio } from '../../voice/quality/judge-audio.js';
import { speakerChange } from '../../voice/quality/speaker-change.js';
import type { AudioQuality, AudioVerdict } from '../../voice/quality/types.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../voice/scoring/template.js';
import { audioGates } from '../rules/media-for-engine.js';
import type { Parameters } from '../model/parameters.js';
import { isCompatible } from '../rules/usable-print.js';
import { deferToBetterNode } from './candidates.js';
import type { OpenedCall } from './opened-call.js';
import { inEnglish } from '../../words/server/say.js';

/** Who may speak in a call besides the customer. */
export interface AgentOnLine {
  /** The print of an agent who may speak on the same channel. */
  agent?: string;
  /** Nobody else speaks on the customer's channel. */
  isCustomerAlone?: boolean;
}

type Heard = Pick<CheckpointReached, 'windows' | 'voice' | 'quality' | 'verdict' | 'speakerChange'>;

/** Whether windows of an agent are looked for. */
export const mayHearAgent = (
  { agent, isCustomerAlone }: AgentOnLine,
  { authentication }: Parameters,
): boolean => agent !== undefined || (authentication.firstSpeakerIsAgent && isCustomerAlone !== true);

/**
 * What a call has learned about its windows. The speaker of a window stays as found, so that the customer's
 * speech does not fluctuate while the call goes on, and an hour of it is not compared again at every
 * checkpoint.
 */
export class KnownWindows {
  /** By their start and end. */
  readonly #isAgents = new Map<string, boolean>();
  /** The first speaker's voice, and how much speech it is based on. */
  #first: { template: Template; netMs: number } | undefined;
  #compared = 0;

  isAgents(window: VoiceWindow): boolean | undefined {
    return this.#isAgents.get(placeOf(window));
  }

  /** Compares a window unless that was done before; true if it has just been found to be the agent's. */
  async compare(window: VoiceWindow, isAgents: () => boolean): Promise<boolean> {
    if (this.isAgents(window) !== undefined) return false;
    // With many at once, other work gets a turn in between.
    if (++this.#compared % COMPARED_AT_ONCE === 0) await yieldToEventLoop();
    const found = isAgents();
    this.#isAgents.set(placeOf(window), found);
    return found;
  }

  /** The voice that spoke first, from everything known to be its own, until that is enough. */
  firstVoice(make: () => Template): Template {
    if (!this.#first) {
      const template = make();
      this.#first = { template, netMs: template.netMs };
    }
    return this.#first.template;
  }

  /** More of the first voice is known: what seemed to be another voice may be the same. */
  learnFirst(window: VoiceWindow): void {
    this.#isAgents.set(placeOf(window), true);
    if ((this.#first?.netMs ?? 0) >= FIRST_VOICE_MS_ENOUGH) return;
    this.#first = undefined;
    for (const [place, isAgents] of this.#isAgents) if (!isAgents) this.#isAgents.delete(place);
  }
}

const placeOf = ({ startMs, endMs }: VoiceWindow): string => `${startMs} ${endMs}`;

/**
 * What was heard of the customer; undefined if nobody but the agent has spoken. `known`: from earlier in the
 * same call.
 */
export async function heardOfCustomer<T extends Heard>(
  opened: OpenedCall,
  line: AgentOnLine,
  heard: T,
  known = new KnownWindows(),
): Promise<T | undefined> {
  if (!mayHearAgent(line, opened.context.parameters)) return heard;
  const others = line.agent
    ? await othersThan(opened, await agentPrint(opened, line.agent), heard, known)
    : await othersThanFirst(opened, heard, known);
  return others.length > 0 ? withWindows(opened, heard, others) : undefined;
}

/** Log-likelihood ratio from which a window is more likely the agent's than anybody else's. */
const AGENT_LLR_MIN = 0;
/**
 * The same for what the agent says in this call, if the print does not recognize it. Chosen on calls of one
 * half of 25 callers: of 156 calls between two people (agent, customer, agent, customer, agent) 132 end as
 * the customer's instead of 120. On the other half 107 of 132 are right at every look (99 before), and 0.7 %
 * of the agents' windows are left (2.1 before); a stranger who takes over from the customer is accepted as
 * often as before in either half (12 of 528, none of 440). With a threshold of 4 it is 10 of 440.
 */
const AGENT_IN_CALL_LLR_MIN = 6;
/** Less speech of others says too little about how they sound. */
const OTHERS_MS_MIN = 3000;
/**
 * Above it, what is left beside the first speaker is more likely the same voice: nobody else has spoken yet.
 */
const OTHER_VOICE_LLR_MOST = -1;
/**
 * The same if there is little speech of one of them. Chosen on calls of one half of 25 callers; on the other
 * half, 1 of 91 calls of one person is taken for two (1 without this threshold), and in calls of two nobody
 * is decided on the first speaker alone (2 of 174).
 */
const BRIEF_VOICE_MS = 6000;
const OTHER_BRIEF_VOICE_LLR_MOST = -3;
/**
 * This much of the first voice is enough to know it; windows compared with it then are not compared again.
 */
const FIRST_VOICE_MS_ENOUGH = 30_000;
/** A new comparison takes up to a millisecond. */
const COMPARED_AT_ONCE = 8;

/** The agent's print; if it could not be compared, the agent's voice would pass for the customer's. */
export async function agentPrint(
  { deps, context }: OpenedCall,
  gkVoiceprintProfileId: string,
): Promise<Template> {
  const profile = await deps.store.read.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
  if (!profile) throw notFound('voiceprint profile', 'target.agent');
  await deferToBetterNode(deps, { listed: [profile] });
  if (!profile.trained || !isCompatible(profile.trained, deps.engine.model))
    throw new AppError(
      'INVALID_REQUEST',
      inEnglish('the print of the agent is not trained for the speaker model in use'),
    );
  return profile.trained.template;
}

type Scored = Pick<Heard, 'voice' | 'windows'>;

/** Whether the windows together are more likely of the voice than not, by this threshold. */
const isLike = (
  opened: OpenedCall,
  template: Template,
  heard: Scored,
  windows: readonly VoiceWindow[],
  llrMin: number,
): boolean => llrOf(opened, template, heard, windows) >= llrMin;

const llrOf = (
  { calibration }: OpenedCall,
  template: Template,
  heard: Scored,
  windows: readonly VoiceWindow[],
): number => scoreSample(calibration.model, template, sampleOf(heard, windows)).llr;

const sampleOf = ({ voice }: Scored, windows: readonly VoiceWindow[]): VoiceSample => ({
  ...voice,
  embedding: voiceOfWindows(windows),
  netMs: netMsOf(windows),
});

function netMsOf(windows: readonly VoiceWindow[]): number {
  return windows.reduce((sum, { netMs }) => sum + netMs, 0);
}

/**
 * The windows in which somebody other than the owner of the print speaks. A print comes from other calls, and
 * not every window of its owner sounds like it; a window that sounds much like those already found, and less
 * like the rest, is the owner's, too.
 */
async function othersThan(
  opened: OpenedCall,
  template: Template,
  heard: Scored,
  known: KnownWindows,
): Promise<VoiceWindow[]> {
  const { windows } = heard;
  for (;;) {
    const own = windows.filter((window) => known.isAgents(window));
    const left = windows.filter((window) => !known.isAgents(window));
    const voice = own.length > 0 ? known.firstVoice(() => voiceIn(opened, heard, own)) : undefined;
    const more: VoiceWindow[] = [];
    for (const window of left) {
      const isFound = await known.compare(
        window,
        () =>
          isLike(opened, template, heard, [window], AGENT_LLR_MIN) ||
          (voice !== undefined && isRatherOf(opened, voice, heard, { window, left })),
      );
      if (isFound) more.push(window);
    }
    if (more.length === 0) return left;
    for (const window of more) known.learnFirst(window);
  }
}

/**
 * Whether a window is much like a voice, and more so than like the rest; false if the rest is too little to
 * say.
 */
function isRatherOf(
  opened: OpenedCall,
  voice: Template,
  heard: Scored,
  { window, left }: { window: VoiceWindow; left: readonly VoiceWindow[] },
): boolean {
  const others = left.filter((other) => other !== window);
  if (netMsOf(others) < OTHERS_MS_MIN) return false;
  const llr = llrOf(opened, voice, heard, [window]);
  return llr >= AGENT_IN_CALL_LLR_MIN && llr > llrOf(opened, voiceIn(opened, heard, others), heard, [window]);
}

const voiceIn = ({ calibration }: OpenedCall, heard: Scored, windows: readonly VoiceWindow[]): Template =>
  buildTemplate(calibration.model, [sampleOf(heard, windows)]);

/**
 * The windows in which somebody other than the first speaker speaks. The first window alone is too little to
 * know a voice by, so windows that sound like it are attributed to the same person, as long as more are
 * found; the rest must be another voice as a whole.
 */
async function othersThanFirst(
  opened: OpenedCall,
  heard: Scored,
  known: KnownWindows,
): Promise<VoiceWindow[]> {
  const { windows } = heard;
  const [opening] = windows;
  if (opening && !known.isAgents(opening)) known.learnFirst(opening);
  for (;;) {
    const first = windows.filter((window) => known.isAgents(window));
    const left = windows.filter((window) => !known.isAgents(window));
    if (first.length === 0 || left.length === 0) return [];
    const template = known.firstVoice(() => voiceIn(opened, heard, first));
    const more: VoiceWindow[] = [];
    for (const window of left)
      if (await known.compare(window, () => isLike(opened, template, heard, [window], AGENT_LLR_MIN)))
        more.push(window);
    if (more.length === 0) {
      const isBrief = Math.min(template.netMs, netMsOf(left)) < BRIEF_VOICE_MS;
      const most = isBrief ? OTHER_BRIEF_VOICE_LLR_MOST : OTHER_VOICE_LLR_MOST;
      return isLike(opened, template, heard, left, most) ? [] : left;
    }
    for (const window of more) known.learnFirst(window);
  }
}

/** The verdict that the engine would give on its own audio. */
export const verdictOn = ({ context }: OpenedCall, quality: AudioQuality): AudioVerdict =>
  judgeAudio(quality, audioGates(context.parameters, false));

/** As if only these had been heard. */
function withWindows<T extends Heard>(opened: OpenedCall, point: T, windows: readonly VoiceWindow[]): T {
  const { speakerChange: _before, ...rest } = point;
  const voice = sampleOf(point, windows);
  const quality = { ...point.quality, netMs: voice.netMs };
  const change = speakerChange(windows);
  return {
    ...(rest as T),
    windows: [...windows],
    voice,
    quality,
    verdict: verdictOn(opened, quality),
    ...(change && { speakerChange: change }),
  };
}
