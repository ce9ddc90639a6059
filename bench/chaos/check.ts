// The reckoning: everything that was acknowledged is looked for in what is on the disk, after the last server has ended.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { examine } from '../../src/compose/doctor/doctor.js';
import type { Storage } from '../../src/storage/open-storage.js';
import { openStorage } from '../../src/compose/storage.js';
import { configWith, type Config } from '../../src/config.js';
import { systemClock } from '../../src/platform.js';
import { createBiometricsStore } from '../../src/storage/biometrics/store.js';
import { isBareId, tracesOf } from '../../test/support/traces.js';
import type { Ledger } from './ledger.js';
import type { Target } from './server.js';

const PROOFS_WITHIN_MS = 240_000;
const TOKEN_CHECKED_FOR_MS = 10 * 60_000;
const PAGE_RECORDS = 1000;

export interface Place {
  home: string;
  databaseUrl: string;
  tenantId: string;
  /** Settings beside these, by dotted name. */
  settings?: Readonly<Record<string, string>>;
}

const configOf = ({ home, databaseUrl, settings }: Place): Config =>
  configWith({ home, ...(databaseUrl && { database: databaseUrl }), ...settings });

const open = (place: Place): Promise<Storage> => openStorage(configOf(place), systemClock);

/** Waits until every acknowledged erasure is proven; the server goes on meanwhile. Answers those that are not. */
export async function awaitErasures(place: Place, ledger: Ledger): Promise<string[]> {
  const storage = await open(place);
  const left = new Set(ledger.erased.keys());
  try {
    for (const until = performance.now() + PROOFS_WITHIN_MS; left.size > 0 && performance.now() < until;) {
      for (const subjectId of left) {
        const proofs = await storage.audit.search({
          chain: place.tenantId,
          recordTypes: ['PERSONAL_DATA_DELETED_EVENT'],
          subjectId,
          limit: 1,
        });
        if (proofs.length > 0) left.delete(subjectId);
      }
      if (left.size > 0) await sleep(500);
    }
    // What came late is erased by jobs of its own, also by lines of batches.
    const { jobs } = readerOf(storage);
    const open = async () =>
      (await jobs.countOpen(place.tenantId, 'DELETE_PERSONAL_DATA')) +
      (await jobs.countOpen(place.tenantId, 'BATCH'));
    for (const until = performance.now() + PROOFS_WITHIN_MS; (await open()) > 0 && performance.now() < until;)
      await sleep(500);
  } finally {
    await storage.close();
  }
  return [...left].map((id) => `erasure of ${id} is not proven`);
}

/** Tokens that were given out still count, whatever happened to the server since. */
export async function checkTokens(target: Target, ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const basic = Buffer.from(`${target.clientId}:${target.clientSecret}`).toString('base64');
  const recent = ledger.tokens.filter(({ atMs }) => Date.now() - atMs < TOKEN_CHECKED_FOR_MS).slice(-20);
  for (const { token } of recent) {
    const answer = await fetch(`${target.http}/oauth2/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token }),
    });
    const { active } = (await answer.json()) as { active?: boolean };
    if (active !== true) faults.push(`a token is no longer active (${answer.status})`);
  }
  return faults;
}

/** What is lost or wrong, in words; empty when nothing is. */
export async function checkState(place: Place, ledger: Ledger): Promise<string[]> {
  const storage = await open(place);
  try {
    return [
      ...(await checkEntities(storage, place, ledger)),
      ...(await checkMedia(storage, place, ledger)),
      ...(await checkBatches(storage, ledger)),
      ...(await checkErased(storage, place, ledger)),
      ...(await checkAuditTrail(storage, place, ledger)),
      ...(await checkWithDoctor(place)),
    ];
  } finally {
    await storage.close();
  }
}

const readerOf = ({ database, keyring, audit }: Storage) =>
  createBiometricsStore(database, keyring, audit).read;

async function checkEntities(storage: Storage, { tenantId }: Place, ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const read = readerOf(storage);
  for (const { gkPersonId, note } of ledger.persons.values()) {
    const party = await read.parties.find(tenantId, 'PERSON', gkPersonId);
    if (party?.details.customData['note'] !== note) faults.push(`person ${gkPersonId} is lost or changed`);
  }
  for (const { profile, segments, version } of ledger.prints.values()) {
    const print = await read.profiles.find(tenantId, profile);
    if (!print || print.version < version)
      faults.push(`print ${profile} is lost or older than version ${version}`);
    if ((print?.version ?? 0) > 0 !== (print?.trained !== undefined))
      faults.push(`print ${profile} is half trained`);
    const there = new Set((await read.enrollment.list(profile)).map((segment) => segment.gkProcessedAudioId));
    for (const id of segments) if (!there.has(id)) faults.push(`segment ${id} of print ${profile} is lost`);
  }
  return faults;
}

async function checkMedia(storage: Storage, { tenantId }: Place, ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const read = readerOf(storage);
  for (const { media, sha256 } of ledger.media.values()) {
    const row = await read.media.find(tenantId, media);
    const found = row?.blob && (await digestOf(storage, tenantId, row.blob.blobId));
    if (found !== sha256) faults.push(`recording ${media} is ${row?.blob ? found : 'lost'}`);
  }
  for (const media of ledger.deletedMedia)
    if (await read.media.find(tenantId, media)) faults.push(`deleted recording ${media} is there again`);
  return faults;
}

/** Each line has a result, whoever was erased before its turn. */
async function checkBatches(storage: Storage, { batches }: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const { batches: read } = readerOf(storage);
  for (const [gkJobId, lines] of batches) {
    const { ended = [] } = (await read.counts([gkJobId])).get(gkJobId) ?? {};
    const done = ended.reduce((sum, each) => sum + each.lines, 0);
    if (done !== lines) faults.push(`batch ${gkJobId} has ${done} results for ${lines} lines`);
  }
  return faults;
}

async function digestOf(storage: Storage, tenantKey: string, blobId: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const piece of storage.blobs.read({ tenantKey, blobId })) hash.update(piece);
  } catch (error) {
    return error instanceof Error ? error.message : 'not readable';
  }
  return hash.digest('hex');
}

async function checkErased(storage: Storage, { tenantId }: Place, ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const read = readerOf(storage);
  const there = new Set<string>();
  for await (const blobId of storage.blobs.list(tenantId)) there.add(blobId);
  for (const { gkPersonId, tied } of ledger.erased.values()) {
    if (await read.parties.find(tenantId, 'PERSON', gkPersonId))
      faults.push(`erased person ${gkPersonId} is there`);
    if ((await read.media.listByPerson(tenantId, gkPersonId)).length > 0)
      faults.push(`recordings of the erased person ${gkPersonId} are there`);
    for (const media of tied)
      if (await read.media.find(tenantId, media))
        faults.push(`recording ${media} of an erased person is there`);
  }
  const ids = [...ledger.erased.values()].flatMap(({ gkPersonId, prints }) => [gkPersonId, ...prints]);
  const { found } = await tracesOf(storage, tenantId, ids);
  for (const trace of found) if (!isBareId(trace)) faults.push(`trace of an erased person in ${trace}`);
  // Bytes without a row are the voice of somebody who is gone, or of a call that broke off; a sweep removes the latter.
  for (const blobId of there) {
    const isReport = blobId.startsWith('report-');
    if (isReport || (await read.media.hasBlob(tenantId, blobId))) continue;
    ledger.count(ledger.refused, 'bytes that a broken call left, for the sweep');
  }
  return faults;
}

async function checkAuditTrail(storage: Storage, { tenantId }: Place, ledger: Ledger): Promise<string[]> {
  const told = new Set<string>();
  for (let afterSeq = 0; ;) {
    const records = await storage.audit.read({ chain: tenantId, afterSeq, limit: PAGE_RECORDS });
    for (const { context } of records) if (context.requestId) told.add(context.requestId);
    const last = records.at(-1);
    if (!last) break;
    afterSeq = last.seq;
  }
  return [...ledger.requests].flatMap(([requestId, what]) =>
    told.has(requestId) ? [] : [`"${what}" (${requestId}) is not in the audit trail`],
  );
}

/** Pages, keys, every recording, every chain. */
async function checkWithDoctor(place: Place): Promise<string[]> {
  const findings = await examine(configOf(place), systemClock, 'full');
  return findings
    .filter(({ name, status }) => status === 'fault' && name !== 'disk')
    .map(({ name, found }) => `${name}: ${found}`);
}
