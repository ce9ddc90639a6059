// Opens everything that keeps state, as the configuration says; the server and the commands share it.
import type { Config } from '../config.js';
import type { Clock } from '../platform.js';
import { openStorage as open, type Storage } from '../storage/open-storage.js';

export type { Storage } from '../storage/open-storage.js';

export function openStorage(config: Config, clock: Clock): Promise<Storage> {
  return open({
    home: config.home,
    databaseUrl: config.database,
    masterKey: config.sealing.masterKey,
    clock,
  });
}
