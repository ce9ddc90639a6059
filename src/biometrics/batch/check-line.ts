// A line that checks a recording: verified where it names a person, else analyzed for attacks and known fraudsters.
import { AppError } from '../../errors.js';
import { analyzeAudio } from '../operations/analyze-audio.js';
import { verify } from '../operations/verify.js';
import type { Decision } from '../model/outcome.js';
import { bring, recordingsOf, requireRecordings } from './bring-recording.js';
import { sessionOf, type LineEnd, type LineRun } from './line.js';

export async function checkLine(run: LineRun): Promise<LineEnd> {
  const { deps, call, settings, line } = run;
  const print = line.ownerId === '' ? undefined : await printOf(run);
  const recordings = await recordingsOf(run);
  await requireRecordings(run, recordings.slice(0, 1));
  const [recording] = recordings;
  if (settings.dryRun || !recording)
    return { outcome: 'WOULD_BE_DONE', reason: 'DECIDED', message: print ? 'verified' : 'analyzed' };
  const context = await sessionOf(run);
  const audio = await bring(run, context, recording);
  const done = (decision: Decision, reason: string) => ({
    isKept: true,
    result: {
      outcome: 'DONE' as const,
      reason,
      message: '',
      decision,
      ...(context.gkSessionId && { gkSessionId: context.gkSessionId }),
      ...(print && print),
    },
  });
  return {
    change: async () => {
      if (print) {
        const { gkVoiceprintProfileId } = print;
        const verified = await verify(deps, call, {
          context,
          audio,
          gkVoiceprintProfileId,
          ignoreCheckpoints: true,
        });
        return done(verified.outcome.decision, verified.outcome.reason);
      }
      const { gkWatchlistId } = settings;
      const analyzed = await analyzeAudio(deps, call, {
        context,
        audio,
        ...(gkWatchlistId !== '' && { watchlist: { gkId: gkWatchlistId } }),
        checks: { synthetic: true, playback: true },
        ignoreCheckpoints: true,
      });
      return done(analyzed.decision, analyzed.reason);
    },
  };
}

async function printOf({ deps, job, line, settings }: LineRun) {
  const { parties, profiles } = deps.store.read;
  const person = await parties.findByExternalId(job.gkScopeId, 'PERSON', line.ownerId);
  const prints = person ? await profiles.listByOwner(job.gkScopeId, person.gkId) : [];
  const print = prints.find(({ tag, trained }) => tag === settings.tag && trained);
  if (!person || !print)
    throw new AppError('NOT_FOUND', 'this person has no trained print', {
      diagnostics: [{ code: 'NOT_ENROLLED' }],
    });
  return { gkOwnerId: person.gkId, gkVoiceprintProfileId: print.gkVoiceprintProfileId };
}
