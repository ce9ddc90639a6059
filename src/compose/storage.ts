// Opens everything that keeps state, as the configuration says; the server and the commands share it.
import type { Config } from '../config.js';
import type { Clock, Log } from '../platform.js';
import { openStorage as open, type Storage } from '../storage/open-storage.js';
import type { DatabaseEvent } from '../storage/postgres/pool.js';

/**
 * With a log, as a server has one, the database is looked at for damage first, and its outages are told in the log: once when
 * they begin, once when they end.
 */
export function openStorage(config: Config, clock: Clock, log?: Log): Promise<Storage> {
  return open({
    home: config.home,
    databaseUrl: config.database,
    masterKey: config.sealing.masterKey,
    postgres: config.postgres,
    media: config.media,
    clock,
    checkDamage: log !== undefined,
    ...(log && { onDatabaseEvent: (event) => tell(log, event) }),
  });
}

function tell(log: Log, event: DatabaseEvent): void {
  switch (event.kind) {
    case 'down':
      return log.error({ err: event.cause }, 'the database is not available; calls are refused until it is');
    case 'up': {
      const { downMs, refused } = event;
      return log.warn({ downMs, refused }, 'the database is available again');
    }
    case 'lost':
      return log.warn({ reason: event.cause.message }, 'a connection to the database was lost');
  }
}
