// How many checks there were in each interval of a period, and how they ended.
import { sql } from 'kysely';
import { LIVE_OPERATION, type Factor } from '../../biometrics/model/sessions.js';
import type { CountedFactors } from '../../biometrics/ports/sessions.js';
import type { Db, DialectName } from '../database.js';
import { memberIn } from './factor-columns.js';

interface Row {
  place: number;
  kind: string;
  decision: string;
  reason: string;
  test: string | number | null;
  count: number;
  net: number;
}

export async function countInIntervals(
  db: Db,
  dialect: DialectName,
  gkScopeId: string,
  { fromMs, toMs, stepMs }: { fromMs: number; toMs: number; stepMs: number },
): Promise<CountedFactors[]> {
  const member = memberIn(dialect);
  const [from, to, step] = [fromMs, toMs, stepMs].map((value) => sql.lit(Math.trunc(value)));
  const live = sql.lit(LIVE_OPERATION);
  // A live call is judged again and again: only its last result in the period counts.
  const { rows } = await sql<Row>`
    select (created_at - ${from}) / ${step} as place, kind,
      decision, ${member('reason')} as reason, ${member('isTest')} as test,
      count(*) as count, sum(cast(${member('netSpeechMs')} as double precision)) as net
    from factors
    where gk_scope_id = ${gkScopeId} and created_at >= ${from} and created_at < ${to}
      and (operation is null or operation <> ${live} or not exists (
        select 1 from factors as newer
        where newer.gk_session_id = factors.gk_session_id and newer.kind = factors.kind and newer.operation = ${live}
          and newer.created_at < ${to}
          and (newer.created_at > factors.created_at
            or (newer.created_at = factors.created_at and newer.factor_id > factors.factor_id))))
    group by 1, 2, 3, 4, 5`.execute(db);
  return rows.map(({ place, kind, decision, reason, test, count, net }) => ({
    place: Number(place),
    kind: kind as Factor['kind'],
    decision: decision as Factor['decision'],
    reason: reason as Factor['reason'],
    ...((test === 'true' || Number(test) === 1) && { isTest: true as const }),
    count: Number(count),
    netSpeechMs: Number(net),
  }));
}
