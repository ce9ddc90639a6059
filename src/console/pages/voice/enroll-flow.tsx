// From a name to "Verified": three takes, training by itself, then a fresh take against the new voiceprint.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useAction, useQuery } from '../../api/hooks.js';
import type { Take } from '../../audio/take.js';
import { useMe } from '../../auth/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loading, Notice, type Tone } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { deleteInContext, useBiosecContext } from '../../tenant/tenant.js';
import { adviceOnAudio, adviceOnEnroll, adviceOnTrain } from '../biosec/advice.js';
import { useInSession } from '../biosec/in-session.js';
import { numberOf, useConfigset } from '../biosec/parameters.js';
import type { AudioDetails, MatchResult } from '../biosec/types.js';
import { CaptureBox } from './capture-box.js';
import {
  enroll,
  ensureProfile,
  process,
  removeProfile,
  standingOf,
  train,
  upload,
  verify,
  type Standing,
} from './lab-api.js';
import { authenticationZones, MatchOutcome } from './match-result.js';
import { QualityFacts, qualityLine, RecordingView } from './recording-view.js';
import { enrollPrompts, VERIFY_PROMPT } from './prompts.js';

interface Feedback {
  tone: Tone;
  title: string;
  text: string;
}

interface Heard {
  take: Take;
  media: string | undefined;
  details: AudioDetails | undefined;
}

const ENROLL_SECONDS = 5;
const VERIFY_SECONDS = 4;
const TYPING_PAUSE_MS = 400;
const nothing: Standing = { gkPersonId: undefined, profile: undefined, isTrained: false, segments: [] };

export function EnrollFlow(): ReactNode {
  const me = useMe();
  const { read } = useBiosecContext();
  const [personId, setPersonId] = useState(me.username);
  const settled = useSettled(personId.trim());
  const standing = useQuery(
    read && settled ? `standing ${read.gkScopeId.value} ${settled}` : undefined,
    (signal) => (read ? standingOf(read, settled, signal) : Promise.resolve(nothing)),
  );
  if (!read)
    return (
      <EmptyState title="Choose a tenant first">
        Voiceprints belong to a tenant. Pick one at the top of the page.
      </EmptyState>
    );
  return (
    <div className="stack" data-loose>
      <div className="grid">
        <TextField
          label="Whose voice"
          hint="Any identifier of yours: the person is made with the first take."
          value={personId}
          onValue={setPersonId}
          spellCheck={false}
        />
      </div>
      {settled === '' ? (
        <Notice>Type an identifier to begin.</Notice>
      ) : // A take must never land on the name that stood here before.
      settled === personId.trim() && standing.data ? (
        <Steps
          key={settled}
          personId={settled}
          standing={standing.data}
          onStanding={standing.setData}
          reload={standing.reload}
        />
      ) : standing.error ? (
        <ErrorNotice error={standing.error} title="This person could not be looked up" />
      ) : (
        <Loading what="Looking for this voice" />
      )}
    </div>
  );
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

function Steps({
  personId,
  standing,
  onStanding,
  reload,
}: {
  personId: string;
  standing: Standing;
  onStanding: (standing: Standing) => void;
  reload: () => void;
}): ReactNode {
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const configset = useConfigset(read);
  const wanted = numberOf(configset, 'enrollment', 'segmentsMin', 3);
  const [heard, setHeard] = useState<Heard | undefined>();
  const [feedback, setFeedback] = useState<Feedback | undefined>();
  const [match, setMatch] = useState<MatchResult | undefined>();
  const [adding, setAdding] = useState(false);
  const [asking, setAsking] = useState(false);
  const verifyPlace = useRef<HTMLDivElement>(null);
  const takes = standing.segments.length;
  const enrolling = !standing.isTrained || adding;

  const training = useAction(async (profile: string) => {
    const result = await inSession((context) => train(context, profile));
    const advice = adviceOnTrain(result.reason);
    const trained = result.trainStatus === 'TRAIN_STATUS_TRAINED';
    setFeedback({ tone: trained ? 'good' : 'warn', title: advice.title, text: advice.next });
    if (trained) setAdding(false);
    reload();
  });
  const adding3 = useAction(async (take: Take) => {
    setMatch(undefined);
    setFeedback(undefined);
    setHeard({ take, media: undefined, details: undefined });
    const outcome = await inSession(async (context) => {
      const made = await ensureProfile(context, personId, standing);
      const sent = await upload(context, take);
      const processed = await process(context, sent);
      setHeard({ take, media: sent.media.value, details: processed.audioDetails });
      if (processed.validity !== 'REASON_AUDIO_OK' || !processed.gkProcessedAudioId)
        return { made, refused: adviceOnAudio(processed.validity) };
      const result = await enroll(context, made.profile, processed.gkProcessedAudioId);
      const segment = {
        gkMediaSegmentId: sent.media,
        gkProcessedAudioId: processed.gkProcessedAudioId,
        ...(processed.audioDetails && { audioDetails: processed.audioDetails }),
      };
      return result.enrolled
        ? { made, segment, status: result.enrollStatus }
        : { made, refused: adviceOnEnroll(result.reason) };
    });
    if (outcome.refused) {
      onStanding(outcome.made);
      setFeedback({
        tone: 'warn',
        title: `${outcome.refused.title}: this take was not used`,
        text: outcome.refused.next,
      });
      return;
    }
    const segments = [...outcome.made.segments, outcome.segment];
    onStanding({ ...outcome.made, segments });
    if (outcome.status === 'ENROLL_STATUS_TRAIN_NOT_POSSIBLE') {
      const left = Math.max(1, wanted - segments.length);
      setFeedback({
        tone: 'good',
        title: 'Good take',
        text: left === 1 ? 'One more and the voiceprint can be trained.' : `${String(left)} more to go.`,
      });
    } else if (!standing.isTrained) {
      setFeedback({ tone: 'good', title: 'Good take', text: 'Training the voiceprint now.' });
      void training.run(outcome.made.profile);
    } else {
      setFeedback({ tone: 'good', title: 'Good take', text: 'Train again to use it.' });
    }
  });
  const verifying = useAction(async (take: Take) => {
    setFeedback(undefined);
    setMatch(undefined);
    setHeard({ take, media: undefined, details: undefined });
    const result = await inSession(async (context) =>
      verify(context, standing.profile ?? '', await upload(context, take)),
    );
    setHeard({ take, media: result.gkMediaSegmentId?.value, details: result.audioDetails });
    setMatch(result);
  });
  const removing = useAction(async (processed: string) => {
    await inSession((context) =>
      deleteInContext(
        `/v1/voiceprints/profiles/${standing.profile ?? ''}/enrollment-segments/${processed}`,
        context,
      ),
    );
    reload();
  });
  const startingOver = useAction(async () => {
    await inSession((context) => removeProfile(context, standing.profile ?? ''));
    setAsking(false);
    setHeard(undefined);
    setMatch(undefined);
    setFeedback(undefined);
    toast('The voiceprint is deleted');
    reload();
  });
  useEffect(() => {
    if (standing.isTrained && !adding) verifyPlace.current?.scrollIntoView({ block: 'nearest' });
  }, [standing.isTrained, adding]);
  const error = adding3.error ?? training.error ?? verifying.error ?? removing.error;

  return (
    <div className="lab">
      <div className="stack">
        {enrolling ? (
          <Card
            title={standing.isTrained ? 'Add a take' : 'Make a voiceprint'}
            hint={`${String(wanted)} short takes, then it is trained by itself.`}
          >
            <div className="stack">
              <CaptureBox
                action={`Record take ${String(takes + 1)}`}
                targetSeconds={ENROLL_SECONDS}
                prompt={enrollPrompts[takes % enrollPrompts.length] ?? ''}
                busy={adding3.busy || training.busy}
                busyLabel={training.busy ? 'Training the voiceprint' : 'Checking the take'}
                onTake={(take) => void adding3.run(take)}
              />
              <ol className="takes" aria-label="Takes">
                {Array.from({ length: Math.max(wanted, takes) }, (_unused, index) => {
                  const segment = standing.segments[index];
                  const state = segment ? 'good' : index === takes ? 'next' : 'open';
                  return (
                    <li key={segment?.gkProcessedAudioId?.value ?? index} data-state={state}>
                      <span className="take-mark" aria-hidden="true">
                        {segment ? '✓' : index + 1}
                      </span>
                      <span>
                        Take {index + 1}
                        {segment ? ': good' : state === 'next' ? ': next' : ''}
                        <span className="small soft"> {qualityLine(segment?.audioDetails)}</span>
                        {segment?.consistencyDecision === 'CONSISTENCY_DECISION_INCONSISTENT' ? (
                          <strong className="small"> sounds like somebody else</strong>
                        ) : null}
                      </span>
                      {segment ? (
                        <Button
                          kind="quiet"
                          size="small"
                          busy={removing.busy}
                          aria-label={`Remove take ${String(index + 1)}`}
                          onClick={() => void removing.run(segment.gkProcessedAudioId?.value ?? '')}
                        >
                          Remove
                        </Button>
                      ) : null}
                    </li>
                  );
                })}
              </ol>
              {takes >= wanted && standing.profile ? (
                <div className="row">
                  <Button
                    kind="primary"
                    busy={training.busy}
                    onClick={() => void training.run(standing.profile ?? '')}
                  >
                    {standing.isTrained ? 'Train again' : 'Train the voiceprint'}
                  </Button>
                  {standing.isTrained ? <Button onClick={() => setAdding(false)}>Done</Button> : null}
                </div>
              ) : null}
            </div>
          </Card>
        ) : (
          <div ref={verifyPlace}>
            <Card
              title="Is it really them?"
              hint={`${personId} has a trained voiceprint. Speak again, or let somebody else try.`}
            >
              <CaptureBox
                action="Record and verify"
                targetSeconds={VERIFY_SECONDS}
                prompt={VERIFY_PROMPT}
                busy={verifying.busy}
                busyLabel="Comparing the voice"
                onTake={(take) => void verifying.run(take)}
              />
            </Card>
          </div>
        )}
        {standing.profile ? (
          <div className="row">
            {standing.isTrained && !adding ? (
              <Button kind="quiet" onClick={() => setAdding(true)}>
                Add another take
              </Button>
            ) : null}
            <Button kind="quiet" onClick={() => setAsking(true)}>
              Start over
            </Button>
            {standing.gkPersonId ? (
              <Link to={`/people/persons/${standing.gkPersonId}`}>Everything about {personId}</Link>
            ) : null}
          </div>
        ) : null}
      </div>
      <div className="stack" aria-live="polite">
        {error ? <ErrorNotice error={error} title="That did not work" /> : null}
        {feedback ? (
          <Notice tone={feedback.tone} title={feedback.title}>
            <span>{feedback.text}</span>
          </Notice>
        ) : null}
        {match ? <MatchOutcome result={match} zones={authenticationZones(configset)} /> : null}
        {match?.decision === 'DECISION_AUTHENTIC' ? (
          <div className="row">
            <Button onClick={() => navigate('/sessions')}>See the session</Button>
            <Button kind="quiet" onClick={() => navigate('/applications')}>
              Connect an application
            </Button>
          </div>
        ) : null}
        {heard ? (
          <Card title="What was heard">
            {heard.take.samples || heard.media ? (
              <RecordingView take={heard.take} media={heard.media} details={heard.details} />
            ) : (
              <QualityFacts details={heard.details} />
            )}
          </Card>
        ) : (
          <Card title="How this works">
            <ol className="stack" data-tight>
              <li>Press the orange button and speak until the bar is full.</li>
              <li>After {wanted} takes the voiceprint is trained by itself.</li>
              <li>Speak once more: the service says whether it is the same voice, and how sure it is.</li>
            </ol>
          </Card>
        )}
      </div>
      {asking ? (
        <ConfirmDialog
          title="Start over"
          word={personId}
          consequence={`The voiceprint of ${personId} and its ${String(takes)} takes will be deleted. The person stays.`}
          action="Delete the voiceprint"
          onClose={() => setAsking(false)}
          onConfirm={() => void startingOver.run()}
          busy={startingOver.busy}
          error={startingOver.error}
        />
      ) : null}
    </div>
  );
}
