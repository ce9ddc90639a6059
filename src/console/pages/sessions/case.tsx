// The case of a call: how far it is, who has it, and buttons to take it or to give it to somebody.
import { useState, type ReactNode } from 'react';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { CaseStateJson, SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { useMemberNames } from '../biosec/members.js';
import type { Timeline } from './timeline.js';

const text = t.case;

/** The member of the engagement's custom data that holds the user ID. */
export const CASE_OWNER = 'caseOwner';

const tones: Readonly<Partial<Record<CaseStateJson, BadgeTone>>> = {
  CASE_STATE_OPEN: 'warn',
  CASE_STATE_IN_PROGRESS: 'info',
};

export const isCase = ({ caseState }: Pick<SessionEntryJson, 'caseState'>): boolean =>
  caseState !== undefined && caseState !== 'CASE_STATE_UNSPECIFIED';

/** Nothing for a call that is no case. */
export function CaseState({
  of: { caseState = 'CASE_STATE_UNSPECIFIED', assignedTo },
}: {
  of: Pick<SessionEntryJson, 'caseState' | 'assignedTo'>;
}): ReactNode {
  const nameOf = useMemberNames();
  if (caseState === 'CASE_STATE_UNSPECIFIED') return null;
  return (
    <span className="row">
      <Badge tone={tones[caseState] ?? 'neutral'}>{text.states[caseState]}</Badge>
      {assignedTo ? <span className="small soft">{text.assignedTo(nameOf(assignedTo))}</span> : null}
    </span>
  );
}

const assign = (read: Context | undefined, engagement: EngagementDetailsForReadJson, to: string) =>
  call('UpdateCase', {
    context: { ...read, gkEngagementId: engagement.gkEngagementId },
    gkEngagementId: engagement.gkEngagementId,
    assignedTo: { value: to, expected: engagement.customData?.[CASE_OWNER] ?? '' },
  });

export function CaseFact({
  timeline,
  engagement,
  onChanged,
}: {
  timeline: Timeline;
  engagement: EngagementDetailsForReadJson;
  onChanged: () => void;
}): ReactNode {
  const me = useMe();
  const read = useReadContext();
  const [asked, setAsked] = useState<EngagementDetailsForReadJson>();
  const take = useAction(async () => {
    await assign(read, engagement, me.userId);
    toast(text.taken);
    onChanged();
  });
  const isMine = engagement.customData?.[CASE_OWNER] === me.userId;
  return (
    <div className="row">
      <CaseState of={timeline} />
      <Allowed to="UpdateCase">
        {isMine || timeline.caseState === 'CASE_STATE_CLOSED' ? null : (
          <Button size="small" busy={take.busy} onClick={() => void take.run()}>
            {text.take}
          </Button>
        )}
        <Button size="small" onClick={() => setAsked(engagement)}>
          {text.assign}
        </Button>
      </Allowed>
      {take.error ? <ErrorNotice error={take.error} /> : null}
      {asked ? (
        <AssignDialog
          engagement={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => {
            setAsked(undefined);
            onChanged();
          }}
        />
      ) : null}
    </div>
  );
}

/** `engagement`: as it was on the screen when the dialog was opened. */
export function AssignDialog({
  engagement,
  onClose,
  onDone,
}: {
  engagement: EngagementDetailsForReadJson;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const read = useReadContext();
  const { username } = useMe();
  const form = useForm({ assignedTo: username }, async ({ assignedTo }) => {
    await assign(read, engagement, assignedTo.trim());
    toast(assignedTo.trim() === '' ? text.unassigned : text.assigned(assignedTo.trim()));
    onDone();
  });
  return (
    <FormDialog title={text.title} submitLabel={text.assign} onClose={onClose} {...form.submit}>
      <TextField
        label={text.to}
        hint={text.toHint}
        autoFocus
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('assignedTo')}
      />
    </FormDialog>
  );
}
