// A request id follows a call through logs, the in-body status and the answer's headers. Callers may bring
// their own (`x-request-id`), as long as it is short and cannot break a log line or a header.
import type { Ids } from '../platform.js';

export const REQUEST_ID_HEADER = 'x-request-id';

const requestIdPattern = /^[A-Za-z0-9._:/+=@-]{1,128}$/;

export function chooseRequestId(offered: string | undefined, ids: Ids): string {
  return offered !== undefined && requestIdPattern.test(offered) ? offered : ids.uuid();
}
