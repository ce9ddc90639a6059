// What an analyst does after listening: record the outcome, put the voice on a watchlist, lock the voiceprint that was
// attacked, and write down a note and the number of the case.
import { useState, type ReactNode } from 'react';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Card } from '../../kit/layout.js';
import { toast } from '../../kit/toast.js';
import { ifFound, useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/sessions.js';
import { collectionKinds, partyKinds } from '../people/kinds.js';
import { LockProfile } from '../people/profile-dialogs.js';
import { WatchlistField } from '../people/watchlist-field.js';
import { enroll, ensurePrint, process, train } from '../voice/lab-api.js';
import { OutcomeDialog, recordOutcome } from './outcome-dialog.js';

const text = t.next;

/** Members of the engagement's own data in which the console keeps them. */
export const NOTE = 'note';
export const CASE_NUMBER = 'caseNumber';

interface NextStepsProps {
  engagement: EngagementDetailsForReadJson;
  events: readonly TimelineEventJson[];
  onDone: () => void;
}

type Step = 'outcome' | 'watchlist' | 'lock' | 'note';

export function NextSteps({ engagement, events, onDone }: NextStepsProps): ReactNode {
  const read = useReadContext();
  const [open, setOpen] = useState<Step>();
  const media = events.findLast((event) => event.gkMediaSegmentId?.value)?.gkMediaSegmentId?.value;
  const print = events.findLast((event) => event.operation === 'Verify')?.gkVoiceprintProfileId?.value;
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    onDone();
  };
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="row">
        <Button kind="primary" onClick={() => setOpen('outcome')}>
          {t.session.record}
        </Button>
        <Button onClick={() => setOpen('watchlist')} disabled={!media}>
          {text.watchlist}
        </Button>
        <Button onClick={() => setOpen('lock')} disabled={!print}>
          {text.lock}
        </Button>
        <Button onClick={() => setOpen('note')}>{text.note}</Button>
      </div>
      {open === 'outcome' ? (
        <OutcomeDialog
          description={engagement.verdictInfo?.description}
          onClose={close}
          save={async (outcome) => {
            await recordOutcome(read, engagement.gkEngagementId, outcome);
            toast(t.outcome.saved);
            done();
          }}
        />
      ) : null}
      {open === 'watchlist' && media ? <ToWatchlist media={media} onClose={close} onDone={done} /> : null}
      {open === 'lock' && print ? <LockProfile profile={print} onClose={close} onDone={done} /> : null}
      {open === 'note' ? <NoteDialog engagement={engagement} onClose={close} onDone={done} /> : null}
    </Card>
  );
}

/** The caller becomes a fraudster by a name of the analyst's choice, with this recording as the first one. */
async function addCaller(context: Context, media: string, id: string, watchlist: string): Promise<boolean> {
  const { create, find, owner } = partyKinds.fraudster;
  const gkId = (await ifFound(find(context, id))) ?? (await create(context, id)) ?? '';
  const profile = await ensurePrint(context, owner(gkId));
  const { gkProcessedAudioId } = await process(context, { media: { value: media }, channel: undefined });
  const added = gkProcessedAudioId ? await enroll(context, profile, gkProcessedAudioId) : {};
  // With enough recordings the voice can be found in calls from now on.
  if (added.enrolled && added.enrollStatus !== 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE')
    await train(context, profile);
  await collectionKinds.watchlist.addMember(context, watchlist, gkId);
  return added.enrolled ?? false;
}

function ToWatchlist({
  media,
  onClose,
  onDone,
}: {
  media: string;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const inSession = useInSession();
  const form = useForm({ id: '', watchlist: '' }, async ({ id, watchlist }) => {
    const isEnrolled = await inSession((context) => addCaller(context, media, id.trim(), watchlist));
    toast(isEnrolled ? text.added(id.trim()) : text.addedWithout(id.trim()));
    onDone();
  });
  const { id, watchlist } = form.draft;
  return (
    <FormDialog
      title={text.watchlist}
      submitLabel={text.add}
      onClose={onClose}
      disabled={id.trim() === '' || watchlist === ''}
      {...form.submit}
    >
      <p>{text.watchlistText}</p>
      <TextField
        label={text.fraudster}
        hint={text.fraudsterHint}
        autoFocus
        spellCheck={false}
        {...form.text('id', 'fraudsterId')}
      />
      <WatchlistField {...form.text('watchlist')} />
    </FormDialog>
  );
}

function NoteDialog({
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
    async ({ caseNumber, note }) => {
      await call('UpdateEngagement', {
        context: { ...read, gkEngagementId },
        gkEngagementId,
        details: { customData: { ...customData, [CASE_NUMBER]: caseNumber.trim(), [NOTE]: note.trim() } },
        fieldMask: 'customData',
      });
      toast(text.noteSaved);
      onDone();
    },
  );
  return (
    <FormDialog title={text.note} submitLabel={text.save} onClose={onClose} {...form.submit}>
      <TextField label={text.caseNumber} optional {...form.text('caseNumber')} />
      <TextArea label={text.noteLabel} optional {...form.text('note')} />
    </FormDialog>
  );
}
