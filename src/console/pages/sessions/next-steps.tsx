// An analyst's actions after listening: record the outcome, put the voice on a watchlist, lock the attacked
// voiceprint, and write down a note and the case number.
import { useId, useState, type ReactNode } from 'react';
import type {
  EngagementDetailsForReadJson,
  SessionDetailsForReadJson,
} from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import type { TimelineEventJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { call } from '../../api/client.js';
import { relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { fill } from '../../kit/fill.js';
import { Card } from '../../kit/layout.js';
import { Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Allowed } from '../../tenant/allowed.js';
import { useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/sessions.js';
import { useLock, type Lock } from '../biosec/lock.js';
import { FraudsterLink, OwnerLink, useFraudster, usePrint } from '../biosec/owner-link.js';
import { CheckWatchlist } from './check-watchlist.js';
import { LockProfile } from '../people/profile-dialogs.js';
import { EngagementOutcome, type OutcomeEffects } from './outcome-dialog.js';
import { recordingsOf, ToWatchlist } from './to-watchlist.js';
import { printToLock } from './verdict.js';

const text = t.next;

/** Members of the engagement's custom data in which the console keeps them. */
export const NOTE = 'note';
export const CASE_NUMBER = 'caseNumber';

interface NextStepsProps {
  session: SessionDetailsForReadJson | undefined;
  engagement: EngagementDetailsForReadJson;
  effects: OutcomeEffects;
  events: readonly TimelineEventJson[];
  onDone: () => void;
}

/** Users who may do none of these see no next steps. */
const stepNeeds = [
  'SetEngagementVerdict',
  'DetectKnownFraudsters',
  'AddVoiceToWatchlist',
  'LockVoiceprintProfile',
  'UpdateEngagement',
] as const;

type Step = 'outcome' | 'check' | 'watchlist' | 'known' | 'lock' | 'note';

export function NextSteps({ session, engagement, effects, events, onDone }: NextStepsProps): ReactNode {
  const may = useMay();
  const [open, setOpen] = useState<Step>();
  const [opened, setOpened] = useState(engagement);
  /** Our own change is missing from it: a dialog opened on it would take that change for somebody else's. */
  const [outdated, setOutdated] = useState<EngagementDetailsForReadJson>();
  const isOutdated = outdated === engagement;
  const [added, setAdded] = useState<{ gkId: string; isKnown: boolean }>();
  /** The fraudster found by a check made on this page. */
  const [found, setFound] = useState<string>();
  /** The recordings that are passed to the next dialog. */
  const [taken, setTaken] = useState<readonly string[]>([]);
  const compared = printToLock(events);
  // Deleted since, with or without its owner: there is nothing to lock.
  const isGone = usePrint(compared).data === null;
  const print = isGone ? undefined : compared;
  const lock = useLock(print);
  const matched = useMatched(events);
  const hasRecording = recordingsOf(events).length > 0;
  const hints = useId();
  const needsRecording = hasRecording ? {} : { disabled: true, 'aria-describedby': `${hints}-recording` };
  const needsPrint = print ? {} : { disabled: true, 'aria-describedby': `${hints}-print` };
  const close = (): void => {
    setOpen(undefined);
    setTaken([]);
  };
  /** Somebody else may have made a change, which the dialog may have reported. */
  const leave = (): void => {
    close();
    onDone();
  };
  /** Only what is on the screen now may be replaced, whatever arrives while the user types. */
  const begin = (step: Step): void => {
    setOpened(engagement);
    setOpen(step);
  };
  const addTo = (fraudsterId: string, recordings: readonly string[]): void => {
    setFound(fraudsterId);
    setTaken(recordings);
    setOpen('known');
  };
  const done = (): void => {
    close();
    setOutdated(engagement);
    lock.reload();
    onDone();
  };
  const onAdded = (gkFraudsterId: string): void => {
    setAdded({ gkId: gkFraudsterId, isKnown: open === 'known' });
    done();
  };
  if (!stepNeeds.some(may)) return null;
  return (
    <Card title={text.title} hint={text.hint}>
      <div className="stack">
        <div className="row">
          <Allowed to="SetEngagementVerdict">
            <Button kind="primary" busy={isOutdated} onClick={() => begin('outcome')}>
              {t.session.record}
            </Button>
          </Allowed>
          <Allowed to="DetectKnownFraudsters">
            <Button onClick={() => setOpen('check')} {...needsRecording}>
              {t.check.title}
            </Button>
          </Allowed>
          <Allowed to="AddVoiceToWatchlist">
            <Button onClick={() => setOpen('watchlist')} {...needsRecording}>
              {text.watchlist}
            </Button>
            <Button onClick={() => setOpen('known')} {...needsRecording}>
              {text.toKnown}
            </Button>
          </Allowed>
          <Allowed to="LockVoiceprintProfile">
            <Button onClick={() => setOpen('lock')} {...needsPrint}>
              {lock.data ? text.lockAgain : text.lock}
            </Button>
          </Allowed>
          <Allowed to="UpdateEngagement">
            <Button busy={isOutdated} onClick={() => begin('note')}>
              {text.note}
            </Button>
          </Allowed>
        </div>
        {hasRecording ? null : (
          <p className="small soft" id={`${hints}-recording`}>
            {text.noRecording}
          </p>
        )}
        {print ? null : (
          <p className="small soft" id={`${hints}-print`}>
            {isGone ? text.goneVoiceprint : text.noVoiceprint}
          </p>
        )}
        {print && lock.data ? <Locked print={print} lock={lock.data} /> : null}
        {added ? (
          <p>
            {fill(added.isKnown ? text.isAddedToKnown : text.isAdded, {
              fraudster: <FraudsterLink gkId={added.gkId} bare />,
            })}
          </p>
        ) : null}
      </div>
      {open === 'outcome' ? (
        <EngagementOutcome
          engagement={opened}
          of={session?.gkSessionId?.value}
          {...{ effects, events }}
          onClose={leave}
          onDone={done}
        />
      ) : null}
      {open === 'check' ? (
        <CheckWatchlist
          session={session}
          events={events}
          onClose={close}
          onChecked={onDone}
          onAddTo={(fraudsterId, recording) => addTo(fraudsterId, [recording])}
        />
      ) : null}
      {open === 'watchlist' || open === 'known' ? (
        <ToWatchlist
          key={open}
          events={events}
          known={open === 'known' ? (found ?? matched ?? '') : undefined}
          onClose={close}
          chosen={taken}
          onInstead={addTo}
          onDone={onAdded}
        />
      ) : null}
      {open === 'lock' && print ? (
        <LockProfile profile={print} lock={lock.data} onClose={close} onDone={done} />
      ) : null}
      {open === 'note' ? <NoteDialog engagement={opened} onClose={leave} onDone={done} /> : null}
    </Card>
  );
}

function Locked({ print, lock }: { print: string; lock: Lock }): ReactNode {
  const { reason, lockReason = 'LOCK_REASON_UNSPECIFIED', lockTimestamp, autoUnlockTimestamp } = lock;
  return (
    <Notice>
      <strong>{fill(text.isLocked, { owner: <OwnerLink profile={print} bare /> })}</strong>
      <p>{text.lockedBecause(reason || people.lockReasons[lockReason], relativeTime(lockTimestamp))}</p>
      {autoUnlockTimestamp ? <p>{text.opensBy(relativeTime(autoUnlockTimestamp))}</p> : null}
    </Notice>
  );
}

/** The own ID of the fraudster whom a check has found in this session. */
function useMatched(events: readonly TimelineEventJson[]): string | undefined {
  const hit = events.findLast(
    ({ operation, decision }) => operation === 'DetectKnownFraudsters' && decision === 'DECISION_FRAUD',
  );
  const print = usePrint(hit?.gkVoiceprintProfileId?.value).data?.details;
  const isFraudster = print?.ownerType === 'OWNER_TYPE_FRAUDSTER';
  return useFraudster(isFraudster ? print.gkOwnerId?.value : undefined).data?.details?.fraudsterId;
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
