// What analysts write down about an engagement: a note and the case number.
import type { ReactNode } from 'react';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { toast } from '../../kit/toast.js';
import { useReadContext } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';

const text = t.next;

/** Members of the engagement's custom data in which the console keeps them. */
export const NOTE = 'note';
export const CASE_NUMBER = 'caseNumber';

export function NoteDialog({
  engagement: { gkEngagementId, customData = {} },
  onClose,
  onDone,
}: {
  engagement: EngagementDetailsForReadJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const read = useReadContext();
  const form = useForm(
    { caseNumber: customData[CASE_NUMBER] ?? '', note: customData[NOTE] ?? '' },
    async (draft) => {
      const change = (name: typeof NOTE | typeof CASE_NUMBER) => {
        const [expected, value] = [customData[name] ?? '', draft[name].trim()];
        return value === expected ? undefined : { value, expected };
      };
      await call('UpdateCase', {
        context: { ...read, gkEngagementId },
        gkEngagementId,
        caseNumber: change(CASE_NUMBER),
        note: change(NOTE),
      });
      toast(text.noteSaved);
      onDone();
    },
  );
  return (
    <FormDialog title={text.note} submitLabel={text.save} onClose={onClose} {...form.submit}>
      <TextField label={text.caseNumber} optional autoFocus {...form.text('caseNumber')} />
      <TextArea label={text.noteLabel} optional {...form.text('note')} />
    </FormDialog>
  );
}
