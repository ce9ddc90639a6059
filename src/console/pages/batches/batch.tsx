// One batch: its progress, live; the outcomes of its lines; and two actions: cancel it or, after a dry run,
// start it.
import { useState, type ReactNode } from 'react';
import type { BatchJson } from '../../../gen/voxgate/batch/v1/batch_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded, Notice } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/batches.js';
import { t as shell } from '../../text/shell.js';
import { WatchlistLink } from '../biosec/owner-link.js';
import type { PageProps } from '../page.js';
import { BatchResults } from './batch-results.js';
import { BatchState, canceledIn, endedOf, operationWords, progressWords } from './batches.js';
import { reasonWords, TOO_FEW } from './line-words.js';
import { draftOf, startBatch, type BatchDraft, type Operation } from './new-batch.js';

const EVERY_MS = 1500;

/** The props of every part of a batch's page. */
interface OfBatch {
  read: Context;
  batch: BatchJson;
  reload: () => void;
}

const isOver = ({ state }: BatchJson): boolean =>
  state === 'BATCH_STATE_COMPLETED' || state === 'BATCH_STATE_CANCELLED';

export function BatchPage({ params }: PageProps): ReactNode {
  const gkJobId = params['gkJobId'] ?? '';
  const read = useReadContext();
  const [over, setOver] = useState(false);
  const query = useQuery(
    read && `batch ${gkJobId}`,
    async (signal) => {
      const { batch = {} } = await call('GetBatch', { context: read, gkJobId }, signal);
      setOver(isOver(batch));
      return batch;
    },
    over ? {} : { everyMs: EVERY_MS },
  );
  const batch = query.data;
  const title = batch ? batch.description || operationWords(batch) : t.title;
  return (
    <>
      <PageHead title={title} crumbs={[{ label: t.title, to: '/batches' }]}>
        {t.about}
      </PageHead>
      {read ? (
        <Loaded query={query} what={t.loading}>
          {(found) => (
            <div className="stack">
              <DryRun read={read} batch={found} reload={query.reload} />
              <Progress read={read} batch={found} reload={query.reload} />
              <BatchResults read={read} batch={found} />
            </div>
          )}
        </Loaded>
      ) : (
        <EmptyState icon="batches" title={shell.chooseTenant} />
      )}
    </>
  );
}

function Progress({ read, batch, reload }: OfBatch): ReactNode {
  const [canceling, setCanceling] = useState(false);
  const { lines = 0 } = batch;
  return (
    <Card
      title={t.details}
      actions={
        isOver(batch) ? undefined : (
          <Allowed to="CancelBatch">
            <Button kind="danger" onClick={() => setCanceling(true)}>
              {t.cancel}
            </Button>
          </Allowed>
        )
      }
    >
      <div className="stack">
        <progress
          aria-label={t.progress}
          max={Math.max(1, lines)}
          value={endedOf(batch) - canceledIn(batch)}
        />
        <Facts
          items={[
            [t.state, <BatchState key="state" batch={batch} />],
            [t.what, batch.dryRun ? `${operationWords(batch)}: ${t.dryRun}` : operationWords(batch)],
            ...comparedIn(batch),
            [t.lines, progressWords(batch)],
            ...(batch.reasons ?? []).map(
              ({ outcome = 'LINE_OUTCOME_UNSPECIFIED', reason = '', lines: count = 0 }) =>
                [`${t.outcomes[outcome]}: ${reasonWords(reason, outcome)}`, t.count(count)] as const,
            ),
            [t.started, <Time key="started" at={batch.creationTimestamp} />],
          ]}
        />
      </div>
      {canceling ? (
        <CancelBatch read={read} batch={batch} onClose={() => setCanceling(false)} onDone={reload} />
      ) : null}
    </Card>
  );
}

/** What recordings are compared with, and which checks are made. */
function comparedIn({ operation, gkWatchlistId, withoutAttackChecks }: BatchJson) {
  const isCheck = operation === 'CHECK';
  const watchlist = gkWatchlistId ? <WatchlistLink key="watchlist" gkId={gkWatchlistId} /> : t.noWatchlist;
  const { yes, no } = t.attackChecksMade;
  return [
    ...(isCheck || gkWatchlistId ? [[t.watchlist, watchlist] as const] : []),
    ...(isCheck ? [[t.attackChecks, withoutAttackChecks ? no : yes] as const] : []),
    ...(operation === 'ENROLL' ? [[t.attackChecks, t.attackChecksMade.never] as const] : []),
  ];
}

function CancelBatch({
  read,
  batch,
  onClose,
  onDone,
}: {
  read: Context;
  batch: BatchJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const cancel = useAction(async () => {
    await call('CancelBatch', { context: read, gkJobId: batch.gkJobId });
    toast(t.canceled);
    onClose();
    onDone();
  });
  return (
    <ConfirmDialog
      title={t.cancel}
      word={t.cancelWord}
      consequence={t.cancelText((batch.lines ?? 0) - endedOf(batch))}
      action={t.cancel}
      keepLabel={t.keepRunning}
      onClose={onClose}
      onConfirm={() => void cancel.run()}
      busy={cancel.busy}
      error={cancel.error}
    />
  );
}

function DryRun({ read, batch }: OfBatch): ReactNode {
  const [asking, setAsking] = useState(false);
  if (!batch.dryRun || batch.state !== 'BATCH_STATE_COMPLETED') return null;
  const { gkJobId = '', done = 0 } = batch;
  const draft = draftOf(gkJobId);
  return (
    <Notice title={t.isDry}>
      <span>{t.isDryText(done, endedOf(batch) - done)}</span>
      {done === 0 ? (
        <span>{t.nothingToStart}</span>
      ) : draft ? (
        <div className="row">
          <Button kind="primary" onClick={() => setAsking(true)}>
            {t.startReal}
          </Button>
        </div>
      ) : (
        <span>{t.draftGone}</span>
      )}
      {draft && asking ? (
        <StartReal read={read} draft={draft} batch={batch} onClose={() => setAsking(false)} />
      ) : null}
    </Notice>
  );
}

function StartReal({
  read,
  draft,
  batch,
  onClose,
}: {
  read: Context;
  draft: BatchDraft;
  batch: BatchJson;
  onClose: () => void;
}): ReactNode {
  const { done = 0, reasons = [] } = batch;
  const { lines: tooFew = 0 } = reasons.find(({ reason }) => reason === TOO_FEW) ?? {};
  const start = useAction(async () => {
    const gkJobId = await startBatch(read, { ...draft, dryRun: false });
    onClose();
    navigate(`/batches/${gkJobId}`);
  });
  return (
    <FormDialog
      title={t.startReal}
      submitLabel={t.startReal}
      onClose={onClose}
      onSubmit={() => void start.run()}
      busy={start.busy}
      error={start.error}
    >
      <p>{t.startRealText[draft.operation as Operation](done - tooFew)}</p>
      {tooFew > 0 ? <p>{t.tooFew(tooFew)}</p> : null}
      <Facts items={comparedIn(batch)} />
    </FormDialog>
  );
}
