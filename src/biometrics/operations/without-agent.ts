// Agent and customer on one channel: windows of speech that sound like the agent are left out before a call is judged. What is left
// out can only take evidence away; too little that remains decides nothing.
import { AppError, notFound } from '../../errors.js';
import { voiceOfWindows } from '../../voice/embedding/speech-windows.js';
import type { CheckpointReached, VoiceWindow } from '../../voice/engine.js';
import { defaultGates, judgeAudio } from '../../voice/quality/judge-audio.js';
import { speakerChange } from '../../voice/quality/speaker-change.js';
import { scoreSample } from '../../voice/scoring/score.js';
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
  const template = line.agent ? await agentPrint(opened, line.agent) : firstSpeaker(opened, heard);
  return template ? withoutAgent(opened, template, heard) : heard;
}

/** Log-likelihood ratio from which on a window is rather the agent's than anybody else's. */
const AGENT_LLR_MIN = 0;

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

/** The voice of the first window of speech, as if it were a print. */
function firstSpeaker({ calibration }: OpenedCall, { voice, windows }: Heard): Template | undefined {
  if (!windows[0]) return undefined;
  const { embedding, netMs } = windows[0];
  return buildTemplate(calibration.model, [{ ...voice, embedding, netMs }]);
}

function withoutAgent<T extends Heard>(
  { calibration, context }: OpenedCall,
  template: Template,
  point: T,
): T | undefined {
  const isAgent = ({ embedding, netMs }: VoiceWindow): boolean =>
    scoreSample(calibration.model, template, { ...point.voice, embedding, netMs }).llr >= AGENT_LLR_MIN;
  const windows = point.windows.filter((window) => !isAgent(window));
  if (windows.length === 0) return undefined;
  const { speakerChange: _before, ...rest } = point;
  const netMs = windows.reduce((sum, window) => sum + window.netMs, 0);
  const quality = { ...point.quality, netMs };
  const change = speakerChange(windows);
  return {
    ...(rest as T),
    windows,
    voice: { ...point.voice, embedding: voiceOfWindows(windows), netMs },
    quality,
    verdict: judgeAudio(quality, { ...defaultGates('verify'), ...audioGates(context.parameters, false) }),
    ...(change && { speakerChange: change }),
  };
}
