// Thresholds from the tenant's own callers: off until the tenant allows it, measured on request, stored as a
// calibration that takes effect only when somebody activates it.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { CallerThresholdJson } from '../../../gen/voxgate/biosec/v1/accuracy_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import type { ApiError } from '../../api/errors.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { num, shareWords } from '../../text/tools.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { useInSession, type Context } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { readTenantSettings, saveTenantSettings } from '../biosec/tenant-settings.js';
import { AlikeTable } from './alike-table.js';
import { rateWords, valueOf } from './rates.js';
import type { SamePairs } from './same-pairs.js';
import { Warnings } from './warnings.js';

const text = t.callers;
const SECTION = 'calibration';
const CALIBRATION = 'own-callers';

/** Each change is valid only if the setting still has the opposite value. */
const isUsed = (useCallers: boolean) => ({ before: { useCallers: !useCallers }, after: { useCallers } });

type Report = AnswerOf<'CalibrateFromCallers'>;

interface CallersProps {
  read: Context;
  /** Pairs of entries that are one person under two names. */
  same: SamePairs;
  onActivated: () => void;
}

export function CallersCard({ read, same, onActivated }: CallersProps): ReactNode {
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const settings = useQuery(`callers ${read.gkScopeId.value}`, async (signal) => {
    const found = await readTenantSettings(read, signal);
    return { isAllowed: found?.parameters[SECTION]?.['useCallers'] === true };
  });
  const saved = (message: string): void => {
    toast(message);
    setAsking(false);
    settings.reload();
  };
  const forbid = useAction(async () => {
    await saveTenantSettings(read, SECTION, isUsed(false), text.forbidden);
    saved(text.forbidden);
  });
  return (
    <Card title={text.title} hint={text.hint}>
      <Loaded query={settings}>
        {({ isAllowed }) => (
          <div className="stack">
            {isAllowed ? (
              <Measure read={read} same={same} onActivated={onActivated} />
            ) : (
              <Notice>{text.off}</Notice>
            )}
            {isAllowed ? (
              <div>
                <Button busy={forbid.busy} onClick={() => void forbid.run()}>
                  {text.forbid}
                </Button>
              </div>
            ) : may('storedCalls') ? (
              <div>
                <Button onClick={() => setAsking(true)}>{text.allow}</Button>
              </div>
            ) : (
              <p className="soft">{text.notYours}</p>
            )}
            {forbid.error ? <ErrorNotice error={forbid.error} /> : null}
          </div>
        )}
      </Loaded>
      {isAsking ? (
        <AllowCallers read={read} onClose={() => setAsking(false)} onAllowed={() => saved(text.allowed)} />
      ) : null}
    </Card>
  );
}

/**
 * The calls were stored for another purpose, so the dialog explains the new use, and the legal basis is
 * recorded.
 */
function AllowCallers({
  read,
  onClose,
  onAllowed,
}: {
  read: Context;
  onClose: () => void;
  onAllowed: () => void;
}): ReactNode {
  const form = useForm({ basis: '' }, async ({ basis }) => {
    await saveTenantSettings(read, SECTION, isUsed(true), text.description(basis.trim()));
    onAllowed();
  });
  return (
    <FormDialog
      title={text.allowTitle}
      submitLabel={text.allowAction}
      onClose={onClose}
      disabled={form.draft.basis.trim() === ''}
      {...form.submit}
    >
      <p>{text.allowText}</p>
      <p>{text.allowAgain}</p>
      <TextField
        label={text.legalBasis}
        hint={text.legalBasisHint}
        autoFocus
        {...form.text('basis', 'details.description')}
      />
    </FormDialog>
  );
}

function Measure({ read, same, onActivated }: CallersProps): ReactNode {
  const [report, setReport] = useState<Report>();
  const [isAsking, setAsking] = useState(false);
  const [hasChanged, setChanged] = useState(false);
  const inSession = useInSession();
  const context = { gkScopeId: read.gkScopeId };
  const measure = useAction(async () => {
    setReport(undefined);
    setChanged(false);
    setReport(await call('CalibrateFromCallers', { context }));
  });
  const { run: again } = measure;
  const place = useRef<HTMLDivElement>(null);
  const told = useRef(same.key);
  // The pairs of one person have changed since this was measured.
  useEffect(() => {
    const isNew = told.current !== undefined && told.current !== same.key;
    told.current = same.key;
    if (isNew && report) void again();
  }, [same.key, report, again]);
  const activate = useAction(async () => {
    const kept = await call('CalibrateFromCallers', { context, calibrationModelId: CALIBRATION });
    setAsking(false);
    // Somebody has called since: only the thresholds that the user has seen may take effect.
    const isSame = thresholdsIn(kept) === thresholdsIn(report);
    setChanged(!isSame);
    if (!isSame) return setReport(kept);
    await inSession((open) =>
      call('ActivateCalibrationModelRevision', {
        context: open,
        gkCalibrationModelRevisionId: kept.gkCalibrationModelRevisionId,
      }),
    );
    toast(text.activated);
    onActivated();
  });
  return (
    <>
      <div>
        <Button kind="primary" busy={measure.busy} onClick={() => void measure.run()}>
          {text.measure}
        </Button>
      </div>
      {measure.error ? <MeasureProblem error={measure.error} /> : null}
      {activate.error ? <ErrorNotice error={activate.error} /> : null}
      <div className="stack" role="status">
        {hasChanged ? <Notice>{text.changed}</Notice> : null}
        {report ? <Measured report={report} /> : null}
      </div>
      <div className="stack" ref={place} tabIndex={-1}>
        <AlikeTable
          title={text.alike}
          hint={text.alikeText}
          rows={(report?.alikeCallers ?? []).map(({ gkPersonId, gkSessionId, gkPrintOwnerId, score }) => ({
            one: gkPersonId?.value,
            other: gkPrintOwnerId?.value ?? '',
            score: valueOf(score),
            gkSessionId: gkSessionId?.value ?? '',
          }))}
          onSame={(pair) => {
            // The row disappears, and the button with it.
            place.current?.focus();
            same.mark(pair, 'callers');
          }}
        />
      </div>
      {report ? (
        <div>
          <Button onClick={() => setAsking(true)}>{text.activate}</Button>
        </div>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={text.activateTitle}
          word={CALIBRATION}
          consequence={
            report && aboveTarget(report).length > 0
              ? `${text.aboveTitle}. ${text.activateText}`
              : text.activateText
          }
          action={text.activateAction}
          onClose={() => setAsking(false)}
          onConfirm={() => void activate.run()}
          busy={activate.busy}
        />
      ) : null}
    </>
  );
}

/** Says that there are too few people: the user did not choose the time from which calls count. */
function MeasureProblem({ error }: { error: ApiError }): ReactNode {
  const tooFew = error.details.includes('TOO_FEW_CALLERS') ? error.message : undefined;
  return tooFew === undefined ? (
    <ErrorNotice error={error} title={text.failed} />
  ) : (
    <Notice tone="bad" title={text.failed}>
      <span>{tooFew}</span>
    </Notice>
  );
}

const aboveTarget = (report: Report): CallerThresholdJson[] =>
  (report.thresholds ?? []).filter(({ isAboveTarget }) => isAboveTarget);

const thresholdsIn = (report: Report | undefined): string =>
  (report?.thresholds ?? []).map(({ threshold }) => num(valueOf(threshold?.value), 4)).join(' ');

function Measured({ report }: { report: Report }): ReactNode {
  const score = (value: CallerThresholdJson['thresholdBefore']): string => num(valueOf(value), 2);
  const above = aboveTarget(report);
  return (
    <>
      <p>{text.basis(report.callers ?? 0, report.printOwners ?? 0, report.nontargetTrials ?? 0)}</p>
      <Warnings of={report.warningsSaid} />
      {above.length > 0 ? (
        <Notice tone="warn" title={text.aboveTitle}>
          {text.aboveText(above.map((row) => shareWords(valueOf(row.targetFalseAcceptRate))))}
        </Notice>
      ) : null}
      <Table
        caption={text.caption}
        rows={report.thresholds ?? []}
        rowKey={(row) => String(row.targetFalseAcceptRate)}
        columns={[
          {
            label: text.rate,
            cell: (row) => (
              <span className="row">
                {shareWords(valueOf(row.targetFalseAcceptRate))}
                {row.isExtrapolated ? <Badge tone="warn">{text.extrapolated}</Badge> : null}
                {above.includes(row) ? <Badge tone="warn">{text.above}</Badge> : null}
              </span>
            ),
          },
          { label: text.before, number: true, cell: (row) => score(row.thresholdBefore) },
          {
            label: text.acceptedBefore,
            number: true,
            cell: (row) => shareWords(valueOf(row.acceptedBefore)),
          },
          {
            label: text.after,
            number: true,
            cell: ({ threshold }) =>
              t.report.interval(score(threshold?.value), score(threshold?.lower), score(threshold?.upper)),
          },
          { label: text.accepted, number: true, cell: (row) => rateWords(row.accepted) },
          {
            label: text.checked,
            number: true,
            cell: ({ acceptedInCheck: share }) =>
              share === undefined || share === null ? shell.none : shareWords(valueOf(share)),
          },
        ]}
      />
    </>
  );
}
