// `voxgate clock confirm`: confirms that the system clock is correct, after it was found far ahead.
import type { Command } from 'commander';
import { noteTime } from '../../compose/time-proof.js';
import { systemClock } from '../../platform.js';
import { commonFlags, runCommand, type CliIo, type CommonFlags } from '../io.js';
import { print, withStorage } from './with-storage.js';

export function registerClock(program: Command, io: CliIo): void {
  const clock = program.command('clock').description('manage the clock check for retention');
  commonFlags(
    clock.command('confirm').description('confirm that the system clock is correct and resume retention'),
  ).action((flags: CommonFlags) =>
    runCommand(io, flags, () =>
      withStorage(io, flags, async ({ database }) => {
        const nowMs = systemClock.now();
        await noteTime(database, nowMs);
        const time = new Date(nowMs).toISOString();
        print(io, flags, { time }, [`confirmed: it is ${time}`]);
      }),
    ),
  );
}
