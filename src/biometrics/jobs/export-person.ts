// ExportPersonalData: everything held about a person as one archive, made while it is read: details and consent, voiceprints,
// sessions with what was decided and when, recordings, and the audit records that name the person. What is also about somebody
// else is named, not handed out: a recording in which another person was heard, details of a caller who was not this person.
import type { Actors, AuditReader } from '../../audit/ports.js';
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
import { heardInSessions, type HeardInSession } from '../sessions/who-was-heard.js';
import { engagementsWith, printsOf } from './get-erasure.js';
import { reasonsToKeep } from './kept-recordings.js';
import { claimedForOthers, findLines } from './lines-of-person.js';
import { uploadsWith } from './uploads-of-person.js';
import { zipped, type ZipPiece } from './zip-files.js';
import { say } from '../../words/server/say.js';

export type ExportDeps = MediaDeps & { audit: AuditReader; actors: Actors };

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
  const prints = await printsOf(read, person);
  yield file('README.txt', README);
  yield json('person.json', await personOf(deps, person));
  yield json('voiceprints.json', await printDetails(read, person));
  yield* listed('sessions.json', sessionsOf(read, { ...person, prints }));
  yield* recordings(deps, { ...person, prints });
  yield* listed('audit.json', auditOf(deps, { ...person, prints }));
}

const README = `Everything held about one person in this tenant.

person.json       details, consent, groups, evidence holds
voiceprints.json  voiceprints: state, locks, enrolled recordings, and the numbers that describe the voice
sessions.json     calls with the person: what was checked and decided, and when
recordings.json   every recording, with its file or why it has none
recordings/       the recordings
audit.json        what the audit trail says about the person, newest first

Times are in UTC. A recording in which somebody else was heard too, or that is kept as evidence of fraud, is listed without its
sound. Manifests of batches are not included.
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

async function personOf({ store: { read }, actors }: ExportDeps, { gkScopeId, gkPersonId }: Person) {
  const party = await read.parties.find(gkScopeId, 'PERSON', gkPersonId);
  const groups = (await read.collections.listsOf(gkScopeId, [gkPersonId])).get(gkPersonId) ?? [];
  const holds = await read.holds.list(gkScopeId, gkPersonId, AUDIT_PAGE);
  const names = await actors.namesOf(holds.map(({ actor }) => actor.subject));
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
    holds: holds.map((hold) => ({
      reason: hold.reason,
      gkMediaSegmentId: hold.gkMediaSegmentId,
      placedBy: names.get(hold.actor.subject) ?? hold.actor.subject,
      placedTime: time(hold.placedAtMs),
      endTime: time(hold.endsAtMs),
    })),
  };
}

async function printDetails(read: Repositories, { gkScopeId, gkPersonId }: Person) {
  const profiles = await read.profiles.listByOwner(gkScopeId, gkPersonId);
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
        numbers: [...trained.template.embedding],
      },
    })),
  );
}

type PersonWithPrints = Person & { prints: readonly string[] };

async function* sessionsOf(read: Repositories, person: PersonWithPrints): AsyncGenerator<string> {
  const { gkScopeId } = person;
  const heardIn = heardInSessions(read, person);
  for (const gkEngagementId of await engagementsWith(read, person)) {
    const engagement = await read.engagements.find(gkScopeId, gkEngagementId);
    for (const session of await read.sessions.listByEngagement(gkScopeId, gkEngagementId)) {
      const factors = await read.factors.listBySession(gkScopeId, session.gkSessionId);
      const isTheirs = await isCallOf(person, session, heardIn);
      const verdict = engagement?.verdict;
      const outcome = verdict && { outcome: verdict.verdict, time: time(verdict.atMs) };
      yield JSON.stringify(sessionOf(session, isTheirs, checksOf(person, factors, isTheirs), outcome));
    }
  }
}

/** Whoever else was recognized is the caller, and the number is theirs. */
async function isCallOf({ gkPersonId }: Person, session: Session, heardIn: HeardInSession): Promise<boolean> {
  const heard = await heardIn(session);
  if (heard.isPersonHeard) return true;
  return session.claimedGkPersonId === gkPersonId && !heard.isOtherHeard && !heard.isFraudsterHeard;
}

function sessionOf(session: Session, isTheirs: boolean, checks: object[], outcome: object | undefined) {
  const { gkSessionId, gkEngagementId, sessionType, details, decision } = session;
  return {
    gkSessionId,
    gkEngagementId,
    sessionType,
    startTime: time(session.createdAtMs),
    endTime: time(session.completedAtMs),
    ...(isTheirs
      ? { sessionId: details.sessionId, details: { ...details, error: undefined }, decision, outcome }
      : { isAlsoAboutOthers: true }),
    checks,
  };
}

/** Comparisons with prints of others are about them. */
const checksOf = ({ prints }: PersonWithPrints, factors: readonly Factor[], isTheirs: boolean): object[] =>
  factors
    .filter(({ gkVoiceprintProfileId: print }) => (print === undefined ? isTheirs : prints.includes(print)))
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

type Withheld =
  | 'NOT_UPLOADED'
  | 'ALSO_ANOTHER_PERSON'
  | 'EVIDENCE_OF_FRAUD'
  | 'MISSING'
  | 'DAMAGED'
  | 'TOO_MUCH';

async function* recordings(deps: ExportDeps, person: PersonWithPrints): AsyncGenerator<ZipPiece> {
  const { store, blobs } = deps;
  const { read } = store;
  const { gkScopeId, gkPersonId } = person;
  const lines = await findLines(store, person);
  const claimed = await claimedForOthers(read, gkScopeId, lines);
  const uploads = await uploadsWith(read, person);
  const reasonOf = reasonsToKeep(read, { ...person, uploads, claimedForOthers: claimed });
  const list: object[] = [];
  let bytes = 0;
  for (const segment of await read.media.listByPerson(gkScopeId, gkPersonId)) {
    const { gkMediaSegmentId, blob } = segment;
    // A hold keeps a recording, but not from the person.
    const kept = await reasonOf({ ...segment, legalHold: false });
    const reason = kept === 'not known yet' ? 'keptForOthers' : kept?.reason;
    let withheld: Withheld | undefined =
      reason === undefined
        ? undefined
        : reason === 'keptForOthers'
          ? 'ALSO_ANOTHER_PERSON'
          : 'EVIDENCE_OF_FRAUD';
    if (!blob) withheld ??= 'NOT_UPLOADED';
    else if (withheld === undefined && bytes + blob.bytes > RECORDING_BYTES_MAX) withheld = 'TOO_MUCH';
    let name: string | undefined;
    if (blob && withheld === undefined) {
      if (!(await blobs.exists(gkScopeId, blob.blobId))) withheld = 'MISSING';
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
    }
    list.push(await recordingOf(read, segment, withheld === undefined ? { file: name } : { withheld }));
  }
  yield json('recordings.json', list);
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

/** With personal parts, unless a record is about somebody else too. */
async function* auditOf({ audit: reader }: ExportDeps, person: PersonWithPrints): AsyncGenerator<string> {
  const { gkScopeId, gkPersonId, prints } = person;
  const own = new Set([gkPersonId, ...prints]);
  let beforeSeq: number | undefined;
  for (;;) {
    const found = await reader.search({
      chain: gkScopeId,
      subjectId: gkPersonId,
      limit: AUDIT_PAGE,
      ...(beforeSeq !== undefined && { beforeSeq }),
    });
    for (const { record } of found) {
      const isTheirs = record.subjectIds.every((id) => own.has(id));
      yield await recordAsJson(reader, record, isTheirs ? 'plain' : 'mask');
    }
    beforeSeq = found.at(-1)?.record.seq;
    if (found.length < AUDIT_PAGE) return;
  }
}
