// One thing that happened as one line for a SIEM: a JSON object without nesting beyond its details, and the same inside an
// RFC 5424 message for syslog.
import type { AuditRecord } from '../../audit/model.js';
import type { StoredEvent } from '../model.js';

export interface SiemEntry {
  atMs: number;
  /** Whether somebody should look at it. */
  isWarning: boolean;
  /** The JSON object as text. */
  json: string;
}

const OK = 'OK';

export function entryOfEvent(event: StoredEvent): SiemEntry {
  const { seq, atMs, type, appId, clientId, requestId, gkScopeId, outcome, attributes } = event;
  return {
    atMs,
    isWarning: type !== 'decision' && outcome !== OK,
    json: JSON.stringify({
      time: new Date(atMs).toISOString(),
      product: 'voxgate',
      kind: 'event',
      id: `event-${seq}`,
      type,
      outcome,
      app_id: appId,
      client_id: clientId,
      request_id: requestId,
      gk_scope_id: gkScopeId,
      ...attributes,
    }),
  };
}

export function entryOfRecord(record: AuditRecord, hash: string): SiemEntry {
  const { chain, seq, atMs, operation, actor, context, detail } = record;
  return {
    atMs,
    isWarning: false,
    json: JSON.stringify({
      time: new Date(atMs).toISOString(),
      product: 'voxgate',
      kind: 'audit',
      id: `audit-${chain}-${seq}`,
      type: operation,
      actor: actor.subject,
      request_id: context.requestId,
      detail,
      // Kept elsewhere, it proves that the trail was not cut or rewritten here.
      hash,
    }),
  };
}

/** Facility 13 of RFC 5424, "log audit". */
const FACILITY = 13;
const WARNING = 4;
const INFORMATIONAL = 6;

/** One RFC 5424 message. The host is one word of printable characters. */
export function syslogMessage({ atMs, isWarning, json }: SiemEntry, host: string): string {
  const priority = FACILITY * 8 + (isWarning ? WARNING : INFORMATIONAL);
  return `<${priority}>1 ${new Date(atMs).toISOString()} ${host} voxgate ${process.pid} - - ${json}`;
}
