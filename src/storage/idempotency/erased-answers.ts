// Empties answers that were kept for repeated calls and are about an erased person: for the rest of the day,
// only the fact that the call was made is known. Nothing is left of the request either: its fingerprint could
// be compared with a guess.
import { fromJson } from '../columns.js';
import type { Db } from '../database.js';
import { type Keyring, placeOf, SYSTEM_TENANT_KEY } from '../sealing/keyring.js';

const IDS_PER_QUERY = 500;
/**
 * Replaces fingerprint and answer. Programs that do not know it refuse the key, because the request does not
 * match.
 */
const emptied = Buffer.alloc(32);

export const placeOfAnswer = (id: string): string => placeOf('kept_answers', 'sealed', id);

export const isEmptied = (opened: Uint8Array): boolean => Buffer.compare(opened, emptied) === 0;

/**
 * Answers that name one of these IDs, something processed from one of these recordings, or a live call in one
 * of these sessions.
 */
export async function answersNaming(db: Db, named: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (let at = 0; at < named.length; at += IDS_PER_QUERY) {
    const ids = named.slice(at, at + IDS_PER_QUERY);
    const processed = db
      .selectFrom('processed_audios')
      .select('gk_processed_audio_id')
      .where('gk_media_segment_id', 'in', ids);
    const heard = db.selectFrom('live_outcomes').select('live_call_id').where('gk_session_id', 'in', ids);
    const rows = await db
      .selectFrom('kept_answer_names')
      .select('answer_id')
      .distinct()
      .where((where) =>
        where.or([
          where('named_id', 'in', ids),
          where('named_id', 'in', processed),
          where('named_id', 'in', heard),
        ]),
      )
      .execute();
    for (const { answer_id } of rows) found.add(answer_id);
  }
  return [...found];
}

/** Returns how many there were. */
export async function emptyAnswers(db: Db, keyring: Keyring, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const sealer = await keyring.forTenant(db, SYSTEM_TENANT_KEY);
  let count = 0;
  for (const id of ids) {
    const { numUpdatedRows } = await db
      .updateTable('kept_answers')
      .set({ sealed: sealer.seal(emptied, placeOfAnswer(id)) })
      .where('id', '=', id)
      .executeTakeFirst();
    count += Number(numUpdatedRows);
    await db.deleteFrom('kept_answer_names').where('answer_id', '=', id).execute();
  }
  return count;
}

/**
 * Whether the answer is about an erased person: by their ID, one of their prints, or a session or engagement
 * with them.
 */
export async function namesErased(db: Db, id: string): Promise<boolean> {
  const names = db.selectFrom('kept_answer_names').select('named_id').where('answer_id', '=', id);
  const person = await db
    .selectFrom('erased_persons')
    .select('gk_person_id')
    .where('gk_person_id', 'in', names)
    .limit(1)
    .executeTakeFirst();
  if (person) return true;
  const print = await db
    .selectFrom('former_prints')
    .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'former_prints.gk_person_id')
    .select('former_prints.gk_person_id')
    .where('gk_voiceprint_profile_id', 'in', names)
    .limit(1)
    .executeTakeFirst();
  if (print) return true;
  const sessions = await db
    .selectFrom('sessions')
    .select('document')
    .where('gk_session_id', 'in', names)
    .execute();
  const engagements = await db
    .selectFrom('engagements')
    .select('document')
    .where('gk_engagement_id', 'in', names)
    .execute();
  return [...sessions, ...engagements].some(
    ({ document }) => fromJson<{ isErased?: true }>(document).isErased === true,
  );
}

/** Answers that were kept while an erasure ran, found by the persons and prints that they name. */
export async function answersOfErased(db: Db): Promise<string[]> {
  const byPerson = await db
    .selectFrom('kept_answer_names')
    .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'kept_answer_names.named_id')
    .select('answer_id')
    .distinct()
    .execute();
  const byPrint = await db
    .selectFrom('kept_answer_names')
    .innerJoin('former_prints', 'former_prints.gk_voiceprint_profile_id', 'kept_answer_names.named_id')
    .innerJoin('erased_persons', 'erased_persons.gk_person_id', 'former_prints.gk_person_id')
    .select('answer_id')
    .distinct()
    .execute();
  return [...new Set([...byPerson, ...byPrint].map((row) => row.answer_id))];
}
