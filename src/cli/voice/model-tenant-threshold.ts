// `voxgate model tenant-threshold`: alarm thresholds for synthetic speech from the stored calls of a tenant, the same as ProposeAlarmThresholds does; keeps
// them, puts a revision to use, or goes back.
import type { Command } from 'commander';
import {
  proposeAlarmThresholds,
  type AlarmThresholdReport,
  type ProposedLine,
} from '../../biometrics/accuracy/propose-alarm-thresholds.js';
import { activateRevision } from '../../biometrics/configsets/change-revision.js';
import type { OperationDeps } from '../../biometrics/operations/deps.js';
import { DAY_MS, systemClock, type Call } from '../../platform.js';
import { percent } from '../../voice/evaluation/percent.js';
import { print, runCommand, tenantFlag, type CliIo } from '../io.js';
import { engineFlags, type EngineFlags } from '../recordings/engine.js';
import { withOperations } from './tenant-operations.js';

interface TenantThresholdFlags extends EngineFlags {
  tenant: string;
  configset: string;
  days?: string;
  rate: string;
  perCaller: string;
  keep?: boolean;
  use?: string;
}

export function registerModelTenantThreshold(model: Command, io: CliIo): void {
  tenantFlag(engineFlags(model.command('tenant-threshold')), 'the tenant', { required: true })
    .description(
      "alarm thresholds for synthetic speech from a tenant's stored calls, beside those in use; needs calibration.useCallers in its config set SCOPE",
    )
    .option('--configset <name>', 'the config set whose lines they are', 'SCOPE')
    .option('--days <number>', 'how far back (default: calibration.callersDays)')
    .option('--rate <percent>', 'share of honest calls that may raise an alarm', '1')
    .option('--per-caller <number>', 'most calls of one person, and of one number, that count', '1')
    .option('--keep', 'save the lines as a revision of the config set, ready to activate')
    .option(
      '--use <revision>',
      'activate a revision of the config set: one that was kept, or the one before it',
    )
    .action((flags: TenantThresholdFlags) =>
      runCommand(io, flags, () =>
        withOperations(io, flags, (deps, call) =>
          flags.use === undefined ? propose(io, flags, deps, call) : use(io, flags, flags.use, deps, call),
        ),
      ),
    );
}

const numberIn = (flag: string, value: string): number => {
  const number = Number(value);
  if (!(number > 0)) throw new Error(`${flag} must be a number above 0`);
  return number;
};

async function propose(
  io: CliIo,
  flags: TenantThresholdFlags,
  deps: OperationDeps,
  call: Call,
): Promise<void> {
  const { days } = flags;
  const report = await proposeAlarmThresholds(deps, call, {
    context: { gkScopeId: flags.tenant, configsetId: flags.configset },
    ...(days !== undefined && { fromMs: systemClock.now() - numberIn('--days', days) * DAY_MS }),
    rate: numberIn('--rate', flags.rate) / 100,
    callsPerCaller: numberIn('--per-caller', flags.perCaller),
    keep: flags.keep === true,
  });
  print(io, flags, asJson(report), asText(report, flags));
}

/** Says what was in use before: that is the way back. */
async function use(
  io: CliIo,
  { tenant, configset, ...flags }: TenantThresholdFlags,
  revision: string,
  deps: OperationDeps,
  call: Call,
): Promise<void> {
  const before = await deps.store.read.configsets.findActive(tenant, 'CONFIGSET', configset);
  await activateRevision(deps, call, { context: { gkScopeId: tenant }, gkConfigsetRevisionId: revision });
  const id = before?.gkConfigsetRevisionId;
  print(io, flags, { active: revision, before: id ?? null }, [
    `active   ${revision}`,
    id === undefined
      ? 'before   the defaults of the program'
      : `before   ${id}: voxgate model tenant-threshold --tenant ${tenant} --configset ${configset} --use ${id} goes back to it`,
  ]);
}

function asJson(report: AlarmThresholdReport): object {
  return {
    detector: report.detector,
    configset_id: report.configsetId,
    target_false_alarm_rate: report.rate,
    calls_per_caller: report.callsPerCaller,
    calls: report.calls,
    lines: report.lines.map((line) => ({
      bandwidth: line.bandwidth,
      callers: line.callers,
      calls: line.calls,
      genuine_calls: line.genuine,
      calls_of_all: line.callsOfAll,
      callers_needed: line.needed.callers,
      calls_needed: line.needed.calls,
      in_use: atJson(line.inUse),
      proposed: line.proposed ? atJson(line.proposed) : null,
      ...(line.proposed && {
        false_alarm_rate: line.proposed.checked.value,
        false_alarm_rate_interval: [line.proposed.checked.low, line.proposed.checked.high],
        risk_without_one: line.proposed.withoutOne,
      }),
      alarmed_calls: line.alarmed,
      risk_with_alarmed: line.riskWithAlarmed ?? null,
      highest: line.highest.map(({ gkSessionId, sessionId, risk, isGenuine, isAlarm, decision }) => ({
        gk_session_id: gkSessionId,
        session_id: sessionId,
        risk,
        is_genuine: isGenuine,
        is_alarm: isAlarm,
        decision: decision ?? null,
      })),
    })),
    excluded: report.excluded,
    gk_configset_revision_id: report.revisionId ?? null,
  };
}

const atJson = ({ risk, alarms, alarmsOfAll }: ProposedLine['inUse']) => ({
  risk,
  alarms,
  alarms_of_all: alarmsOfAll,
});

const bandNames = { narrow: 'telephone', wide: 'wide band' } as const;

const reasons: Readonly<Record<AlarmThresholdReport['excluded'][number]['reason'], string>> = {
  ERASED: 'whose personal data was erased',
  NO_CHECK: 'without a check for synthetic speech',
  OTHER_DETECTOR: 'checked by another detector',
  NOT_JUDGED: 'that the check could not judge',
  FRAUD_OUTCOME: 'recorded as fraud or as somebody else',
  FRAUDSTER_FOUND: 'in which a known fraudster was recognized',
  ATTACK_FOUND: 'in which an attack was found, not only by a line of your own',
  SUSPICIOUS: 'marked as suspicious',
  OPTED_OUT: 'of people who opted out',
  UNKNOWN_CALLER: 'of which neither person nor number is known',
  CALLER_COUNTED: 'of callers who count with newer ones',
  OWN_ALARM: 'that raised an alarm by the line in use and would raise the line, not recorded as genuine',
};

function asText(report: AlarmThresholdReport, { tenant, configset }: TenantThresholdFlags): string[] {
  return [
    `detector   ${report.detector}`,
    `calls      ${report.calls} looked at${report.isCut ? ', the newest; there are more' : ''}`,
    ...report.excluded.map(({ reason, calls }) => `left out   ${calls} ${reasons[reason]}`),
    ...report.lines.flatMap((line) => lineText(line, report.rate)),
    report.revisionId
      ? `kept: voxgate model tenant-threshold --tenant ${tenant} --configset ${configset} --use ${report.revisionId} puts them to use`
      : 'nothing kept: --keep saves the lines as a revision of the config set',
  ];
}

function lineText(line: ProposedLine, rate: number): string[] {
  const { inUse, proposed, callsOfAll } = line;
  const head = `${bandNames[line.bandwidth].padEnd(10)} ${line.calls} calls of ${line.callers} callers, ${line.genuine} of them recorded as genuine`;
  const shadow = (at: typeof inUse): string =>
    `${at.alarms} of these calls raise an alarm, ${at.alarmsOfAll} of the last ${callsOfAll} calls`;
  const used = `  in use     risk ${inUse.risk}: ${shadow(inUse)}`;
  const alarmed = alarmedText(line);
  const highest = `  highest    ${line.highest.map(callText).join(', ')}: listen to these`;
  if (!proposed)
    return [
      head,
      used,
      `  no line: for ${percent(rate)} at least ${line.needed.calls} calls of at least ${line.needed.callers} callers are needed`,
      ...alarmed,
    ];
  const { checked, withoutOne } = proposed;
  return [
    head,
    used,
    `  proposed   risk ${proposed.risk}: ${shadow(proposed)}; where other people set it, ${percent(checked.value)} (95%: ${percent(checked.low)} to ${percent(checked.high)})`,
    ...(withoutOne < proposed.risk ? [`  without the one caller who raises it most: ${withoutOne}`] : []),
    ...alarmed,
    highest,
  ];
}

/** Calls that the line in use took for attacks, and that nobody has judged. */
function alarmedText({ alarmed, riskWithAlarmed, inUse }: ProposedLine): string[] {
  if (alarmed === 0) return [];
  const head = `  alarms     ${alarmed} calls raised an alarm by a line of your own, and nobody recorded them as genuine`;
  return [
    riskWithAlarmed === undefined
      ? `${head}; they count`
      : `${head}; if they were honest, the line would be at ${riskWithAlarmed}. They do not raise it above ${inUse.risk}: record their outcome, and draw again`,
  ];
}

function callText({
  gkSessionId,
  sessionId,
  risk,
  isGenuine,
  isAlarm,
}: ProposedLine['highest'][number]): string {
  const about = [...(isAlarm ? ['alarm'] : []), ...(isGenuine ? ['genuine'] : [])].join(', ');
  return `${risk} in session ${sessionId ? `${sessionId}, ` : ''}${gkSessionId}${about && ` (${about})`}`;
}
