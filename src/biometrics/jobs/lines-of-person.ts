// The batch lines about an erased person: those that name them, under any name they ever had, and those about one of their
// recordings, even if they name somebody else by mistake.
import { isStored, type NamingLine, type UnnamedLine } from '../model/batches.js';
import type { BiometricsStore, BiometricsTransaction } from '../ports/store.js';
import { namesOfPerson, namingOperations, type NameOfPerson } from '../rules/names-of-person.js';

interface Person {
  gkScopeId: string;
  gkPersonId: string;
}

/** What a scan of all lines has found, and how far it went. */
export interface FoundLines {
  lines: readonly NamingLine[];
  /** Recordings, and sessions, that lines may have been about. */
  recordings: ReadonlySet<string>;
  /** The open batches whose lines were complete when these were read. */
  batches: ReadonlySet<string>;
  /** There is no other scan before the proof: what this one did not look for stays until the next. */
  isLast: boolean;
}

/** Outside the erasing transaction: all lines of all batches are read. */
export async function findLines(store: BiometricsStore, person: Person): Promise<FoundLines> {
  return find(store, person, { names: await namesOf(store, person), isLast: false });
}

/** Lines of batches that were started during the scan, or that are about what came meanwhile. */
export function findLateLines(
  store: BiometricsStore,
  person: Person,
  deleted: readonly string[],
): Promise<FoundLines> {
  return find(store, person, { names: [], isLast: true, deleted });
}

async function find(
  { read }: BiometricsStore,
  { gkScopeId, gkPersonId }: Person,
  {
    names,
    isLast,
    deleted = [],
  }: { names: readonly NameOfPerson[]; isLast: boolean; deleted?: readonly string[] },
): Promise<FoundLines> {
  const theirs = await read.media.listByPerson(gkScopeId, gkPersonId);
  const recordings = new Set([
    ...deleted,
    ...theirs.flatMap(({ gkMediaSegmentId, gkSessionId }) => [gkMediaSegmentId, gkSessionId]),
  ]);
  // Before the lines: anything started later is known to be missing.
  const batches = await openBatches(read, gkScopeId);
  const lines = await read.batches.linesNaming(gkScopeId, { gkPersonId, names, recordings });
  return { lines, recordings, batches: new Set(batches), isLast };
}

/** Those that a client was told of. */
async function openBatches(
  { jobs }: Pick<BiometricsTransaction, 'jobs'>,
  gkScopeId: string,
): Promise<string[]> {
  const open = await jobs.listOpen(gkScopeId, 'BATCH');
  return open.filter(isStored).map(({ gkJobId }) => gkJobId);
}

const namedForOthers = (lines: readonly NamingLine[]): Set<string> =>
  new Set(lines.flatMap(({ isForOther, gkMediaSegmentIds }) => (isForOther ? gkMediaSegmentIds : [])));

/** Whether a pending line attributes a recording to somebody else. */
export type ClaimedForOthers = (gkMediaSegmentId: string) => 'yes' | 'no' | 'not known yet';

/** In the erasing transaction: batches, and recordings, may have come since the scan. */
export async function claimedForOthers(
  tx: Pick<BiometricsTransaction, 'jobs'>,
  gkScopeId: string,
  { lines, recordings, batches, isLast }: FoundLines,
): Promise<ClaimedForOthers> {
  const named = namedForOthers(lines);
  const open = await openBatches(tx, gkScopeId);
  const isComplete = open.every((gkJobId) => batches.has(gkJobId));
  return (gkMediaSegmentId) => {
    if (named.has(gkMediaSegmentId)) return 'yes';
    if (open.length === 0) return 'no';
    if (isComplete && recordings.has(gkMediaSegmentId)) return 'no';
    return isLast ? 'yes' : 'not known yet';
  };
}

/**
 * Erased persons with a recording that was left for a pending line that named it for somebody else, and that
 * has been processed since.
 */
export async function personsNoLongerAwaited(store: BiometricsStore, limit: number): Promise<Person[]> {
  const awaited = await store.read.erasure.awaited(limit);
  const persons = new Map<string, Person>();
  for (const gkScopeId of new Set(awaited.map((each) => each.gkScopeId))) {
    const ofTenant = awaited.filter((each) => each.gkScopeId === gkScopeId);
    const recordings = new Set(ofTenant.map(({ gkMediaSegmentId }) => gkMediaSegmentId));
    // Lines that named the persons themselves are forgotten.
    const named = namedForOthers(
      await store.read.batches.linesNaming(gkScopeId, { gkPersonId: '', recordings }),
    );
    for (const { gkMediaSegmentId, gkPersonId } of ofTenant)
      if (!named.has(gkMediaSegmentId)) persons.set(gkPersonId, { gkScopeId, gkPersonId });
  }
  return [...persons.values()];
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

/** What a line names is the person's recording, whether or not the line has been processed. */
export async function linkLines(
  tx: BiometricsTransaction,
  person: Person,
  lines: readonly NamingLine[],
): Promise<void> {
  for (const { isNamed, gkMediaSegmentIds, gkSessionIds } of lines) {
    if (!isNamed) continue;
    for (const gkMediaSegmentId of gkMediaSegmentIds) await tx.erasure.linkSaid(person, { gkMediaSegmentId });
    for (const gkSessionId of gkSessionIds) await tx.erasure.linkSaid(person, { gkSessionId });
  }
}

interface LinesToForget {
  /** They no longer say anything. */
  deleted: readonly NamingLine[];
  /**
   * Their sessions stay, because they also belong to somebody else or are evidence; so do the lines, without
   * the person.
   */
  unnamed: readonly UnnamedLine[];
}

/** Called when it is known which recordings and sessions stay. */
export async function linesToForget(
  tx: Pick<BiometricsTransaction, 'sessions'>,
  gkScopeId: string,
  lines: readonly NamingLine[],
  {
    deleted,
    keptEngagements = [],
  }: { deleted: readonly string[]; keptEngagements?: readonly string[] | undefined },
): Promise<LinesToForget> {
  const ids = new Set(deleted);
  const isAboutDeleted = ({ gkMediaSegmentIds, gkSessionIds }: NamingLine): boolean =>
    [...gkMediaSegmentIds, ...gkSessionIds].some((id) => ids.has(id));
  const about = lines.filter((line) => line.isNamed || isAboutDeleted(line));
  const found: { deleted: NamingLine[]; unnamed: UnnamedLine[] } = { deleted: [], unnamed: [] };
  for (const line of about) {
    const sessions = await tx.sessions.findMany(gkScopeId, line.gkSessionIds);
    const stays =
      line.isEnded &&
      sessions.length > 0 &&
      !isAboutDeleted(line) &&
      sessions.every(({ isErased }) => !isErased);
    const hasScores = sessions.some(({ gkEngagementId }) => keptEngagements.includes(gkEngagementId));
    if (stays) found.unnamed.push({ itemId: line.itemId, hasScores });
    else found.deleted.push(line);
  }
  return found;
}

/**
 * Another erasure of the same person may have forgotten some since they were found: each proof counts only
 * its own.
 */
export const countLines = (
  tx: BiometricsTransaction,
  gkScopeId: string,
  { deleted, unnamed }: LinesToForget,
): Promise<number> =>
  tx.batches.countNaming(
    gkScopeId,
    [...deleted, ...unnamed].map(({ itemId }) => itemId),
  );

export async function forgetLines(
  tx: BiometricsTransaction,
  gkScopeId: string,
  { deleted, unnamed }: LinesToForget,
): Promise<void> {
  await tx.batches.unname(gkScopeId, unnamed);
  await tx.batches.forget(
    gkScopeId,
    deleted.map(({ itemId }) => itemId),
  );
}
