// The log of the process: one JSON object per line on standard error, secrets cut out wherever they hide.
import { pino } from 'pino';
import type { Log } from '../platform.js';
import { callLogFields, roundedMs } from '../transport/dispatch/call-log.js';
import type { CallRecord } from '../transport/dispatch/exchange.js';
import { logLines } from './log-lines.js';

/** Members whose values never reach the log, at the top or one level down; compared without case and dashes. */
const secretNames = new Set([
  'authorization',
  'cookie',
  'password',
  'secret',
  'clientsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'masterkey',
  'privatekey',
  'dpop',
]);

export interface ProcessLog {
  log: Log;
  /** The line that `log.info(callLogFields(record), 'call')` writes, at a fraction of the cost. */
  logCall: (record: CallRecord) => void;
  /** Waits until the lines so far are written, but not for ever. */
  flush(): Promise<void>;
  /** After the last line: what nobody has read by then must not keep the process alive. */
  abandon(): void;
  /** Lines that could not be written: nobody read them, or the disk was full. */
  dropped(): number;
}

export function createLog(options: { level: string; pretty: boolean }, fd = 2): ProcessLog {
  const stream = logLines(fd);
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: timestamp(),
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 2) },
      serializers: { err: describeError },
    },
    options.pretty ? prettyLines(stream) : stream,
  );
  const log = logger as unknown as Log;
  const time = timestamp();
  const logCall = (record: CallRecord): void => {
    if (options.pretty) log.info(callLogFields(record), 'call');
    else if (logger.isLevelEnabled('info')) stream.write(callLine(record, time()));
  };
  return { log, logCall, flush: stream.flush, abandon: stream.abandon, dropped: stream.dropped };
}

/** Only the client id needs escaping: the request id was checked when it arrived, the rest is ours. */
function callLine(record: CallRecord, time: string): string {
  const client = record.caller?.clientId;
  const by = client === undefined ? '' : clientMember(client);
  const traced = record.traceId === undefined ? '' : `,"traceId":"${record.traceId}"`;
  return `{"level":"info"${time},"requestId":"${record.requestId}","rpc":"${record.service}/${record.method}","transport":"${record.transport}"${by},"code":"${record.code}","ms":${roundedMs(record)}${traced},"msg":"call"}\n`;
}

/** The last client is likely the next one too. */
let lastClient: string | undefined;
let lastMember = '';

function clientMember(client: string): string {
  if (client !== lastClient) {
    lastClient = client;
    lastMember = `,"client":${JSON.stringify(client)}`;
  }
  return lastMember;
}

/** ISO time, made once per millisecond; the part down to the second once per second. */
function timestamp(): () => string {
  let last = -1;
  let text = '';
  let second = -1;
  let prefix = '';
  return () => {
    const now = Date.now();
    if (now === last) return text;
    last = now;
    const nowSecond = Math.floor(now / 1000);
    if (nowSecond !== second) {
      second = nowSecond;
      prefix = new Date(nowSecond * 1000).toISOString().slice(0, 20);
    }
    text = `,"time":"${prefix}${String(now % 1000).padStart(3, '0')}Z"`;
    return text;
  };
}

/** A copy without secrets; the same object when there are none, which is almost always. */
function withoutSecrets(fields: Record<string, unknown>, levels: number): Record<string, unknown> {
  let cleaned = fields;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    let safe = value;
    if (isSecretName(name)) safe = '[redacted]';
    else if (
      levels > 1 &&
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !(value instanceof Error)
    ) {
      safe = withoutSecrets(value as Record<string, unknown>, levels - 1);
    }
    if (safe !== value) {
      if (cleaned === fields) cleaned = { ...fields };
      cleaned[name] = safe;
    }
  }
  return cleaned;
}

/** Field names are few and come again with every line, so the verdict on each is kept. */
const verdicts = new Map<string, boolean>();
const VERDICTS_MAX = 10_000;

function isSecretName(name: string): boolean {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = secretNames.has(name.replace(/[-_]/g, '').toLowerCase());
  if (verdicts.size < VERDICTS_MAX) verdicts.set(name, verdict);
  return verdict;
}

/** An error with its causes; what the caller was told stays apart from why it happened. */
function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  return {
    type: thrown.name,
    message: thrown.message,
    stack: thrown.stack,
    ...(thrown.cause === undefined ? {} : { cause: describeError(thrown.cause) }),
  };
}

function prettyLines(stream: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(line) {
      const { time, level, msg, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const fields = Object.entries(rest).map(
        ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      stream.write(`${String(time)} ${String(level).padEnd(5)} ${String(msg)} ${fields.join(' ')}\n`);
    },
  };
}
