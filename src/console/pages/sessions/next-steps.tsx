// An analyst's actions after listening: one that is recommended, and the others. Record the outcome, check the recording, put the voice on
// a watchlist, lock the attacked voiceprint, and write down a note and the case number.
import { useState, type ReactNode } from 'react';
import type { EngagementDetailsForReadJson } from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { caveatNames, isFraudster } from '../../../words/tell.js';
import { useAction } from '../../api/hooks.js';
import { relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { fill } from '../../kit/fill.js';
import { ErrorNotice, Notice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { useInSession } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t as people } from '../../text/people.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useLock, type Lock } from '../biosec/lock.js';
import { FraudsterLink, OwnerLink } from '../biosec/owner-link.js';
import { LockProfile } from '../people/profile-dialogs.js';
import { checkAttacks } from '../voice/lab-api.js';
import { AssignDialog, isCase } from './case.js';
import { CheckWatchlist } from './check-watchlist.js';
import { channelIn, isAttackCheck, kindOf, printToLock } from './events.js';
import { NoteDialog } from './note-dialog.js';
import { EngagementOutcome } from './outcome-dialog.js';
import { byRecording } from './recordings.js';
import type { Timeline } from './timeline.js';
import { recordingsOf, ToWatchlist } from './to-watchlist.js';

const text = t.next;
/** Synthetic speech and playback. */
const ATTACK_CHECKS = 2;

/** Users who may do none of these see no next steps. */
const stepNeeds = [
  'SetEngagementVerdict',
  'DetectKnownFraudsters',
  'DetectAudioSpoofing',
  'AddVoiceToWatchlist',
  'LockVoiceprintProfile',
  'UpdateEngagement',
] as const;

type Step = 'outcome' | 'attacks' | 'check' | 'watchlist' | 'known' | 'lock' | 'assign' | 'note';

interface Offered {
  step: Step;
  label: string;
  to: (typeof stepNeeds)[number];
  busy?: boolean;
}

/** What could settle the gravest caveat comes first, then what it really was. */
function recommended({ assessment = {} }: Timeline, offered: readonly Offered[]): Offered | undefined {
  const names = caveatNames(assessment);
  const wanted: Step[] = [
    ...(names.includes('ATTACK_CHECK_MISSING') ? (['attacks'] as const) : []),
    ...(names.includes('LIST_NOT_FULLY_COMPARED') ? (['check'] as const) : []),
    'outcome',
  ];
  return wanted.flatMap((step) => offered.find((one) => one.step === step) ?? [])[0] ?? offered[0];
}

/** Only what can be done: without a recording there is nothing to check, without a voiceprint nothing to lock. */
const offeredFor = (can: {
  isBusy: boolean;
  canCheckAttacks: boolean;
  isChecking: boolean;
  hasRecording: boolean;
  /** What locking is called, if there is something to lock. */
  lock: string | undefined;
  /** No case yet. */
  isUnassigned: boolean;
}): Offered[] => [
  { step: 'outcome', label: t.session.record, to: 'SetEngagementVerdict', busy: can.isBusy },
  ...(can.canCheckAttacks
    ? [{ step: 'attacks', label: text.attacks, to: 'DetectAudioSpoofing', busy: can.isChecking } as const]
    : []),
  ...(can.hasRecording
    ? ([
        { step: 'check', label: t.check.title, to: 'DetectKnownFraudsters' },
        { step: 'watchlist', label: text.watchlist, to: 'AddVoiceToWatchlist' },
        { step: 'known', label: text.toKnown, to: 'AddVoiceToWatchlist' },
      ] as const)
    : []),
  ...(can.lock ? [{ step: 'lock', label: can.lock, to: 'LockVoiceprintProfile' } as const] : []),
  ...(can.isUnassigned ? [{ step: 'assign', label: t.case.title, to: 'UpdateEngagement' } as const] : []),
  { step: 'note', label: text.note, to: 'UpdateEngagement', busy: can.isBusy },
];

function StepButtons({
  offered,
  first,
  onStep,
}: {
  offered: readonly Offered[];
  first: Offered | undefined;
  onStep: (step: Step) => void;
}): ReactNode {
  const [hasMore, setMore] = useState(false);
  const others = offered.filter((one) => one !== first);
  const button = ({ step, label, busy = false }: Offered, kind: 'primary' | 'plain'): ReactNode => (
    <Button key={step} {...(kind === 'primary' && { kind })} busy={busy} onClick={() => onStep(step)}>
      {label}
    </Button>
  );
  return (
    <div className="row">
      {first ? button(first, 'primary') : null}
      {others.length > 0 ? (
        <Button aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
          {shell.more}
        </Button>
      ) : null}
      {hasMore ? others.map((one) => button(one, 'plain')) : null}
    </div>
  );
}

export function NextSteps({
  timeline,
  engagement,
  onDone,
}: {
  timeline: Timeline;
  engagement: EngagementDetailsForReadJson;
  onDone: () => void;
}): ReactNode {
  const { session, events = [], assessment = {} } = timeline;
  const may = useMay();
  const [open, setOpen] = useState<Step>();
  const [opened, setOpened] = useState(engagement);
  /** Our own change is missing from it: a dialog opened on it would take that change for somebody else's. */
  const [outdated, setOutdated] = useState<EngagementDetailsForReadJson>();
  const busy = outdated === engagement;
  const [added, setAdded] = useState<{ gkId: string; isKnown: boolean }>();
  /** The fraudster found by a check made on this page. */
  const [found, setFound] = useState<string>();
  /** The recordings that are passed to the next dialog. */
  const [taken, setTaken] = useState<readonly string[]>([]);
  const compared = printToLock(events);
  const lock = useLock(compared);
  // Deleted since, with or without its owner: there is nothing to lock.
  const print = lock.data ? compared : undefined;
  const attacks = useAttackCheck(timeline, onDone);
  const matched = (assessment.whoCalled ?? []).find(isFraudster)?.id;
  const offered = offeredFor({
    isBusy: busy,
    canCheckAttacks: attacks.isPossible,
    isChecking: attacks.busy,
    hasRecording: recordingsOf(events).length > 0,
    lock: print && (lock.data?.lock ? text.lockAgain : text.lock),
    isUnassigned: !isCase(timeline),
  }).filter(({ to }) => may(to));
  const close = (): void => {
    setOpen(undefined);
    setTaken([]);
  };
  /** Somebody else may have made a change, which the dialog may have reported. */
  const leave = (): void => {
    close();
    onDone();
  };
  const begin = (step: Step): void => {
    if (step === 'attacks') return void attacks.run();
    // Only what is on the screen now may be replaced, whatever arrives while the user types.
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
  if (offered.length === 0) return null;
  return (
    <div className="stack" data-tight role="group" aria-label={text.title}>
      <StepButtons offered={offered} first={recommended(timeline, offered)} onStep={begin} />
      {attacks.error ? <ErrorNotice error={attacks.error} /> : null}
      {print && lock.data?.lock ? <Locked print={print} lock={lock.data.lock} /> : null}
      {added ? (
        <p>
          {fill(added.isKnown ? text.isAddedToKnown : text.isAdded, {
            fraudster: <FraudsterLink gkId={added.gkId} bare />,
          })}
        </p>
      ) : null}
      {open === 'outcome' ? (
        <EngagementOutcome
          engagement={opened}
          of={session?.gkSessionId?.value}
          effects={timeline}
          events={events}
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
        <LockProfile profile={print} lock={lock.data?.lock} onClose={close} onDone={done} />
      ) : null}
      {open === 'assign' ? <AssignDialog engagement={opened} onClose={close} onDone={done} /> : null}
      {open === 'note' ? <NoteDialog engagement={opened} onClose={leave} onDone={done} /> : null}
    </div>
  );
}

/** Checks the recordings for attacks that were not looked for; a call that is over keeps its decision. */
function useAttackCheck({ events = [], assessment = {} }: Timeline, onDone: () => void) {
  const inSession = useInSession('SESSION_TYPE_FRAUD_ANALYST');
  const wanted = ATTACK_CHECKS - (assessment.unavailableChecks ?? []).length;
  const unchecked = byRecording(events).filter(
    ([media, made]) => media !== '' && new Set(made.filter(isAttackCheck).map(kindOf)).size < wanted,
  );
  const action = useAction(async () => {
    for (const [value, made] of unchecked)
      await inSession((context) => checkAttacks(context, { media: { value }, channel: channelIn(made) }));
    toast(text.attacksChecked);
    onDone();
  });
  const isMissing = caveatNames(assessment).includes('ATTACK_CHECK_MISSING');
  return { ...action, isPossible: isMissing && unchecked.length > 0 };
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
