// The commands that are clients of a running server. They need nothing of the server themselves: alone they start at once.
import type { Command } from 'commander';
import type { CliIo } from '../io.js';
import { registerBatch } from './batch.js';
import { registerEvents } from './events.js';
import { registerPerson } from './person.js';
import { registerPrompt } from './prompt.js';
import { registerSession } from './session.js';
import { registerVoices } from './voices.js';
import { registerWatchlist } from './watchlist.js';

export function registerRemote(program: Command, io: CliIo): void {
  for (const register of [
    registerPerson,
    registerVoices,
    registerWatchlist,
    registerSession,
    registerPrompt,
    registerBatch,
    registerEvents,
  ])
    register(program, io);
}
