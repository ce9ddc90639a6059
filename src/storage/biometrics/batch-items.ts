// The lines of batches and their results. Both are sealed, because they name people by the tenant's own IDs.
import { nameOf, RECORDINGS_MAX, type BatchLine } from '../../manifest/lines.js';
import {
  canceledResult,
  forgottenResult,
  type EndedLine,
  type KeptBatch,
  type LineCounts,
  type LineOutcome,
  type LineResult,
  type NamingLine,
  type OpenLine,
  unnamedResult,
  type UnnamedLine,
} from '../../biometrics/model/batches.js';
import type { Job } from '../../biometrics/model/jobs.js';
import type { BatchRepository, SoughtPerson } from '../../biometrics/ports/batches.js';
import { namedInTenant } from '../columns.js';
import type { Db } from '../database.js';
import type { BatchItemsTable } from '../schema/biometrics.js';
import { placeOf, type Keyring, type TenantSealer } from '../sealing/keyring.js';
import { openJson, sealJson } from '../sealing/sealed-json.js';
import { inEnglish } from '../../words/server/say.js';

/** Rows per statement, well below the number of parameters that either database accepts. */
const ROWS_AT_ONCE = 500;
const itemIdOf = (gkJobId: string, line: number): string => `${gkJobId}/${line}`;
const linePlace = (itemId: string): string => placeOf('batch_items', 'sealed', itemId);
const resultPlace = (itemId: string): string => placeOf('batch_items', 'result', itemId);

export function batchRepository(db: Db, keyring: Keyring): BatchRepository {
  const ofJob = (gkScopeId: string, gkJobId: string, afterLine: number, limit: number) =>
    db
      .selectFrom('batch_items')
      .selectAll()
      .where('gk_scope_id', '=', gkScopeId)
      .where('gk_job_id', '=', gkJobId)
      .where('line', '>', afterLine)
      .orderBy('line')
      .limit(limit);
  const itemsAfter = (gkScopeId: string, itemId: string) =>
    db
      .selectFrom('batch_items')
      .leftJoin('jobs', 'jobs.gk_job_id', 'batch_items.gk_job_id')
      .select([
        'item_id',
        'sealed',
        'outcome',
        'result',
        'jobs.created_at as batch_at',
        'jobs.state as batch_state',
        'jobs.document as batch',
      ])
      .where(namedInTenant('batch_items.gk_scope_id', gkScopeId))
      .where('item_id', '>', itemId)
      .orderBy('item_id')
      .limit(ROWS_AT_ONCE);
  return {
    async insert(gkScopeId, gkJobId, lines) {
      const sealer = await keyring.forTenant(db, gkScopeId);
      const rowOf = (line: BatchLine): BatchItemsTable => {
        const itemId = itemIdOf(gkJobId, line.line);
        return {
          item_id: itemId,
          gk_job_id: gkJobId,
          gk_scope_id: gkScopeId,
          line: line.line,
          outcome: null,
          reason: null,
          sealed: sealJson(sealer, linePlace(itemId), line),
          result: null,
        };
      };
      for (let at = 0; at < lines.length; at += ROWS_AT_ONCE) {
        const rows = lines.slice(at, at + ROWS_AT_ONCE).map(rowOf);
        await db.insertInto('batch_items').values(rows).execute();
      }
    },
    async open(gkScopeId, gkJobId, afterLine, limit) {
      const rows = await ofJob(gkScopeId, gkJobId, afterLine, limit)
        .where('outcome', 'is', null)
        .where('reason', 'is', null)
        .execute();
      if (rows.length === 0) return [];
      const sealer = await keyring.forTenant(db, gkScopeId);
      return rows.map((row) => openJson<OpenLine>(sealer, linePlace(row.item_id), row.sealed));
    },
    async begin(gkScopeId, gkJobId, line) {
      const itemId = itemIdOf(gkJobId, line.line);
      const sealer = await keyring.forTenant(db, gkScopeId);
      const begun = await db
        .updateTable('batch_items')
        .set({ sealed: sealJson(sealer, linePlace(itemId), line) })
        .where('item_id', '=', itemId)
        .where('outcome', 'is', null)
        .executeTakeFirst();
      return begun.numUpdatedRows > 0n;
    },
    async end(gkScopeId, gkJobId, line, result) {
      const itemId = itemIdOf(gkJobId, line);
      const sealer = await keyring.forTenant(db, gkScopeId);
      const ended = await db
        .updateTable('batch_items')
        .set({
          outcome: result.outcome,
          reason: result.reason,
          result: sealJson(sealer, resultPlace(itemId), result),
        })
        .where('item_id', '=', itemId)
        .where('outcome', 'is', null)
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },
    async cancel(gkJobId) {
      // Locked in the same order as everywhere else.
      await db
        .selectFrom('batch_items')
        .select('line')
        .where('gk_job_id', '=', gkJobId)
        .where('outcome', 'is', null)
        .orderBy('line')
        .forUpdate()
        .execute();
      const { outcome, reason } = canceledResult;
      await db
        .updateTable('batch_items')
        .set({ outcome, reason })
        .where('gk_job_id', '=', gkJobId)
        .where('outcome', 'is', null)
        .execute();
    },
    async results(gkScopeId, gkJobId, { afterLine, limit, outcome, reason }) {
      const rows = await ofJob(gkScopeId, gkJobId, afterLine, limit)
        .where('outcome', 'is not', null)
        .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? ''))
        .$if(reason !== undefined, (query) => query.where('reason', '=', reason ?? ''))
        .execute();
      if (rows.length === 0) return [];
      const sealer = await keyring.forTenant(db, gkScopeId);
      return rows.flatMap((row) => {
        const end = endOf(sealer, row);
        if (!end) return [];
        const item = openJson<OpenLine>(sealer, linePlace(row.item_id), row.sealed);
        const { line, requestId, ownerId } = item;
        // A line that was being worked on when its batch was canceled.
        const gkSessionId = row.result === null ? item.gkSessionIds?.at(-1) : undefined;
        const begun = gkSessionId === undefined ? {} : { gkSessionId };
        return [{ line, requestId, ownerId, ...recordingsIn(item), ...begun, ...end }];
      });
    },
    async ownersNamed(gkScopeId, lines) {
      if (lines.length === 0) return [];
      const ids = lines.map(({ gkJobId, line }) => itemIdOf(gkJobId, line));
      const rows = await db
        .selectFrom('batch_items')
        .select(['item_id', 'sealed'])
        .where('item_id', 'in', ids)
        .where('gk_scope_id', '=', gkScopeId)
        .execute();
      const sealer = await keyring.forTenant(db, gkScopeId);
      const names = new Map(
        rows.map((row) => [
          row.item_id,
          openJson<OpenLine>(sealer, linePlace(row.item_id), row.sealed).ownerId,
        ]),
      );
      return ids.map((id) => names.get(id) || undefined);
    },
    async linesNaming(gkScopeId, sought) {
      const found: NamingLine[] = [];
      for (let after = ''; ;) {
        const rows = await itemsAfter(gkScopeId, after).execute();
        if (rows.length === 0) return found;
        const sealer = await keyring.forTenant(db, gkScopeId);
        for (const row of rows) {
          const { item_id } = row;
          const line = openJson<OpenLine>(sealer, linePlace(item_id), row.sealed);
          const end = endOf(sealer, row);
          const isNamed = !isOfFraudster(row.batch) && names(sought, line, end, row.batch_at ?? 0);
          // A batch that failed or was deleted will not get to any more of its lines.
          const isOpen = !end && (row.batch_state === 'PENDING' || row.batch_state === 'STARTED');
          const isForOther = isOpen && !isNamed && line.ownerId !== '';
          const isEnded = end !== undefined;
          const named = { ...aboutRecordings(line, end), itemId: item_id, isNamed, isForOther, isEnded };
          if (isNamed || isAbout(named, sought.recordings)) found.push(named);
        }
        after = rows.at(-1)?.item_id ?? '';
      }
    },
    async countNaming(gkScopeId, itemIds) {
      let count = 0;
      for (let at = 0; at < itemIds.length; at += ROWS_AT_ONCE) {
        const rows = await db
          .selectFrom('batch_items')
          .select(['item_id', 'sealed'])
          .where('item_id', 'in', itemIds.slice(at, at + ROWS_AT_ONCE))
          .execute();
        const sealer = await keyring.forTenant(db, gkScopeId);
        for (const { item_id, sealed } of rows) {
          const { ownerId, recordings } = openJson<OpenLine>(sealer, linePlace(item_id), sealed);
          if (ownerId !== '' || recordings.length > 0) count += 1;
        }
      }
      return count;
    },
    forget: (gkScopeId, itemIds) => forget(db, keyring, gkScopeId, itemIds),
    async unname(gkScopeId, lines) {
      if (lines.length === 0) return;
      const sealer = await keyring.forTenant(db, gkScopeId);
      for (const unnamed of lines) await unname(db, sealer, unnamed);
    },
    forgetLine: (gkScopeId, gkJobId, line) => forget(db, keyring, gkScopeId, [itemIdOf(gkJobId, line)]),
    async counts(gkJobIds) {
      const counts = new Map<string, LineCounts>();
      if (gkJobIds.length === 0) return counts;
      const rows = await db
        .selectFrom('batch_items')
        .select(['gk_job_id', 'outcome', 'reason', (select) => select.fn.countAll<number>().as('count')])
        .where('gk_job_id', 'in', [...gkJobIds])
        .groupBy(['gk_job_id', 'outcome', 'reason'])
        .orderBy('outcome')
        .orderBy('reason')
        .execute();
      for (const { gk_job_id, outcome, reason, count } of rows) {
        const { lines, ended } = counts.get(gk_job_id) ?? { lines: 0, ended: [] };
        const more =
          outcome === null
            ? []
            : [{ outcome: outcome as LineOutcome, reason: reason ?? '', lines: Number(count) }];
        counts.set(gk_job_id, { lines: lines + Number(count), ended: [...ended, ...more] });
      }
      return counts;
    },
    async delete(gkJobId) {
      await db.deleteFrom('batch_items').where('gk_job_id', '=', gkJobId).execute();
    },
  };
}

/** Capped at what one line may name: merged with recordings of others, it would be too long for a line. */
function recordingsIn({ recordings }: BatchLine): Pick<EndedLine, 'recordings' | 'channels'> {
  const shown = recordings.slice(0, RECORDINGS_MAX);
  const channels = shown.map(({ channel = 0 }) => channel);
  return { recordings: shown.map(nameOf), ...(channels.some((channel) => channel > 0) && { channels }) };
}

/** Lines of a canceled batch have no result of their own. */
function endOf(
  sealer: TenantSealer,
  { item_id, outcome, result }: Pick<BatchItemsTable, 'item_id' | 'outcome' | 'result'>,
): LineResult | undefined {
  if (result !== null) {
    const { message, ...kept } = openJson<LineResult & { message?: string }>(
      sealer,
      resultPlace(item_id),
      result,
    );
    // Earlier versions kept the sentence alone.
    return message === undefined ? kept : { ...kept, said: [inEnglish(message)] };
  }
  return outcome === null ? undefined : canceledResult;
}

/** Whether the lines of this batch name fraudsters: then a name in them never means a person. */
function isOfFraudster(batch: string | null): boolean {
  if (batch === null) return false;
  const { input } = JSON.parse(batch) as Pick<Job, 'input'>;
  return (JSON.parse(input) as KeptBatch).operation === 'REGISTER';
}

/**
 * Matches by our own ID; if the line has none, by a name that was the person's when the batch was started.
 */
function names(
  { gkPersonId, names: known = [] }: SoughtPerson,
  line: OpenLine,
  end: LineResult | undefined,
  batchAtMs: number,
): boolean {
  const owners = [line.gkPersonId, end?.gkOwnerId].filter((owner) => owner !== undefined);
  if (owners.length > 0) return owners.includes(gkPersonId);
  return known.some(({ name, untilMs }) => line.ownerId === name && batchAtMs < (untilMs ?? Infinity));
}

const isAbout = (
  { gkMediaSegmentIds, gkSessionIds }: NamingLine,
  recordings: ReadonlySet<string> = new Set(),
): boolean => [...gkMediaSegmentIds, ...gkSessionIds].some((id) => recordings.has(id));

function aboutRecordings(
  line: OpenLine,
  end: LineResult | undefined,
): Pick<NamingLine, 'gkMediaSegmentIds' | 'gkSessionIds'> {
  const gkMediaSegmentIds = line.recordings.flatMap(({ gkMediaSegmentId }) => gkMediaSegmentId ?? []);
  // Lines of earlier versions name the session only in their result.
  const gkSessionIds = new Set([
    ...(line.gkSessionIds ?? []),
    ...(end?.gkSessionId ? [end.gkSessionId] : []),
  ]);
  return { gkMediaSegmentIds, gkSessionIds: [...gkSessionIds] };
}

/** File names may contain people's names; the recordings themselves are identified by their IDs. */
async function unname(db: Db, sealer: TenantSealer, unnamed: UnnamedLine): Promise<void> {
  const { itemId } = unnamed;
  const row = await db
    .selectFrom('batch_items')
    .select(['item_id', 'outcome', 'result', 'sealed'])
    .where('item_id', '=', itemId)
    .forUpdate()
    .executeTakeFirst();
  const ended = row && endOf(sealer, row);
  if (!ended) return;
  const { gkPersonId: _person, ...line } = openJson<OpenLine>(sealer, linePlace(itemId), row.sealed);
  const recordings = line.recordings.flatMap(({ gkMediaSegmentId, channel }) =>
    gkMediaSegmentId ? { gkMediaSegmentId, ...(channel !== undefined && { channel }) } : [],
  );
  await db
    .updateTable('batch_items')
    .set({
      sealed: sealJson(sealer, linePlace(itemId), { ...line, ownerId: '', recordings }),
      result: sealJson(sealer, resultPlace(itemId), unnamedResult(ended, unnamed)),
    })
    .where('item_id', '=', itemId)
    .execute();
}

async function forget(
  db: Db,
  keyring: Keyring,
  gkScopeId: string,
  itemIds: readonly string[],
): Promise<void> {
  if (itemIds.length === 0) return;
  const sealer = await keyring.forTenant(db, gkScopeId);
  for (const itemId of itemIds) {
    // Locked, because a line that is being worked on may be about to end.
    const row = await db
      .selectFrom('batch_items')
      .select(['item_id', 'line', 'outcome', 'result'])
      .where('item_id', '=', itemId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) continue;
    const ended = endOf(sealer, row);
    const line: BatchLine = { line: row.line, requestId: '', ownerId: '', recordings: [] };
    const result = forgottenResult(ended);
    await db
      .updateTable('batch_items')
      .set({
        outcome: result.outcome,
        reason: result.reason,
        sealed: sealJson(sealer, linePlace(itemId), line),
        result: sealJson(sealer, resultPlace(itemId), result),
      })
      .where('item_id', '=', itemId)
      .execute();
  }
}
