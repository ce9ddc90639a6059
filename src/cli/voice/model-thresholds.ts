// `voxgate model thresholds`: which thresholds a tenant's decisions use, and which others are kept; puts some of them to use,
// or goes back to those that come with the speaker model.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  activeCalibration,
  FACTORY_CALIBRATION_ID,
  type CalibrationContent,
} from '../../biometrics/calibration/active.js';
import { validateCalibration } from '../../biometrics/calibration/calibration-document.js';
import {
  activated,
  changeRevision,
  deactivated,
  keepRevision,
} from '../../biometrics/calibration/change-revision.js';
import type { CalibrationRevision } from '../../biometrics/model/calibrations.js';
import type { OperationDeps } from '../../biometrics/operations/deps.js';
import type { Call } from '../../platform.js';
import { percent } from '../../voice/evaluation/percent.js';
import { thresholdForFar } from '../../voice/scoring/risk.js';
import type { SpeakerModel, Threshold } from '../../voice/scoring/speaker-model.js';
import { print, runCommand, tenantFlag, type CliIo } from '../io.js';
import { engineFlags, type EngineFlags } from '../recordings/engine.js';
import { readInput } from '../input-file.js';
import { withOperations } from './tenant-operations.js';

interface ThresholdsFlags extends EngineFlags {
  tenant: string;
  use?: string;
  name: string;
  shipped?: boolean;
  anyModel?: boolean;
}

export function registerModelThresholds(model: Command, io: CliIo): void {
  tenantFlag(engineFlags(model.command('thresholds')), 'the tenant', { required: true })
    .description(
      'show the thresholds that a tenant uses and those it has kept; activate others, or the shipped ones',
    )
    .option(
      '--use <file or revision>',
      'activate thresholds: a document written by `model calibrate --out`, or a kept revision',
    )
    .option('--name <name>', 'the name that a document is kept under', 'own-recordings')
    .option('--any-model', 'take a document that does not name the speaker model it was made for')
    .option('--shipped', 'go back to the thresholds that come with the speaker model')
    .action((flags: ThresholdsFlags) =>
      runCommand(io, flags, () =>
        withOperations(io, flags, (deps, call) => thresholds(io, flags, deps, call)),
      ),
    );
}

async function thresholds(io: CliIo, flags: ThresholdsFlags, deps: OperationDeps, call: Call): Promise<void> {
  const { tenant, use, shipped } = flags;
  if (use !== undefined && shipped) throw new Error('--use and --shipped contradict each other');
  if (!(await deps.tenants.isUsable(tenant))) throw new Error(`there is no tenant ${tenant}`);
  const before = await activeCalibration(deps.store, tenant, deps.engine.model);
  if (use !== undefined) await putToUse(deps, call, tenant, await revisionFor(deps, call, flags, use));
  if (shipped) await backToShipped(deps, call, tenant);
  const { model, revisionId } = await activeCalibration(deps.store, tenant, deps.engine.model);
  const moves = use === undefined && !shipped ? [] : movesOf(before.model, model);
  const kept = (await deps.store.read.calibrations.list(tenant, { types: ['VOICEPRINTS'] })).filter(
    ({ gkScopeId }) => gkScopeId === tenant,
  );
  const inUse = kept.find(({ gkCalibrationModelRevisionId: id }) => id === revisionId);
  print(
    io,
    flags,
    {
      model: model.revision,
      in_use: {
        gk_calibration_model_revision_id: revisionId,
        name: inUse?.calibrationModelId ?? FACTORY_CALIBRATION_ID,
        thresholds: model.thresholds,
      },
      moved: moves.map(({ far, from, to }) => ({ far, llr_before: from, llr: to })),
      kept: kept.map(asJson),
    },
    [
      `model    ${model.revision}`,
      `in use   ${inUse ? wordsOf(inUse) : 'those that come with the model'}`,
      `         ${ratesOf(model.thresholds)}`,
      ...moves.map(moveInWords),
      ...kept
        .filter((revision) => revision !== inUse)
        .flatMap((revision) => [
          `kept     ${wordsOf(revision)}${revision.engineFramework === model.revision ? '' : `, for ${revision.engineFramework}`}`,
          `         ${ratesOf(contentOf(revision).thresholds ?? [])}`,
        ]),
    ],
  );
}

/** A document is kept first, as the revision that is then named; anything else is the ID of one. */
async function revisionFor(
  deps: OperationDeps,
  call: Call,
  { tenant, name, anyModel }: ThresholdsFlags,
  use: string,
): Promise<string> {
  if (!existsSync(use)) {
    const revision = await deps.store.read.calibrations.find(tenant, use);
    if (!revision) throw new Error(`${use}: neither a file nor a kept revision of this tenant`);
    return use;
  }
  if (name === FACTORY_CALIBRATION_ID)
    throw new Error(`--name ${name} is the name of the calibration that comes with the model`);
  const document = readInput(use).toString('utf8');
  const { revision: model } = deps.engine.model;
  const [fault] = validateCalibration(document, model);
  if (fault) throw new Error(`${use}: ${fault.field} ${fault.message}`);
  const content = JSON.parse(document) as CalibrationContent;
  if (content.model === undefined && !anyModel)
    throw new Error(
      `${use} does not say which speaker model it was made for, and with another one its thresholds are wrong: if it was ${model}, add --any-model; else make it again with \`model calibrate --out\``,
    );
  return deps.store.transaction((tx) =>
    keepRevision(deps, tx, call, {
      gkScopeId: tenant,
      calibrationModelId: name,
      content,
      description: `From ${basename(use)}`,
      operation: 'CreateCalibrationModel',
    }),
  );
}

async function putToUse(deps: OperationDeps, call: Call, tenant: string, revisionId: string): Promise<void> {
  await changeRevision(
    deps,
    call,
    { gkScopeId: tenant, revisionId, operation: 'ActivateCalibrationModelRevision' },
    (revision) => {
      const { engineFramework } = revision;
      if (engineFramework !== deps.engine.model.revision)
        throw new Error(
          `${revisionId} was made for ${engineFramework}: with ${deps.engine.model.revision} it would have no effect`,
        );
      return activated(revision);
    },
  );
}

interface Move {
  far: number;
  from: number;
  to: number;
}

/** What the rates come to now, and came to before. */
function movesOf(before: SpeakerModel, now: SpeakerModel): Move[] {
  return [...now.thresholds]
    .sort((a, b) => b.far - a.far)
    .map(({ far, llr }) => ({ far, from: thresholdForFar(before, far), to: llr }))
    .filter(({ from, to }) => from.toFixed(2) !== to.toFixed(2));
}

const moveInWords = ({ far, from, to }: Move): string =>
  `moved    ${percent(far)}: LLR ${from.toFixed(2)} to ${to.toFixed(2)}, ${to < from ? 'laxer: more strangers are accepted than until now' : 'stricter'}`;

async function backToShipped(deps: OperationDeps, call: Call, tenant: string): Promise<void> {
  const active = await deps.store.read.calibrations.list(tenant, {
    states: ['ACTIVE'],
    types: ['VOICEPRINTS'],
  });
  for (const { gkScopeId, gkCalibrationModelRevisionId: revisionId } of active)
    if (gkScopeId === tenant)
      await changeRevision(
        deps,
        call,
        { gkScopeId, revisionId, operation: 'DeactivateCalibrationModelRevision' },
        deactivated,
      );
}

const contentOf = ({ content }: CalibrationRevision): CalibrationContent =>
  JSON.parse(content || '{}') as CalibrationContent;

function asJson(revision: CalibrationRevision): object {
  return {
    gk_calibration_model_revision_id: revision.gkCalibrationModelRevisionId,
    name: revision.calibrationModelId,
    state: revision.state,
    model: revision.engineFramework,
    description: revision.description,
    created: new Date(revision.createdAtMs).toISOString(),
    thresholds: contentOf(revision).thresholds ?? null,
  };
}

const wordsOf = (revision: CalibrationRevision): string =>
  `${revision.calibrationModelId}, ${revision.gkCalibrationModelRevisionId}, ${new Date(revision.createdAtMs).toISOString().slice(0, 16)}Z${revision.description ? `: ${revision.description}` : ''}`;

const ratesOf = (list: readonly Threshold[]): string =>
  [...list]
    .sort((a, b) => b.far - a.far)
    .map(({ far, llr }) => `${percent(far)}: LLR ${llr.toFixed(2)}`)
    .join(', ') || 'no thresholds of its own';
