// A decision as a colored word.
import type { ReactNode } from 'react';
import type { DecisionJson } from '../../../gen/vendor/biosec/v1/common_pb.js';
import type { SessionEntryJson } from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { Badge } from '../../kit/layout.js';
import { t as calls } from '../../text/calls.js';
import { t } from '../../text/checks.js';
import { t as sessions } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { decisionWord, REFUSED_FOR_LOCK } from './advice.js';
import {
  allMarks,
  allSince,
  isAlsoMatch,
  isJudgedFraud,
  isLeftOut,
  isMarked,
  isUndecided,
  leftOutIn,
  missingIn,
  sessionWord,
  undecidedIn,
  type Marked,
} from './session-words.js';

/** Green only if there are no marks, and nothing was found since. */
export function DecisionBadge({
  decision,
  marks = {},
}: {
  decision: DecisionJson | undefined;
  marks?: Marked;
}): ReactNode {
  const { word, tone } = decisionWord(decision);
  return <Badge tone={tone === 'good' && isMarked(marks) ? 'neutral' : tone}>{word}</Badge>;
}

/** For one check. A refused check has decided nothing, and casts no doubt on the voice. */
export function CheckBadge({
  check: { decision, reason },
}: {
  check: { decision?: DecisionJson | undefined; reason?: string | undefined };
}): ReactNode {
  if (reason === REFUSED_FOR_LOCK) return <RefusedBadge />;
  return <DecisionBadge decision={decision} />;
}

/** The caller was turned away because of a lock. */
export const RefusedBadge = (): ReactNode => <Badge tone="bad">{t.refused}</Badge>;

/** A trial, not a call. */
export const TrialBadge = (): ReactNode => <Badge plain>{t.trial}</Badge>;

/** A live call that was not heard to its end: the decision covers only a part of it. */
export const CutOffBadge = (): ReactNode => <Badge tone="warn">{sessions.session.cutOffBadge}</Badge>;

/** Somebody else speaks in a part of the audio. */
const SecondVoiceBadge = (): ReactNode => <Badge tone="warn">{sessions.session.secondVoice}</Badge>;

/** The decision is "no match", but somebody matches nevertheless. */
export const AlsoMatchBadge = (): ReactNode => <Badge tone="warn">{sessions.session.alsoMatch}</Badge>;

/** It only holds recordings for other sessions and is not a call. */
export const UploadBadge = (): ReactNode => <Badge plain>{sessions.upload.badge}</Badge>;

/** The outcome can no longer be told. */
export const ErasedBadge = (): ReactNode => <Badge plain>{sessions.session.erased}</Badge>;

/** An attack check could not tell whether a live person speaks. `named` adds which one. */
export function UndecidedBadge({
  checks = [],
  named = false,
}: {
  checks: readonly string[] | undefined;
  named?: boolean;
}): ReactNode {
  if (checks.length === 0) return null;
  const names = undecidedIn({ undecidedChecks: [...checks] }).join(', ');
  return <Badge tone="warn">{named ? `${calls.unknown}: ${names}` : calls.unknown}</Badge>;
}

/** Shown beside a decision: what was not decided or not compared. `named` adds the attack check. */
export function MarkBadges({ marks: own, named = false }: { marks: Marked; named?: boolean }): ReactNode {
  const { notCheckedForAttacks, listNotCompared, checkMissing, otherPerson, verdict } = sessions.session;
  const { severalPersons, membersNotCompared } = sessions.session;
  const marks = allMarks(own);
  return (
    <>
      {marks.carried?.isOtherPerson ? <Badge tone="warn">{verdict.carried.otherClaimed}</Badge> : null}
      {marks.hasOtherPerson ? <Badge tone="warn">{otherPerson}</Badge> : null}
      {marks.hasSeveralPersons ? <Badge tone="warn">{severalPersons}</Badge> : null}
      {marks.withoutClaimed ? <Badge>{verdict.leftOut.claimed.badge}</Badge> : null}
      {leftOutIn(marks) ? (
        <Badge tone={isLeftOut(marks) ? 'warn' : 'neutral'}>{leftOutIn(marks)}</Badge>
      ) : null}
      <UndecidedBadge checks={marks.undecidedChecks} named={named} />
      {marks.withoutAttackChecks ? <Badge tone="warn">{notCheckedForAttacks}</Badge> : null}
      {missingIn(marks).map((check) => (
        <Badge key={check}>{checkMissing(check)}</Badge>
      ))}
      {marks.withoutWatchlist ? <Badge tone="warn">{listNotCompared}</Badge> : null}
      {marks.hasLeftOutMembers ? <Badge>{membersNotCompared}</Badge> : null}
    </>
  );
}

/** What became known since, also in the session that the decision comes from. */
export function FoundBadges({ of }: { of: Marked }): ReactNode {
  const { foundLater, madeFraudsters } = allSince(of);
  return (
    <>
      {foundLater.length > 0 ? <Badge tone="bad">{sessions.session.foundLater}</Badge> : null}
      {madeFraudsters.length > 0 ? <Badge tone="bad">{sessions.session.putOnList}</Badge> : null}
    </>
  );
}

/** Shown beside a decision: what became known since, and what can no longer be known. */
export const SinceBadges = ({ entry }: { entry: SessionEntryJson }): ReactNode => (
  <>
    <FoundBadges of={entry} />
    {entry.isErased ? <ErasedBadge /> : null}
  </>
);

/** The outcome of a session in a list. */
export function EntryDecision({ entry }: { entry: SessionEntryJson }): ReactNode {
  const { details, factorCount = 0, refusedCount = 0 } = entry;
  const isOpen = isUndecided(details?.riskInfo?.decision);
  return (
    <div className="row">
      {entry.isUpload ? <UploadBadge /> : null}
      {((refusedCount > 0 || entry.isErased) && isOpen) || entry.isUpload ? null : (
        <SessionDecision
          session={details}
          checks={factorCount}
          marks={entry}
          isFraud={isJudgedFraud(entry.verdict)}
        />
      )}
      {refusedCount > 0 ? <RefusedBadge /> : null}
      <FoundBadges of={entry} />
      {details?.isTest ? <TrialBadge /> : null}
      {entry.isErased ? <ErasedBadge /> : null}
      {entry.cutOffTime === undefined ? null : <CutOffBadge />}
      <MarkBadges marks={entry} />
      {entry.hasSecondVoice ? <SecondVoiceBadge /> : null}
      {isAlsoMatch(entry) ? <AlsoMatchBadge /> : null}
      {entry.hasMismatch ? <Badge tone="warn">{sessions.session.alsoNoMatch}</Badge> : null}
    </div>
  );
}

export function SessionDecision(of: Parameters<typeof sessionWord>[0]): ReactNode {
  const decided = sessionWord(of);
  return decided ? <Badge tone={decided.tone}>{decided.word}</Badge> : shell.none;
}
