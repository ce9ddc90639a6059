// `voxgate person export`, `hold`, `holds`, `lift` and `certificate`: what a data protection officer does about one person.
import { createWriteStream, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import type { UniqueId, Voxgate } from '../../client/index.js';
import { AppError } from '../../errors.js';
import type { HoldJson } from '../../gen/voxgate/biosec/v1/privacy_pb.js';
import { table, text } from '../flags.js';
import type { CliIo } from '../io.js';
import { addRemoteCommand, type RemoteFlags, type Result } from './remote-command.js';
import { inEnglish } from '../../words/server/say.js';

/** Somebody who was deleted has no ID of yours any more, and is named by the unique ID. */
type FindPerson = (voxgate: Voxgate, named: string) => Promise<UniqueId>;

export function registerPrivacy(person: Command, io: CliIo, find: FindPerson): void {
  addRemoteCommand(
    person,
    io,
    'export <person>',
    'save everything held about a person as one archive (ZIP); the audit trail records it',
    async (voxgate, [named = ''], flags) => exportTo(voxgate, await find(voxgate, named), named, flags),
  ).option('--out <file>', 'the file to write; PERSON.zip by default');
  addRemoteCommand(
    person,
    io,
    'hold <person>',
    'hold all recordings of a person as evidence: neither retention nor an erasure deletes them',
    async (voxgate, [named = ''], flags) => {
      const until = text(flags, 'until');
      const { hold } = await voxgate.call('PlaceHold', {
        context: voxgate.context,
        gkPersonId: await find(voxgate, named),
        reason: text(flags, 'reason') ?? '',
        ...(until !== undefined && { endTime: endOf(until) }),
      });
      return { value: { hold }, lines: [`held: ${hold?.gkHoldId?.value ?? ''}`] };
    },
  )
    .requiredOption('--reason <text>', 'why, such as the number of a case')
    .option('--until <date>', 'the last day, such as 2027-03-31; without it, until it is lifted');
  addRemoteCommand(
    person,
    io,
    'holds [person]',
    'list the holds of a person, or of everybody',
    async (voxgate, [named]) => {
      const gkPersonId = named === undefined ? undefined : await find(voxgate, named);
      const { holds = [] } = await voxgate.call('ListHolds', {
        context: voxgate.context,
        ...(gkPersonId && { gkPersonId }),
      });
      return { value: { holds }, lines: table(holds.map(rowOf), 'no holds') };
    },
  );
  addRemoteCommand(person, io, 'lift <hold>', 'lift a hold', async (voxgate, [hold = ''], flags) => {
    const reason = text(flags, 'reason') ?? '';
    await voxgate.call('LiftHold', { context: voxgate.context, gkHoldId: { value: hold }, reason });
    return { value: { hold, lifted: true }, lines: [`lifted ${hold}`] };
  }).requiredOption('--reason <text>', 'why');
  addRemoteCommand(
    person,
    io,
    'certificate <person>',
    'show the signed certificate of an erasure; the person is named by the unique ID',
    async (voxgate, [named = ''], flags) => certify(voxgate, await find(voxgate, named), flags),
  ).option('--out <file>', 'also write it to a file');
}

/** The whole of the last day, where this runs. */
function endOf(until: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(until) ?? [];
  if (day === undefined)
    throw new AppError('INVALID_REQUEST', inEnglish('--until must be a day, such as 2027-03-31'));
  return new Date(Number(year), Number(month) - 1, Number(day) + 1).toISOString();
}

const rowOf = ({ gkHoldId, gkPersonId, placeTime = '', placedByName, placedBy = '', ...hold }: HoldJson) => [
  gkHoldId?.value ?? '',
  gkPersonId ? 'person' : 'recording',
  placeTime.slice(0, 10),
  placedByName || placedBy,
  hold.endTime ? `until ${hold.endTime.slice(0, 10)}` : 'until lifted',
  hold.reason ?? '',
];

async function exportTo(
  voxgate: Voxgate,
  gkPersonId: UniqueId,
  named: string,
  flags: RemoteFlags,
): Promise<Result> {
  const { downloadUrl = '' } = await voxgate.call('ExportPersonalData', {
    context: voxgate.context,
    gkPersonId,
  });
  const answer = await fetch(downloadUrl);
  if (!answer.ok || !answer.body)
    throw new AppError('UNKNOWN', `the archive could not be read: HTTP ${answer.status}`);
  const file = text(flags, 'out') ?? `${named.replace(/[^\w.-]/g, '_')}.zip`;
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(file, { mode: 0o600 }));
  return { value: { gkPersonId: gkPersonId.value, file }, lines: [`wrote ${file}`] };
}

async function certify(voxgate: Voxgate, gkPersonId: UniqueId, flags: RemoteFlags): Promise<Result> {
  const { certificate = '', erasures = [] } = await voxgate.call('GetErasureCertificate', {
    context: voxgate.context,
    gkPersonId,
  });
  const file = text(flags, 'out');
  if (file !== undefined) writeFileSync(file, `${certificate}\n`);
  const lines = erasures.map((one) => {
    const { deletedRecordingCount: deleted = 0, keptRecordingCount: kept = 0 } = one;
    const by = one.requestedByName || one.requestedBy || 'nobody: it ran by itself';
    return `${one.completeTime ?? ''}  ${deleted} recordings deleted, ${kept} kept; asked for by ${by}; audit record ${one.auditPosition ?? ''}`;
  });
  return {
    value: { certificate, erasures },
    lines: [...lines, file === undefined ? certificate : `wrote ${file}`],
  };
}
