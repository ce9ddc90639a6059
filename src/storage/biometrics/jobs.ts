// Background jobs, claimed by lease so that several nodes can share the work. Descriptions of batches are
// sealed.
import type { Job, JobKind, JobState } from '../../biometrics/model/jobs.js';
import type { JobRepository } from '../../biometrics/ports/jobs.js';
import { optional, orNull } from '../columns.js';
import { locksRows, type Db } from '../database.js';
import type { JobsTable } from '../schema/biometrics.js';
import type { Keyring, TenantSealer } from '../sealing/keyring.js';
import { restoreDescription, withdrawDescription } from './job-texts.js';
import { openTexts, sealerForTexts, sealTexts } from './texts.js';

type Document = Pick<Job, 'input' | 'result' | 'error' | 'requestedBy' | 'attempts'>;

const openStates = ['PENDING', 'STARTED'] as const satisfies readonly JobState[];
const LEASE_LONGEST_MS = 2 * 3600_000;

export function jobRepository(db: Db, keyring: Keyring): JobRepository {
  const rowOf = (job: Job) => toRow(job, () => keyring.forTenant(db, job.gkScopeId));
  const opened = async (row: JobsTable): Promise<Job> =>
    fromRow(row, await sealerForTexts(keyring, db, row.gk_scope_id, [row]));
  const waiting = (kinds: readonly JobKind[], nowMs: number) =>
    db
      .selectFrom('jobs')
      .where('kind', 'in', [...kinds])
      .where('state', 'in', [...openStates])
      .where((where) =>
        where.or([
          where('lease_until', 'is', null),
          where('lease_until', '<', nowMs),
          // No lease is this long: the clock that set it was wrong.
          where('lease_until', '>', nowMs + LEASE_LONGEST_MS),
        ]),
      )
      .limit(1);
  const repository: JobRepository = {
    async insert(job) {
      await db
        .insertInto('jobs')
        .values(await rowOf(job))
        .execute();
    },
    async ask(job) {
      for (;;) {
        const inserted = await db
          .insertInto('jobs')
          .values(await rowOf(job))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (Number(inserted.numInsertedOrUpdatedRows) > 0) return;
        const known = await repository.find(job.gkScopeId, job.gkJobId);
        if (!known) continue;
        // Keeps the number of attempts, so that a node still working on the old job cannot end the new one.
        // Keeps its progress note too, because that node may be dead.
        const { state, attempts, result } = known;
        const noted = state === 'STARTED' ? result : '';
        if (state !== 'PENDING') await repository.update({ ...job, attempts, result: noted });
        return;
      }
    },
    async find(gkScopeId, gkJobId) {
      const query = db
        .selectFrom('jobs')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_job_id', '=', gkJobId);
      const row = await (locksRows(db) ? query.forUpdate() : query).executeTakeFirst();
      return row && opened(row);
    },
    async list(gkScopeId, kind, limit) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .orderBy('created_at', 'desc')
        .orderBy('gk_job_id')
        .limit(limit)
        .execute();
      const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
      return rows.map((row) => fromRow(row, sealer));
    },
    async listOpen(gkScopeId, kind) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .where('state', 'in', [...openStates])
        .execute();
      const sealer = await sealerForTexts(keyring, db, gkScopeId, rows);
      return rows.map((row) => fromRow(row, sealer));
    },
    async countOpen(gkScopeId, kind) {
      const { count } = await db
        .selectFrom('jobs')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .where('state', 'in', [...openStates])
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    async anyWaiting(kinds, now) {
      return (await waiting(kinds, now).select('gk_job_id').executeTakeFirst()) !== undefined;
    },
    async claim(kinds, now, leaseUntilMs) {
      const row = await waiting(kinds, now)
        .selectAll()
        .orderBy('created_at')
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!row) return undefined;
      const job = await opened(row);
      const claimed: Job = {
        ...job,
        state: 'STARTED',
        leaseUntilMs,
        attempts: job.attempts + 1,
        modifiedAtMs: now,
      };
      await repository.update(claimed);
      return claimed;
    },
    async update(job) {
      const { gk_job_id, gk_scope_id, ...columns } = await rowOf(job);
      await db
        .updateTable('jobs')
        .set(columns)
        .where('gk_job_id', '=', gk_job_id)
        .where('gk_scope_id', '=', gk_scope_id)
        .execute();
    },
    async release(kinds) {
      await db
        .updateTable('jobs')
        .set({ lease_until: null })
        .where('kind', 'in', [...kinds])
        .where('state', '=', 'STARTED')
        .execute();
    },
    async deleteExpired(now) {
      const rows = await db
        .selectFrom('jobs')
        .selectAll()
        .where('expires_at', '<', now)
        .orderBy('gk_job_id')
        .limit(100)
        .execute();
      for (const row of rows) await db.deleteFrom('jobs').where('gk_job_id', '=', row.gk_job_id).execute();
      return Promise.all(rows.map(opened));
    },
  };
  return repository;
}

async function toRow(job: Job, sealerOf: () => Promise<TenantSealer>): Promise<JobsTable> {
  const { gkJobId, input, result, error, requestedBy, attempts } = job;
  const document = withdrawDescription({ input, result, error, requestedBy, attempts });
  return {
    gk_job_id: gkJobId,
    gk_scope_id: job.gkScopeId,
    kind: job.kind,
    state: job.state,
    lease_until: orNull(job.leaseUntilMs),
    expires_at: orNull(job.expiresAtMs),
    created_at: job.createdAtMs,
    modified_at: job.modifiedAtMs,
    ...(await sealTexts(sealerOf, { table: 'jobs', id: gkJobId }, { document })),
  };
}

function fromRow(row: JobsTable, sealer: TenantSealer | undefined): Job {
  const { document } = openTexts<{ document: Document }>(sealer, { table: 'jobs', id: row.gk_job_id }, row);
  return {
    gkJobId: row.gk_job_id,
    gkScopeId: row.gk_scope_id,
    kind: row.kind as Job['kind'],
    state: row.state as Job['state'],
    ...optional('leaseUntilMs', row.lease_until),
    ...optional('expiresAtMs', row.expires_at),
    ...restoreDescription(document),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
