// ExportPersonalData: everything held about a person as one archive, made while it is read: details and consent, voiceprints,
// sessions with what was decided and when, recordings, and the audit records that name the person. Of a call in which somebody else
// spoke, or may have, it says only that the person was named, when, and what was decided; why something is held is never said.
import type { AuditRecord, RecordType } from '../../audit/model.js';
import type { AuditReader } from '../../audit/ports.js';
import { recordAsJson } from '../../audit/export-records.js';
import { AppError } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { partyOrThrow } from '../entities/party-rules.js';
import type { MediaDeps } from '../media/deps.js';
import type { MediaSegment } from '../model/media.js';
import type { Factor, Session } from '../model/sessions.js';
import type { Repositories } from '../ports/store.js';
import { saysWhoSpeaks } from '../rules/erasure.js';
import { isOfCaller } from '../rules/heard-channel.js';
import { isTheirCall, withheldFor, type OfCall, type WithheldFor } from '../rules/personal-data.js';
import { heardInSessions } from '../sessions/who-was-heard.js';
import { engagementsWith, printsOf } from './get-erasure.js';
import { lookAtRecordings } from './kept-recordings.js';
import { uploadsWith } from './uploads-of-person.js';
import { zipped, type ZipPiece } from './zip-files.js';
import type { AuditAct } from '../../words/audit/english.js';
import { say } from '../../words/server/say.js';

export type ExportDeps = MediaDeps & { audit: AuditReader };

interface Person {
  gkScopeId: string;
  gkPersonId: string;
}

/** What is beyond is only named: an archive of the classic format ends at 4 GiB. */
const RECORDING_BYTES_MAX = 3 * 1024 ** 3;
const AUDIT_PAGE = 200;

export async function exportPersonalData(
  deps: MediaDeps,
  call: Call,
  input: { context: RequestContext; gkPersonId: string },
): Promise<{ url: string; expiresAtMs: number }> {
  const { gkPersonId } = input;
  const faults = new Faults().required('gk_person_id', gkPersonId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const { urls } = await tenantParameters(deps, gkScopeId);
  // Recorded before anything is handed out.
  await deps.store.transaction(async (tx) => {
    if (!(await tx.erasure.hasTraces(gkScopeId, gkPersonId)))
      await partyOrThrow(tx.parties, gkScopeId, 'PERSON', gkPersonId);
    await audit(tx, call, {
      type: 'PERSON_EVENT',
      operation: 'ExportPersonalData',
      gkScopeId,
      subjects: [gkPersonId],
    });
  });
  return deps.urls.make('personal-data', gkPersonId, urls.downloadSeconds, { scope: gkScopeId });
}

/** The bytes behind the address; the tenant is part of what was signed. */
export function readPersonalData(
  deps: ExportDeps,
  gkPersonId: string,
  parameters: URLSearchParams,
): AsyncGenerator<Uint8Array> {
  const gkScopeId = parameters.get('scope');
  if (!gkScopeId) throw new AppError('PERMISSION_DENIED', say('URL_NOT_VALID'));
  return zipped(filesOf(deps, { gkScopeId, gkPersonId }));
}

async function* filesOf(deps: ExportDeps, person: Person): AsyncGenerator<ZipPiece> {
  const { read } = deps.store;
  const known = { ...person, prints: await printsOf(read, person) };
  yield file('README.txt', README);
  yield json('person.json', await personOf(read, person));
  yield json('voiceprints.json', await printDetails(read, known));
  yield* listed('sessions.json', sessionsOf(read, known));
  yield* recordings(deps, known);
  yield* listed('audit.json', auditOf(deps, known));
}

const README = `Everything held about one person in this tenant.

person.json       details, consent, groups
voiceprints.json  voiceprints: state, locks, enrolled recordings, and the numbers that describe the voice
sessions.json     calls with the person, or in which they were named: what was checked and decided, and when
recordings.json   every recording, with its file or why it has none
recordings/       the recordings
audit.json        what the audit trail says about the person, newest first

Times are in UTC. A call in which the person was not recognized belongs to whoever made it: it is listed with what was decided, and
without the rest. Recordings that are left out say why: NOT_RECOGNIZED, ALSO_ANOTHER_PERSON, EVIDENCE_OF_FRAUD; TOO_MUCH, if the archive
is full; NOT_UPLOADED, MISSING or DAMAGED, if there is nothing to hand out. The reasons of evidence holds and manifests of batches are
not included.
`;

const text = new TextEncoder();
const file = (name: string, content: string): ZipPiece => ({ name, bytes: text.encode(content) });
const json = (name: string, value: unknown): ZipPiece =>
  file(name, `${JSON.stringify(value, undefined, 2)}\n`);

/** A JSON list, one entry at a time. */
async function* listed(name: string, entries: AsyncIterable<string>): AsyncGenerator<ZipPiece> {
  let before = '[\n';
  for await (const entry of entries) {
    yield file(name, before + entry);
    before = ',\n';
  }
  yield file(name, before === '[\n' ? '[]\n' : '\n]\n');
}

const time = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : new Date(atMs).toISOString();

async function personOf(read: Repositories, { gkScopeId, gkPersonId }: Person) {
  const party = await read.parties.find(gkScopeId, 'PERSON', gkPersonId);
  const groups = (await read.collections.listsOf(gkScopeId, [gkPersonId])).get(gkPersonId) ?? [];
  const { consent } = party ?? {};
  return {
    gkPersonId,
    gkScopeId,
    personId: party?.externalId,
    details: party?.details,
    consent: consent && { ...consent, atMs: undefined, optInAtMs: undefined, time: time(consent.atMs) },
    createdTime: time(party?.createdAtMs),
    modifiedTime: time(party?.modifiedAtMs),
    erasedTime: time(await read.erasure.erasedAtMs(gkScopeId, gkPersonId)),
    groups: groups.map(({ externalId }) => externalId),
  };
}

async function printDetails(read: Repositories, person: PersonWithPrints) {
  const { gkScopeId, gkPersonId } = person;
  const profiles = await read.profiles.listByOwner(gkScopeId, gkPersonId);
  const groundOf = groundsToWithhold(read, person, await uploadsWith(read, person));
  /** Somebody else was enrolled in the person's name: the numbers are of both voices. */
  const isMixed = async (profile: string): Promise<boolean> => {
    for (const { gkMediaSegmentId } of await read.enrollment.list(profile)) {
      const segment = gkMediaSegmentId && (await read.media.find(gkScopeId, gkMediaSegmentId));
      if (segment && (await groundOf(segment)) !== undefined) return true;
    }
    return false;
  };
  return Promise.all(
    profiles.map(async ({ trained, lock, ...profile }) => ({
      gkVoiceprintProfileId: profile.gkVoiceprintProfileId,
      tag: profile.tag,
      status: profile.status,
      createdTime: time(profile.createdAtMs),
      modifiedTime: time(profile.modifiedAtMs),
      lock: lock.locked ? { reason: lock.text || lock.reason, time: time(lock.lockedAtMs) } : undefined,
      customData: profile.customData,
      segments: (await read.enrollment.list(profile.gkVoiceprintProfileId)).map((segment) => ({
        gkProcessedAudioId: segment.gkProcessedAudioId,
        gkMediaSegmentId: segment.gkMediaSegmentId,
        addedTime: time(segment.addedAtMs),
      })),
      voice: trained && {
        trainedTime: time(trained.trainedAtMs),
        speakerModel: trained.template.modelRevision,
        ...((await isMixed(profile.gkVoiceprintProfileId))
          ? { withheld: 'ALSO_ANOTHER_PERSON' satisfies WithheldFor }
          : { numbers: [...trained.template.embedding] }),
      },
    })),
  );
}

type PersonWithPrints = Person & { prints: readonly string[] };

async function* sessionsOf(read: Repositories, person: PersonWithPrints): AsyncGenerator<string> {
  const { gkScopeId, gkPersonId } = person;
  const isTheirs = theirCalls(read, person);
  for (const gkEngagementId of await engagementsWith(read, person)) {
    const verdict = (await read.engagements.find(gkScopeId, gkEngagementId))?.verdict;
    const outcome = verdict && { outcome: verdict.verdict, time: time(verdict.atMs) };
    for (const session of await read.sessions.listByEngagement(gkScopeId, gkEngagementId)) {
      const factors = await read.factors.listBySession(gkScopeId, session.gkSessionId);
      if (await isTheirs(session)) {
        yield JSON.stringify(sessionOf(session, checksOf(person, factors), outcome));
        continue;
      }
      const isClaimed = session.claimedGkPersonId === gkPersonId;
      const compared = factors.filter((factor) => isOfPrints(person, factor));
      if (isClaimed || compared.length > 0 || session.claimedGkPersonId === undefined)
        yield JSON.stringify(sessionOfOther(session, isClaimed, compared, outcome));
    }
  }
}

/** Whether the person is known to be who called. */
function theirCalls(read: Repositories, person: PersonWithPrints): (session: Session) => Promise<boolean> {
  const heardIn = heardInSessions(read, person);
  return async (session) => {
    const [engagement] = await read.engagements.findMany(person.gkScopeId, [session.gkEngagementId]);
    const outcomes = engagement?.verdict ? [engagement.verdict.verdict] : [];
    const heard = await heardIn(session);
    const checks = await read.factors.listBySession(person.gkScopeId, session.gkSessionId);
    const isPersonHeard = heard.isPersonHeard && !isOnlyAgent(person, checks);
    return isTheirCall({ ...heard, isPersonHeard }, { claim: claimOf(session, person), outcomes });
  };
}

/** They were heard where agents speak: the caller is somebody else. */
function isOnlyAgent(person: PersonWithPrints, checks: readonly Factor[]): boolean {
  const spoken = checks.filter((check) => saysWhoSpeaks(check) && isOfPrints(person, check));
  return spoken.length > 0 && !spoken.some(isOfCaller);
}

function claimOf(
  { claimedGkPersonId: claimed }: Pick<Session, 'claimedGkPersonId'>,
  { gkPersonId }: Person,
): OfCall['claim'] {
  if (claimed === undefined) return 'nobody';
  return claimed === gkPersonId ? 'person' : 'other';
}

function sessionOf(session: Session, checks: object[], outcome: object | undefined) {
  const { gkSessionId, gkEngagementId, sessionType, details, decision } = session;
  return {
    gkSessionId,
    gkEngagementId,
    sessionType,
    startTime: time(session.createdAtMs),
    endTime: time(session.completedAtMs),
    sessionId: details.sessionId,
    details: { ...details, error: undefined },
    decision,
    outcome,
    checks,
  };
}

/** Somebody else's call, or it may be: numbers, scores and references are theirs. */
function sessionOfOther(
  { gkSessionId, createdAtMs, decision }: Session,
  isClaimed: boolean,
  compared: readonly Factor[],
  outcome: object | undefined,
) {
  return {
    gkSessionId,
    isOfOther: true,
    isClaimed,
    startTime: time(createdAtMs),
    ...(isClaimed && { decision: decision && { decision: decision.decision }, outcome }),
    checks: compared.map((factor) => ({
      time: time(factor.createdAtMs),
      operation: factor.operation,
      decision: factor.decision,
    })),
  };
}

const isOfPrints = ({ prints }: PersonWithPrints, { gkVoiceprintProfileId: print }: Factor): boolean =>
  print !== undefined && prints.includes(print);

/** Comparisons with prints of others are about them. */
const checksOf = (person: PersonWithPrints, factors: readonly Factor[]): object[] =>
  factors
    .filter((factor) => factor.gkVoiceprintProfileId === undefined || isOfPrints(person, factor))
    .map((factor) => ({
      time: time(factor.createdAtMs),
      operation: factor.operation,
      kind: factor.kind,
      decision: factor.decision,
      reason: factor.reason,
      risk: factor.risk,
      reliability: factor.reliability,
      score: factor.score,
      netSpeechMs: factor.netSpeechMs,
      gkVoiceprintProfileId: factor.gkVoiceprintProfileId,
      gkProcessedAudioId: factor.gkProcessedAudioId,
      configsetRevisionId: factor.configsetRevisionId,
      calibrationRevisionId: factor.calibrationRevisionId,
    }));

type Withheld = WithheldFor | 'NOT_UPLOADED' | 'MISSING' | 'DAMAGED' | 'TOO_MUCH';

async function* recordings(deps: ExportDeps, person: PersonWithPrints): AsyncGenerator<ZipPiece> {
  const { store, blobs } = deps;
  const { read } = store;
  const { gkScopeId, gkPersonId } = person;
  const uploads = await uploadsWith(read, person);
  const groundOf = groundsToWithhold(read, person, uploads);
  const list: object[] = [];
  let bytes = 0;
  for (const segment of await read.media.listByPerson(gkScopeId, gkPersonId)) {
    const { gkMediaSegmentId, gkSessionId, blob, createdAtMs } = segment;
    const isAgents = isOnlyAgent(person, await read.erasure.checksOf(gkMediaSegmentId));
    const ground = (await groundOf(segment)) ?? (isAgents ? 'ALSO_ANOTHER_PERSON' : undefined);
    if (ground !== undefined) {
      // In an upload, nothing is guessed from the recording beside it.
      const { isGuess } = await read.erasure.linkOf(gkMediaSegmentId, gkPersonId);
      if (!isGuess || !uploads.has(gkSessionId))
        list.push({ gkMediaSegmentId, withheld: ground, createdTime: time(createdAtMs) });
      continue;
    }
    let withheld: Withheld | undefined;
    let name: string | undefined;
    if (!blob) withheld = 'NOT_UPLOADED';
    else if (bytes + blob.bytes > RECORDING_BYTES_MAX) withheld = 'TOO_MUCH';
    else if (!(await blobs.exists(gkScopeId, blob.blobId))) withheld = 'MISSING';
    else {
      bytes += blob.bytes;
      try {
        for await (const piece of blobs.read(gkScopeId, blob.blobId)) {
          name ??= `recordings/${gkMediaSegmentId}.${endingOf(piece)}`;
          yield { name, bytes: piece, isStored: true };
        }
      } catch {
        // What can be read is there; one damaged recording must not keep the others back.
        withheld = 'DAMAGED';
      }
    }
    list.push(await recordingOf(read, segment, withheld === undefined ? { file: name } : { withheld }));
  }
  yield json('recordings.json', list);
}

function groundsToWithhold(
  read: Repositories,
  person: PersonWithPrints,
  uploads: ReadonlySet<string>,
): (segment: MediaSegment) => Promise<WithheldFor | undefined> {
  // Guesses are withheld, whatever a batch says of them.
  const look = lookAtRecordings(read, { ...person, uploads, claimedForOthers: () => 'no' });
  return async (segment) => {
    const { outcomes, ...recording } = await look(segment);
    const [session] = await read.sessions.findMany(person.gkScopeId, [segment.gkSessionId]);
    return withheldFor(recording, { claim: session ? claimOf(session, person) : 'nobody', outcomes });
  };
}

/** By what the file is, not by what its sender called it. */
function endingOf(head: Uint8Array): 'wav' | 'ogg' | 'mp3' | 'raw' {
  const mark = Buffer.from(head.subarray(0, 4)).toString('latin1');
  if (mark === 'RIFF') return 'wav';
  if (mark === 'OggS') return 'ogg';
  return mark.startsWith('ID3') || (head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0) ? 'mp3' : 'raw';
}

async function recordingOf(read: Repositories, segment: MediaSegment, where: object) {
  const { gkScopeId, gkMediaSegmentId, gkSessionId, legalHold, format, lengthMs, customData } = segment;
  return {
    gkMediaSegmentId,
    gkSessionId,
    ...where,
    isOnHold: legalHold,
    format,
    lengthMs,
    sha256: segment.blob?.sha256,
    createdTime: time(segment.createdAtMs),
    customData,
    processed: (await read.processedAudios.listByMedia(gkScopeId, gkMediaSegmentId)).map((audio) => ({
      gkProcessedAudioId: audio.gkProcessedAudioId,
      time: time(audio.createdAtMs),
      validity: audio.validity,
      netAudioMs: audio.netAudioMs,
      syntheticScore: audio.syntheticScore,
      playbackScore: audio.playbackScore,
      hasVoiceModel: audio.model !== undefined,
    })),
  };
}

/** Of these, a record says what the caller did and how they sounded. */
const ofCalls: ReadonlySet<RecordType> = new Set([
  'ANTI_SPOOFING_AUDIT_INFO_EVENT',
  'AUDIO_EVENT',
  'ENGAGEMENT_EVENT',
  'FACTORS_AUDIT_INFO_EVENT',
  'MEDIA_EVENT',
  'SESSION_EVENT',
  'TEXT_EVENT',
]);
const ofHolds: ReadonlySet<string> = new Set(['PlaceHold', 'LiftHold', 'EndHold'] satisfies AuditAct[]);

/** In whole if a record is about the person alone; otherwise what was done, when, and what came of it. */
async function* auditOf(
  { audit: reader, store }: ExportDeps,
  person: PersonWithPrints,
): AsyncGenerator<string> {
  const { gkScopeId, gkPersonId, prints } = person;
  const own = new Set([gkPersonId, ...prints]);
  const isTheirSession = theirCalls(store.read, person);
  const isTheirs = async ({ subjectIds, operation, recordType, context }: AuditRecord): Promise<boolean> => {
    if (ofHolds.has(operation) || subjectIds.some((id) => !own.has(id))) return false;
    if (!ofCalls.has(recordType)) return true;
    const [session] = await store.read.sessions.findMany(gkScopeId, [context.gkSessionId ?? '']);
    return session !== undefined && (await isTheirSession(session));
  };
  let beforeSeq: number | undefined;
  for (;;) {
    const found = await reader.search({
      chain: gkScopeId,
      subjectId: gkPersonId,
      limit: AUDIT_PAGE,
      ...(beforeSeq !== undefined && { beforeSeq }),
    });
    for (const { record } of found) {
      const { seq, atMs, recordType, operation, detail } = record;
      yield (await isTheirs(record))
        ? await recordAsJson(reader, record, 'plain')
        : JSON.stringify({
            ...{ scope: gkScopeId, seq, time: time(atMs), recordType, operation },
            decision: detail['decision'],
          });
    }
    beforeSeq = found.at(-1)?.record.seq;
    if (found.length < AUDIT_PAGE) return;
  }
}
