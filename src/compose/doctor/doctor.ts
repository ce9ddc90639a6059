// `voxgate doctor`: checks everything that the server needs, changes nothing, and says what to do. A check that cannot be made
// because another one failed is left out, and the failed one says why.
import { existsSync, statSync } from 'node:fs';
import { unknownSettings, type Config } from '../../config.js';
import { findModels } from '../../inference/engine.js';
import { checkSpeechDetector, readDetector, readSpeakerModel } from '../../inference/models/manifest.js';
import type { Clock } from '../../platform.js';
import { auditLog } from '../../storage/audit/audit-log.js';
import { createBiometricsStore } from '../../storage/biometrics/store.js';
import { schemaVersion } from '../../storage/checks/database.js';
import { DISK_FREE_MIN_BYTES, freeBytes, whyNotWritable } from '../../storage/checks/home.js';
import { openDatabase, type Database } from '../../storage/database.js';
import { blobsAt, databaseOptions, masterKeySource } from '../../storage/open-storage.js';
import { MASTER_KEY_SETTING, openKeyring } from '../../storage/sealing/keyring.js';
import { readSetting } from '../../storage/settings.js';
import { nodeNotes } from '../../storage/nodes.js';
import { checkPublicUrls } from './check-nodes.js';
import { fault, messageOf, ok, warning, type Finding, type Verdict } from './finding.js';
import {
  checkAudit,
  checkClock,
  checkDatabase,
  checkKeys,
  checkMediaStore,
  checkPrints,
  checkRecordings,
  type Depth,
} from './state-checks.js';

const DISK_LOW_BYTES = 1024 * 1024 * 1024;
const MIB = 1024 * 1024;

export async function examine(config: Config, clock: Clock, depth: Depth): Promise<Finding[]> {
  const findings: Finding[] = [];
  const add = async (name: string, check: () => Promise<Verdict>): Promise<boolean> => {
    let verdict: Verdict;
    try {
      verdict = await check();
    } catch (thrown) {
      verdict = fault(messageOf(thrown), adviceFor(name));
    }
    findings.push({ name, ...verdict });
    return verdict.status !== 'fault';
  };
  await add('settings', async () => checkSettings());
  await add('models', async () => checkModels(config));
  if (!(await add('home', () => checkHome(config.home)))) return findings;
  await add('disk', () => checkDisk(config.home));
  await examineState(config, clock, depth, add);
  return findings;
}

type Add = (name: string, check: () => Promise<Verdict>) => Promise<boolean>;

async function examineState(config: Config, clock: Clock, depth: Depth, add: Add): Promise<void> {
  const where = databaseOptions({
    home: config.home,
    databaseUrl: config.database,
    postgres: { ...config.postgres, statementTimeoutMs: 0 },
  });
  if (where.kind === 'sqlite' && !existsSync(where.file)) {
    await add('database', async () =>
      warning(
        `there is none at ${where.file}`,
        'Start the server, or run `voxgate bootstrap`, to create one.',
      ),
    );
    return;
  }
  const database = openDatabase(where);
  try {
    if (!(await add('database', () => checkDatabase(database, depth)))) return;
    if ((await schemaVersion(database)) === undefined) return;
    await add('clock', () => checkClock(database, clock));
    if (database.dialect === 'postgres') await add('public URL', () => checkPublicUrls(nodeNotes(database)));
    await examineSealed(config, clock, database, { depth, add });
  } finally {
    await database.close();
  }
}

async function examineSealed(
  config: Config,
  clock: Clock,
  database: Database,
  { depth, add }: { depth: Depth; add: Add },
): Promise<void> {
  // Opening a keyring makes the first key where there is none; a doctor makes nothing.
  if ((await readSetting(database, MASTER_KEY_SETTING)) === undefined) {
    await add('keys', async () => warning('no master key is in force yet', 'The first start creates one.'));
    return;
  }
  const keysOpen = await add('keys', async () => {
    const source = masterKeySource({ home: config.home, masterKey: config.sealing.masterKey });
    return checkKeys(database, await openKeyring({ database, clock, source }));
  });
  if (!keysOpen) return;
  const source = masterKeySource({ home: config.home, masterKey: config.sealing.masterKey });
  const keyring = await openKeyring({ database, clock, source });
  const blobs = blobsAt(config, { database, keyring, clock });
  if (!(await add('media store', () => checkMediaStore(database, blobs)))) return;
  await add('recordings', () => checkRecordings(database, blobs, depth));
  const audit = auditLog({ database, keyring, clock });
  await add('prints', async () =>
    checkPrints(
      createBiometricsStore(database, keyring, audit),
      readSpeakerModel(findModels(modelsOf(config)).speaker, false).model,
    ),
  );
  if (depth === 'full') await add('audit trail', () => checkAudit(audit));
}

function checkSettings(): Verdict {
  const unknown = unknownSettings();
  if (unknown.length === 0) return ok('read, no fault');
  return warning(
    unknown.join('; '),
    'Variables that begin with VOXGATE_ but are not settings are ignored: correct or remove them.',
  );
}

async function checkHome(home: string): Promise<Verdict> {
  if (!existsSync(home))
    return warning(`${home} does not exist`, 'The first start creates it; or name another one with --home.');
  const why = await whyNotWritable(home);
  if (why !== undefined)
    return fault(why, 'Give the user that runs the server a directory that it can write to.');
  if ((statSync(home).mode & 0o077) !== 0)
    return warning(`${home} can be read by others`, `Run \`chmod 700 ${home}\`.`);
  return ok(home);
}

async function checkDisk(home: string): Promise<Verdict> {
  if (!existsSync(home)) return ok('not checked: there is no home directory yet');
  const free = await freeBytes(home);
  const found = `${Math.floor(free / MIB)} MiB are free`;
  const advice = 'Make room, shorten `retention.mediaDays`, or move the home directory to a larger disk.';
  if (free < DISK_FREE_MIN_BYTES) return fault(`nearly full: ${found}`, advice);
  return free < DISK_LOW_BYTES ? warning(found, advice) : ok(found);
}

const modelsOf = ({ engine: { modelsDir, speakerModel } }: Config) => ({
  modelsDir,
  ...(speakerModel && { speakerModel }),
});

function checkModels(config: Config): Verdict {
  const { speaker, vad, synthetic, playback } = findModels(modelsOf(config));
  const revisions = [readSpeakerModel(speaker).model.revision, checkSpeechDetector(vad)];
  for (const folder of [synthetic, playback])
    if (folder !== undefined) revisions.push(readDetector(folder).info.revision);
  return ok(`${revisions.length} models, as their manifests say (${revisions[0]})`);
}

function adviceFor(name: string): string {
  const advice: Readonly<Record<string, string>> = {
    models: 'Install the program again, or name another folder with `engine.modelsDir`.',
    keys: 'Put the master key back: the file `master.key` of the home directory, or the setting `sealing.masterKey`. Without it, nothing that is sealed can be read, and a new key does not help.',
    'media store':
      'Make sure that the store is running, that the bucket exists and that the access key may list, read, write and delete in it (settings `media.*`).',
    database:
      'Make sure that the database is running and that its address and password are right (setting `database`).',
  };
  return advice[name] ?? 'See the message; the server log may say more.';
}
