// Scores audio against prints and decides: the one place where a voice is compared. Verify, Identify,
// DetectKnownFraudsters and AnalyzeAudio differ only in their candidates.
import { AppError } from '../../errors.js';
import type { VoiceWindow } from '../../voice/embedding/voice-window.js';
import type { CheckpointReached } from '../../voice/engine.js';
import { speakerChange } from '../../voice/quality/speaker-change.js';
import { weaknessOf } from '../../voice/scoring/reliability.js';
import type { VoiceSample } from '../../voice/scoring/speaker-model.js';
import { type Stretch, stretchesOf, windowsUpTo } from '../../voice/scoring/stretches.js';
import type { CandidateScore, ComparisonOutcome, ScoredStretch, Side } from '../model/comparison.js';
import type { AudioModel, ProcessedAudio } from '../model/media.js';
import type { Decision, VoiceprintReason } from '../model/outcome.js';
import type { Parameters } from '../model/parameters.js';
import { authenticationCheckpointsMs, checkpointSeconds, mayStopListening } from '../rules/checkpoints.js';
import { decideScore, decidingLlr, reasonOfAudio, type ScoreScale } from '../rules/decide-score.js';
import {
  comparisonsOf,
  SHORT_STRETCH_NET_MS,
  STRETCH_NET_MS,
  stretchAgainstOwner,
} from '../rules/judge-stretches.js';
import { looksLike } from '../rules/looks.js';
import {
  type Candidates,
  explainNoScores,
  type NamedPrints,
  deferToBetterNode,
  scorable,
} from './candidates.js';
import type { DecisionRun, ProcessPurpose } from './audio-input.js';
import type { OpenedCall } from './opened-call.js';

/** The judgment of an operation that consists of one comparison. */
export function compare(run: DecisionRun, comparison: Comparison): Promise<ComparisonOutcome> {
  return comparison.outcome(run.prepared.audio);
}

interface Question {
  side: Side;
  candidates: Candidates;
  ignoreCheckpoints: boolean;
  /** For a running call: how many looks share the target rate with this one. */
  looks?: number;
}

/** Above this size, reading a list costs more than comparing with it. */
const LARGE_LIST_PRINTS = 50_000;

/** Speech with its windows; empty if they were not stored. */
interface HeardSpeech {
  voice: VoiceSample;
  windows: readonly VoiceWindow[];
}

type Opened = Pick<OpenedCall, 'call' | 'context' | 'calibration'>;

/**
 * One question about one audio. It may be asked while the audio is processed, checkpoint by checkpoint; a
 * decision made there stands, and no sample is scored twice.
 */
export class Comparison {
  readonly #opened: Opened;
  readonly #question: Question;
  readonly #prints: NamedPrints | undefined;
  readonly #nowMs: number;
  /** Net speech of the checkpoints that did not decide. */
  readonly #undecidedAtMs = new Set<number>();
  /** Scores that were computed in advance, together with others. */
  readonly #known = new Map<VoiceSample, CandidateScore[]>();
  #early: ComparisonOutcome | undefined;

  constructor(opened: Opened, question: Question, prints?: NamedPrints, nowMs = 0) {
    this.#opened = opened;
    this.#question = question;
    this.#prints = prints;
    this.#nowMs = nowMs;
  }

  /** With the scorable ones of the named prints; the outcome says why if there is none. */
  static async withPrints(
    opened: OpenedCall,
    prints: NamedPrints,
    question: Omit<Question, 'candidates'>,
  ): Promise<Comparison> {
    await deferToBetterNode(opened.deps, prints);
    const candidates = scorable(opened, prints);
    return new Comparison(opened, { ...question, candidates }, prints, opened.deps.clock.now());
  }

  /** The owner of these prints, if they all belong to one person and none came from a group. */
  get solePerson(): string | undefined {
    const { listed = [], collected } = this.#prints ?? {};
    const [print] = listed;
    if (collected || print?.ownerType !== 'PERSON') return undefined;
    return listed.every(({ gkOwnerId }) => gkOwnerId === print.gkOwnerId) ? print.gkOwnerId : undefined;
  }

  /** Whether no more of the audio is needed. Never throws: see `outcome`. */
  async decidedAt(point: CheckpointReached): Promise<boolean> {
    if (point.verdict.validity !== 'AUDIO_OK') return false;
    try {
      this.#early ??= await this.#decideEarly(point);
    } catch (cause) {
      // It is asked again at the end, and then says why it cannot be answered now.
      if (cause instanceof AppError) return false;
      this.#early = this.#failed(cause, point.voice.netMs);
    }
    return this.#early !== undefined;
  }

  /**
   * A comparison that breaks is FAILED, so that it stays in the session and in the audit trail. One that
   * cannot be made now, because nodes with a part of the prints are unavailable, is an error of the call: it
   * may be retried.
   */
  async outcome(audio: ProcessedAudio): Promise<ComparisonOutcome> {
    try {
      const outcome = await this.#judge(audio);
      if (!this.#prints) return outcome;
      const { coolingOffMinutes } = this.#opened.context.parameters.enrollment;
      return explainNoScores(outcome, this.#prints, { nowMs: this.#nowMs, coolingOffMinutes });
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      return this.#failed(cause, audio.netAudioMs);
    }
  }

  async #judge(audio: ProcessedAudio): Promise<ComparisonOutcome> {
    const { candidates, ignoreCheckpoints } = this.#question;
    const unscored = (decision: Decision, reason: VoiceprintReason): ComparisonOutcome => ({
      decision,
      reason,
      scores: [],
      netSpeechMs: audio.netAudioMs,
      // Nothing was compared.
      prints: 0,
    });
    if (audio.validity === 'MULTIPLE_SPEAKERS_DETECTED')
      return { ...unscored('UNCERTAIN', 'LOW_RELIABILITY'), unreliable: { cause: 'two_voices' } };
    if (audio.validity !== 'AUDIO_OK') return unscored('UNCERTAIN', reasonOfAudio(audio.validity));
    if (audio.netAudioMs < this.#netMsMin) return unscored('UNCERTAIN', 'AUDIO_TOO_SHORT');
    if (!audio.model || candidates.count === 0) return unscored('UNCERTAIN', 'NO_SCORES');
    if (this.#early) return this.#early;

    const { voice, windows = [] } = audio.model;
    const early = ignoreCheckpoints ? undefined : await this.#decidedOnTheWay(audio.model);
    return early ?? this.#decide({ voice, windows }, true);
  }

  /** The first checkpoint before the end that decides. */
  async #decidedOnTheWay({
    voice,
    checkpoints,
    windows = [],
  }: AudioModel): Promise<ComparisonOutcome | undefined> {
    const asked = checkpoints.filter((each) => each.netMs < voice.netMs && this.#isAskedAt(each));
    for (const [index, checkpoint] of asked.entries()) {
      // If there is no early match, the search usually goes on to the end, and one pass through a large list
      // serves for all of it.
      if (!this.#known.has(checkpoint)) await this.#lookAhead([...asked.slice(index), voice], index === 0);
      const early = await this.#decideEarly({
        voice: checkpoint,
        windows: windowsUpTo(windows, checkpoint.netMs),
      });
      if (early) return early;
    }
    return undefined;
  }

  /** Whether this is one of the question's own checkpoints, with enough speech for a decision. */
  #isAskedAt(sample: VoiceSample): boolean {
    const { side, candidates } = this.#question;
    const { authentication, fraudDetection } = this.#opened.context.parameters;
    const seconds =
      side === 'AUTHENTICATION'
        ? authentication.checkpointsForAuthentication
        : fraudDetection.checkpointsForFraudDetection;
    if (!seconds.some((second) => isReachedAt(sample, second))) return false;
    if (sample.netMs < this.#netMsMin || candidates.count === 0) return false;
    return !this.#undecidedAtMs.has(sample.netMs);
  }

  /** The decision, if one is due now and is certain. */
  async #decideEarly(heard: HeardSpeech): Promise<ComparisonOutcome | undefined> {
    const { side } = this.#question;
    const { voice: sample } = heard;
    if (!this.#isAskedAt(sample)) return undefined;
    const decided = await this.#decide(heard, false);
    if (decided.decision === (side === 'AUTHENTICATION' ? 'AUTHENTIC' : 'FRAUD')) return decided;
    this.#undecidedAtMs.add(sample.netMs);
    return undefined;
  }

  /** By the voice of the whole, and by the stretch that speaks against it. */
  async #decide({ voice, windows }: HeardSpeech, isLast: boolean): Promise<ComparisonOutcome> {
    const stretches = stretchesOf(voice, windows, STRETCH_NET_MS);
    const isFraud = this.#question.side === 'FRAUD_DETECTION';
    // Hardly anybody is a known fraudster, so the stretches will usually be needed as well.
    if (isFraud && !this.#known.has(voice))
      await this.#lookAhead([voice, ...stretches.map(({ sample }) => sample)], true);
    const [scores = []] = await this.#nearestOf([voice]);
    const whole = this.#decideSample(voice, scores, this.#looksAt(voice, isLast));
    if (isFraud)
      return whole.decision === 'FRAUD' ? whole : ((await this.#fraudIn(stretches, voice.netMs)) ?? whole);
    const best = whole.scores[0];
    if (whole.decision !== 'AUTHENTIC' || !best) return whole;
    const against = stretchAgainstOwner(
      {
        stretches: await this.#scored(stretches, best),
        shortStretches: await this.#scored(stretchesOf(voice, windows, SHORT_STRETCH_NET_MS), best),
        speakerChange: speakerChange(windows),
      },
      this.#opened.context.parameters.authentication.stretchLlrMin,
      this.#opened.calibration.model,
    );
    if (!against) return whole;
    // Somebody else may have spoken there: neither a match nor a mismatch can be trusted.
    const { risk } = this.#decideScore(against, 1);
    const { stretchLlrMin: limit } = this.#opened.context.parameters.authentication;
    const unreliable = { cause: 'two_voices', value: against.llr, limit } as const;
    return { ...whole, decision: 'UNCERTAIN', reason: 'LOW_RELIABILITY', risk, stretch: against, unreliable };
  }

  /** A known fraudster stays one, whoever speaks before and after. */
  async #fraudIn(stretches: readonly Stretch[], netMs: number): Promise<ComparisonOutcome | undefined> {
    let worst: ComparisonOutcome | undefined;
    const scores = await this.#nearestOf(stretches.map(({ sample }) => sample));
    for (const [index, { sample, startMs, endMs }] of stretches.entries()) {
      const found = this.#decideSample(sample, scores[index] ?? [], comparisonsOf(netMs));
      if (found.decision !== 'FRAUD' || (found.risk?.risk ?? 0) <= (worst?.risk?.risk ?? -1)) continue;
      const { llr = 0, reliability = 0 } = found.scores[0] ?? {};
      worst = { ...found, netSpeechMs: netMs, stretch: { startMs, endMs, llr, reliability } };
    }
    return worst;
  }

  /** The stretches against the print that the whole recording matches. */
  async #scored(stretches: readonly Stretch[], { candidate }: CandidateScore): Promise<ScoredStretch[]> {
    if (stretches.length === 0) return [];
    const { model } = this.#opened.calibration;
    const samples = stretches.map(({ sample }) => sample);
    const found = await this.#question.candidates.scores(model, samples, candidate.gkVoiceprintProfileId);
    return stretches.flatMap(({ startMs, endMs }, index) => {
      const score = found?.[index];
      if (!score) return [];
      if (Number.isNaN(score.llr)) throw notANumber();
      return { startMs, endMs, llr: score.llr, reliability: score.reliability };
    });
  }

  #decideSample(sample: VoiceSample, scores: CandidateScore[], looks = 1): ComparisonOutcome {
    const { count: prints } = this.#question.candidates;
    const best = scores[0];
    const base = { scores, netSpeechMs: sample.netMs, prints, ...(looks > 1 && { looks }) };
    if (!best) return { ...base, decision: 'UNCERTAIN', reason: 'NO_SCORES' };
    const decided = this.#decideScore(best, looks);
    return {
      ...base,
      ...decided,
      ...(decided.reason === 'LOW_RELIABILITY' && this.#unreliable(sample, best)),
    };
  }

  /** Known scores are dropped here: nobody asks twice. */
  async #nearestOf(samples: readonly VoiceSample[]): Promise<CandidateScore[][]> {
    const open = samples.filter((sample) => !this.#known.has(sample));
    const scores = open.length > 0 ? await this.#nearest(open) : [];
    const asked = new Map(open.map((sample, index) => [sample, scores[index] ?? []]));
    return samples.map((sample) => {
      const found = asked.get(sample) ?? this.#known.get(sample) ?? [];
      this.#known.delete(sample);
      return found;
    });
  }

  /**
   * `isFirst`: only up to the sample that will decide. If it does not decide after all, because somebody else
   * may speak in between, the rest is requested then.
   */
  async #lookAhead(samples: readonly VoiceSample[], isFirst: boolean): Promise<void> {
    const { candidates } = this.#question;
    const [first] = samples;
    if (candidates.count < LARGE_LIST_PRINTS || !first) return;
    const looks = this.#looksAt(first, samples.length === 1);
    const scores = await this.#nearest(
      samples,
      isFirst ? decidingLlr(this.#scale, candidates.count * looks) : undefined,
    );
    for (const [index, each] of scores.entries()) this.#known.set(samples[index] as VoiceSample, each);
  }

  async #nearest(samples: readonly VoiceSample[], enoughLlr?: number): Promise<CandidateScore[][]> {
    const { model } = this.#opened.calibration;
    const scores = await this.#question.candidates.nearest(model, samples, enoughLlr);
    // Every comparison with NaN is false: it would pass for a mismatch and count against the print.
    if (scores.some((each) => each.some(({ llr }) => Number.isNaN(llr)))) throw notANumber();
    return scores;
  }

  /** How many looks share the target rate with this one. */
  #looksAt({ netMs }: VoiceSample, isLast: boolean): number {
    const { side, ignoreCheckpoints, looks = 1 } = this.#question;
    if (side === 'FRAUD_DETECTION' || ignoreCheckpoints) return looks;
    const { parameters } = this.#opened.context;
    return looksLike({ netMs, isLast }, authenticationCheckpointsMs(parameters), parameters);
  }

  #unreliable(
    { netMs: netTestMs, snrDb }: VoiceSample,
    { reliability: value, weakness }: CandidateScore,
  ): Pick<ComparisonOutcome, 'unreliable'> {
    const { authentication, fraudDetection } = this.#opened.context.parameters;
    const { reliabilityMin: limit } =
      this.#question.side === 'AUTHENTICATION' ? authentication : fraudDetection;
    // Of a print in a large list, only the recording is known here.
    const heard = { netTestMs, snrDb, netEnrolMs: Infinity, narrowSides: 0 } as const;
    return { unreliable: { cause: weakness ?? weaknessOf(heard), value, limit } };
  }

  #decideScore(score: { llr: number; reliability: number }, looks: number) {
    return decideScore(this.#scale, score, this.#question.candidates.count * looks);
  }

  get #scale(): ScoreScale {
    const { parameters } = this.#opened.context;
    const { model } = this.#opened.calibration;
    return { side: this.#question.side, model, parameters };
  }

  get #netMsMin(): number {
    const { authentication, fraudDetection } = this.#opened.context.parameters;
    const { netSpeechSecondsMin } =
      this.#question.side === 'AUTHENTICATION' ? authentication : fraudDetection;
    return netSpeechSecondsMin * 1000;
  }

  #failed(cause: unknown, netSpeechMs: number): ComparisonOutcome {
    const { side } = this.#question;
    this.#opened.call.log.error({ cause: String(cause), side }, 'a voice comparison failed');
    return { decision: 'FAILED', reason: 'INTERNAL_ERROR', scores: [], netSpeechMs, prints: 0 };
  }
}

const notANumber = (): RangeError => new RangeError('a score is not a number');

/** Checkpoint samples contain slightly more than requested, because speech comes in frames. */
function isReachedAt(checkpoint: VoiceSample, seconds: number): boolean {
  return checkpoint.netMs >= seconds * 1000 - 1 && checkpoint.netMs < seconds * 1000 + 500;
}

/**
 * How Verify and similar operations use audio: up to the checkpoint that decides all of the comparisons, or
 * all of it. Checkpoints are those of the config set, unless they are off.
 */
export function comparisonPurpose(
  parameters: Parameters,
  comparisons: readonly Comparison[],
  ignoreCheckpoints: boolean,
  spoof = { synthetic: false, playback: false },
): ProcessPurpose {
  const base = { forEnrollment: false, spoof, printType: 'VOICEPRINT', heardInCheck: true } as const;
  if (ignoreCheckpoints) return { ...base, checkpointSeconds: [] };
  return {
    ...base,
    checkpointSeconds: checkpointSeconds(parameters),
    ...(mayStopListening(parameters, spoof) && { enough: (point) => allDecided(comparisons, point) }),
  };
}

/** The purpose of an operation that is one comparison. */
export function purposeOfComparison(
  { context }: OpenedCall,
  comparison: Comparison,
  { ignoreCheckpoints }: { ignoreCheckpoints: boolean },
): ProcessPurpose {
  return comparisonPurpose(context.parameters, [comparison], ignoreCheckpoints);
}

async function allDecided(comparisons: readonly Comparison[], point: CheckpointReached): Promise<boolean> {
  let all = true;
  for (const comparison of comparisons) all = (await comparison.decidedAt(point)) && all;
  return all;
}
