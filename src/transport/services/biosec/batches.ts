// Batches: many recordings by one manifest.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { BatchSettings, EndedLine } from '../../../biometrics/model/batches.js';
import {
  cancelBatch,
  getBatch,
  listBatches,
  listBatchResults,
  startBatch,
  type AssessedLine,
  type BatchView,
} from '../../../biometrics/batch/start-batch.js';
import type { NamingDeps } from '../../../biometrics/assessment/names.js';
import type { Call } from '../../../platform.js';
import type { Context, UniqueId } from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  Batches,
  BatchState,
  ExistingAction,
  FraudCheck,
  LineOutcome,
  type BatchSchema,
  type LineResultSchema,
} from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { assessmentOf } from './assessment.js';
import {
  biosecAccess,
  contextOf,
  durationOf,
  present,
  riskOf,
  timestampOf,
  valueOf,
  wordOf,
} from './shared.js';
import { localized } from '../../status.js';

interface Started {
  context?: Context | undefined;
  manifest: string;
  tag: string;
  gkWatchlistId?: UniqueId | undefined;
  dryRun: boolean;
  description: string;
}

export function batchesService(deps: NamingDeps): ServiceBinding {
  const start = (
    call: Call,
    request: Started,
    own: Pick<BatchSettings, 'operation'> & Partial<BatchSettings>,
  ) => {
    const { manifest, tag, dryRun, description } = request;
    return startBatch(deps, call, {
      context: contextOf(request),
      manifest,
      tag,
      dryRun,
      description,
      gkWatchlistId: valueOf(request.gkWatchlistId),
      existing: 'SKIP',
      fraudCheck: 'NONE',
      allHaveConsented: false,
      ...own,
    });
  };
  const place = (request: { context?: Context | undefined; gkJobId: string }) => ({
    context: contextOf(request),
    gkJobId: request.gkJobId,
  });
  return bindService(Batches, biosecAccess, {
    startEnrollmentBatch: (call, request) => {
      const { allHaveConsented, fraudCheck } = request;
      return start(call, request, {
        operation: 'ENROLL',
        existing: existingOf(request.existing),
        fraudCheck: fraudChecks[fraudCheck] ?? 'NONE',
        allHaveConsented,
      });
    },
    startFraudsterBatch: (call, request) =>
      start(call, request, { operation: 'REGISTER', existing: existingOf(request.existing) }),
    startCheckBatch: (call, request) =>
      start(call, request, {
        operation: 'CHECK',
        withoutAttackChecks: request.withoutAttackChecks,
      }),
    getBatch: async (call, request) => ({ batch: batchOf(await getBatch(deps, call, place(request))) }),
    listBatches: async (call, request) => ({
      batches: (await listBatches(deps, call, contextOf(request))).map(batchOf),
    }),
    listBatchResults: async (call, request) => {
      const { afterLine, pageSize, reason } = request;
      const outcome = wordOf<EndedLine['outcome']>(LineOutcome, request.outcome);
      const sought = { afterLine, pageSize, ...(outcome && { outcome }), ...(reason !== '' && { reason }) };
      const page = await listBatchResults(deps, call, { ...place(request), ...sought });
      return { results: page.results.map(resultOf), hasMore: page.hasMore };
    },
    cancelBatch: async (call, request) => ({ batch: batchOf(await cancelBatch(deps, call, place(request))) }),
  });
}

const existingOf = (action: ExistingAction): BatchSettings['existing'] =>
  action === ExistingAction.REPLACE ? 'REPLACE' : 'SKIP';

const fraudChecks: Record<number, BatchSettings['fraudCheck']> = {
  [FraudCheck.NONE]: 'NONE',
  [FraudCheck.IGNORE]: 'IGNORE',
  [FraudCheck.REFUSE]: 'REFUSE',
};

function batchOf({ job, settings, counts, isCanceled }: BatchView): MessageInitShape<typeof BatchSchema> {
  const count = (...wanted: EndedLine['outcome'][]): number =>
    counts.ended.reduce((sum, { outcome, lines }) => sum + (wanted.includes(outcome) ? lines : 0), 0);
  return {
    gkJobId: job.gkJobId,
    operation: settings.operation,
    state: isCanceled ? BatchState.CANCELLED : states[job.state],
    description: settings.description,
    dryRun: settings.dryRun,
    gkWatchlistId: settings.gkWatchlistId,
    withoutAttackChecks: settings.withoutAttackChecks ?? false,
    lines: counts.lines,
    done: count('DONE', 'WOULD_BE_DONE'),
    skipped: count('SKIPPED'),
    refused: count('REFUSED'),
    failed: count('FAILED'),
    reasons: counts.ended.map((each) => ({ ...each, outcome: LineOutcome[each.outcome] })),
    creationTimestamp: timestampOf(job.createdAtMs),
    modificationTimestamp: timestampOf(job.modifiedAtMs),
  };
}

const states: Record<BatchView['job']['state'], BatchState> = {
  PENDING: BatchState.PENDING,
  STARTED: BatchState.RUNNING,
  COMPLETED: BatchState.COMPLETED,
  FAILED: BatchState.CANCELLED,
};

function resultOf(line: AssessedLine): MessageInitShape<typeof LineResultSchema> {
  const { score, risk, netSpeechMs, syntheticRisk, playbackRisk, ...rest } = line;
  const { recordings, channels = [], found = [], notMade = [], assessment, said, ...own } = rest;
  return {
    ...own,
    message: said.map(({ message }) => message).join('; '),
    said: said.map(localized),
    recordings: [...recordings],
    channels: [...channels],
    found: [...found],
    checksNotMade: [...notMade],
    outcome: LineOutcome[line.outcome],
    ...(score !== undefined && { biometricScore: score }),
    ...(risk && riskOf(risk)),
    ...(netSpeechMs !== undefined && { netSpeech: durationOf(netSpeechMs) }),
    ...(syntheticRisk && { syntheticSpeechRisk: syntheticRisk.risk }),
    ...(playbackRisk && { playbackRisk: playbackRisk.risk }),
    ...present('assessment', assessment, assessmentOf),
  };
}
