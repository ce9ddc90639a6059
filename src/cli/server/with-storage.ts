// Commands that work on the state itself: open what the configuration names, do the work, close it again.
import type { Storage } from '../../storage/open-storage.js';
import { openStorage } from '../../compose/storage.js';
import type { Config } from '../../config.js';
import { systemClock } from '../../platform.js';
import type { CliIo, CommonFlags } from '../io.js';

export async function withStorage<T>(
  io: CliIo,
  flags: CommonFlags,
  work: (storage: Storage, config: Config) => Promise<T>,
): Promise<T> {
  const config = io.loadConfig(flags);
  const storage = await openStorage(config, systemClock);
  try {
    return await work(storage, config);
  } finally {
    await storage.close();
  }
}
