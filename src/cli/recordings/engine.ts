// The voice engine for commands: started from the same configuration as the server, closed afterwards.
import { availableParallelism } from 'node:os';
import { createEngine } from '../../inference/engine.js';
import { silentLog, systemClock } from '../../platform.js';
import type { ProcessedAudio, ProcessOptions, VoiceEngine } from '../../voice/engine.js';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { commonFlags } from '../io.js';
import type { CliIo, CommonFlags } from '../io.js';

export interface EngineFlags extends CommonFlags {
  models?: string;
  model?: string;
  workers?: string;
}

/** The flags above, on a command. */
export const engineFlags = (command: Command): Command =>
  commonFlags(command)
    .option('--models <dir>', 'directory of voice models')
    .option('--model <name>', 'speaker model, by folder name')
    .option('--workers <number>', 'worker threads');

export async function withEngine<T>(
  io: CliIo,
  flags: EngineFlags,
  work: (engine: VoiceEngine, workers: number) => Promise<T>,
): Promise<T> {
  const { engine: settings } = io.loadConfig(flags);
  const workers = Number(flags.workers ?? 0) || settings.workers || Math.min(4, availableParallelism());
  const speakerModel = flags.model ?? (flags.models === undefined ? settings.speakerModel : '');
  const engine = await createEngine(
    {
      modelsDir: flags.models ?? settings.modelsDir,
      ...(speakerModel ? { speakerModel } : {}),
      workers,
      queueLimit: 2 * workers + 2,
      jobTimeoutMs: 600_000,
    },
    { log: silentLog, clock: systemClock },
  );
  try {
    return await work(engine, workers);
  } finally {
    await engine.close();
  }
}

/** Processes files with all workers busy; a file that cannot be read is reported and never stops the rest. */
export async function processFiles(
  engine: VoiceEngine,
  workers: number,
  files: readonly string[],
  options: ProcessOptions,
  each: (file: string, result: ProcessedAudio | Error) => void,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      let result: ProcessedAudio | Error;
      try {
        result = await engine.processAudio(await readFile(file), options);
      } catch (error) {
        result = error instanceof Error ? error : new Error(String(error));
      }
      each(file, result);
    }
  };
  await Promise.all(Array.from({ length: workers + 1 }, lane));
}
