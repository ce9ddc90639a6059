// `voxgate version`.
import type { Command } from 'commander';
import { commonFlags, type CliIo, type CommonFlags } from './io.js';
import { programVersion } from '../compose/version.js';

export function registerVersion(program: Command, io: CliIo): void {
  commonFlags(program.command('version').description('print the version of the program')).action(
    (flags: CommonFlags) => {
      const version = programVersion();
      io.out(
        flags.json
          ? JSON.stringify({ name: 'voxgate', version, node: process.version })
          : `voxgate ${version}`,
      );
    },
  );
}
