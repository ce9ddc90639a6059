// What the headers of a call must be before anything else of it is looked at.
import type { IncomingHttpHeaders } from 'node:http2';
import { GrpcStatus } from '../grpc-status.js';
import { Refusal } from '../refusal.js';
import { REPEATED_CREDENTIALS, hasRepeatedCredentials } from '../repeated-credentials.js';

/** As HTTP/2 counts the size of a header list: every field costs this much more than its text. */
const FIELD_OVERHEAD_BYTES = 32;

const timeoutUnitsMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Undefined when a gRPC call may have these headers; a refusal, or the HTTP status for what is no gRPC at all. */
export function judgeHeaders(
  headers: IncomingHttpHeaders,
  rawHeaders: readonly string[],
  headerBytesMax: number,
): Refusal | { httpStatus: number } | undefined {
  if (headers[':method'] !== 'POST') return { httpStatus: 405 };
  if (headers['content-type']?.startsWith('application/grpc') !== true) return { httpStatus: 415 };
  if (sizeOf(headers) > headerBytesMax) {
    return new Refusal(
      431,
      GrpcStatus.RESOURCE_EXHAUSTED,
      `the metadata is larger than ${headerBytesMax} bytes, the most that this server accepts`,
    );
  }
  if (hasRepeatedCredentials(rawHeaders))
    return new Refusal(400, GrpcStatus.INVALID_ARGUMENT, REPEATED_CREDENTIALS);
  if (headers['grpc-timeout'] !== undefined && timeoutOf(headers) === undefined)
    return new Refusal(400, GrpcStatus.INVALID_ARGUMENT, 'grpc-timeout is not a gRPC timeout');
  return undefined;
}

/** The time that the caller allows, in milliseconds. */
export function timeoutOf(headers: IncomingHttpHeaders): number | undefined {
  const text = headers['grpc-timeout'];
  const match = typeof text === 'string' ? /^(\d{1,8})([HMSmun])$/.exec(text) : null;
  return match ? Number(match[1]) * (timeoutUnitsMs[match[2] as string] as number) : undefined;
}

function sizeOf(headers: IncomingHttpHeaders): number {
  let bytes = 0;
  for (const name in headers) {
    const value = headers[name];
    for (const text of Array.isArray(value) ? value : [value ?? ''])
      bytes += name.length + text.length + FIELD_OVERHEAD_BYTES;
  }
  return bytes;
}
