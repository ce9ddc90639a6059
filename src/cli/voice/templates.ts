// `voxgate templates remake`: after a change of the speaker model, rebuilds the templates of a tenant from the
// stored enrollment audio, so that nobody has to be enrolled twice.
import type { Command } from 'commander';
import { ensureFactoryCalibration } from '../../biometrics/calibration/active.js';
import { remakeTemplates } from '../../biometrics/jobs/remake-templates.js';
import { operationsFor } from '../../compose/biometrics.js';
import { silentLog, systemClock, systemIds } from '../../platform.js';
import { withEngine, type EngineFlags } from '../recordings/engine.js';
import { commonFlags, runCommand, tenantFlag, print, type CliIo } from '../io.js';
import { progressBar } from '../progress.js';
import { withStorage } from '../server/with-storage.js';

interface RemakeFlags extends EngineFlags {
  tenant: string;
}

export function registerTemplates(program: Command, io: CliIo): void {
  const templates = program.command('templates').description('rebuild voice templates');
  tenantFlag(
    commonFlags(
      templates
        .command('remake')
        .description(
          "rebuild a tenant's templates with the current speaker model; exits with 1 if any fails",
        ),
    ),
    'the tenant whose templates are rebuilt',
    { required: true },
  )
    .option('--models <dir>', 'directory of voice models (default: the configured one)')
    .option('--model <name>', 'speaker model to use (default: the newest)')
    .option('--workers <number>', 'voice engine workers')
    .action((flags: RemakeFlags) => runCommand(io, flags, () => remake(io, flags)));
}

async function remake(io: CliIo, flags: RemakeFlags): Promise<void> {
  await withStorage(io, flags, (storage, config) =>
    withEngine(io, flags, async (engine) => {
      const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
      const deps = operationsFor(core, storage, engine);
      if (!(await deps.tenants.isUsable(flags.tenant))) throw new Error(`there is no tenant ${flags.tenant}`);
      await ensureFactoryCalibration(deps.store, systemClock, engine.model);
      const total = await deps.store.read.profiles.count(flags.tenant, { trained: true });
      const progress = progressBar(io, 'prints', total);
      const report = await remakeTemplates(deps, flags.tenant, (done) => progress(done.prints));
      print(io, flags, { scope: flags.tenant, model: engine.model.revision, ...report }, [
        `model ${engine.model.revision}`,
        `${report.prints} prints: ${report.remade} remade, ${report.upToDate} up to date, ${report.failed} failed`,
      ]);
      if (report.failed > 0) io.exit(1);
    }),
  );
}
