// Where the recordings of this installation are stored, according to the database. A node with a different
// store would not find the recordings of other nodes, nor they its own.
import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { readSetting, setIfUnset, writeSetting } from '../settings.js';
import type { BlobStore } from './blob-store.js';

const SETTING = 'media.store';

interface StoreNote {
  id: string;
  place: string;
}

/** Notes this store if none is noted yet. If the recordings are stored elsewhere, returns that place. */
export async function noteStore(database: Database, blobs: BlobStore): Promise<string | undefined> {
  const own = await noteOf(blobs);
  return placeOfOther(own, await setIfUnset(database, SETTING, JSON.stringify(own)));
}

/** The same check for callers that must not write. */
export async function otherStore(database: Database, blobs: BlobStore): Promise<string | undefined> {
  const known = await readSetting(database, SETTING);
  return known === undefined
    ? undefined
    : placeOfOther({ id: await blobs.identity(), place: blobs.place }, known);
}

/** From now on the recordings are stored here. */
export async function changeStore(database: Database, blobs: BlobStore): Promise<void> {
  await writeSetting(database, SETTING, JSON.stringify(await noteOf(blobs)));
}

async function noteOf(blobs: BlobStore): Promise<StoreNote> {
  const id = (await blobs.identity()) ?? (await blobs.establish(randomUUID()));
  return { id, place: blobs.place };
}

/**
 * A folder shared by several machines has one id and many places; one that was emptied has lost its id, not
 * its place.
 */
function placeOfOther(own: { id: string | undefined; place: string }, written: string): string | undefined {
  const known = JSON.parse(written) as StoreNote;
  return known.id === own.id || known.place === own.place ? undefined : known.place;
}
