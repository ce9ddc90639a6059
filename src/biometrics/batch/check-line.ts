// A line that checks a recording: verified where it names a person, else analyzed for attacks and known fraudsters.
import { AppError } from '../../errors.js';
import { analyzeAudio } from '../operations/analyze-audio.js';
import { verify } from '../operations/verify.js';
import type { RequestContext } from '../call/context.js';
import type { LineResult } from '../model/batches.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { AudioInput } from '../operations/audio-input.js';
import { bring, readFirst, recordingsOf, requireRecordings } from './bring-recording.js';
import { fraudsterOf, refused, sessionOf, type LineEnd, type LineRun } from './line.js';

export async function checkLine(run: LineRun): Promise<LineEnd> {
  const { settings, line } = run;
  const print = line.ownerId === '' ? undefined : await printOf(run);
  if (print && 'outcome' in print) return print;
  const { recordings } = await recordingsOf(run);
  if (settings.dryRun) await requireRecordings(run, recordings.slice(0, 1));
  else await readFirst(run, recordings);
  const [recording] = recordings;
  if (settings.dryRun || !recording)
    return { outcome: 'WOULD_BE_DONE', reason: 'DECIDED', message: print ? 'verified' : 'analyzed' };
  const context = await sessionOf(run);
  const audio = await bring(run, context, recording);
  const input = { context, audio, ignoreCheckpoints: true };
  return {
    change: async () => {
      const facts = print ? await verified(run, input, print) : await analyzed(run, input);
      const { gkSessionId } = context;
      return {
        isKept: true,
        result: { outcome: 'DONE', message: '', ...(gkSessionId && { gkSessionId }), ...facts },
      };
    },
  };
}

interface Heard {
  context: RequestContext;
  audio: AudioInput;
  ignoreCheckpoints: boolean;
}

type Facts = Omit<LineResult, 'outcome' | 'message'>;

async function verified({ deps, call }: LineRun, input: Heard, print: EnrolledPrint): Promise<Facts> {
  const { gkVoiceprintProfileId } = print;
  const { outcome } = await verify(deps, call, { ...input, gkVoiceprintProfileId });
  return { ...print, ...factsOf(outcome) };
}

async function analyzed({ deps, call, settings }: LineRun, input: Heard): Promise<Facts> {
  const { gkWatchlistId } = settings;
  const { decision, reason, risk, fraud, synthetic, playback, audio } = await analyzeAudio(deps, call, {
    ...input,
    ...(gkWatchlistId !== '' && { watchlist: { gkId: gkWatchlistId } }),
    checks: { synthetic: true, playback: true },
  });
  return {
    ...(fraud ? { ...factsOf(fraud), ...fraudsterOf(fraud) } : { netSpeechMs: audio.netAudioMs }),
    decision,
    reason,
    ...(risk && { risk }),
    ...(synthetic?.risk && { syntheticRisk: synthetic.risk }),
    ...(playback?.risk && { playbackRisk: playback.risk }),
  };
}

function factsOf({ decision, reason, scores: [best], risk, netSpeechMs }: ComparisonOutcome): Facts {
  return { decision, reason, netSpeechMs, ...(best && { score: best.llr }), ...(risk && { risk }) };
}

interface EnrolledPrint {
  gkOwnerId: string;
  gkVoiceprintProfileId: string;
}

async function printOf({ deps, job, owner: person, settings }: LineRun): Promise<EnrolledPrint | LineResult> {
  const { profiles } = deps.store.read;
  const prints = person ? await profiles.listByOwner(job.gkScopeId, person.gkId) : [];
  const { tag: wanted } = settings;
  const [print, ...others] = prints.filter(
    ({ tag, trained }) => trained && (wanted === '' || tag === wanted),
  );
  if (!person || !print)
    throw new AppError('NOT_FOUND', 'this person has no trained print', {
      diagnostics: [{ code: 'NOT_ENROLLED' }],
    });
  if (others.length > 0) {
    const tags = [print, ...others].map(({ tag }) => tag).sort();
    return refused(
      'TAG_NEEDED',
      `this person has several voiceprints; name one by its tag: ${tags.join(', ')}`,
    );
  }
  return { gkOwnerId: person.gkId, gkVoiceprintProfileId: print.gkVoiceprintProfileId };
}
