// `voxgate model callers`: thresholds from the stored calls of a tenant, the same as CalibrateFromCallers does.
import type { Command } from 'commander';
import { calibrateFromCallers, type FromCallersReport } from '../../biometrics/accuracy/from-callers.js';
import { DAY_MS, systemClock } from '../../platform.js';
import { percent } from '../../voice/evaluation/percent.js';
import { print, runCommand, tenantFlag, type CliIo } from '../io.js';
import { engineFlags, type EngineFlags } from '../recordings/engine.js';
import { withOperations } from './tenant-operations.js';

interface CallersFlags extends EngineFlags {
  tenant: string;
  days?: string;
  keep?: string;
}

export function registerModelCallers(model: Command, io: CliIo): void {
  tenantFlag(engineFlags(model.command('callers')), 'the tenant', { required: true })
    .description(
      "thresholds from a tenant's stored calls: one call of each caller against the voiceprints of others; needs calibration.useCallers in its config set SCOPE",
    )
    .option('--days <number>', 'how far back (default: calibration.callersDays)')
    .option('--keep <name>', 'save the thresholds as a calibration with this name, ready to activate')
    .action((flags: CallersFlags) => runCommand(io, flags, () => callers(io, flags)));
}

async function callers(io: CliIo, flags: CallersFlags): Promise<void> {
  const days = flags.days === undefined ? undefined : Number(flags.days);
  if (days !== undefined && !(days > 0)) throw new Error('--days must be a number above 0');
  await withOperations(io, flags, async (deps, call) => {
    const report = await calibrateFromCallers(deps, call, {
      context: { gkScopeId: flags.tenant },
      ...(days !== undefined && { fromMs: systemClock.now() - days * DAY_MS }),
      calibrationModelId: flags.keep ?? '',
      level: 0,
    });
    print(io, flags, asJson(report), asText(report, flags.tenant));
  });
}

function asJson(report: FromCallersReport): object {
  return {
    model: report.model,
    callers: report.callers,
    print_owners: report.owners,
    nontarget_trials: report.trials,
    calls: report.calls,
    thresholds: report.thresholds.map(({ far, llr, accepted, checked, before, extrapolated }) => ({
      far_target: far,
      llr: llr.value,
      llr_interval: [llr.low, llr.high],
      accepted: accepted.value,
      accepted_in_check: Number.isFinite(checked) ? checked : null,
      llr_before: before.llr,
      accepted_before: before.accepted,
      extrapolated,
    })),
    gk_calibration_model_revision_id: report.revisionId ?? null,
    warnings: report.warnings.map(({ message }) => message),
    alike_callers: report.alike.map(({ gkPersonId, gkSessionId, owner, score }) => ({
      gk_person_id: gkPersonId ?? null,
      gk_session_id: gkSessionId,
      gk_print_owner_id: owner,
      score,
    })),
  };
}

function asText(report: FromCallersReport, tenant: string): string[] {
  return [
    `model    ${report.model}`,
    `callers  ${report.callers}, each once, against the voiceprints of ${report.owners} people: ${report.trials} pairs`,
    ...report.thresholds.map(
      ({ far, llr, accepted, checked, before, extrapolated }) =>
        `FAR      ${percent(far).padStart(6)}: LLR ${llr.value.toFixed(2)} (95%: ${llr.low.toFixed(2)} to ${llr.high.toFixed(2)}), accepts ${percent(accepted.value)} of these pairs${Number.isFinite(checked) ? `, ${percent(checked)} where half of the people set it for the others` : ''}; in use until now: ${before.llr.toFixed(2)}, accepts ${percent(before.accepted)}${extrapolated ? '; extrapolated' : ''}`,
    ),
    ...report.alike.map(
      ({ gkPersonId, gkSessionId, owner, score }) =>
        `alike    ${score.toFixed(2)}: ${gkPersonId ?? 'unknown caller'} in session ${gkSessionId}, and the print of ${owner}`,
    ),
    ...report.warnings.map(({ message }) => `note     ${message}`),
    report.revisionId
      ? `kept: voxgate model thresholds --tenant ${tenant} --use ${report.revisionId} puts them to use`
      : 'nothing kept: --keep NAME keeps the thresholds as a calibration revision',
  ];
}
