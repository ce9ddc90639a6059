// What it really was: the analyst's word on an engagement, never chosen beforehand.
import type { ReactNode } from 'react';
import type { EngagementVerdictJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { useReadContext } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';

const text = t.outcome;

const verdicts = [
  'ENGAGEMENT_VERDICT_AUTHENTIC',
  'ENGAGEMENT_VERDICT_FRAUD',
  'ENGAGEMENT_VERDICT_SOMEONE_ELSE',
  'ENGAGEMENT_VERDICT_UNCERTAIN',
] as const satisfies readonly EngagementVerdictJson[];

export function OutcomeDialog({
  engagement: { gkEngagementId, verdictInfo },
  onClose,
  onDone,
}: {
  engagement: EngagementDetailsForReadJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const read = useReadContext();
  const form = useForm(
    { verdict: '', description: verdictInfo?.description ?? '', amount: '' },
    async ({ verdict, description, amount }) => {
      await call('SetEngagementVerdict', {
        context: { ...read, gkEngagementId },
        gkEngagementId,
        verdict: verdicts.find((one) => one === verdict),
        description: description.trim(),
        amount: amount.trim() || undefined,
      });
      toast(text.saved);
      onDone();
    },
  );
  const { verdict } = form.draft;
  return (
    <FormDialog
      title={text.title}
      submitLabel={text.save}
      onClose={onClose}
      disabled={verdict === ''}
      {...form.submit}
    >
      <SelectField
        label={text.what}
        options={[
          { value: '', label: checks.verdicts.ENGAGEMENT_VERDICT_UNSPECIFIED.choice },
          ...verdicts.map((value) => ({ value, label: checks.verdicts[value].choice })),
        ]}
        {...form.text('verdict')}
      />
      <TextArea label={text.why} optional {...form.text('description')} />
      {verdict === 'ENGAGEMENT_VERDICT_FRAUD' ? (
        <TextField
          label={text.loss}
          hint={text.lossHint}
          optional
          inputMode="numeric"
          {...form.text('amount')}
        />
      ) : null}
    </FormDialog>
  );
}
