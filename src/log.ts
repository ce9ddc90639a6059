// The log of the process: one JSON object per line on standard error, secrets cut out wherever they hide.
import { pino, destination } from 'pino';
import type { Log } from './platform.js';

/** Member names whose values never reach the log, at the top or one level down. */
const SECRET_NAMES = [
  'authorization',
  'password',
  'secret',
  'clientSecret',
  'client_secret',
  'token',
  'accessToken',
  'access_token',
  'refreshToken',
  'refresh_token',
  'cookie',
  'masterKey',
];

export interface ProcessLog {
  log: Log;
  flush(): void;
}

export function createLog(options: { level: string; pretty: boolean }, fd = 2): ProcessLog {
  const stream = destination({ dest: fd, sync: false });
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { err: describeError },
    },
    options.pretty ? prettyLines(stream) : stream,
  );
  return { log: logger as unknown as Log, flush: () => stream.flushSync() };
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
      const fields = Object.entries(rest).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
      stream.write(`${String(time)} ${String(level).padEnd(5)} ${String(msg)} ${fields.join(' ')}\n`);
    },
  };
}
