// The erasure job behind DeletePersonalData: prints, recordings that contain the person's voice and
// everything computed from them, scores, details, and the personal part of the audit trail. Recordings on
// legal hold, of engagements judged as fraud and those in which somebody else was recognized stay; the proof
// counts what there was and what was kept and why.
//
// Rows are deleted first, in one transaction that also notes which bytes have to follow: after a crash in
// between, the job continues from there. Then follows what concurrent calls have linked to the person. The
// proof is written when a check of tables and bytes finds nothing left; what comes even later is erased by
// another job (call/data-subjects.ts). That job is started again if more comes while it runs: its current worker
// leaves the proof to the next one, with everything that was to follow.
import { systemActor, auditDetail } from '../../audit/model.js';
import { type DeletePersonalDataJobInput, isRepeatErasure } from '../call/data-subjects.js';
import { deletePrintsOf } from '../entities/change-party.js';
import type { MediaDeps } from '../media/deps.js';
import type { Job } from '../model/jobs.js';
import type { MediaSegment } from '../model/media.js';
import type { LinksLookedAt } from '../ports/erasure.js';
import type { BiometricsTransaction } from '../ports/store.js';
import type { ReasonToKeep, KeptRecording } from '../rules/erasure.js';
import { forgetDecisionScores } from './forget-decision-scores.js';
import { forgetEngagements, type PersonToForget } from './forget-engagements.js';
import { forgetLiveCalls, takeBackLate } from './forget-live-calls.js';
import {
  countLines,
  findLateLines,
  findLines,
  forgetLines,
  linesToForget,
  claimedForOthers,
  linkLines,
  type FoundLines,
} from './lines-of-person.js';
import { isAllZero, notePart, type ErasedPart, type ErasurePlan, type ErasureProof } from './erasure-plan.js';
import { currentJobOf, type JobEnd } from './runner.js';
import { detachFromPerson, reasonsToKeep } from './kept-recordings.js';
import { uploadsWith } from './uploads-of-person.js';

type ErasureDeps = Pick<MediaDeps, 'store' | 'blobs' | 'clock' | 'configsetCache'>;

interface ErasedMedia extends ErasedPart {
  counts: Record<
    'media' | 'blobs' | 'blobsMissing' | 'processedAudios' | 'scores' | 'answers' | ReasonToKeep,
    number
  >;
  keptIds: string[];
  /** The sessions that the recordings were in. */
  inSessions: string[];
  /** The sessions from which scores were removed. */
  sessions: string[];
}

export async function erasePerson(deps: ErasureDeps, job: Job): Promise<JobEnd | 'again'> {
  const { gkPersonId } = JSON.parse(job.input) as DeletePersonalDataJobInput;
  const { gkScopeId } = job;
  // A repeated request starts again: more than recordings may have come.
  const isBegun = job.result !== '' && !isRepeatErasure(job);
  let plan = isBegun ? (JSON.parse(job.result) as ErasurePlan) : await eraseRows(deps, job, gkPersonId);
  for (;;) {
    for (const blobId of plan.blobIds) await deps.blobs.delete(gkScopeId, blobId);
    await lookForRemains(deps, gkScopeId, plan);
    const { next, proof } = await conclude(deps, job, gkPersonId, plan);
    if (!next) return proof ? { result: proof } : 'again';
    plan = next;
  }
}

/**
 * Writes the proof; or, if concurrent calls have linked more to the person, erases that and returns what
 * follows now. Neither if the job is no longer ours.
 */
async function conclude(
  deps: ErasureDeps,
  job: Job,
  gkPersonId: string,
  plan: ErasurePlan,
): Promise<{ proof?: ErasureProof; next?: ErasurePlan }> {
  const { gkScopeId } = job;
  const found = await findLateLines(deps.store, { gkScopeId, gkPersonId }, plan.mediaIds);
  return deps.store.transaction(async (tx) => {
    const of = { deleted: plan.mediaIds, keptEngagements: plan.keptEngagements };
    const lines = await linesToForget(tx, gkScopeId, found.lines, of);
    await linkLines(tx, { gkScopeId, gkPersonId }, found.lines);
    const uploads = await uploadsWith(tx, { gkScopeId, gkPersonId }, plan.uploads);
    const late = await eraseMedia(deps, tx, { gkScopeId, gkPersonId, prints: [], uploads }, found, plan);
    await forgetDecisionScores(tx, gkScopeId, late.sessions, deps.clock.now());
    if (late.mediaIds.length + late.keptIds.length > 0) {
      return { next: await notePart(deps, tx, job, { gkPersonId, ...late }) };
    }
    // A call that recognized somebody else in the same session may have linked recordings that were just being
    // deleted.
    for (const gkMediaSegmentId of plan.mediaIds) await tx.media.delete(gkScopeId, gkMediaSegmentId);
    await tx.erasure.forgetHits(gkScopeId);
    // Left behind by programs that know nothing of blocks.
    await tx.callVoices.dropBlocks(gkScopeId, await tx.callVoices.outdatedBlocks(gkScopeId));
    const { mediaIds, printIds: prints = [], keptEngagements = [] } = plan;
    const erased = { mediaIds, prints, keptEngagements };
    // Answers of calls that were about to end.
    const answers = await tx.erasure.forgetAnswers([gkPersonId, ...prints, ...mediaIds]);
    const remains = await tx.erasure.remains(gkScopeId, gkPersonId, erased);
    if (remains > 0) throw new Error(`${remains} rows about an erased person are still there`);
    // Last among everything that others lock too, as in a call that links something and requests the job.
    if (!(await currentJobOf(tx, job))) return {};
    const lateCalls = await takeBackLate(tx, { gkScopeId, prints, gkSessionIds: [] }, deps.clock.now());
    const proof = {
      ...plan.proof,
      batchLines: plan.proof.batchLines + (await countLines(tx, gkScopeId, lines)),
      liveCalls: plan.proof.liveCalls + lateCalls,
      answers: (plan.proof.answers ?? 0) + answers,
    };
    if (isReported(job, proof))
      await tx.audit.append({
        chain: gkScopeId,
        recordType: 'PERSONAL_DATA_DELETED_EVENT',
        operation: 'DeletePersonalData',
        actor: systemActor,
        context: { gkScopeId },
        subjectIds: [gkPersonId],
        detail: auditDetail({ ...proof, gkJobId: job.gkJobId, requestedBy: job.requestedBy }),
      });
    await forgetLines(tx, gkScopeId, lines);
    return { proof };
  });
}

/** An automatic erasure that erased nothing leaves no record. */
const isReported = (job: Job, counts: object): boolean => !isRepeatErasure(job) || !isAllZero(counts);

/** In one transaction: deletes the rows, and notes with the job what has to follow. */
async function eraseRows(deps: ErasureDeps, job: Job, gkPersonId: string): Promise<ErasurePlan> {
  const { gkScopeId } = job;
  // Outside the transaction: it reads all lines of all batches.
  const found = await findLines(deps.store, { gkScopeId, gkPersonId });
  return deps.store.transaction(async (tx) => {
    const now = deps.clock.now();
    // First: a concurrent enrollment for them has finished, or finds them gone.
    await tx.parties.find(gkScopeId, 'PERSON', gkPersonId);
    await linkLines(tx, { gkScopeId, gkPersonId }, found.lines);
    const { prints, audios } = await deletePrintsOf(tx, gkScopeId, gkPersonId);
    const uploads = await uploadsWith(tx, { gkScopeId, gkPersonId });
    const former = await tx.erasure.formerPrints(gkScopeId, gkPersonId);
    const person = { gkScopeId, gkPersonId, prints: former, uploads };
    const isLate = isRepeatErasure(job);
    const forgotten = await forgetEngagements(tx, person, {
      nowMs: now,
      isLate,
      configsetCache: deps.configsetCache,
    });
    const { engagements, sessions } = forgotten;
    const keptEngagements = [...forgotten.kept];
    const media = await eraseMedia(deps, tx, person, found, { keptEngagements });
    await forgetDecisionScores(tx, gkScopeId, media.sessions, now);
    const deleted = [...media.mediaIds, ...media.inSessions];
    const lines = await linesToForget(tx, gkScopeId, found.lines, { deleted, keptEngagements });
    const batchLines = await countLines(tx, gkScopeId, lines);
    const calls = { gkScopeId, prints: person.prints, gkSessionIds: sessions };
    const { liveCalls, liveCallIds } = await forgetLiveCalls(tx, calls, media.sessions, now);
    const named = [gkPersonId, ...person.prints, ...engagements, ...sessions, ...liveCallIds];
    const answers = media.counts.answers + (await tx.erasure.forgetAnswers(named));
    const stay = { kept: new Set([...forgotten.kept, ...forgotten.alarming]), waiting: forgotten.waiting };
    await tx.erasure.settleAsked(gkPersonId, stay);
    await tx.erasure.noteErased(gkScopeId, gkPersonId, now);
    await tx.prompts.forgetPerson(gkScopeId, gkPersonId);
    await tx.parties.delete(gkScopeId, 'PERSON', gkPersonId);
    let auditRecords = 0;
    for (const subject of [gkPersonId, ...engagements, ...sessions])
      auditRecords += await tx.eraseAuditedPersonalData(gkScopeId, subject);
    const counts = {
      ...media.counts,
      prints: prints.length,
      processedAudios: media.counts.processedAudios + audios,
      engagements: engagements.length,
      sessions: sessions.length,
      liveCalls,
      batchLines,
      answers,
      auditRecords,
    };
    const part = { ...media, counts, printIds: former, keptEngagements, uploads: [...uploads] };
    const plan = await notePart(deps, tx, job, { gkPersonId, ...part });
    if (isReported(job, counts))
      await tx.audit.append({
        chain: gkScopeId,
        recordType: 'DELETE_PERSONAL_DATA_EVENT',
        operation: 'ErasePersonalData',
        actor: systemActor,
        context: { gkScopeId },
        subjectIds: [gkPersonId],
        detail: auditDetail({ gkJobId: job.gkJobId, prints: prints.length, media: media.mediaIds.length }),
      });
    // Last, as for lines in progress: in another order the two would wait for each other.
    await forgetLines(tx, gkScopeId, lines);
    return plan;
  });
}

/**
 * Everything that is linked to the person, and scores with their prints; what was kept before is not counted
 * again.
 */
async function eraseMedia(
  deps: ErasureDeps,
  tx: BiometricsTransaction,
  { gkScopeId, gkPersonId, prints, uploads }: PersonToForget,
  found: FoundLines,
  {
    keptIds: keptBefore = [],
    keptEngagements = [],
    printIds,
  }: Pick<ErasurePlan, 'keptIds' | 'keptEngagements' | 'printIds'>,
): Promise<ErasedMedia> {
  const counts: ErasedMedia['counts'] = {
    media: 0,
    blobs: 0,
    blobsMissing: 0,
    processedAudios: 0,
    scores: 0,
    answers: 0,
    keptOnLegalHold: 0,
    keptAsFraud: 0,
    keptWithFraudster: 0,
    keptForOthers: 0,
  };
  const links: Record<keyof LinksLookedAt, string[]> = { kept: [], awaited: [], guessed: [], shared: [] };
  const saidBy = await claimedForOthers(tx, gkScopeId, found);
  await tx.erasure.dropGuessesIn(gkPersonId, uploads);
  const person = { gkScopeId, gkPersonId, prints: printIds ?? prints, uploads, claimedForOthers: saidBy };
  // Before scores are removed, because they say who was heard.
  const looked = await lookAt(tx, person, keptBefore);
  const inKept = new Set(keptEngagements);
  const sessions: string[] = [];
  const mediaIds: string[] = [];
  const inSessions: string[] = [];
  const blobIds: string[] = [];
  for (const { segment, stay } of looked) {
    const { gkMediaSegmentId, blob } = segment;
    if (stay) {
      const { reason, link } = stay;
      counts[reason] += 1;
      links[link].push(gkMediaSegmentId);
      if (reason === 'keptWithFraudster' || reason === 'keptForOthers')
        if (link !== 'awaited') await detachFromPerson(tx, segment, gkPersonId);
      continue;
    }
    sessions.push(
      ...(await tx.erasure.forgetScores(gkScopeId, { gkMediaSegmentId, prints: person.prints }, inKept)),
    );
    counts.answers += await tx.erasure.forgetAnswers([gkMediaSegmentId]);
    counts.processedAudios += await tx.processedAudios.deleteByMedia(gkScopeId, gkMediaSegmentId);
    await tx.media.delete(gkScopeId, gkMediaSegmentId);
    counts.media += 1;
    mediaIds.push(gkMediaSegmentId);
    inSessions.push(segment.gkSessionId);
    if (!blob) continue;
    blobIds.push(blob.blobId);
    if (await deps.blobs.exists(gkScopeId, blob.blobId)) counts.blobs += 1;
    else counts.blobsMissing += 1;
  }
  // From recordings that stay.
  sessions.push(...(await tx.erasure.forgetScores(gkScopeId, { prints }, inKept)));
  counts.scores = sessions.length;
  await tx.erasure.unlink(gkPersonId, links);
  const keptIds = [...links.kept, ...links.awaited];
  return { counts, keptIds, inSessions, sessions, mediaIds, blobIds };
}

/** The recordings of the person, and which of them stay. */
async function lookAt(
  tx: BiometricsTransaction,
  person: Parameters<typeof reasonsToKeep>[1],
  keptBefore: readonly string[],
): Promise<{ segment: MediaSegment; stay?: KeptRecording }[]> {
  const { gkScopeId, gkPersonId } = person;
  const reasonToStay = reasonsToKeep(tx, person);
  const looked: { segment: MediaSegment; stay?: KeptRecording }[] = [];
  for (const { gkMediaSegmentId } of await tx.media.listByPerson(gkScopeId, gkPersonId)) {
    if (keptBefore.includes(gkMediaSegmentId)) continue;
    // Read again, and locked: a comparison that uses it locks it before its links.
    const segment = await tx.media.find(gkScopeId, gkMediaSegmentId);
    if (!segment) continue;
    const stay = await reasonToStay(segment);
    // It is looked for once more before the proof.
    if (stay !== 'not known yet') looked.push({ segment, ...(stay && { stay }) });
  }
  return looked;
}

/** Throws if bytes are still there: the job is then retried. */
async function lookForRemains(deps: ErasureDeps, gkScopeId: string, { blobIds }: ErasurePlan): Promise<void> {
  for (const blobId of blobIds)
    if (await deps.blobs.exists(gkScopeId, blobId))
      throw new Error('bytes of an erased recording are still there');
}
