// `voxgate model`: which models there are, and bringing one of your own.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { messageOf } from '../../errors.js';
import { bundledModelsDir } from '../../inference/engine.js';
import { storeOtherWeights } from '../../inference/models/other-weights.js';
import { calibrateOn, inspectNetwork, writeModelFolder } from '../../inference/models/import-model.js';
import type { Labeled } from '../../inference/models/import-model.js';
import { defaultModel, listModels, readDetector, readSpeakerModel } from '../../inference/models/manifest.js';
import { percent } from '../../voice/evaluation/percent.js';
import { findRecordings } from '../recordings/corpus.js';
import { processFiles, withEngine } from '../recordings/engine.js';
import type { EngineFlags } from '../recordings/engine.js';
import { commonFlags, runCommand } from '../io.js';
import type { CliIo } from '../io.js';
import { registerModelAlarmThreshold } from './model-alarm-threshold.js';
import { registerModelCalibrate } from './model-calibrate.js';
import { registerModelCallers } from './model-callers.js';
import { registerModelTenantThreshold } from './model-tenant-threshold.js';
import { registerModelThresholds } from './model-thresholds.js';
import { progressBar } from '../progress.js';

interface ImportFlags extends EngineFlags {
  corpus: string;
  name?: string;
  revision: string;
}

function list(io: CliIo, flags: EngineFlags): void {
  const { engine } = io.loadConfig(flags);
  const modelsDir = flags.models ?? (engine.modelsDir || bundledModelsDir());
  const named = flags.models === undefined ? engine.speakerModel : '';
  const models = (['speaker', 'synthetic', 'playback', 'vad'] as const).flatMap((kind) =>
    listModels(modelsDir, kind).map((folder) => {
      const chosen = (kind === 'speaker' && named) || defaultModel(modelsDir, kind);
      const isDefault = chosen === folder;
      try {
        const path = join(modelsDir, folder);
        if (kind === 'speaker') {
          const { model } = readSpeakerModel(path);
          return {
            folder,
            kind,
            default: isDefault,
            revision: model.revision,
            dim: model.dim,
            cohort: model.cohort ? model.cohort.wide.length / model.dim : 0,
            thresholds: model.thresholds,
          };
        }
        if (kind === 'vad') return { folder, kind, default: isDefault, revision: folder };
        const { revision, experimental } = readDetector(path).info;
        return { folder, kind, default: isDefault, revision, experimental };
      } catch (error) {
        return {
          folder,
          kind,
          default: isDefault,
          error: messageOf(error),
        };
      }
    }),
  );
  if (flags.json) io.out(JSON.stringify({ models_dir: modelsDir, models }));
  else if (models.length === 0) io.out(`no models in ${modelsDir}`);
  else
    for (const m of models)
      io.out(
        `${m.default ? '*' : ' '} ${m.folder.padEnd(28)} ${m.kind.padEnd(10)} ${'error' in m ? m.error : m.revision}${'experimental' in m && m.experimental ? ' (experimental)' : ''}`,
      );
}

/** Embeds the corpus with the new network by way of a provisional folder, then calibrates and keeps it. */
async function importModel(io: CliIo, file: string, flags: ImportFlags): Promise<void> {
  const modelsDir = resolve(flags.models ?? (io.loadConfig(flags).engine.modelsDir || bundledModelsDir()));
  const name =
    flags.name ??
    basename(file)
      .replace(/\.onnx$/i, '')
      .replace(/[^A-Za-z0-9._-]+/g, '-');
  const folderName = `speaker-${name}-${flags.revision}`;
  const folder = join(modelsDir, folderName);
  if (existsSync(folder)) throw new Error(`${folder} exists already: choose another --name or --revision`);
  const shape = await inspectNetwork(file);
  const stagingDir = join(modelsDir, `.import-${name}-${process.pid}`);
  const staged = join(stagingDir, folderName);
  try {
    mkdirSync(stagingDir, { recursive: true });
    writeModelFolder(staged, { name, revision: flags.revision }, file, shape, undefined);
    const recordings = findRecordings(flags.corpus);
    const speakerOf = new Map(recordings.map((recording) => [recording.file, recording.speaker]));
    const labeled: Labeled[] = [];
    let skipped = 0;
    await withEngine(io, { ...flags, models: stagingDir }, async (engine, workers) => {
      const progress = progressBar(io, 'recordings', recordings.length);
      let done = 0;
      await processFiles(engine, workers, [...speakerOf.keys()], {}, (at, result) => {
        progress(++done);
        if (result instanceof Error || !result.voice) skipped++;
        else labeled.push({ speaker: speakerOf.get(at) ?? '', voice: result.voice });
      });
    });
    const revision = `${name}-${flags.revision}`;
    const calibrated = calibrateOn(revision, shape.dim, labeled);
    writeModelFolder(staged, { name, revision: flags.revision }, file, shape, calibrated);
    renameSync(staged, folder);
    if (flags.json)
      io.out(
        JSON.stringify({
          folder,
          dim: shape.dim,
          recordings: labeled.length,
          skipped,
          trials: calibrated.trials,
          thresholds: calibrated.thresholds,
        }),
      );
    else {
      io.out(
        `${folder}: ${shape.dim} dimensions, calibrated on ${calibrated.trials.target} target and ${calibrated.trials.impostor} impostor trials (${skipped} recordings without speech)`,
      );
      for (const t of calibrated.thresholds)
        io.out(`  ${percent(t.far)} false accepts: LLR ${t.llr.toFixed(2)}`);
    }
  } finally {
    rmSync(stagingDir, { recursive: true, force: true });
  }
}

interface PackFlags extends EngineFlags {
  everyProcessor?: boolean;
}

async function pack(io: CliIo, folder: string, flags: PackFlags): Promise<void> {
  const file = await storeOtherWeights(resolve(folder), flags.everyProcessor ? 'every' : 'this');
  if (flags.json) io.out(JSON.stringify({ folder: resolve(folder), otherWeights: file ?? null }));
  else if (file === undefined) io.out(`${folder}: runs as it is`);
  else io.out(`${file}: the same network, for processors without instructions for sums of byte products`);
}

export function registerModel(program: Command, io: CliIo): void {
  const model = program.command('model').description('list, import, pack and calibrate voice models');
  commonFlags(model.command('list'))
    .description('list installed models (* marks the default of each kind)')
    .option('--models <dir>', 'directory of voice models')
    .action((flags: EngineFlags) => runCommand(io, flags, async () => list(io, flags)));
  commonFlags(model.command('import <file>'))
    .description('add a speaker model (ONNX, input [B, T, 80]) and calibrate it on a corpus')
    .requiredOption('--corpus <dir>', 'folder with one subfolder per speaker')
    .option('--name <name>', 'name of the model (default: the file name)')
    .option('--revision <text>', 'revision of the model', '1')
    .option('--models <dir>', 'directory of voice models')
    .option('--workers <number>', 'worker threads')
    .action((file: string, flags: ImportFlags) => runCommand(io, flags, () => importModel(io, file, flags)));
  commonFlags(model.command('pack <folder>'))
    .description(
      'store the network of a model with the weights that this processor needs beside the original, so that workers start at once',
    )
    .option('--every-processor', 'also for processors other than this one (x64 without VNNI or AMX)')
    .action((folder: string, flags: PackFlags) => runCommand(io, flags, () => pack(io, folder, flags)));
  registerModelCalibrate(model, io);
  registerModelCallers(model, io);
  registerModelTenantThreshold(model, io);
  registerModelAlarmThreshold(model, io);
  registerModelThresholds(model, io);
}
