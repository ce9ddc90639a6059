// One voiceprint: its state, its lock, the takes it was made from, and adding to it.
import { useState, type ReactNode } from 'react';
import { get, post, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { dateTime, plural, shortId, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { deleteInContext, useBiosecContext } from '../../tenant/tenant.js';
import { adviceOnAudio, adviceOnEnroll, adviceOnTrain, type Advice } from '../biosec/advice.js';
import { useInSession } from '../biosec/in-session.js';
import type { ProfileDetails, SegmentDetails } from '../biosec/types.js';
import { CaptureBox } from '../voice/capture-box.js';
import { enroll, LAB_TAG, process, train, upload } from '../voice/lab-api.js';
import type { PartyKind } from './kinds.js';
import { partyKinds } from './kinds.js';
import { Segments } from './segments.js';

export function NewProfile({
  kind,
  gkId,
  onMade,
}: {
  kind: PartyKind;
  gkId: string;
  onMade: () => void;
}): ReactNode {
  const inSession = useInSession();
  const make = useAction(async () => {
    await inSession((context) =>
      post('/v1/voiceprints/profiles', {
        context,
        owner: { [partyKinds[kind].gkName]: { value: gkId }, tag: LAB_TAG },
      }),
    );
    onMade();
  });
  return (
    <>
      <Button kind="primary" busy={make.busy} onClick={() => void make.run()}>
        Begin a voiceprint
      </Button>
      {make.error ? <ErrorNotice error={make.error} /> : null}
    </>
  );
}

type Question =
  { about: 'delete' } | { about: 'lock' } | { about: 'segment'; processed: string; label: string };

export function ProfileCard({
  profile,
  owner,
  onGone,
}: {
  profile: string;
  owner: string;
  onGone: () => void;
}): ReactNode {
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const [question, setQuestion] = useState<Question | undefined>();
  const [adding, setAdding] = useState(false);
  const [said, setSaid] = useState<(Advice & { good: boolean }) | undefined>();
  const details = useQuery(read && `profile ${profile}`, (signal) =>
    get<{ details?: ProfileDetails }>(
      '/v1/voiceprints/profiles',
      { context: read, gkVoiceprintProfileId: { value: profile } },
      signal,
    ),
  );
  const segments = useQuery(read && `segments ${profile}`, (signal) =>
    get<{ enrollmentSegmentsDetails?: SegmentDetails[] }>(
      `/v1/voiceprints/profiles/${profile}/enrollment-segments`,
      { context: read },
      signal,
    ),
  );
  const reload = (): void => {
    details.reload();
    segments.reload();
  };
  const about = details.data?.details;
  const locked = about?.lockInfo?.status === 'LOCK_STATUS_LOCKED';
  const close = (): void => setQuestion(undefined);
  const unlocking = useAction(async () => {
    await inSession((context) =>
      deleteInContext(`/v1/voiceprints/profiles/${profile}/attributes/lock`, context),
    );
    toast('The voiceprint is unlocked');
    details.reload();
  });
  const deletion = useAction(async () => {
    await inSession((context) => deleteInContext(`/v1/voiceprints/profiles/${profile}`, context));
    toast('The voiceprint is deleted');
    close();
    onGone();
  });
  const removal = useAction(async (processed: string) => {
    await inSession((context) =>
      deleteInContext(`/v1/voiceprints/profiles/${profile}/enrollment-segments/${processed}`, context),
    );
    toast('The take is removed');
    close();
    reload();
  });
  const training = useAction(async () => {
    const result = await inSession((context) => train(context, profile));
    setSaid({ ...adviceOnTrain(result.reason), good: result.trainStatus === 'TRAIN_STATUS_TRAINED' });
    reload();
  });
  const taking = useAction(async (take: Take) => {
    setSaid(undefined);
    await inSession(async (context) => {
      const processed = await process(context, await upload(context, take));
      if (processed.validity !== 'REASON_AUDIO_OK' || !processed.gkProcessedAudioId) {
        setSaid({ ...adviceOnAudio(processed.validity), good: false });
        return;
      }
      const result = await enroll(context, profile, processed.gkProcessedAudioId);
      setSaid({ ...adviceOnEnroll(result.reason), good: result.enrolled === true });
    });
    reload();
  });
  const failure = unlocking.error ?? training.error ?? taking.error;
  return (
    <Card
      title={about?.tag ? `Voiceprint "${about.tag}"` : 'Voiceprint'}
      hint={<code>{shortId(profile)}</code>}
      actions={
        <>
          <Button size="small" onClick={() => setAdding((value) => !value)} aria-expanded={adding}>
            Add a take
          </Button>
          <Button size="small" busy={training.busy} onClick={() => void training.run()}>
            Train
          </Button>
          {locked ? (
            <Button size="small" busy={unlocking.busy} onClick={() => void unlocking.run()}>
              Unlock
            </Button>
          ) : (
            <Button size="small" onClick={() => setQuestion({ about: 'lock' })}>
              Lock
            </Button>
          )}
          <Button size="small" kind="danger" onClick={() => setQuestion({ about: 'delete' })}>
            Delete voiceprint
          </Button>
        </>
      }
    >
      <div className="stack">
        {failure ? <ErrorNotice error={failure} /> : null}
        {said ? (
          <Notice tone={said.good ? 'good' : 'warn'} title={said.title}>
            <span>{said.next}</span>
          </Notice>
        ) : null}
        <Loaded query={details} what="Loading the voiceprint">
          {() => <State about={about} />}
        </Loaded>
        {adding ? (
          <CaptureBox
            action="Record a take"
            targetSeconds={5}
            busy={taking.busy}
            busyLabel="Checking the take"
            onTake={(take) => void taking.run(take)}
          />
        ) : null}
        <Loaded query={segments} what="Loading takes">
          {(answer) => (
            <Segments
              rows={answer.enrollmentSegmentsDetails ?? []}
              onRemove={(processed, label) => setQuestion({ about: 'segment', processed, label })}
            />
          )}
        </Loaded>
      </div>
      {question?.about === 'lock' ? (
        <LockDialog
          profile={profile}
          onClose={close}
          onDone={() => {
            close();
            details.reload();
          }}
        />
      ) : null}
      {question?.about === 'delete' ? (
        <ConfirmDialog
          title="Delete the voiceprint"
          word={owner}
          consequence={`The voiceprint of ${owner} and its takes will be deleted. ${owner} cannot be recognised by voice any more.`}
          action="Delete voiceprint"
          onClose={close}
          onConfirm={() => void deletion.run()}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
      {question?.about === 'segment' ? (
        <ConfirmDialog
          title={`Remove ${question.label}`}
          word="remove"
          consequence="The take will no longer be part of the voiceprint. Train again afterwards."
          action="Remove the take"
          onClose={close}
          onConfirm={() => void removal.run(question.processed)}
          busy={removal.busy}
          error={removal.error}
        />
      ) : null}
    </Card>
  );
}

function State({ about }: { about: ProfileDetails | undefined }): ReactNode {
  const lock = about?.lockInfo;
  const trained = about?.status?.includes('_TRAINED') && !about.status.includes('NOT_TRAINED');
  return (
    <Facts
      items={[
        [
          'State',
          <Badge key="state" tone={trained ? 'good' : 'warn'}>
            {profileWords(about?.status)}
          </Badge>,
        ],
        [
          'Lock',
          lock?.status === 'LOCK_STATUS_LOCKED' ? (
            <span key="lock">
              <Badge tone="bad">Locked</Badge> {words(lock.lockReason, 'LOCK_REASON')}
              {lock.reason ? `: ${lock.reason}` : ''}
              {lock.autoUnlockTimestamp ? `, opens ${dateTime(lock.autoUnlockTimestamp)}` : ''}
            </span>
          ) : (
            <span key="lock">
              Open
              {lock?.mismatchCounter
                ? `, ${plural(lock.mismatchCounter, 'mismatch', 'mismatches')} in a row`
                : ''}
            </span>
          ),
        ],
        ['Trained', dateTime(about?.templateInfo?.latestTrainTimestamp)],
        [
          'Calibration',
          <code key="calibration" title={about?.templateInfo?.gkCalibrationModelRevisionId?.value}>
            {shortId(about?.templateInfo?.gkCalibrationModelRevisionId?.value)}
          </code>,
        ],
      ]}
    />
  );
}

const states: Readonly<Record<string, string>> = {
  NOT_TRAINED: 'Not trained yet',
  BASIC_TRAINED: 'Trained',
  OPTIMAL_TRAINED: 'Trained with plenty of speech',
};

function profileWords(status: string | undefined): string {
  return states[status?.replace('VOICEPRINT_PROFILE_STATUS_', '') ?? ''] ?? '-';
}

function LockDialog({
  profile,
  onClose,
  onDone,
}: {
  profile: string;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const inSession = useInSession();
  const form = useForm({ reason: '' }, async ({ reason }) => {
    await inSession((context) =>
      put(`/v1/voiceprints/profiles/${profile}/attributes/lock`, { context, reason: reason.trim() }),
    );
    toast('The voiceprint is locked');
    onDone();
  });
  return (
    <FormDialog title="Lock the voiceprint" submitLabel="Lock" danger onClose={onClose} {...form.submit}>
      <p>Verification with this voiceprint is refused until it is unlocked.</p>
      <TextField label="Reason" autoFocus {...form.text('reason')} />
    </FormDialog>
  );
}
