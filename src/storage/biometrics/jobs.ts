// Background jobs, claimed by lease so that several nodes can share the work.
import type { Job, JobKind } from '../../biometrics/model/jobs.js';
import type { JobRepository } from '../../biometrics/ports/jobs.js';
import { fromJson, optional, orNull, toJson } from '../columns.js';
import type { Db } from '../database.js';
import type { JobsTable } from '../schema/biometrics.js';

type Document = Pick<Job, 'input' | 'result' | 'error' | 'requestedBy' | 'attempts'>;

const LEASE_LONGEST_MS = 2 * 3600_000;

export function jobRepository(db: Db): JobRepository {
  const waiting = (kinds: readonly JobKind[], now: number) =>
    db
      .selectFrom('jobs')
      .where('kind', 'in', [...kinds])
      .where('state', 'in', ['PENDING', 'STARTED'])
      .where((where) =>
        where.or([
          where('lease_until', 'is', null),
          where('lease_until', '<', now),
          // Nobody takes so long: the clock that set it was wrong.
          where('lease_until', '>', now + LEASE_LONGEST_MS),
        ]),
      )
      .limit(1);
  const repository: JobRepository = {
    async insert(job) {
      await db.insertInto('jobs').values(toRow(job)).execute();
    },
    async ask(job) {
      for (;;) {
        const inserted = await db
          .insertInto('jobs')
          .values(toRow(job))
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (Number(inserted.numInsertedOrUpdatedRows) > 0) return;
        const known = await repository.find(job.gkScopeId, job.gkJobId);
        if (!known) continue;
        // The number of attempts goes on: whoever is at it now must not end what is begun next.
        if (known.state !== 'PENDING') await repository.update({ ...job, attempts: known.attempts });
        return;
      }
    },
    async find(gkScopeId, gkJobId) {
      const query = db
        .selectFrom('jobs')
        .selectAll()
        .where('gk_scope_id', '=', gkScopeId)
        .where('gk_job_id', '=', gkJobId);
      const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
      return row && fromRow(row);
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
      return rows.map(fromRow);
    },
    async countOpen(gkScopeId, kind) {
      const { count } = await db
        .selectFrom('jobs')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('gk_scope_id', '=', gkScopeId)
        .where('kind', '=', kind)
        .where('state', 'in', ['PENDING', 'STARTED'])
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
      const job = fromRow(row);
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
      const { gk_job_id, gk_scope_id, ...columns } = toRow(job);
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
      return rows.map(fromRow);
    },
  };
  return repository;
}

function toRow(job: Job): JobsTable {
  const { input, result, error, requestedBy, attempts } = job;
  return {
    gk_job_id: job.gkJobId,
    gk_scope_id: job.gkScopeId,
    kind: job.kind,
    state: job.state,
    lease_until: orNull(job.leaseUntilMs),
    expires_at: orNull(job.expiresAtMs),
    document: toJson({ input, result, error, requestedBy, attempts }),
    created_at: job.createdAtMs,
    modified_at: job.modifiedAtMs,
  };
}

function fromRow(row: JobsTable): Job {
  return {
    gkJobId: row.gk_job_id,
    gkScopeId: row.gk_scope_id,
    kind: row.kind as Job['kind'],
    state: row.state as Job['state'],
    ...optional('leaseUntilMs', row.lease_until),
    ...optional('expiresAtMs', row.expires_at),
    ...fromJson<Document>(row.document),
    createdAtMs: row.created_at,
    modifiedAtMs: row.modified_at,
  };
}
