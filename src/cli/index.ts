// All commands of the program. A command is a file in this folder that registers itself.
import { Command } from 'commander';
import { programVersion } from '../compose/version.js';
import { registerBench } from './bench.js';
import type { CliIo } from './io.js';
import { registerServe } from './serve.js';
import { registerVersion } from './version.js';

export function buildProgram(io: CliIo): Command {
  const program = new Command('voxgate')
    .description('Open, self-hosted voice biometrics: a token service and a voiceprint service in one process.')
    .version(programVersion())
    .showHelpAfterError();
  for (const register of [registerServe, registerVersion, registerBench]) register(program, io);
  return program;
}
