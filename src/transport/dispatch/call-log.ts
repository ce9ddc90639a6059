// The members of the log line about a call.
import type { CallRecord } from './exchange.js';

export function callLogFields(record: CallRecord): {
  requestId: string;
  rpc: string;
  transport: string;
  client: string | undefined;
  code: string;
  ms: number;
  traceId?: string;
} {
  return {
    requestId: record.requestId,
    rpc: `${record.service}/${record.method}`,
    transport: record.transport,
    client: record.caller?.clientId,
    code: record.code,
    ms: roundedMs(record),
    ...(record.traceId === undefined ? {} : { traceId: record.traceId }),
  };
}

export function roundedMs(record: CallRecord): number {
  return Math.round(record.elapsedMs * 10) / 10;
}
