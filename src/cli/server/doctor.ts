// `voxgate doctor`: what is wrong with this installation, and what to do about it.
import type { Command } from 'commander';
import { examine } from '../../compose/doctor/doctor.js';
import type { Finding } from '../../compose/doctor/finding.js';
import { ConfigError } from '../../config.js';
import { systemClock } from '../../platform.js';
import { commonFlags, runCommand, print, type CliIo, type CommonFlags } from '../io.js';

interface DoctorFlags extends CommonFlags {
  quick?: boolean;
}

/** What the exit code says; 0 when all is well. */
const exitCodes = { fault: 1, warning: 2 } as const;
const marks = { ok: 'ok     ', warning: 'WARNING', fault: 'FAULT  ' } as const;

export function registerDoctor(program: Command, io: CliIo): void {
  commonFlags(
    program
      .command('doctor')
      .description(
        'check settings, models, disk, database, clock, keys, recordings and audit trail, and say what to do; exit code 0: all is well, 1: faults, 2: warnings only',
      ),
  )
    .option('--quick', 'do not read every recording and the whole audit trail')
    .action((flags: DoctorFlags) => runCommand(io, flags, () => doctor(io, flags)));
}

async function doctor(io: CliIo, flags: DoctorFlags): Promise<void> {
  const findings = await findingsOf(io, flags);
  const worst = (['fault', 'warning'] as const).find((status) =>
    findings.some((finding) => finding.status === status),
  );
  print(io, flags, { ok: worst === undefined, checks: findings }, findings.flatMap(linesOf));
  if (worst) io.exit(exitCodes[worst]);
}

async function findingsOf(io: CliIo, flags: DoctorFlags): Promise<Finding[]> {
  try {
    return await examine(io.loadConfig(flags), systemClock, flags.quick ? 'quick' : 'full');
  } catch (thrown) {
    if (!(thrown instanceof ConfigError)) throw thrown;
    const advice = 'Correct the configuration; docs/reference/settings.md names every setting.';
    return [{ name: 'settings', status: 'fault', found: thrown.faults.join('; '), advice }];
  }
}

function linesOf({ name, status, found, advice }: Finding): string[] {
  return [`${marks[status]}  ${name}: ${found}`, ...(advice ? [`         ${advice}`] : [])];
}
