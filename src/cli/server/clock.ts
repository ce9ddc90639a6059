// `voxgate clock confirm`: confirms that the system clock is correct, after it was found far ahead or far behind.
import type { Command } from 'commander';
import { confirmTime, wasBehindAt } from '../../compose/time-proof.js';
import { systemClock } from '../../platform.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';
import { withStorage } from './with-storage.js';

export function registerClock(program: Command, io: CliIo): void {
  const clock = program.command('clock').description('manage the clock check for retention');
  commonFlags(
    clock.command('confirm').description('confirm that the system clock is correct and resume retention'),
  ).action((flags: CommonFlags) =>
    runCommand(io, flags, () =>
      withStorage(io, flags, async ({ database }) => {
        const nowMs = systemClock.now();
        const wrongMs = await wasBehindAt(database);
        await confirmTime(database, nowMs);
        const time = new Date(nowMs).toISOString();
        const lines = [`confirmed: it is ${time}`];
        if (wrongMs === undefined) return print(io, flags, { time }, lines);
        const storedFrom = new Date(wrongMs).toISOString();
        lines.push(
          `what was stored while the clock was behind, from ${storedFrom} on, is now deleted by that age`,
        );
        return print(io, flags, { time, storedFrom }, lines);
      }),
    ),
  );
}
