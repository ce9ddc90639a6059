// The lines of batches that are about an erased person: those that name them, under whatever name they had, and those about a recording
// of theirs, also where they name somebody else by mistake.
import type { NamingLine } from '../model/batches.js';
import type { BiometricsStore, BiometricsTransaction } from '../ports/store.js';
import { namesOfPerson, namingOperations, type NameOfPerson } from '../rules/names-of-person.js';

interface Person {
  gkScopeId: string;
  gkPersonId: string;
}

/** Outside of the transaction that erases them: all lines of all batches are read. */
export async function findLines(store: BiometricsStore, person: Person): Promise<NamingLine[]> {
  const { gkScopeId, gkPersonId } = person;
  const recordings = await store.read.media.listByPerson(gkScopeId, gkPersonId);
  return store.read.batches.linesNaming(gkScopeId, {
    gkPersonId,
    names: await namesOf(store, person),
    recordings: new Set(
      recordings.flatMap(({ gkMediaSegmentId, gkSessionId }) => [gkMediaSegmentId, gkSessionId]),
    ),
  });
}

async function namesOf(store: BiometricsStore, { gkScopeId, gkPersonId }: Person): Promise<NameOfPerson[]> {
  const { parties } = store.read;
  const party = await parties.find(gkScopeId, 'PERSON', gkPersonId);
  const records = await store.transaction((tx) =>
    tx.auditedPersonalData(gkScopeId, gkPersonId, namingOperations),
  );
  const names = namesOfPerson(records, party?.externalId);
  if (party) return names;
  // Deleted before that was recorded with the name: it may be somebody else's by now.
  return Promise.all(
    names.map(async (known) => {
      const holder =
        known.untilMs ?? (await parties.findByExternalId(gkScopeId, 'PERSON', known.name))?.createdAtMs;
      return { name: known.name, ...(holder !== undefined && { untilMs: holder }) };
    }),
  );
}

/** What a line names is the person's recording, whether or not the line has come to its turn. */
export async function tieLines(
  tx: BiometricsTransaction,
  person: Person,
  lines: readonly NamingLine[],
): Promise<void> {
  for (const { isNamed, gkMediaSegmentIds, gkSessionIds } of lines) {
    if (!isNamed) continue;
    for (const gkMediaSegmentId of gkMediaSegmentIds) await tx.erasure.tieSaid(person, { gkMediaSegmentId });
    for (const gkSessionId of gkSessionIds) await tx.erasure.tieSaid(person, { gkSessionId });
  }
}

/** Of a recording that stays, because it is somebody else's too or for evidence, the line stays as well. */
export const linesToForget = (
  lines: readonly NamingLine[],
  gone: ReadonlySet<string>,
): readonly NamingLine[] =>
  lines.filter(
    ({ isNamed, gkMediaSegmentIds, gkSessionIds }) =>
      isNamed || [...gkMediaSegmentIds, ...gkSessionIds].some((id) => gone.has(id)),
  );

/** Another erasure of the same person may have forgotten some since they were found: each proof counts what it has taken away itself. */
export const countLines = (
  tx: BiometricsTransaction,
  gkScopeId: string,
  lines: readonly NamingLine[],
): Promise<number> =>
  tx.batches.countNaming(
    gkScopeId,
    lines.map(({ itemId }) => itemId),
  );

export const forgetLines = (
  tx: BiometricsTransaction,
  gkScopeId: string,
  lines: readonly NamingLine[],
): Promise<void> =>
  tx.batches.forget(
    gkScopeId,
    lines.map(({ itemId }) => itemId),
  );
