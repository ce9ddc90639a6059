// What every read of the log has in common: whose events a caller may see, and the limits of a page and a time span.
import { AppError, invalidFields, type FieldFault } from '../errors.js';
import type { Call } from '../platform.js';
import type { EventStore } from './ports.js';
import { say, type Said } from '../words/server/say.js';

export interface EventsDeps {
  store: EventStore;
  /** Whether a tooling user may see the events of this application ID; throws when not. */
  requireVisible(call: Call, appId: string): Promise<void>;
}

/** The application ID to read; undefined means all of them: administrators who name none. */
export async function visibleAppId(deps: EventsDeps, call: Call, asked: string): Promise<string | undefined> {
  const { appId, tenants } = call.caller;
  if (appId !== undefined) {
    if (asked !== '' && asked !== appId) throw new AppError('PERMISSION_DENIED', say('OTHER_APPLICATION'));
    return appId;
  }
  if (asked === '') {
    if (tenants === 'all') return undefined;
    throw invalidFields([{ field: 'app_id', violation: 'MANDATORY_FIELD_MISSING', ...say('MANDATORY') }]);
  }
  await deps.requireVisible(call, asked);
  return asked;
}

const PAGE_SIZE_DEFAULT = 100;
const PAGE_SIZE_MAX = 1000;

export const pageLimit = (pageSize: number): number => (pageSize === 0 ? PAGE_SIZE_DEFAULT : pageSize);

/** What is wrong with a page size or a span of time. */
export function listFaults(asked: {
  pageSize: number;
  fromMs?: number | undefined;
  toMs?: number | undefined;
}): (FieldFault | undefined)[] {
  const { pageSize, fromMs, toMs } = asked;
  return [
    pageSize < 0 || pageSize > PAGE_SIZE_MAX
      ? outOfRange('page_size', say('OUT_OF_RANGE', { min: 0, max: PAGE_SIZE_MAX }))
      : undefined,
    fromMs !== undefined && toMs !== undefined && fromMs > toMs
      ? outOfRange('start_time', say('AFTER_END'))
      : undefined,
  ];
}

export function outOfRange(field: string, said: Said): FieldFault {
  return { field, violation: 'OUT_OF_RANGE', ...said };
}
