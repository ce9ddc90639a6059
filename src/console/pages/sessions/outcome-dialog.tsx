// What it really was: the analyst's word on an engagement, never chosen beforehand.
import type { ReactNode } from 'react';
import type { EngagementVerdictJson, UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Notice } from '../../kit/notice.js';
import type { Context } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';

const text = t.outcome;

const FRAUD = 'ENGAGEMENT_VERDICT_FRAUD';
const verdicts = [
  'ENGAGEMENT_VERDICT_AUTHENTIC',
  FRAUD,
  'ENGAGEMENT_VERDICT_SOMEONE_ELSE',
  'ENGAGEMENT_VERDICT_UNCERTAIN',
] as const satisfies readonly EngagementVerdictJson[];

/** As it is typed. */
const nothingYet = { verdict: '', description: '', amount: '' };
export type Outcome = typeof nothingYet;

/** `seen`: when the outcome that was on the screen was recorded, if any; another one is not replaced. */
export async function recordOutcome(
  read: Context | undefined,
  gkEngagementId: UniqueIdJson | undefined,
  { verdict, description, amount }: Outcome,
  seen: { time: string | undefined },
): Promise<void> {
  await call('RecordOutcome', {
    context: { ...read, gkEngagementId },
    gkEngagementId,
    verdict: verdicts.find((one) => one === verdict),
    description: description.trim(),
    amount: (verdict === FRAUD && amount.trim()) || undefined,
    expectedTime: seen.time,
  });
}

/** `save` says what came of it, too: of one engagement or of several. */
export function OutcomeDialog({
  title = text.title,
  description = '',
  warning,
  isOfMany = false,
  save,
  onClose,
}: {
  title?: string;
  description?: string | undefined;
  /** What is lost by it. */
  warning?: string | undefined;
  isOfMany?: boolean;
  save: (outcome: Outcome) => Promise<void>;
  onClose: () => void;
}): ReactNode {
  const form = useForm<Outcome>({ ...nothingYet, description }, save);
  const { verdict, amount } = form.draft;
  const amountField = form.text('amount');
  const isFraud = verdict === FRAUD;
  const isWhole = !isFraud || /^\d{0,15}$/.test(amount.trim());
  return (
    <FormDialog
      title={title}
      submitLabel={text.save}
      onClose={onClose}
      disabled={verdict === '' || !isWhole}
      {...form.submit}
    >
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      <SelectField
        label={text.what}
        autoFocus
        options={[
          { value: '', label: checks.verdicts.ENGAGEMENT_VERDICT_UNSPECIFIED.choice },
          ...verdicts.map((value) => ({ value, label: checks.verdicts[value].choice })),
        ]}
        {...form.text('verdict')}
      />
      <TextArea label={text.why} optional {...form.text('description')} />
      {isFraud ? (
        <TextField
          label={isOfMany ? text.lossOfEach : text.loss}
          hint={isOfMany ? `${text.lossOfEachHint} ${text.lossHint}` : text.lossHint}
          optional
          inputMode="numeric"
          {...amountField}
          error={isWhole ? amountField.error : text.lossNotWhole}
        />
      ) : null}
    </FormDialog>
  );
}
