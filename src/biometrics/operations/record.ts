// Storing what an operation measured and concluded: new processed audio, the factors of the session, and the audit record.
import { notFound } from '../../errors.js';
import { audit } from '../call/audit.js';
import { eraseIfErased, erasedOwnerOf } from '../call/late-erasure.js';
import { askedIn } from '../call/tie-speaker.js';
import type { Factor } from '../model/sessions.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { DecisionRecord, FactorResult } from './decision-records.js';
import type { DecisionRun } from './decision-run.js';
import type { PreparedAudio } from './process-media.js';
import { heardChannel } from '../rules/heard-channel.js';
import { isOfTrial, storeFactor } from './store-factor.js';

/** The answer of an operation, and what has to be stored about it. */
export interface Conclusion<Result> {
  result: Result;
  /** At least one: every call on audio leaves a trace. */
  records: readonly DecisionRecord[];
}

interface Concluding<Decided, Result> {
  name: string;
  conclude(tx: BiometricsTransaction, run: DecisionRun, decided: Decided): Promise<Conclusion<Result>>;
}

/**
 * The work of one transaction. The audio is stored before the rest, because an operation may change what it
 * belongs to. But first comes the person whose voice it is said to be: their erasure begins there too, and in
 * another order the two would wait for each other.
 */
export function storeDecision<Decided, Result>(
  run: DecisionRun,
  operation: Concluding<Decided, Result>,
  { decided, speaker }: { decided: Decided; speaker: string | undefined },
): (tx: BiometricsTransaction) => Promise<Result> {
  return async (tx) => {
    if (speaker !== undefined) await tx.erasure.hold([speaker]);
    await storeAudio(tx, run.prepared);
    const { result, records } = await operation.conclude(tx, run, decided);
    if (records.length === 0) throw new Error(`${operation.name} left no record of what it heard`);
    for (const record of records) await storeRecord(tx, run, operation.name, record);
    if (speaker !== undefined)
      await tx.erasure.noteAsked({
        gkScopeId: run.context.gkScopeId,
        gkPersonId: speaker,
        ...askedIn(run.context),
      });
    return result;
  };
}

/** Newly processed audio. */
export async function storeAudio(tx: BiometricsTransaction, prepared: PreparedAudio): Promise<void> {
  if (!prepared.isNew) return;
  // It may have been deleted, or erased with its person, while it was processed: then nothing of it is kept.
  const stored = await tx.media.find(prepared.audio.gkScopeId, prepared.audio.gkMediaSegmentId);
  if (!stored) throw notFound('media segment');
  await tx.processedAudios.insert(prepared.audio);
  const { lengthMs, sampleRateHz, channels, modifiedAtMs } = prepared.media ?? stored;
  if (stored.lengthMs !== undefined || lengthMs === undefined) return;
  // Into the current row: it may have been put on hold while it was processed.
  await tx.media.update({
    ...stored,
    lengthMs,
    ...(sampleRateHz !== undefined && { sampleRateHz }),
    ...(channels !== undefined && { channels }),
    modifiedAtMs,
  });
}

export async function storeRecord(
  tx: BiometricsTransaction,
  run: DecisionRun,
  operation: string,
  { type, subjects, detail, factor, operation: own = operation }: DecisionRecord,
): Promise<void> {
  const { call, context, calibration } = run;
  const { gkScopeId, engagement, session, configset } = context;
  if (factor) {
    const { media } = run.prepared;
    await storeFactor(tx, run, {
      operation,
      calibrationRevisionId: calibration.revisionId,
      // Speech of a live call belongs to this session.
      isTest: media !== undefined && (await isOfTrial(tx, session, media)),
      ...(await withoutErased(tx, run, factor)),
      ...(await channelIn(tx, run)),
    });
  }
  await audit(tx, call, {
    type,
    operation: own,
    gkScopeId,
    gkEngagementId: engagement.gkEngagementId,
    gkSessionId: session.gkSessionId,
    configsetId: configset.configsetId,
    subjects,
    detail: { ...detail, configsetRevisionId: configset.gkConfigsetRevisionId },
  });
}

/** For a live call, which has no recording, what the telephone system sends is the caller. */
async function channelIn(
  tx: BiometricsTransaction,
  { prepared: { audio, media } }: DecisionRun,
): Promise<Pick<Factor, 'channel'>> {
  const { gkScopeId, gkMediaSegmentId } = audio;
  const recording = media ?? (gkMediaSegmentId && (await tx.media.find(gkScopeId, gkMediaSegmentId)));
  const channel = recording ? heardChannel(audio, recording) : undefined;
  return channel ? { channel } : {};
}

/** A compared person may have been erased meanwhile, with the print that would tie the recording to them. */
async function withoutErased(
  tx: BiometricsTransaction,
  { deps, context: { gkScopeId }, prepared: { audio } }: DecisionRun,
  factor: FactorResult,
): Promise<FactorResult & { gkProcessedAudioId?: string }> {
  const { gkProcessedAudioId, gkMediaSegmentId } = audio;
  const print = factor.gkVoiceprintProfileId;
  const erased = print && (await erasedOwnerOf(tx, gkScopeId, print));
  if (!erased) return { ...factor, gkProcessedAudioId };
  const isSaidOfOne = factor.decision === 'AUTHENTIC' || (factor.prints ?? 0) <= 1;
  if (factor.kind === 'AUTHENTICATION' && isSaidOfOne && gkMediaSegmentId) {
    await tx.media.tie(gkScopeId, gkMediaSegmentId, erased);
    await eraseIfErased(deps, tx, { gkScopeId, gkPersonId: erased });
  }
  const { kind, decision, reason, netSpeechMs } = factor;
  return { kind, decision, reason, netSpeechMs };
}
