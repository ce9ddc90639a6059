// The program itself: how it is called, and what it says to whoever mistypes.
import { Command } from 'commander';
import { programVersion } from '../compose/version.js';
import type { CliIo } from './io.js';

/** Without any commands yet. */
export function newProgram(io: CliIo): Command {
  return (
    new Command('voxgate')
      .description(
        'Open, self-hosted voice biometrics: a token service and a voiceprint service in one process.',
      )
      .version(programVersion())
      // The whole help after every typing error would hide the error; the nearest match is shown instead.
      .showHelpAfterError('Run the command with --help to see what it accepts.')
      .configureOutput({
        writeErr: (text) => io.err(text.trimEnd()),
        writeOut: (text) => io.out(text.trimEnd()),
      })
      .exitOverride()
  );
}
