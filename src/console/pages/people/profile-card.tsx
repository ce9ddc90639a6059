// One voiceprint: its state, its lock, the recordings it was made from, and a way to add to it.
import { useState, type ReactNode } from 'react';
import type { VoiceprintProfileDetailsForReadJson } from '../../../gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession, useReadContext, useVoiceSession } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as voice } from '../../text/voice.js';
import type { Advice } from '../../text/tools.js';
import { adviceOnAudio, adviceOnEnroll, adviceOnTraining } from '../biosec/advice.js';
import { replaceLock, type Lock } from '../biosec/lock.js';
import { numberOf, useConfigset } from '../biosec/parameters.js';
import { CaptureBox } from '../voice/capture-box.js';
import { enroll, isTrained, process, train, upload } from '../voice/lab-api.js';
import { DeleteProfile, LockProfile, RemoveSegment } from './profile-dialogs.js';
import { Segments } from './segments.js';

const text = t.profile;

type Question = { about: 'delete' | 'lock' } | { about: 'segment'; processed: string; label: string };

interface ProfileProps {
  profile: string;
  owner: string;
  /** How many other voiceprints the owner has. */
  others: number;
  onRemoved: () => void;
  /** Offers to erase everything about the owner instead; only for persons. */
  onErase: (() => void) | undefined;
}

/** Actions on the print, and the server's errors. */
function useProfileActions(profile: string, reload: () => void) {
  const inSession = useInSession();
  const inVoiceSession = useVoiceSession();
  const [said, setSaid] = useState<(Advice & { good: boolean }) | undefined>();
  const unlocking = useAction(async (lock: Lock | undefined) => {
    try {
      await inSession((context) => replaceLock(context, profile, lock, { isLocked: false }));
      toast(text.unlocked);
    } finally {
      reload();
    }
  });
  const training = useAction(async () => {
    const result = await inSession((context) => train(context, profile));
    setSaid({ ...adviceOnTraining(result), good: result.trainStatus === 'TRAIN_STATUS_TRAINED' });
    reload();
  });
  const taking = useAction(async (take: Take) => {
    setSaid(undefined);
    await inVoiceSession(async (context) => {
      const { validity, gkProcessedAudioId, audioDetails } = await process(
        context,
        await upload(context, take),
      );
      if (validity !== 'REASON_AUDIO_OK' || !gkProcessedAudioId) {
        setSaid({ ...adviceOnAudio(validity, audioDetails), good: false });
        return;
      }
      const result = await enroll(context, profile, gkProcessedAudioId);
      const isEnough = result.enrolled === true && result.enrollStatus !== 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE';
      const advice = adviceOnEnroll(result.reason);
      setSaid({
        ...advice,
        ...(isEnough && { next: text.canTrain }),
        good: result.enrolled === true,
      });
    });
    reload();
  });
  return { said, forget: () => setSaid(undefined), unlocking, training, taking };
}

const isOfFraudster = (about: VoiceprintProfileDetailsForReadJson | undefined): boolean =>
  about?.ownerType === 'OWNER_TYPE_FRAUDSTER';

/** Where the recordings of a fraudster come from: those calls are evidence. */
function useSources(about: VoiceprintProfileDetailsForReadJson | undefined) {
  const read = useReadContext();
  const profile = about?.gkVoiceprintProfileId?.value;
  const key = read && profile && isOfFraudster(about) ? `sources ${profile}` : undefined;
  return useQuery(key, async (signal) => {
    const { gkOwnerId } = about ?? {};
    const wanted = { context: read, gkOwnerId, pageSize: 200, withRecordings: true };
    const { profiles = [] } = await call('ListVoiceprintProfiles', wanted, signal);
    return (
      profiles.find(({ details }) => details?.gkVoiceprintProfileId?.value === profile)?.recordings ?? []
    );
  });
}

export function ProfileCard({ profile, owner, others, onRemoved, onErase }: ProfileProps): ReactNode {
  const read = useReadContext();
  const [question, setQuestion] = useState<Question | undefined>();
  const [adding, setAdding] = useState(false);
  const request = { context: read, gkVoiceprintProfileId: { value: profile } };
  const details = useQuery(
    read && `profile ${profile}`,
    async (signal) => (await call('GetVoiceprintProfileDetails', request, signal)).details ?? {},
  );
  const segments = useQuery(
    read && `segments ${profile}`,
    async (signal) => (await call('ListEnrollmentSegments', request, signal)).enrollmentSegmentsDetails ?? [],
  );
  const sources = useSources(details.data);
  const reload = (): void => {
    details.reload();
    segments.reload();
    sources.reload();
  };
  const { said, forget, unlocking, training, taking } = useProfileActions(profile, reload);
  const about = details.data;
  const wanted = numberOf(useConfigset(read), 'enrollment', 'segmentsMin', 3);
  const locked = about?.lockInfo?.status === 'LOCK_STATUS_LOCKED';
  const opensItself = locked && about.lockInfo?.autoUnlockTimestamp !== undefined;
  const close = (): void => setQuestion(undefined);
  const failure = unlocking.error ?? training.error ?? taking.error;
  return (
    <Card
      title={about?.tag ? text.title(about.tag) : text.titlePlain}
      hint={<code>{shortId(profile)}</code>}
      actions={
        <>
          <Allowed to="Enroll">
            <Button size="small" onClick={() => setAdding((value) => !value)} aria-expanded={adding}>
              {text.addRecording}
            </Button>
            <Button size="small" busy={training.busy} onClick={() => void training.run()}>
              {text.train}
            </Button>
          </Allowed>
          <Allowed to="LockVoiceprintProfile">
            {locked && !opensItself ? null : (
              <Button size="small" onClick={() => setQuestion({ about: 'lock' })}>
                {opensItself ? text.keepLocked : text.lock}
              </Button>
            )}
            {locked ? (
              <Button size="small" busy={unlocking.busy} onClick={() => void unlocking.run(about?.lockInfo)}>
                {text.unlock}
              </Button>
            ) : null}
          </Allowed>
          <Allowed to="DeleteVoiceprintProfile">
            <Button size="small" kind="danger" onClick={() => setQuestion({ about: 'delete' })}>
              {text.delete}
            </Button>
          </Allowed>
        </>
      }
    >
      <div className="stack">
        {failure ? <ErrorNotice error={failure} isOfButton /> : null}
        {said ? (
          <Notice tone={said.good ? 'good' : 'warn'} title={said.title}>
            <span>{said.next}</span>
          </Notice>
        ) : null}
        <Loaded query={details} what={text.loading}>
          {(data) => <State about={data} />}
        </Loaded>
        {adding ? (
          <CaptureBox
            action={text.record}
            targetSeconds={5}
            busy={taking.busy}
            busyLabel={voice.enroll.checking}
            onBegin={forget}
            onTake={taking.run}
          />
        ) : null}
        <Loaded query={segments} what={t.segments.loading}>
          {(rows) => (
            <>
              <Segments
                rows={rows}
                sources={sources.data}
                onRemove={(processed, label) => setQuestion({ about: 'segment', processed, label })}
              />
              {about && !isTrained(about.status) && rows.length < wanted ? (
                <p className="small soft">{text.needs(wanted, rows.length)}</p>
              ) : null}
            </>
          )}
        </Loaded>
      </div>
      {question?.about === 'lock' ? (
        <LockProfile
          profile={profile}
          lock={about?.lockInfo}
          onClose={close}
          onDone={() => (close(), details.reload())}
        />
      ) : null}
      {question?.about === 'delete' ? (
        <DeleteProfile
          profile={profile}
          owner={owner}
          tag={about?.tag ?? ''}
          others={others}
          recordings={segments.data?.length ?? 0}
          onErase={onErase && (() => (close(), onErase()))}
          ofFraudster={isOfFraudster(about)}
          onClose={close}
          onDone={() => (close(), onRemoved())}
        />
      ) : null}
      {question?.about === 'segment' ? (
        <RemoveSegment
          profile={profile}
          processed={question.processed}
          label={question.label}
          ofFraudster={isOfFraudster(about)}
          onClose={close}
          onDone={() => (close(), reload())}
        />
      ) : null}
    </Card>
  );
}

function State({ about }: { about: VoiceprintProfileDetailsForReadJson }): ReactNode {
  const { lockInfo: lock, status = 'VOICEPRINT_PROFILE_STATUS_UNSPECIFIED', templateInfo } = about;
  const calibration = templateInfo?.gkCalibrationModelRevisionId?.value;
  return (
    <Facts
      items={[
        [
          text.state,
          <Badge key="state" tone={isTrained(status) ? 'good' : 'warn'}>
            {t.states[status]}
          </Badge>,
        ],
        [
          text.lockLabel,
          lock?.status === 'LOCK_STATUS_LOCKED' ? (
            <span key="lock">
              <Badge tone="bad">{text.lockedBadge}</Badge>{' '}
              {[lock.lockReason ? t.lockReasons[lock.lockReason] : '', lock.reason]
                .filter(Boolean)
                .join(': ')}
              {lock.autoUnlockTimestamp ? <Time at={lock.autoUnlockTimestamp} within={text.opensAt} /> : null}
            </span>
          ) : (
            `${text.open}${lock?.mismatchCounter ? text.mismatches(lock.mismatchCounter) : ''}`
          ),
        ],
        [text.trainedAt, <Time key="trained" at={templateInfo?.latestTrainTimestamp} />],
        [
          text.calibration,
          <code key="calibration" title={calibration}>
            {shortId(calibration)}
          </code>,
        ],
      ]}
    />
  );
}
