// Recordings for a voiceprint: each is checked, added and listed with its quality; training starts when there
// are enough.
import { useRef, useState, type ReactNode } from 'react';
import type { AudioDetailsJson, UniqueIdJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { call } from '../../api/client.js';
import { asApiError, isUnanswered } from '../../api/errors.js';
import { useAction } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { Button } from '../../kit/button.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice, Notice, type Tone } from '../../kit/notice.js';
import { useVoiceSession, useReadContext, type Context, type InSession } from '../../tenant/context.js';
import { t } from '../../text/voice.js';
import type { Advice } from '../../text/tools.js';
import { adviceOnAudio, adviceOnEnroll, adviceOnTraining } from '../biosec/advice.js';
import { numberOf, useConfigset } from '../biosec/parameters.js';
import type { AddedFile } from './added-files.js';
import { CaptureBox } from './capture-box.js';
import { enroll, ensureProfile, process, train, upload, type EnrollmentState } from './lab-api.js';
import { RecordingView } from './recording-view.js';
import { SendAgain } from './send-again.js';
import { Takes } from './takes.js';

const text = t.enroll;
const ENROLL_SECONDS = 5;

interface Feedback {
  tone: Tone;
  title: string;
  text: string;
}

interface Heard {
  take: Take;
  media?: string | undefined;
  details?: AudioDetailsJson | undefined;
}

interface EnrollStepProps {
  personId: string;
  enrollment: EnrollmentState;
  onEnrollment: (enrollment: EnrollmentState) => void;
  onTrained: () => void;
  /** Back to the check, without another recording. */
  onLeave: () => void;
  reload: () => void;
  /** Files of this round and earlier ones; they outlive the step, which ends once there are enough. */
  files: readonly AddedFile[];
  onFiles: (change: (old: readonly AddedFile[]) => readonly AddedFile[]) => void;
  /** Shown below the microphone. */
  below: ReactNode;
}

/** The result of adding one recording to the print, or why it was refused. */
type Added = Refused | Enrolled;

interface Sent {
  made: EnrollmentState & { profile: string };
  details: AudioDetailsJson | undefined;
}

interface Refused extends Sent {
  refused: Advice;
}

interface Enrolled extends Sent {
  processed: UniqueIdJson;
  media: UniqueIdJson;
  isEnough: boolean;
}

async function addTake(
  context: Context,
  { personId, enrollment, take }: { personId: string; enrollment: EnrollmentState; take: Take },
  onHeard: (heard: Heard) => void,
): Promise<Added> {
  const made = await ensureProfile(context, personId, enrollment);
  const sent = await upload(context, take);
  const { validity, gkProcessedAudioId, audioDetails: details } = await process(context, sent);
  onHeard({ take, media: sent.media.value, details });
  if (validity !== 'REASON_AUDIO_OK' || !gkProcessedAudioId)
    return { made, details, refused: adviceOnAudio(validity, details) };
  const result = await enroll(context, made.profile, gkProcessedAudioId);
  if (!result.enrolled) return { made, details, refused: adviceOnEnroll(result.reason) };
  const isEnough = result.enrollStatus !== 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE';
  return { made, details, processed: gkProcessedAudioId, media: sent.media, isEnough };
}

const removeTake = (context: Context, profile: string | undefined, processed: string) =>
  call('RemoveEnrollmentSegment', {
    context,
    gkVoiceprintProfileId: { value: profile },
    gkProcessedAudioId: { value: processed },
  });

function segmentOf({ media, processed, details }: Enrolled): EnrollmentState['segments'][number] {
  return {
    gkMediaSegmentId: media,
    gkProcessedAudioId: processed,
    ...(details && { audioDetails: details }),
  };
}

function refusalOf({ isFile, name }: Take, { title, next }: Advice): Feedback {
  const told = text.refused(title);
  return { tone: 'warn', title: isFile ? `${name}: ${told}` : told, text: next };
}

function nextStep({ made, isEnough }: Enrolled, missing: number): string {
  if (isEnough) return made.isTrained ? text.trainToUse : text.trainingNow;
  const left = Math.max(1, missing);
  return left === 1 ? text.oneMore : text.more(left);
}

/** The actions and messages of the step. */
function useEnrollment(props: EnrollStepProps, wanted: number, inSession: InSession) {
  const { personId, onEnrollment, onTrained, reload, onFiles } = props;
  /** A ref, because several files may arrive faster than the page renders. */
  const enrollment = useRef(props.enrollment);
  enrollment.current = props.enrollment;
  const [heard, setHeard] = useState<Heard | undefined>();
  const [feedback, setFeedback] = useState<Feedback | undefined>();
  const [unsent, setUnsent] = useState<readonly Take[]>([]);
  const note = (take: Take, told: Omit<AddedFile, 'name'>): void => {
    if (take.isFile) onFiles((old) => [...old, { name: take.name, ...told }]);
  };
  const settle = (next: EnrollmentState): void => {
    enrollment.current = next;
    onEnrollment(next);
  };
  const training = useAction(async (profile: string) => {
    const result = await inSession((context) => train(context, profile));
    const advice = adviceOnTraining(result);
    const isTrained = result.trainStatus === 'TRAIN_STATUS_TRAINED';
    setFeedback({ tone: isTrained ? 'good' : 'warn', title: advice.title, text: advice.next });
    if (isTrained) onTrained();
    else reload();
  });
  const adding = useAction(async (take: Take) => {
    setFeedback(undefined);
    setHeard({ take });
    const { current } = enrollment;
    const added = await inSession((context) =>
      addTake(context, { personId, enrollment: current, take }, setHeard),
    ).catch((thrown: unknown) => {
      // The person or the print may have been created before it failed.
      reload();
      const error = asApiError(thrown);
      if (isUnanswered(error)) setUnsent((old) => [...old.filter((other) => other !== take), take]);
      else note(take, { reason: error.message, requestId: error.requestId });
      throw thrown;
    });
    setUnsent((old) => old.filter((other) => other !== take));
    if ('refused' in added) {
      settle(added.made);
      note(take, { reason: added.refused.title });
      setFeedback(refusalOf(take, added.refused));
      return;
    }
    const segments = [...current.segments, segmentOf(added)];
    settle({ ...added.made, segments });
    note(take, { reason: text.goodTitle, processed: added.processed.value });
    setFeedback({ tone: 'good', title: text.goodTitle, text: nextStep(added, wanted - segments.length) });
    if (added.isEnough && !current.isTrained) await training.run(added.made.profile);
  });
  const removing = useAction(async (processed: string) => {
    await inSession((context) => removeTake(context, enrollment.current.profile, processed));
    reload();
  });
  const begin = (): void => {
    setFeedback(undefined);
    setHeard(undefined);
    setUnsent([]);
    adding.clear();
    onFiles((old) => old.map((file) => ({ ...file, isPast: true })));
  };
  const sendAgain = async (): Promise<void> => {
    for (const take of unsent) await adding.run(take);
  };
  return { heard, feedback, training, adding, removing, begin, unsent: unsent.length, sendAgain };
}

export function EnrollStep(props: EnrollStepProps): ReactNode {
  const { enrollment, onLeave, below } = props;
  const configset = useConfigset(useReadContext());
  const wanted = numberOf(configset, 'enrollment', 'segmentsMin', 3);
  const { heard, feedback, training, adding, removing, begin, unsent, sendAgain } = useEnrollment(
    props,
    wanted,
    useVoiceSession(),
  );
  const { profile, isTrained, segments } = enrollment;
  const count = segments.length;
  // Why a file was refused is shown once, in the list of files.
  const isListed = heard?.take.isFile === true && adding.error && !isUnanswered(adding.error);
  const error = (isListed ? undefined : adding.error) ?? training.error ?? removing.error;
  return (
    <div className="lab">
      <div className="stack">
        <Card title={isTrained ? text.addTitle : text.create} hint={text.createHint(wanted)}>
          <div className="stack">
            <CaptureBox
              action={text.record(count + 1)}
              targetSeconds={ENROLL_SECONDS}
              prompt={t.prompts.enroll[count % t.prompts.enroll.length] ?? ''}
              busy={adding.busy || training.busy}
              busyLabel={training.busy ? text.training : text.checking}
              onBegin={begin}
              onTake={adding.run}
            />
            <Takes
              segments={segments}
              wanted={wanted}
              files={props.files}
              busy={removing.busy}
              onRemove={(processed) => void removing.run(processed)}
            />
            {count >= wanted && profile ? (
              <div className="row">
                <Button kind="primary" busy={training.busy} onClick={() => void training.run(profile)}>
                  {isTrained ? text.trainAgain : text.train}
                </Button>
                {isTrained ? <Button onClick={onLeave}>{text.done}</Button> : null}
              </div>
            ) : null}
          </div>
        </Card>
        {below}
      </div>
      <div className="stack" aria-live="polite">
        {error ? <ErrorNotice error={error} title={t.failed} /> : null}
        <SendAgain count={unsent} busy={adding.busy} onSend={() => void sendAgain()} />
        {feedback ? (
          <Notice tone={feedback.tone} title={feedback.title}>
            <span>{feedback.text}</span>
          </Notice>
        ) : null}
        {heard ? (
          <Card title={t.heard}>
            <RecordingView
              name={heard.take.name}
              take={heard.take}
              media={heard.media}
              channel={heard.take.channel}
              details={heard.details}
            />
          </Card>
        ) : (
          <HowItWorks wanted={wanted} />
        )}
      </div>
    </div>
  );
}

function HowItWorks({ wanted }: { wanted: number }): ReactNode {
  return (
    <Card title={t.how.title}>
      <ol className="stack" data-tight>
        {t.how.steps(wanted).map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </Card>
  );
}
