// Where the recordings of this installation lie, as the database knows it. A node whose own store is another one would
// miss what its neighbors wrote, and they what it writes.
import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { readSetting, setIfUnset, writeSetting } from '../settings.js';
import type { BlobStore } from './blob-store.js';

const SETTING = 'media.store';

interface StoreNote {
  id: string;
  place: string;
}

/** Notes this store down where none is known yet. Answers where the recordings lie when that is somewhere else. */
export async function noteStore(database: Database, blobs: BlobStore): Promise<string | undefined> {
  const own = await noteOf(blobs);
  return placeOfOther(own, await setIfUnset(database, SETTING, JSON.stringify(own)));
}

/** The same question, by somebody who must not write. */
export async function otherStore(database: Database, blobs: BlobStore): Promise<string | undefined> {
  const known = await readSetting(database, SETTING);
  return known === undefined
    ? undefined
    : placeOfOther({ id: await blobs.identity(), place: blobs.place }, known);
}

/** From now on the recordings lie here. */
export async function changeStore(database: Database, blobs: BlobStore): Promise<void> {
  await writeSetting(database, SETTING, JSON.stringify(await noteOf(blobs)));
}

async function noteOf(blobs: BlobStore): Promise<StoreNote> {
  const id = (await blobs.identity()) ?? (await blobs.establish(randomUUID()));
  return { id, place: blobs.place };
}

/** A folder that several machines share has one id and many places; one that was emptied has lost its id, not its place. */
function placeOfOther(own: { id: string | undefined; place: string }, written: string): string | undefined {
  const known = JSON.parse(written) as StoreNote;
  return known.id === own.id || known.place === own.place ? undefined : known.place;
}
