// Who changed something while somebody else was about to: the audit trail knows, and the refusal says it.
import { AppError, CHANGED_MEANWHILE, changedMeanwhile } from '../errors.js';
import { SYSTEM_CHAIN, type AuditRecord } from './model.js';
import type { Actors, AuditReader, AuditSearch } from './ports.js';

const RECORDS_MAX = 50;

/** Runs `work`; where that is refused because of another change, the refusal names who made it. */
export async function namingWhoChanged<T>(
  { audit, actors }: { audit: AuditReader; actors: Actors },
  search: Pick<AuditSearch, 'gkEngagementId' | 'operations' | 'subjectId'> & {
    /** In whose trail; that of the installation if absent. */
    tenantId?: string;
    isIt: (record: AuditRecord, fields: readonly string[]) => boolean;
  },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isStale =
      cause instanceof AppError && cause.diagnostics.some(({ code }) => code === CHANGED_MEANWHILE);
    if (!isStale) throw cause;
    const { isIt, tenantId = SYSTEM_CHAIN, ...asked } = search;
    const fields = cause.fields.map(({ field }) => field);
    const found = await audit.search({ ...asked, chain: tenantId, limit: RECORDS_MAX });
    const subject = found.find(({ record }) => isIt(record, fields))?.record.actor.subject;
    const name = subject === undefined ? undefined : (await actors.namesOf([subject])).get(subject);
    throw name === undefined ? cause : changedMeanwhile(fields, name);
  }
}
