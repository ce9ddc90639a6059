// The checks of `voxgate doctor` that look into the database and what belongs to it. They change nothing.
import { verifyChain } from '../../audit/verify-chain.js';
import { outdatedPrints } from '../../biometrics/jobs/outdated-prints.js';
import type { BiometricsStore } from '../../biometrics/ports/store.js';
import type { Clock } from '../../platform.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { AuditLog } from '../../storage/audit/audit-log.js';
import { UNFINISHED_ADVICE, unfinishedRestore } from '../../storage/backup/restore-mark.js';
import { otherStore } from '../../storage/blobs/store-note.js';
import { checkBlobs } from '../../storage/checks/blobs.js';
import { findDamage, schemaVersion } from '../../storage/checks/database.js';
import type { Database } from '../../storage/database.js';
import { breakingSteps, unknownVersion } from '../../storage/migrate.js';
import { migrations } from '../../storage/migrations/index.js';
import { type Keyring, SYSTEM_TENANT_KEY } from '../../storage/sealing/keyring.js';
import { listKeys } from '../../storage/sealing/rotation.js';
import type { SpeakerModel } from '../../voice/scoring/speaker-model.js';
import { CLOCK_ADVICE, clockOffset, OFFSET_MAX_MS, offsetInWords } from '../clock-watch.js';
import { BEHIND_MAX_MS, JUMP_MAX_MS, latestSeen, wasBehindAt } from '../time-proof.js';
import { fault, ok, warning, type Verdict } from './finding.js';

export type Depth = 'quick' | 'full';

const RESTORE =
  'Stop the server, keep a copy of the damaged files, and restore the latest backup of database and keys together.';
const NAMED_MAX = 5;

export async function checkDatabase(database: Database, depth: Depth): Promise<Verdict> {
  const damage = await findDamage(database, depth);
  if (damage.length > 0) return fault(`damaged: ${damage.join('; ')}`, RESTORE);
  const there = await schemaVersion(database);
  const newest = Math.max(...migrations.map(({ version }) => version));
  if (there === undefined)
    return warning(
      `${database.dialect}, empty`,
      'Start the server, or run `voxgate bootstrap`, to create the tables.',
    );
  const unfinished = await unfinishedRestore(database);
  if (unfinished !== undefined) return fault(unfinished, `${UNFINISHED_ADVICE}.`);
  if (there > newest) {
    if ((await breakingSteps(database, newest)).length > 0)
      return fault(
        `its schema has version ${there}, this program knows up to ${newest} and cannot work with it`,
        'Use the program version that wrote it, or a newer one.',
      );
    return ok(
      `${database.dialect}, no damage found; a newer version has upgraded the schema to ${there}, and this one, which knows schema ${newest}, can work with it (a rolling upgrade, or a downgrade)`,
    );
  }
  const unknown = unknownVersion(there);
  if (unknown)
    return fault(
      `its schema has version ${there}, ${unknown.age}`,
      `Start ${unknown.program} with it once, then this one.`,
    );
  if (there < newest)
    return warning(
      `its schema has version ${there}, this program wants ${newest}`,
      'The next start brings it up to date; `voxgate migrate` does it now.',
    );
  return ok(`${database.dialect}, schema version ${there}, no damage found`);
}

export async function checkKeys(database: Database, keyring: Keyring): Promise<Verdict> {
  const { masterKeyId, dataKeys } = await listKeys(database, keyring);
  const tenants = new Set(dataKeys.filter((key) => key.destroyedAtMs === null).map((key) => key.tenantKey));
  const shut: string[] = [];
  for (const tenantKey of tenants) {
    try {
      await keyring.forTenant(database.db, tenantKey);
    } catch {
      shut.push(tenantKey);
    }
  }
  if (shut.length > 0)
    return fault(
      `the data keys of ${shut.slice(0, NAMED_MAX).join(', ')} do not open with master key ${masterKeyId}`,
      'Restore the rows of `sealing_keys`, and the master key that belongs to them, from one backup.',
    );
  const system = tenants.has(SYSTEM_TENANT_KEY) ? 1 : 0;
  return ok(`master key ${masterKeyId} opens the keys of ${tenants.size - system} tenants`);
}

export async function checkMediaStore(database: Database, blobs: BlobStore): Promise<Verdict> {
  const trouble = (await blobs.check?.()) ?? true;
  if (trouble !== true) throw new Error(trouble);
  const elsewhere = await otherStore(database, blobs);
  return elsewhere === undefined
    ? ok(blobs.place)
    : warning(
        `this node keeps recordings in ${blobs.place}, but those of this installation lie in ${elsewhere}`,
        'Give all nodes one store (setting `media.store`, or one shared home directory), and bring the recordings there with `voxgate media move`.',
      );
}

export async function checkPrints(store: BiometricsStore, model: SpeakerModel): Promise<Verdict> {
  const outdated = await outdatedPrints(store, model);
  if (outdated.length === 0) return ok(`all of the speaker model in use (${model.revision})`);
  const prints = outdated.reduce((sum, tenant) => sum + tenant.prints, 0);
  const models = [...new Set(outdated.flatMap((tenant) => tenant.models))].join(', ');
  const tenants = outdated.slice(0, NAMED_MAX).map((tenant) => `${tenant.gkScopeId} (${tenant.prints})`);
  return warning(
    `${prints} were made by ${models} and cannot be compared by ${model.revision}; tenants: ${tenants.join(', ')}${outdated.length > NAMED_MAX ? ', ...' : ''}`,
    'The running server makes them again from their enrollment audio (`engine.renewPrints`), once there is no node with another model; `voxgate templates remake --tenant ID` does it now and counts those that cannot be. To stay with the model before, name it with `engine.speakerModel`.',
  );
}

export async function checkRecordings(database: Database, blobs: BlobStore, depth: Depth): Promise<Verdict> {
  const { checked, missing, damaged, unnamed } = await checkBlobs(database, blobs, depth);
  const name = (ids: readonly string[]): string =>
    ids.slice(0, NAMED_MAX).join(', ') + (ids.length > NAMED_MAX ? ', ...' : '');
  const wrong = [
    ...(missing.length > 0 ? [`${missing.length} missing (${name(missing)})`] : []),
    ...(damaged.length > 0 ? [`${damaged.length} damaged (${name(damaged)})`] : []),
  ];
  if (wrong.length > 0)
    return fault(
      `of ${checked} recordings ${wrong.join(', ')}`,
      'Restore them from a backup of the media store (by default the folder `blobs` of the home directory), or delete these media segments. Prints that were trained from them keep working.',
    );
  const read = depth === 'full' ? 'all open' : 'all there';
  const rest =
    unnamed > 0
      ? `; ${unnamed} files that no row names, which the server removes when they are a day old`
      : '';
  return ok(`${checked} recordings, ${read}${rest}`);
}

export async function checkAudit(audit: AuditLog): Promise<Verdict> {
  let records = 0;
  const chains = await audit.chains();
  for (const chain of chains) {
    const report = await verifyChain(audit, chain);
    records += report.records;
    if (report.broken)
      return fault(
        `the chain of ${chain} is broken at record ${report.broken.seq}: ${report.broken.message}`,
        'Somebody or something changed the trail. Compare it with a backup or an export before anything else is done.',
      );
  }
  return ok(`${records} records in ${chains.length} chains, unbroken`);
}

export async function checkClock(database: Database, clock: Clock): Promise<Verdict> {
  const offsetMs = (await clockOffset(database, clock)) ?? 0;
  if (Math.abs(offsetMs) > OFFSET_MAX_MS)
    return warning(
      `it is ${new Date(clock.now()).toISOString()} here, ${offsetInWords(offsetMs)}`,
      `${CLOCK_ADVICE}.`,
    );
  const seenMs = await latestSeen(database);
  const nowMs = clock.now();
  const now = new Date(nowMs).toISOString();
  if (seenMs === undefined) return ok(`it is ${now}; nothing to compare it with yet`);
  const seen = new Date(seenMs).toISOString();
  if (nowMs - seenMs > JUMP_MAX_MS)
    return warning(
      `it is ${now}, more than a day after the last time seen (${seen}): nothing is deleted by age`,
      'If the time is right, run `voxgate clock confirm`.',
    );
  if (seenMs - nowMs > BEHIND_MAX_MS)
    return warning(
      `it is ${now}, before the last time seen (${seen})`,
      'Set the clock of this machine. If it was the last time seen that was wrong, run `voxgate clock confirm`.',
    );
  const wrongMs = await wasBehindAt(database);
  if (wrongMs !== undefined)
    return warning(
      `it is ${now}, but it was far behind (${new Date(wrongMs).toISOString()}): nothing is deleted by age`,
      'What was stored then looks older than it is. Look at it, then run `voxgate clock confirm`.',
    );
  return ok(`it is ${now}`);
}
