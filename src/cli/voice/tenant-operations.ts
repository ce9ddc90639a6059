// Commands that do, on a server's own data, what a tenant's client does through the API: the operations with the engine, on
// behalf of the operator.
import { systemCaller } from '../../audit/model.js';
import { ensureFactoryCalibration } from '../../biometrics/calibration/active.js';
import type { OperationDeps } from '../../biometrics/operations/deps.js';
import { operationsFor } from '../../compose/biometrics.js';
import { silentLog, systemClock, systemIds, type Call } from '../../platform.js';
import type { CliIo } from '../io.js';
import { withEngine, type EngineFlags } from '../recordings/engine.js';
import { withStorage } from '../server/with-storage.js';

export async function withOperations(
  io: CliIo,
  flags: EngineFlags,
  work: (deps: OperationDeps, call: Call) => Promise<void>,
): Promise<void> {
  await withStorage(io, flags, (storage, config) =>
    withEngine(io, flags, async (engine) => {
      const core = { config, clock: systemClock, ids: systemIds, log: silentLog };
      const deps = operationsFor(core, storage, engine);
      await ensureFactoryCalibration(deps.store, systemClock, engine.model);
      await work(deps, {
        requestId: 'cli',
        signal: new AbortController().signal,
        log: silentLog,
        caller: systemCaller,
      });
    }),
  );
}
