// Recordings of a corpus as calls: people enrolled with three other recordings, then heard as a live call is, look by look, by
// the rules of the product. What counts is the whole call, and what was shown on the way. Pure.
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import { seededRandom } from '../../voice/evaluation/metrics.js';
import { speakerChange } from '../../voice/quality/speaker-change.js';
import { scoreSample } from '../../voice/scoring/score.js';
import type { SpeakerModel, VoiceSample } from '../../voice/scoring/speaker-model.js';
import { stretchesOf, windowsUpTo } from '../../voice/scoring/stretches.js';
import { buildTemplate, type Template } from '../../voice/scoring/template.js';
import type { Parameters } from '../model/parameters.js';
import { FIRST_LIVE_CHECKPOINT_MS, liveCheckpointsMs } from '../rules/checkpoints.js';
import { decideScore } from '../rules/decide-score.js';
import { SHORT_STRETCH_NET_MS, STRETCH_NET_MS, stretchAgainstOwner } from '../rules/judge-stretches.js';
import { isBorderline, isEarly, looksLike, type Look } from '../rules/looks.js';

/** A recording as it was heard. */
export interface HeardCall {
  name: string;
  speaker: string;
  voice: VoiceSample;
  windows: readonly VoiceWindow[];
  /** Its voice at the live checkpoints that it reaches. */
  checkpoints: readonly VoiceSample[];
}

export type CallState = 'LISTENING' | 'AUTHENTIC' | 'NO_MATCH' | 'UNCERTAIN';

interface Shown {
  netMs: number;
  state: CallState;
}

/** One call by somebody who says that they are the owner of a print. */
export interface CallTrial {
  isOwner: boolean;
  /** Owner of the print, and who speaks. */
  people: readonly [string, string];
  /** The state after each look; the last one is that of the whole call. */
  shown: readonly Shown[];
}

interface Scale {
  model: SpeakerModel;
  parameters: Parameters;
}

const ENROLLED = 3;
/** Prints of as many others are tried on each call: all of them in small corpora. */
const OTHERS_MAX = 50;

/** Each call against a print of its speaker, and against those of others; none without people who have four recordings. */
export function callTrials(scale: Scale, calls: readonly HeardCall[], seed = 1): CallTrial[] {
  const random = seededRandom(seed);
  const bySpeaker = new Map<string, HeardCall[]>();
  for (const call of calls) bySpeaker.set(call.speaker, [...(bySpeaker.get(call.speaker) ?? []), call]);
  const people = [...bySpeaker].filter(([, own]) => own.length > ENROLLED);
  const printOf = (recordings: readonly HeardCall[]): Template =>
    buildTemplate(
      scale.model,
      drawn(recordings, ENROLLED, random).map(({ voice }) => voice),
    );
  const prints = new Map(people.map(([person, own]) => [person, printOf(own)]));
  return people.flatMap(([speaker, own]) =>
    own.flatMap((call) => {
      const others = [...prints].filter(([person]) => person !== speaker);
      const tried: [string, Template][] = [
        [speaker, printOf(own.filter((other) => other !== call))],
        ...drawn(others, OTHERS_MAX, random),
      ];
      return tried.map(([person, print]) => ({
        isOwner: person === speaker,
        people: [person, speaker] as const,
        shown: statesOf(scale, print, call),
      }));
    }),
  );
}

function drawn<T>(all: readonly T[], count: number, random: () => number): T[] {
  const left = [...all];
  const chosen: T[] = [];
  while (chosen.length < count && left.length > 0)
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  return chosen;
}

/** What is shown of a call, look by look. */
function statesOf(scale: Scale, print: Template, { voice, windows, checkpoints }: HeardCall): Shown[] {
  const shown: Shown[] = [];
  const looks = [
    ...checkpoints.filter(({ netMs }) => netMs >= FIRST_LIVE_CHECKPOINT_MS - 1 && netMs < voice.netMs),
    voice,
  ];
  for (const [index, sample] of looks.entries()) {
    const look = { netMs: sample.netMs, isLast: index === looks.length - 1 };
    const heard = look.isLast ? windows : windowsUpTo(windows, sample.netMs);
    const found = decideLook(scale, print, { sample, windows: heard }, look);
    // What is left open changes nothing.
    shown.push({ netMs: sample.netMs, state: found ?? shown.at(-1)?.state ?? 'LISTENING' });
  }
  return shown;
}

/** As a live call decides; undefined if more speech is to tell. */
function decideLook(
  { model, parameters }: Scale,
  print: Template,
  { sample, windows }: { sample: VoiceSample; windows: readonly VoiceWindow[] },
  look: Look,
): Exclude<CallState, 'LISTENING'> | undefined {
  const scale = { side: 'AUTHENTICATION', model, parameters } as const;
  const score = scoreSample(model, print, sample);
  const { decision, risk } = decideScore(scale, score, looksLike(look, liveCheckpointsMs, parameters));
  if (decision === 'NO_MATCH')
    return isEarly(look, parameters) && isBorderline(risk.risk, parameters) ? undefined : 'NO_MATCH';
  if (decision !== 'AUTHENTIC') return 'UNCERTAIN';
  const scored = (netMs: number) =>
    stretchesOf(sample, windows, netMs).map((stretch) => ({
      ...stretch,
      ...scoreSample(model, print, stretch.sample),
    }));
  const against = stretchAgainstOwner(
    {
      stretches: scored(STRETCH_NET_MS),
      shortStretches: scored(SHORT_STRETCH_NET_MS),
      speakerChange: speakerChange(windows),
    },
    parameters.authentication.stretchLlrMin,
    model,
  );
  return against ? 'UNCERTAIN' : 'AUTHENTIC';
}
