// The profiles-status job: a ZIP of CSV files with one row per print, at a signed URL for a day.
import { AppError, notFound } from '../../errors.js';
import type { Call } from '../../platform.js';
import { audit } from '../call/audit.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import { openTenant, type RequestContext } from '../call/context.js';
import { Faults } from '../call/limits.js';
import type { MediaDeps } from '../media/deps.js';
import type { OwnerType } from '../model/outcome.js';
import type { Profile } from '../model/profiles.js';
import { lockAt } from '../rules/profile-changes.js';
import { newJob, type Job } from '../model/jobs.js';
import { zipped, type ZipPiece } from './zip-files.js';
import { say } from '../../words/server/say.js';

interface ProfilesStatusFilter {
  createdFromMs?: number;
  createdToMs?: number;
}

/** As stored with the job: `createdFrom` and `createdTo`, as the first version wrote them. */
type KeptInput = { ownerType: OwnerType } & Partial<Record<'createdFrom' | 'createdTo', number>>;

interface ProfilesStatusResult {
  blobId: string;
  rows: number;
}

/** docs/reference/voiceprint-management.md#profile-status-jobs */
const ROWS_PER_FILE = 1_000_000;
const PAGE_SIZE = 500;
const REPORT_BYTES_MAX = 1024 * 1024 * 1024;

export async function executeProfilesStatusJob(
  deps: MediaDeps,
  call: Call,
  input: ProfilesStatusFilter & { context: RequestContext; ownerType?: OwnerType },
): Promise<string> {
  const { ownerType, createdFromMs, createdToMs } = input;
  const faults = new Faults().required('owner_type', ownerType);
  if (createdFromMs !== undefined && createdToMs !== undefined && createdFromMs > createdToMs) {
    faults.add({
      field: 'filter.creation_timestamp_interval',
      violation: 'FIELD_CONFLICT',
      ...say('ENDS_BEFORE_START'),
    });
  }
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const now = deps.clock.now();
  const gkJobId = deps.ids.uuid();
  const document: KeptInput = {
    ownerType: ownerType as OwnerType,
    ...(createdFromMs !== undefined && { createdFrom: createdFromMs }),
    ...(createdToMs !== undefined && { createdTo: createdToMs }),
  };
  await deps.store.transaction(async (tx) => {
    const job = { gkJobId, gkScopeId, kind: 'PROFILES_STATUS', requestedBy: call.caller.subject } as const;
    await tx.jobs.insert(newJob(job, document, now));
    await audit(tx, call, {
      type: 'JOBS_EVENT',
      operation: 'ExecuteVoiceprintProfilesStatusJob',
      gkScopeId,
      subjects: [gkJobId],
      detail: { ownerType },
    });
    tx.afterCommit(() => deps.jobs.wake());
  });
  return gkJobId;
}

interface ProfilesStatusJobView {
  job: Job;
  downloadUrl?: string;
}

export async function getProfilesStatusJob(
  deps: MediaDeps,
  call: Call,
  input: { context: RequestContext; gkJobId: string },
): Promise<ProfilesStatusJobView> {
  const faults = new Faults().required('gk_job_id', input.gkJobId);
  const gkScopeId = await openTenant(deps, call, input.context, faults.found);
  const job = await deps.store.read.jobs.find(gkScopeId, input.gkJobId);
  if (job?.kind !== 'PROFILES_STATUS') throw notFound('job', 'gk_job_id');
  if (job.state !== 'COMPLETED' || job.expiresAtMs === undefined) return { job };
  const { blobId } = JSON.parse(job.result) as ProfilesStatusResult;
  const secondsLeft = Math.max(1, Math.floor((job.expiresAtMs - deps.clock.now()) / 1000));
  return { job, downloadUrl: deps.urls.make('report', blobId, secondsLeft, { scope: gkScopeId }).url };
}

export async function runProfilesStatusJob(
  deps: MediaDeps,
  job: Job,
): Promise<{ result: ProfilesStatusResult; expiresAtMs: number }> {
  const { urls } = await tenantParameters(deps, job.gkScopeId);
  const blobId = `report-${job.gkJobId}-${job.attempts}`;
  const counted = { rows: 0 };
  await deps.blobs.put(job.gkScopeId, blobId, zipped(reportFiles(deps, job, counted)), {
    maxBytes: REPORT_BYTES_MAX,
  });
  return {
    result: { blobId, rows: counted.rows },
    expiresAtMs: deps.clock.now() + urls.jobResultHours * 3_600_000,
  };
}

/** There is always a first file. */
async function* reportFiles(deps: MediaDeps, job: Job, counted: { rows: number }): AsyncGenerator<ZipPiece> {
  const { ownerType, createdFrom, createdTo } = JSON.parse(job.input) as KeptInput;
  const filter = {
    ownerType,
    ...(createdFrom !== undefined && { createdFromMs: createdFrom }),
    ...(createdTo !== undefined && { createdToMs: createdTo }),
  };
  yield pieceOf(1, HEADER);
  let after: string | undefined;
  do {
    const page = await deps.store.read.profiles.list(job.gkScopeId, filter, {
      limit: PAGE_SIZE,
      ...(after && { after }),
    });
    for (const profile of page.profiles) {
      const file = Math.floor(counted.rows / ROWS_PER_FILE) + 1;
      if (counted.rows > 0 && counted.rows % ROWS_PER_FILE === 0) yield pieceOf(file, HEADER);
      yield pieceOf(file, rowOf(profile, deps.clock.now()));
      counted.rows += 1;
    }
    after = page.next;
  } while (after);
}

const pieceOf = (file: number, line: string): ZipPiece => ({
  name: `profiles-${file}.csv`,
  bytes: new TextEncoder().encode(`${line}\n`),
});

/** The bytes behind a report address; the scope is part of what was signed. */
export async function* readReport(
  deps: MediaDeps,
  blobId: string,
  parameters: URLSearchParams,
): AsyncGenerator<Uint8Array> {
  const gkScopeId = parameters.get('scope');
  if (!gkScopeId) throw new AppError('PERMISSION_DENIED', say('URL_NOT_VALID'));
  yield* deps.blobs.read(gkScopeId, blobId);
}

/** The blob of an expired report. */
export function reportBlobOf(job: Job): string | undefined {
  return job.kind === 'PROFILES_STATUS' && job.result
    ? (JSON.parse(job.result) as ProfilesStatusResult).blobId
    : undefined;
}

const HEADER =
  'profile_id,owner_id,owner_type,tag,status,version,lock_status,calibration_revision,created,trained';

function rowOf(profile: Profile, nowMs: number): string {
  const { trained } = profile;
  return [
    profile.gkVoiceprintProfileId,
    profile.gkOwnerId,
    profile.ownerType,
    profile.tag,
    profile.status,
    String(profile.version),
    lockAt(profile.lock, nowMs).locked ? 'LOCKED' : 'UNLOCKED',
    trained?.calibrationRevisionId ?? '',
    new Date(profile.createdAtMs).toISOString(),
    trained ? new Date(trained.trainedAtMs).toISOString() : '',
  ]
    .map(cell)
    .join(',');
}

/** RFC 4180 quoting; a leading = + - @ is defused, because reports are opened in spreadsheets. */
function cell(value: string): string {
  const safe = /^[=+\-@]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
