// One line of a batch: what is known of it while it is processed, and how it can end.
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import type { RequestContext } from '../call/context.js';
import type { ComparisonOutcome } from '../model/comparison.js';
import type { Party } from '../model/entities.js';
import type { Job } from '../model/jobs.js';
import type { BatchDeps } from './deps.js';
import type { BatchSettings, LineResult, OpenLine } from '../model/batches.js';
import { type Said, say } from '../../words/server/say.js';

export interface LineRun {
  deps: BatchDeps;
  job: Job;
  settings: BatchSettings;
  call: Call;
  line: OpenLine;
  /** The person or fraudster named in the line, if there is one. */
  owner?: Party;
  /** A person who existed when the line was begun, even if they have been deleted since. */
  gkPersonId?: string;
  /** What was done for the line before it was told to retry; it is not done twice. */
  done: LineProgress;
}

interface LineProgress {
  context?: RequestContext;
  /** Media segments, by the recording's location. */
  recordings: Map<string, string>;
  /** Bytes that were read and still have to be stored, by location. */
  readAhead: Map<string, Uint8Array>;
  /** Bytes that were stored and still have to be processed, by media segment. */
  stored: Map<string, Uint8Array>;
}

/**
 * A result, or the changes that lead to one: they are made together with it. If `isKept` is false, they are
 * all rolled back, and only the result stays.
 */
export type LineEnd = LineResult | { change(): Promise<Changed> };

export interface Changed {
  result: LineResult;
  isKept: boolean;
}

/** The result of a line that changes nothing else. */
export interface DecidedLine {
  run: LineRun;
  result: LineResult;
}

/** Processes and decides; must not change anything that may not be left over. */
export type LineWork = (run: LineRun) => Promise<LineEnd>;

export const refused = (reason: string, said: Said): LineResult => ({
  outcome: 'REFUSED',
  reason,
  said: [said],
});

/** The fraudster, if somebody on a watchlist was found. */
export function fraudsterOf({
  decision,
  scores: [best],
}: ComparisonOutcome): Pick<LineResult, 'gkFraudsterId'> {
  return decision === 'FRAUD' && best ? { gkFraudsterId: best.candidate.gkOwnerId } : {};
}

export function failed(cause: unknown): LineResult {
  if (!(cause instanceof AppError))
    return { outcome: 'FAILED', reason: 'INTERNAL_ERROR', said: [say('SEE_SERVER_LOG')] };
  const absent = cause.fields.find(({ field }) => field === 'channel_selector.channel');
  if (absent)
    return {
      outcome: 'FAILED',
      reason: 'NO_SUCH_CHANNEL',
      said: [say('NO_SUCH_CHANNEL_IN', { channel: absent.value ?? '' })],
    };
  const [diagnostic] = cause.diagnostics;
  const isRefusal = cause.code === 'PERMISSION_DENIED';
  return {
    outcome: isRefusal ? 'REFUSED' : 'FAILED',
    reason: diagnostic?.code ?? cause.code,
    said: [cause.said],
  };
}

export const isOfPerson = ({ settings }: LineRun): boolean => settings.operation !== 'REGISTER';

/** Begun for a person who was erased since: it must not be processed for somebody else of the same name. */
export const isOfErased = async ({ deps, gkPersonId }: LineRun): Promise<boolean> =>
  gkPersonId !== undefined && (await deps.store.read.erasure.isErased(gkPersonId));

/** The line, with whom it is about. */
export async function withOwner(run: LineRun): Promise<LineRun> {
  const { deps, job, line } = run;
  const { owner: _before, gkPersonId: _person, ...rest } = run;
  if (line.ownerId === '') return rest;
  const kind = isOfPerson(run) ? 'PERSON' : 'FRAUDSTER';
  const owner = await deps.store.read.parties.findByExternalId(job.gkScopeId, kind, line.ownerId);
  const gkPersonId = line.gkPersonId ?? (kind === 'PERSON' ? owner?.gkId : undefined);
  return { ...rest, ...(owner && { owner }), ...(gkPersonId !== undefined && { gkPersonId }) };
}
