// `voxgate media`: where recordings lie, and bringing them from one store to another.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config.js';
import { systemClock } from '../../platform.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import { moveBlobs } from '../../storage/blobs/move-blobs.js';
import { changeStore } from '../../storage/blobs/store-note.js';
import { blobsAt, type Storage } from '../../storage/open-storage.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

interface MoveFlags extends CommonFlags {
  from?: string;
  to?: string;
  removeSource?: boolean;
}

const PROGRESS_EVERY_MS = 5000;

export function registerMedia(program: Command, io: CliIo): void {
  const media = program.command('media').description('move recordings from one store to another');
  commonFlags(
    media
      .command('move')
      .description(
        'copy all recordings to another store and compare each copy; run it again to continue after an interruption',
      ),
  )
    .option('--from <place>', 'folder or s3://BUCKET/PREFIX (default: the configured store)')
    .option('--to <place>', 'folder or s3://BUCKET/PREFIX (default: the configured store)')
    .option('--remove-source', 'remove each recording from the old store once its copy has been verified')
    .action((flags: MoveFlags) =>
      runCommand(io, flags, () =>
        withStorage(io, flags, (storage, config) => move(io, flags, storage, config)),
      ),
    );
}

async function move(io: CliIo, flags: MoveFlags, storage: Storage, config: Config): Promise<void> {
  const storeAt = (place: string | undefined): BlobStore =>
    place === undefined
      ? storage.blobs
      : blobsAt(
          config,
          { ...storage, clock: systemClock },
          place.startsWith('s3://') ? place : resolve(place),
        );
  const from = storeAt(flags.from);
  const to = storeAt(flags.to);
  if (from.place === to.place) throw new Error('--from and --to name the same store; give one of them');
  let reportedAtMs = Date.now();
  const report = await moveBlobs(from, to, {
    removeSource: flags.removeSource ?? false,
    onProgress: ({ copied, there, failed }) => {
      if (Date.now() - reportedAtMs < PROGRESS_EVERY_MS) return;
      reportedAtMs = Date.now();
      io.err(`${copied} copied, ${there} were there, ${failed.length} failed`);
    },
  });
  if (report.failed.length === 0) await changeStore(storage.database, to);
  print(io, flags, { from: from.place, to: to.place, ...report }, [
    `${report.copied} recordings copied, ${report.there} were there already, ${report.removed} removed from ${from.place}`,
    ...report.failed.map((failure) => `FAILED ${failure}`),
    report.failed.length === 0
      ? `all recordings are in ${to.place}`
      : 'the others are there; what failed stays where it was',
  ]);
  if (report.failed.length > 0) io.exit(1);
}
