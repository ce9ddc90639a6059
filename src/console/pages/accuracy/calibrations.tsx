// The source of thresholds: the calibration that comes with the speaker model, and the tenant's own. One of
// them is in effect; switching back is as easy as switching over.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { CalibrationModelDetailsForReadJson } from '../../../gen/vendor/biosec/v1/tuning/tuning_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Verbatim } from '../../kit/from-server.js';
import { Badge, Card } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useInSession, type Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { num } from '../../text/tools.js';
import { aboutCalibration } from './about-revision.js';

const text = t.calibrations;

/** An action that the user has to confirm; without a revision it means going back to the shipped one. */
interface Question {
  about: 'use' | 'shipped';
  revision: CalibrationModelDetailsForReadJson;
}

const isShipped = ({ mode }: CalibrationModelDetailsForReadJson): boolean =>
  mode === 'CALIBRATION_MODEL_MODE_FACTORY';
const isActive = ({ state }: CalibrationModelDetailsForReadJson): boolean =>
  state === 'CALIBRATION_MODEL_STATE_ACTIVE';
const idOf = (row: CalibrationModelDetailsForReadJson): string =>
  row.gkCalibrationModelRevisionId?.value ?? '';

/** A tenant's own calibration takes effect only with the speaker model that it was made for. */
function inUse(
  rows: readonly CalibrationModelDetailsForReadJson[],
): CalibrationModelDetailsForReadJson | undefined {
  const shipped = rows.find((row) => isShipped(row) && isActive(row));
  const own = rows.find(
    (row) => !isShipped(row) && isActive(row) && row.engineFramework === shipped?.engineFramework,
  );
  return own ?? shipped;
}

export function Calibrations({
  read,
  score,
  round,
  onChanged,
}: {
  read: Context;
  /** From which the config set verifies, once it is known. */
  score: number | undefined;
  /** Counts activations on this page, here or in other cards. */
  round: number;
  onChanged: () => void;
}): ReactNode {
  const [question, setQuestion] = useState<Question>();
  const list = useQuery(`calibrations ${read.gkScopeId.value}`, async (signal) => {
    const filter = { type: ['CALIBRATION_MODEL_TYPE_VOICEPRINTS' as const] };
    const { details = [] } = await call('ListCalibrationModelRevisions', { context: read, filter }, signal);
    // Of the shipped ones, only that of the speaker model in use is relevant here.
    return details.filter((row) => !isShipped(row) || isActive(row));
  });
  // The rows stay while they are read again, and so does the focus on the pressed button.
  const { reload } = list;
  const shown = useRef(round);
  useEffect(() => {
    if (shown.current !== round) reload();
    shown.current = round;
  }, [round, reload]);
  return (
    <Card title={text.title}>
      <div className="stack">
        <p className="accuracy-answer">
          {score === undefined ? text.answerUnknown : text.answer(num(score, 2))}
        </p>
        <Loaded query={list} what={text.loading}>
          {(rows) => <CalibrationTable rows={rows} onQuestion={setQuestion} />}
        </Loaded>
      </div>
      {question ? (
        <QuestionDialog
          question={question}
          onClose={() => setQuestion(undefined)}
          onDone={() => {
            setQuestion(undefined);
            onChanged();
          }}
        />
      ) : null}
    </Card>
  );
}

function CalibrationTable({
  rows,
  onQuestion,
}: {
  rows: readonly CalibrationModelDetailsForReadJson[];
  onQuestion: (question: Question) => void;
}): ReactNode {
  const used = inUse(rows);
  const model = rows.find(isShipped)?.engineFramework;
  const isFitting = (row: CalibrationModelDetailsForReadJson): boolean =>
    row.engineFramework === model &&
    (row.state === 'CALIBRATION_MODEL_STATE_VALIDATED' || row.state === 'CALIBRATION_MODEL_STATE_INACTIVE');
  const actionsOf = (row: CalibrationModelDetailsForReadJson): ReactNode => {
    if (isShipped(row)) return null;
    if (isActive(row))
      return (
        <Button size="small" onClick={() => onQuestion({ about: 'shipped', revision: row })}>
          {text.shippedAction}
        </Button>
      );
    return isFitting(row) ? (
      <Button size="small" kind="primary" onClick={() => onQuestion({ about: 'use', revision: row })}>
        {text.useAction}
      </Button>
    ) : null;
  };
  return (
    <Table
      caption={text.caption}
      rows={rows}
      rowKey={idOf}
      columns={[
        {
          label: text.name,
          cell: (row) =>
            isShipped(row) ? text.shipped : <Verbatim>{row.calibrationModelId ?? shell.none}</Verbatim>,
        },
        {
          label: text.state,
          cell: (row) => (
            <span className="row">
              {row === used ? <Badge tone="good">{text.inUse}</Badge> : <Badge>{text.kept}</Badge>}
              {row.engineFramework === model ? null : <Badge tone="warn">{text.otherModel}</Badge>}
            </span>
          ),
        },
        {
          label: text.about,
          cell: (row) =>
            isShipped(row)
              ? text.shippedText
              : (aboutCalibration(row.description ?? '') ?? (
                  <Verbatim>{row.description || shell.none}</Verbatim>
                )),
        },
        { label: text.made, whole: true, cell: (row) => <Time at={row.creationTimestamp} /> },
        { label: shell.actions, actions: true, cell: actionsOf },
      ]}
    />
  );
}

function QuestionDialog({
  question: { about, revision },
  onClose,
  onDone,
}: {
  question: Question;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const inSession = useInSession();
  const isUse = about === 'use';
  const name = revision.calibrationModelId ?? shortId(idOf(revision));
  const work = useAction(async () => {
    const operation = isUse ? 'ActivateCalibrationModelRevision' : 'DeactivateCalibrationModelRevision';
    await inSession((context) =>
      call(operation, { context, gkCalibrationModelRevisionId: { value: idOf(revision) } }),
    );
    toast(isUse ? text.used : text.back);
    onDone();
  });
  return (
    <ConfirmDialog
      title={isUse ? text.useTitle : text.shippedTitle}
      word={name}
      consequence={isUse ? text.useText(name) : text.shippedQuestion(name)}
      action={isUse ? text.useAction : text.shippedAction}
      onClose={onClose}
      onConfirm={() => void work.run()}
      busy={work.busy}
      error={work.error}
    />
  );
}
