// Agent and customer on one channel: windows of speech that sound like the agent are left out before a call is judged. What is left
// out can only take evidence away; too little that remains decides nothing.
import { AppError, notFound } from '../../errors.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { CheckpointReached, VoiceWindow } from '../../voice/engine.js';
import { defaultGates, judgeAudio } from '../../voice/quality/judge-audio.js';
import { speakerChange } from '../../voice/quality/speaker-change.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import { buildTemplate, type Template } from '../../voice/scoring/template.js';
import { audioGates } from '../media/audio-gates.js';
import type { Parameters } from '../model/parameters.js';
import { isCompatible } from '../rules/usable-print.js';
import { refuseBetterElsewhere } from './leave-to-others.js';
import type { OpenedCall } from './opened-call.js';

/** Who else than the customer may speak in a call. */
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

/** What was heard of the customer; undefined where nobody but the agent has spoken. */
export async function heardOfCustomer<T extends Heard>(
  opened: OpenedCall,
  line: AgentOnLine,
  heard: T,
): Promise<T | undefined> {
  if (!mayHearAgent(line, opened.context.parameters)) return heard;
  const others = line.agent
    ? othersThan(opened, await agentPrint(opened, line.agent), heard)
    : othersThanFirst(opened, heard);
  return others.length > 0 ? withWindows(opened, heard, others) : undefined;
}

/** Log-likelihood ratio from which on a window is rather the agent's than anybody else's. */
const AGENT_LLR_MIN = 0;
/** Above it, what is left beside the first speaker is rather the same voice: nobody else has spoken yet. */
const OTHER_VOICE_LLR_MOST = -1;

/** The agent's print; one that cannot be compared would let the agent's voice pass for the customer's. */
export async function agentPrint(
  { deps, context }: OpenedCall,
  gkVoiceprintProfileId: string,
): Promise<Template> {
  const profile = await deps.store.read.profiles.find(context.gkScopeId, gkVoiceprintProfileId);
  if (!profile) throw notFound('voiceprint profile', 'target.agent');
  await refuseBetterElsewhere(deps, { listed: [profile] });
  if (!profile.trained || !isCompatible(profile.trained, deps.engine.model))
    throw new AppError(
      'INVALID_REQUEST',
      'the print of the agent is not trained for the speaker model in use',
    );
  return profile.trained.template;
}

type Scored = Pick<Heard, 'voice' | 'windows'>;

const likenessTo = ({ calibration }: OpenedCall, template: Template, sample: VoiceSample): number =>
  scoreSample(calibration.model, template, sample).llr;

const sampleOf = ({ voice }: Scored, windows: readonly VoiceWindow[]): VoiceSample => ({
  ...voice,
  embedding: voiceOfWindows(windows),
  netMs: windows.reduce((sum, { netMs }) => sum + netMs, 0),
});

/** The windows in which somebody else than the owner of the print speaks. */
const othersThan = (opened: OpenedCall, template: Template, heard: Scored): VoiceWindow[] =>
  heard.windows.filter((window) => likenessTo(opened, template, sampleOf(heard, [window])) < AGENT_LLR_MIN);

/**
 * The windows in which somebody else speaks than in the first one. That alone is too little to know a voice by, so windows that sound like
 * it are taken as the same person's, as long as more are found; what is left has to be another voice as a whole.
 */
function othersThanFirst(opened: OpenedCall, heard: Scored): VoiceWindow[] {
  const { windows } = heard;
  let others = windows.slice(1);
  for (;;) {
    const first = windows.filter((window) => !others.includes(window));
    if (first.length === 0 || others.length === 0) return others;
    const template = buildTemplate(opened.calibration.model, [sampleOf(heard, first)]);
    const left = othersThan(opened, template, { ...heard, windows: others });
    if (left.length === others.length)
      return likenessTo(opened, template, sampleOf(heard, left)) < OTHER_VOICE_LLR_MOST ? left : [];
    others = left;
  }
}

/** As if nothing but these had been heard. */
function withWindows<T extends Heard>({ context }: OpenedCall, point: T, windows: readonly VoiceWindow[]): T {
  const { speakerChange: _before, ...rest } = point;
  const voice = sampleOf(point, windows);
  const quality = { ...point.quality, netMs: voice.netMs };
  const change = speakerChange(windows);
  return {
    ...(rest as T),
    windows: [...windows],
    voice,
    quality,
    verdict: judgeAudio(quality, { ...defaultGates('verify'), ...audioGates(context.parameters, false) }),
    ...(change && { speakerChange: change }),
  };
}
