// `voxgate keys`: the keys of encryption at rest. None of these commands ever prints a key.
import type { Command } from 'commander';
import type { Storage } from '../../storage/open-storage.js';
import { SYSTEM_TENANT_KEY } from '../../storage/sealing/keyring.js';
import { readKeyFile } from '../../storage/sealing/master-key.js';
import { listKeys, resealColumn, rotateDataKeys, rotateMasterKey } from '../../storage/sealing/rotation.js';
import { sealedColumns } from '../../storage/sealing/sealed-columns.js';
import { StorageError } from '../../storage/storage-error.js';
import { commonFlags, runCommand, tenantFlag, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

interface RotateMasterFlags extends CommonFlags {
  newKeyFile?: string;
}

interface RotateDataFlags extends CommonFlags {
  tenant?: string;
  reseal?: boolean;
}

export function registerKeys(program: Command, io: CliIo): void {
  const keys = program
    .command('keys')
    .description('list and rotate the keys for encryption at rest, and rotate the key that signs tokens');
  commonFlags(
    keys.command('list').description('list the keys by name and date; key material is never shown'),
  ).action((flags: CommonFlags) =>
    runCommand(io, flags, () => withStorage(io, flags, (storage) => list(io, flags, storage))),
  );
  commonFlags(keys.command('rotate-master').description('wrap all data keys with a new master key'))
    .option(
      '--new-key-file <file>',
      'file (mode 0600) with the new key; needed if the master key comes from the configuration',
    )
    .action((flags: RotateMasterFlags) =>
      runCommand(io, flags, () => withStorage(io, flags, (storage) => rotateMaster(io, flags, storage))),
    );
  tenantFlag(
    commonFlags(
      keys.command('rotate-data').description('start using new data keys; existing content stays readable'),
    ),
    'rotate only the keys of this tenant (`system`: the installation itself)',
  )
    .option('--reseal', 're-encrypt existing content with the new keys')
    .action((flags: RotateDataFlags) =>
      runCommand(io, flags, () => withStorage(io, flags, (storage) => rotateData(io, flags, storage))),
    );
}

async function list(io: CliIo, flags: CommonFlags, storage: Storage): Promise<void> {
  const listing = await listKeys(storage.database, storage.keyring);
  const lines = listing.dataKeys.map((key) => {
    const state =
      key.destroyedAtMs === null ? '' : `  destroyed ${new Date(key.destroyedAtMs).toISOString()}`;
    return `${key.tenantKey}  version ${key.version}  created ${new Date(key.createdAtMs).toISOString()}${state}`;
  });
  print(io, flags, listing, [`master key ${listing.masterKeyId}`, ...lines]);
}

async function rotateMaster(io: CliIo, flags: RotateMasterFlags, storage: Storage): Promise<void> {
  const next = flags.newKeyFile === undefined ? undefined : readKeyFile(flags.newKeyFile);
  if (flags.newKeyFile !== undefined && !next)
    throw new StorageError('MASTER_KEY_MISSING', `file not found: ${flags.newKeyFile}`);
  const rotation = await rotateMasterKey(storage.database, storage.masterKey, next);
  const advice = next
    ? ['Set sealing.masterKey to the new key before the next start.']
    : storage.database.dialect === 'postgres'
      ? [
          'Other nodes on this database are not ready until they have it: in master.key, or sealing.masterKey.',
        ]
      : [];
  print(io, flags, rotation, [
    `master key ${rotation.previousKeyId} -> ${rotation.masterKeyId}, ${rotation.rewrapped} data keys`,
    ...advice,
  ]);
}

async function rotateData(io: CliIo, flags: RotateDataFlags, storage: Storage): Promise<void> {
  const rotated = await rotateDataKeys(storage.database, storage.keyring, flags.tenant);
  if (rotated.length === 0 && flags.tenant !== undefined)
    throw new StorageError('KEY_DESTROYED', `tenant ${flags.tenant} has no data key`);
  let resealed = 0;
  if (flags.reseal)
    for (const { tenantKey } of rotated) resealed += await resealTenant(io, storage, tenantKey);
  const lines = rotated.map((key) => `${key.tenantKey}  version ${key.version}`);
  print(io, flags, { rotated, resealed }, [
    ...lines,
    ...(flags.reseal ? [`${resealed} values and blobs re-encrypted`] : []),
  ]);
}

/** Progress goes to the error stream: the result alone is on the other one. */
async function resealTenant(io: CliIo, storage: Storage, tenantKey: string): Promise<number> {
  let total = 0;
  for (const column of sealedColumns) {
    if ((column.tenantColumn === undefined) !== (tenantKey === SYSTEM_TENANT_KEY)) continue;
    const { scanned, resealed } = await resealColumn(storage.database, storage.keyring, column, tenantKey);
    if (scanned > 0) io.err(`${tenantKey}: ${column.table}.${column.column} ${resealed} of ${scanned}`);
    total += resealed;
  }
  let blobs = 0;
  for await (const blobId of storage.blobs.list(tenantKey))
    if (await storage.blobs.reseal({ tenantKey, blobId })) blobs++;
  if (blobs > 0) io.err(`${tenantKey}: ${blobs} blobs`);
  return total + blobs;
}
