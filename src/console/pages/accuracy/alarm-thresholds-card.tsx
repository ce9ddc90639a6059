// Alarm thresholds for synthetic speech from the tenant's own callers: computed on request, shown beside those in
// use with their costs and benefits, saved as a revision or activated, and reverted.
import { useState, type ReactNode } from 'react';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import type { Context } from '../../tenant/context.js';
import { t as text } from '../../text/alarm-thresholds.js';
import { readConfigset } from '../biosec/parameters.js';
import { AlarmThresholdReport } from './alarm-threshold-report.js';

type Report = AnswerOf<'ProposeAlarmThresholds'>;

const CALLERS_NOT_ALLOWED = 'CALLERS_NOT_ALLOWED';

export function AlarmThresholdsCard({ read, onSaved }: { read: Context; onSaved: () => void }): ReactNode {
  const [wanted, setWanted] = useState('1');
  const [perCaller, setPerCaller] = useState('1');
  const [report, setReport] = useState<Report>();
  const rate = Number(wanted.replace(',', '.')) / 100;
  const isRate = rate >= 0.001 && rate <= 0.1;
  const count = Number(perCaller);
  const isCount = Number.isInteger(count) && count >= 1 && count <= 10;
  const ask = (save: boolean): Promise<Report> =>
    call('ProposeAlarmThresholds', {
      context: read,
      targetFalseAlarmRate: rate,
      callsPerCaller: count,
      save,
    });
  const search = useAction(async () => {
    setReport(undefined);
    setReport(await ask(false));
  });
  const change = (set: (value: string) => void) => (value: string) => {
    set(value);
    // Lines computed for other numbers must not be saved for these.
    setReport(undefined);
  };
  const isForbidden = search.error?.details.includes(CALLERS_NOT_ALLOWED) === true;
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="stack">
        <form
          className="row accuracy-bar"
          onSubmit={(event) => {
            event.preventDefault();
            if (isRate && isCount) void search.run();
          }}
        >
          <TextField
            label={text.wanted}
            inputMode="decimal"
            value={wanted}
            onValue={change(setWanted)}
            error={isRate ? undefined : text.range}
          />
          <TextField
            label={text.perCaller}
            inputMode="numeric"
            value={perCaller}
            onValue={change(setPerCaller)}
            error={isCount ? undefined : text.perCallerRange}
          />
          <Button type="submit" kind="primary" busy={search.busy} disabled={!isRate || !isCount}>
            {text.find}
          </Button>
        </form>
        <p className="small soft">{text.perCallerHint}</p>
        {isForbidden ? <Notice>{text.notAllowed}</Notice> : null}
        {search.error && !isForbidden ? <ErrorNotice error={search.error} title={text.failed} /> : null}
        <div className="stack" role="status">
          {report ? <AlarmThresholdReport report={report} /> : null}
        </div>
        {report && (report.lines ?? []).some(({ proposed }) => proposed) ? (
          <Putting read={read} report={report} ask={ask} onReport={setReport} onSaved={onSaved} />
        ) : null}
      </div>
    </Card>
  );
}

/** The part of a report that decides what would be in effect. */
const linesIn = (report: Report): string =>
  (report.lines ?? [])
    .map(({ bandwidth, proposed }) => `${bandwidth ?? ''} ${String(proposed?.risk ?? 0)}`)
    .join();

function Putting({
  read,
  report,
  ask,
  onReport,
  onSaved,
}: {
  read: Context;
  report: Report;
  ask: (save: boolean) => Promise<Report>;
  onReport: (report: Report) => void;
  onSaved: () => void;
}): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [hasChanged, setChanged] = useState(false);
  /** The revision in use before, and the one since. */
  const [former, setFormer] = useState<{ before: string; now: string }>();
  const configset = read.configsetId ?? '';
  /** Undefined if somebody has called since: only the lines that the user has seen may take effect. */
  const save = async (): Promise<string | undefined> => {
    const now = await ask(false);
    const isSame = linesIn(now) === linesIn(report);
    setChanged(!isSame);
    onReport(now);
    return isSame ? (await ask(true)).gkConfigsetRevisionId?.value : undefined;
  };
  const keep = useAction(async () => {
    if ((await save()) === undefined) return;
    toast(text.saved);
    onSaved();
  });
  const replace = (revision: string, expected: string | undefined) =>
    call('ReplaceActiveRevision', {
      context: read,
      gkConfigsetRevisionId: { value: revision },
      ...(expected !== undefined && { expectedGkConfigsetRevisionId: { value: expected } }),
    });
  const activate = useAction(async () => {
    const { revisionId: before } = await readConfigset(read);
    const now = await save();
    setAsking(false);
    if (now === undefined) return;
    await replace(now, before);
    // The program's defaults are not a revision that could be activated.
    setFormer(before === undefined || before.startsWith('factory-') ? undefined : { before, now });
    toast(text.activated);
    onSaved();
    onReport(await ask(false));
  });
  const goBack = useAction(async () => {
    if (!former) return;
    await replace(former.before, former.now);
    setFormer(undefined);
    toast(text.backDone);
    // First: the revisions have changed, even if the lines cannot be drawn again.
    onSaved();
    onReport(await ask(false));
  });
  if (!configset) return <Notice>{text.nowhere}</Notice>;
  const isNew = (report.lines ?? []).some(({ proposed, inUse }) => proposed && proposed.risk !== inUse?.risk);
  const error = keep.error ?? (isAsking ? undefined : activate.error) ?? goBack.error;
  return (
    <div className="stack" data-tight>
      {hasChanged ? <Notice>{text.changed}</Notice> : null}
      {error ? <ErrorNotice error={error} /> : null}
      <div className="row">
        {isNew ? (
          <>
            <Button onClick={() => setAsking(true)}>{text.activate}</Button>
            <Button busy={keep.busy} onClick={() => void keep.run()}>
              {text.save(configset)}
            </Button>
          </>
        ) : null}
        {former ? (
          <Button busy={goBack.busy} onClick={() => void goBack.run()}>
            {text.back}
          </Button>
        ) : null}
      </div>
      {former ? <p className="small soft">{text.backText}</p> : null}
      {isAsking ? (
        <FormDialog
          title={text.activateTitle}
          submitLabel={text.activate}
          onClose={() => setAsking(false)}
          onSubmit={() => void activate.run()}
          busy={activate.busy}
          error={activate.error}
        >
          <p>{text.activateText(configset)}</p>
          {(report.lines ?? []).map(({ bandwidth = '', proposed, inUse, callsOfAll = 0 }) =>
            proposed ? (
              <p key={bandwidth}>
                {text.bands[bandwidth]}: {text.chartText(inUse?.risk ?? 0, proposed.risk ?? 0)}{' '}
                {text.shadow(inUse?.alarmsOfAll ?? 0, proposed.alarmsOfAll ?? 0, callsOfAll)}
              </p>
            ) : null,
          )}
        </FormDialog>
      ) : null}
    </div>
  );
}
