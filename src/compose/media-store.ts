// The store of recordings as a part of the server: whether it answers, and whether it is the one that the other nodes use.
import { noteStore } from '../storage/blobs/store-note.js';
import { StorageError } from '../storage/storage-error.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

export async function composeMediaStore({ log }: Core, { database, blobs }: Storage): Promise<Part> {
  try {
    const elsewhere = await noteStore(database, blobs);
    if (elsewhere !== undefined)
      log.warn(
        { here: blobs.place, elsewhere },
        'RECORDINGS ARE NOT SHARED: this node keeps recordings in another store than the installation does, and nodes will miss what others received. Give all nodes one media.store, or one shared home directory',
      );
  } catch (error) {
    if (error instanceof StorageError) throw error;
    // It may come back; until then readiness says what is wrong.
    log.error({ err: error, place: blobs.place }, 'the media store does not answer');
  }
  const { check } = blobs;
  return check ? { readiness: [{ name: 'media store', check: () => check.call(blobs) }] } : {};
}
