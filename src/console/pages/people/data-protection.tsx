// What a data protection officer does on a person's page: export everything held, place and lift evidence holds.
import { useState, type ReactNode } from 'react';
import type { HoldJson } from '../../../gen/voxgate/biosec/v1/privacy_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { spanOf } from '../../kit/dates.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/privacy.js';
import { keptLines, useErasure } from './erasure.js';

interface PersonProps {
  gkId: string;
  /** The own ID; a short form of the other where there is none any more. */
  id: string;
}

export function DataProtection({
  gkId,
  id,
  isErased = false,
}: PersonProps & {
  /** What was kept is said above. */
  isErased?: boolean;
}): ReactNode {
  const may = useMay();
  const read = useReadContext();
  const [question, setQuestion] = useState<'place' | HoldJson>();
  const mayList = may('ListHolds');
  const holds = useQuery(mayList && read ? `holds ${gkId}` : undefined, (signal) =>
    call('ListHolds', { context: read, gkPersonId: { value: gkId } }, signal),
  );
  const erasure = useErasure(mayList && may('GetErasure') ? gkId : undefined);
  const kept = erasure.data ? keptLines(erasure.data) : [];
  const exporting = useAction(async () => {
    const { downloadUrl = '' } = await call('ExportPersonalData', {
      context: read,
      gkPersonId: { value: gkId },
    });
    // An attachment: the page stays.
    window.location.assign(downloadUrl);
    toast(t.exporting);
  });
  if (!mayList) return null;
  const close = (): void => {
    setQuestion(undefined);
    holds.reload();
    erasure.reload();
  };
  return (
    <Card
      title={t.title}
      actions={
        <>
          <Allowed to="ExportPersonalData">
            <Button onClick={() => void exporting.run()} busy={exporting.busy}>
              {t.export}
            </Button>
          </Allowed>
          <Allowed to="PlaceHold">
            <Button onClick={() => setQuestion('place')}>{t.placeHold}</Button>
          </Allowed>
        </>
      }
    >
      {exporting.error ? <ErrorNotice error={exporting.error} /> : null}
      <div className="stack">
        <Loaded query={holds} what={t.holds}>
          {({ holds: placed = [] }) =>
            placed.length > 0 ? (
              <Holds holds={placed} onLift={setQuestion} />
            ) : kept.length === 0 ? (
              <p className="soft">{t.noHold}</p>
            ) : null
          }
        </Loaded>
        {/* As the dialog for erasing says it. */}
        {kept.length > 0 && !isErased ? (
          <div>
            <p>{t.wouldKeep}</p>
            <ul>
              {kept.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
      {question === 'place' ? (
        <PlaceHold gkId={gkId} id={id} onClose={close} />
      ) : question ? (
        <LiftHold hold={question} onClose={close} />
      ) : null}
    </Card>
  );
}

function Holds({
  holds,
  onLift,
}: {
  holds: readonly HoldJson[];
  onLift: (hold: HoldJson) => void;
}): ReactNode {
  const may = useMay();
  return (
    <Table
      caption={t.holds}
      rows={holds}
      rowKey={({ gkHoldId }) => gkHoldId?.value ?? ''}
      columns={[
        {
          label: t.why,
          cell: ({ reason, gkMediaSegmentId }) =>
            gkMediaSegmentId ? `${reason} (${t.onRecording})` : reason,
        },
        { label: t.by, cell: ({ placedByName, placedBy }) => placedByName || placedBy },
        { label: t.since, cell: ({ placeTime }) => <Time at={placeTime} />, whole: true },
        { label: t.ends, cell: ({ endTime }) => (endTime ? <Time at={endTime} /> : t.open), whole: true },
        ...(may('LiftHold')
          ? [
              {
                label: t.liftHold,
                actions: true,
                cell: (hold: HoldJson) => (
                  <Button size="small" onClick={() => onLift(hold)}>
                    {t.liftHold}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}

function PlaceHold({ gkId, id, onClose }: PersonProps & { onClose: () => void }): ReactNode {
  const context = useReadContext();
  const form = useForm({ reason: '', until: '' }, async ({ reason, until }) => {
    const { endTime } = spanOf('', until);
    await call('PlaceHold', { context, gkPersonId: { value: gkId }, reason, ...(endTime && { endTime }) });
    toast(t.placed);
    onClose();
  });
  return (
    <FormDialog title={t.placeTitle(id)} submitLabel={t.placeHold} onClose={onClose} {...form.submit}>
      <p>{t.placeText}</p>
      <TextField label={t.reason} hint={t.reasonHint} autoFocus maxLength={1024} {...form.text('reason')} />
      <TextField
        label={t.until}
        hint={t.untilHint}
        type="date"
        optional
        {...form.text('until', 'end_time')}
      />
    </FormDialog>
  );
}

function LiftHold({ hold, onClose }: { hold: HoldJson; onClose: () => void }): ReactNode {
  const context = useReadContext();
  const form = useForm({ reason: '' }, async ({ reason }) => {
    await call('LiftHold', { context, gkHoldId: hold.gkHoldId ?? {}, reason });
    toast(t.lifted);
    onClose();
  });
  return (
    <FormDialog title={t.liftHold} submitLabel={t.liftHold} onClose={onClose} {...form.submit}>
      <p>{t.liftText(hold.reason ?? '')}</p>
      <TextField label={t.reason} autoFocus maxLength={1024} {...form.text('reason')} />
    </FormDialog>
  );
}
