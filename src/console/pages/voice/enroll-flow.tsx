// From a name to "Verified": the person, then recordings until the voiceprint is trained, then a check.
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { fill } from '../../kit/fill.js';
import { usePaused } from '../../kit/filters.js';
import { EmptyState, ErrorNotice, Loading, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Link, setQuery, useLocation } from '../../router.js';
import { useInSession, useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t as people } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { t } from '../../text/voice.js';
import { PartyPicker } from '../biosec/party-picker.js';
import { AddedFiles, type AddedFile } from './added-files.js';
import { EnrollStep } from './enroll-step.js';
import { enrollmentStateOf, type EnrollmentState } from './lab-api.js';
import { VerifyStep } from './verify-step.js';

const text = t.enroll;
/** The name is looked up once typing has paused. */
const NAME_PAUSE_MS = 400;
const nothing: EnrollmentState = {
  gkPersonId: undefined,
  profile: undefined,
  isTrained: false,
  segments: [],
};

export function EnrollFlow(): ReactNode {
  const me = useMe();
  const read = useReadContext();
  const [personId, setPersonId] = useState(useLocation().query.get('person') ?? me.username);
  const choose = (typed: string): void => {
    setPersonId(typed);
    // Kept in the address, so that a reload or a shared link shows the same person.
    setQuery({ person: typed.trim() });
  };
  const settled = usePaused(personId.trim(), NAME_PAUSE_MS);
  const enrollment = useQuery(
    read && settled ? `enrollment ${read.gkScopeId.value} ${settled}` : undefined,
    (signal) => (read ? enrollmentStateOf(read, settled, signal) : Promise.resolve(nothing)),
  );
  if (!read) return <EmptyState title={shell.chooseTenant}>{t.noTenant}</EmptyState>;
  return (
    <div className="stack" data-loose>
      <div className="grid">
        <PartyPicker kind="person" label={text.who} hint={text.whoHint} value={personId} onValue={choose} />
      </div>
      {settled === '' ? (
        <Notice>{text.begin}</Notice>
      ) : // A recording must never be added to the previous name.
      settled === personId.trim() && enrollment.data ? (
        <Steps
          key={settled}
          personId={settled}
          enrollment={enrollment.data}
          onEnrollment={enrollment.setData}
          reload={enrollment.reload}
        />
      ) : enrollment.error ? (
        <ErrorNotice error={enrollment.error} title={text.lookUpFailed} />
      ) : (
        <Loading what={text.lookUp} />
      )}
    </div>
  );
}

function Steps({
  personId,
  enrollment,
  onEnrollment,
  reload,
}: {
  personId: string;
  enrollment: EnrollmentState;
  onEnrollment: (enrollment: EnrollmentState) => void;
  reload: () => void;
}): ReactNode {
  const may = useMay();
  const [adding, setAdding] = useState(false);
  const [asking, setAsking] = useState(false);
  const [round, setRound] = useState(0);
  const [isNext, setNext] = useState(false);
  const [files, setFiles] = useState<readonly AddedFile[]>([]);
  const { profile, isTrained, gkPersonId } = enrollment;
  const ways = profile ? (
    <div className="row">
      {isTrained && !adding && may('Enroll') ? (
        <Button kind="quiet" onClick={() => setAdding(true)}>
          {text.addAnother}
        </Button>
      ) : null}
      {may('DeleteVoiceprintProfile') ? (
        <Button kind="quiet" onClick={() => setAsking(true)}>
          {text.startOver}
        </Button>
      ) : null}
      {gkPersonId ? <Link to={`/people/persons/${gkPersonId}`}>{text.everything(personId)}</Link> : null}
    </div>
  ) : null;
  const below = (
    <>
      <AddedFiles files={files} />
      {ways}
    </>
  );
  return (
    <>
      {enrollment.isOptedOut && gkPersonId ? (
        <Notice>
          <span>
            {fill(text.optedOut, { person: <Link to={`/people/persons/${gkPersonId}`}>{personId}</Link> })}
          </span>
        </Notice>
      ) : !isTrained && !may('Enroll') ? (
        <Notice>{text.mayNotEnroll}</Notice>
      ) : isTrained && !adding && profile ? (
        <VerifyStep
          key={profile}
          personId={personId}
          gkPersonId={gkPersonId}
          profile={profile}
          isNext={isNext}
          below={below}
        />
      ) : (
        <EnrollStep
          // Starting over resets everything: nothing of the old print stays in view.
          key={round}
          personId={personId}
          enrollment={enrollment}
          onEnrollment={onEnrollment}
          onTrained={() => {
            setAdding(false);
            setNext(true);
            reload();
          }}
          onLeave={() => setAdding(false)}
          reload={reload}
          files={files}
          onFiles={setFiles}
          below={below}
        />
      )}
      {asking ? (
        <StartOver
          personId={personId}
          enrollment={enrollment}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false);
            setAdding(false);
            setFiles([]);
            setRound((value) => value + 1);
            reload();
          }}
        />
      ) : null}
    </>
  );
}

function StartOver({
  personId,
  enrollment,
  onClose,
  onDone,
}: {
  personId: string;
  enrollment: EnrollmentState;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const { mediaDays } = useMe();
  const inSession = useInSession();
  const removal = useAction(async () => {
    const gkVoiceprintProfileId = { value: enrollment.profile };
    await inSession((context) => call('DeleteVoiceprintProfile', { context, gkVoiceprintProfileId }));
    toast(text.deleted);
    onDone();
  });
  return (
    <ConfirmDialog
      title={text.startOver}
      word={personId}
      consequence={
        <>
          <p>{text.startOverText(personId, enrollment.segments.length)}</p>
          <p>{people.stay.text(mediaDays)}</p>
        </>
      }
      action={text.deleteVoiceprint}
      onClose={onClose}
      onConfirm={() => void removal.run()}
      busy={removal.busy}
      error={removal.error}
    />
  );
}
