// The batches of the tenant: their purpose, their progress, and a new one from a manifest.
import { useState, type ReactNode } from 'react';
import type { BatchJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { Badge, PageHead, type BadgeTone } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { Link, navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/batches.js';
import { t as shell } from '../../text/shell.js';
import { NewBatch } from './new-batch.js';

const EVERY_MS = 3000;

export function BatchesPage(): ReactNode {
  const read = useReadContext();
  return (
    <>
      <PageHead title={t.title}>{t.about}</PageHead>
      {read ? <Batches read={read} /> : <EmptyState icon="batches" title={shell.chooseTenant} />}
    </>
  );
}

function Batches({ read }: { read: Context }): ReactNode {
  const [starting, setStarting] = useState(false);
  const list = useQuery(
    `batches ${read.gkScopeId.value}`,
    async (signal) => (await call('ListBatches', { context: read }, signal)).batches ?? [],
    { everyMs: EVERY_MS },
  );
  const start = (
    <Allowed to="CancelBatch">
      <Button kind="primary" onClick={() => setStarting(true)}>
        {t.start}
      </Button>
    </Allowed>
  );
  return (
    <div className="stack">
      <Loaded query={list} what={t.loading}>
        {(batches) =>
          batches.length === 0 ? (
            <EmptyState icon="batches" title={t.none} action={start}>
              {t.noneText}
            </EmptyState>
          ) : (
            <>
              <div className="row">{start}</div>
              <BatchTable batches={batches} />
            </>
          )
        }
      </Loaded>
      {starting ? (
        <NewBatch
          read={read}
          onClose={() => setStarting(false)}
          onStarted={(gkJobId) => navigate(`/batches/${gkJobId}`)}
        />
      ) : null}
    </div>
  );
}

function BatchTable({ batches }: { batches: readonly BatchJson[] }): ReactNode {
  return (
    <Table
      caption={t.caption}
      rows={batches}
      rowKey={({ gkJobId }) => gkJobId ?? ''}
      columns={[
        {
          label: t.batch,
          cell: (batch) => (
            <Link to={`/batches/${batch.gkJobId ?? ''}`}>
              {batch.description ? <span translate="no">{batch.description}</span> : operationWords(batch)}
            </Link>
          ),
        },
        {
          label: t.what,
          cell: (batch) => (batch.dryRun ? `${operationWords(batch)}: ${t.dryRun}` : operationWords(batch)),
        },
        { label: t.state, cell: (batch) => <BatchState batch={batch} /> },
        {
          label: t.progress,
          number: true,
          cell: progressWords,
        },
        {
          label: t.refusedOrFailed,
          number: true,
          cell: ({ refused = 0, failed = 0 }) => t.count(refused + failed),
        },
        { label: t.started, whole: true, cell: ({ creationTimestamp }) => <Time at={creationTimestamp} /> },
      ]}
    />
  );
}

export function operationWords({ operation = '' }: BatchJson): string {
  return (t.operations as Readonly<Record<string, string>>)[operation] ?? operation;
}

/** Lines that were never processed. */
export const canceledIn = ({ reasons = [] }: BatchJson): number =>
  reasons.reduce((sum, { reason, lines = 0 }) => sum + (reason === 'CANCELLED' ? lines : 0), 0);

/** Its progress, or how far it got. */
export function progressWords(batch: BatchJson): string {
  const { state, lines = 0 } = batch;
  const ended = endedOf(batch) - canceledIn(batch);
  return state === 'BATCH_STATE_CANCELLED' ? t.endedCanceled(ended, lines) : t.ended(ended, lines);
}

export const endedOf = ({ done = 0, skipped = 0, refused = 0, failed = 0 }: BatchJson): number =>
  done + skipped + refused + failed;

const tones: Partial<Record<NonNullable<BatchJson['state']>, BadgeTone>> = {
  BATCH_STATE_RUNNING: 'info',
  BATCH_STATE_COMPLETED: 'good',
  BATCH_STATE_CANCELLED: 'warn',
};

export function BatchState({
  batch: { state = 'BATCH_STATE_UNSPECIFIED' },
}: {
  batch: BatchJson;
}): ReactNode {
  return <Badge tone={tones[state] ?? 'neutral'}>{t.states[state]}</Badge>;
}
