// All tools. They work on recordings and model folders, or as clients of a running server.
import { resolve } from 'node:path';
import { Command } from 'commander';
import { commonFlags, print, runCommand, type CliIo, type CommonFlags } from '../src/cli/io.js';
import { engineFlags } from '../src/cli/recordings/engine.js';
import { makeAttacks, type AttackFlags } from './attacks/attack.js';
import { attackKinds } from './attacks/make-attack.js';
import { measureMasks, type MaskFlags } from './attacks/mask.js';
import { tryNonSpeech, type NonSpeechFlags } from './attacks/non-speech.js';
import { registerSend } from './live/send.js';
import { packModel } from './networks/pack-model.js';

export function toolsProgram(io: CliIo): Command {
  const program = new Command('npm run tools --')
    .description('tools to make models and to try out a server; no server runs them')
    .configureOutput({
      writeErr: (text) => io.err(text.trimEnd()),
      writeOut: (text) => io.out(text.trimEnd()),
    })
    .exitOverride();
  registerSend(program, io);
  registerAttacks(program, io);
  commonFlags(program.command('pack-model <folder>'))
    .description(
      'rearrange the network of a speaker model for speed, check it, and store it beside the original',
    )
    .action((folder: string, flags: CommonFlags) => runCommand(io, flags, () => pack(io, folder, flags)));
  return program;
}

function registerAttacks(program: Command, io: CliIo): void {
  engineFlags(program.command('attack'))
    .description('make attacks from a folder of voices and report what passes Verify with both attack checks')
    .requiredOption('--voices <dir>', 'folder with one subfolder per speaker, at least two recordings each')
    .option('--kinds <names>', `separated by commas (default: ${Object.keys(attackKinds).join(',')})`)
    .option('--per-voice <number>', 'attacks of each kind on each speaker', '1')
    .option('--keep <dir>', 'where to save the attacks as WAV files, one folder per kind')
    .option('--seed <number>', 'the same seed makes the same attacks', '1')
    .action((flags: AttackFlags) => runCommand(io, flags, () => makeAttacks(io, flags)));
  engineFlags(program.command('mask'))
    .description(
      'join people and attacks and cut out the stretches that the attack checks name: the score must fall',
    )
    .requiredOption('--bonafide <dir>', 'recordings of people')
    .requiredOption('--spoof <dir>', 'recordings of attacks')
    .option('--recordings <number>', 'how many to join', '60')
    .action((flags: MaskFlags) => runCommand(io, flags, () => measureMasks(io, flags)));
  engineFlags(program.command('non-speech'))
    .description('generated silence, tones, noise and music against voiceprints: none may be accepted')
    .option(
      '--corpus <dir>',
      'folder with one subfolder per speaker, to make the voiceprints from (default: random ones)',
    )
    .option('--files <number>', 'number of generated files', '1000')
    .option('--prints <number>', 'number of voiceprints', '100')
    .action((flags: NonSpeechFlags) => runCommand(io, flags, () => tryNonSpeech(io, flags)));
}

async function pack(io: CliIo, folder: string, flags: CommonFlags): Promise<void> {
  const packed = await packModel(resolve(folder));
  const words = packed
    ? `${packed.file}: answers as the original does (cosine at least ${packed.parityCosine.toFixed(5)})`
    : `${folder}: this network is of a kind that runs as it is`;
  print(io, flags, { folder: resolve(folder), packed: packed ?? null }, [words]);
}
