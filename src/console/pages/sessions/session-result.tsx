// What a session means: the verdict, whom it is about, the number, the outcome, and what to do.
import type { ReactNode } from 'react';
import type { LaterFoundJson, SessionPartyJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { foundWord, nextStep, partyRole } from '../../../words/tell.js';
import { dateTime } from '../../format/text.js';
import { fill } from '../../kit/fill.js';
import { Verbatim } from '../../kit/from-server.js';
import { Card, Facts } from '../../kit/layout.js';
import { Time } from '../../kit/time.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { CaseLink } from '../biosec/case-link.js';
import { HeadlineBadge, TrialBadge } from '../biosec/decision-badge.js';
import { outcomeWords } from '../biosec/operations.js';
import { PartyLink } from '../biosec/party-link.js';
import { SessionLink } from '../biosec/session-link.js';
import { Caveats, Meaning } from '../biosec/told.js';
import { CaseFact, isCase } from './case.js';
import { cutOffIn, isWaiting } from './events.js';
import { KeptWhy } from './kept-why.js';
import { CASE_NUMBER, NOTE } from './note-dialog.js';
import { OpenState } from './open-state.js';
import { cutOffWords } from './record-words.js';
import type { Timeline } from './timeline.js';

const text = t.session;

export function SessionResult({
  timeline,
  onChanged,
  children: steps,
}: {
  timeline: Timeline;
  onChanged: () => void;
  children: ReactNode;
}): ReactNode {
  const { session, engagement, assessment = {} } = timeline;
  const next = nextStep(words, assessment, engagement?.verdictInfo);
  return (
    <Card>
      <section aria-label={text.result} className="stack">
        <p className="session-result">
          <HeadlineBadge of={assessment} />
          {session?.isTest ? <TrialBadge /> : null}
          <Meaning of={assessment} />
        </p>
        <Caveats of={assessment} />
        {next ? <p className="session-next">{next}</p> : null}
        {steps}
        <KeptWhy timeline={timeline} onChanged={onChanged} />
        <Facts items={factsOf(timeline, onChanged)} />
      </section>
    </Card>
  );
}

function factsOf(timeline: Timeline, onChanged: () => void): (readonly [string, ReactNode])[] {
  const { session, engagement, assessment = {} } = timeline;
  const { whoCalled = [], inheritedFrom, foundLater = [] } = assessment;
  const { customData: data, verdictInfo } = engagement ?? {};
  const there = inheritedFrom?.whoCalled ?? [];
  const from = inheritedFrom?.gkSessionId?.value;
  return [
    ...(whoCalled.length > 0 ? [[text.person, <Parties key="who" of={whoCalled} />] as const] : []),
    ...(there.length > 0 ? [[text.personThere, <Parties key="there" of={there} />] as const] : []),
    ...(from ? [[text.decidedIn, <SessionLink key="from" gkId={from} />] as const] : []),
    ...(foundLater.length > 0
      ? [[words.caveats.FOUND_LATER.word, <Found key="found" all={foundLater} />] as const]
      : []),
    [text.from, session?.ani || shell.none],
    [text.state, <State key="state" timeline={timeline} />],
    [
      text.outcome,
      <span key="outcome">
        {outcomeWords(verdictInfo?.verdict, verdictInfo?.amount)}
        {verdictInfo?.description ? (
          <>
            : <Verbatim>{verdictInfo.description}</Verbatim>
          </>
        ) : null}
      </span>,
    ],
    ...(engagement?.gkEngagementId && isCase(timeline)
      ? [
          [
            text.case,
            <CaseFact key="case" timeline={timeline} engagement={engagement} onChanged={onChanged} />,
          ] as const,
        ]
      : []),
    ...(data?.[CASE_NUMBER]
      ? [[text.caseNumber, <CaseLink key="number" number={data[CASE_NUMBER]} />] as const]
      : []),
    ...(data?.[NOTE] ? [[text.note, <Verbatim key="note">{data[NOTE]}</Verbatim>] as const] : []),
  ];
}

const Parties = ({ of }: { of: readonly SessionPartyJson[] }): ReactNode =>
  of.map((party, index) => (
    // eslint-disable-next-line react/no-array-index-key -- they never change places
    <div key={index}>
      <PartyLink of={party} />
      <span className="soft">, {partyRole(words, party)}</span>
    </div>
  ));

const Found = ({ all }: { all: readonly LaterFoundJson[] }): ReactNode =>
  all.map((found, index) => {
    const { fraudster, time, gkSessionId } = found;
    const when = time === undefined ? '' : dateTime(time);
    return (
      // eslint-disable-next-line react/no-array-index-key -- they never change places
      <div key={index}>
        {fraudster ? (
          <>
            <PartyLink of={fraudster} />{' '}
          </>
        ) : null}
        <span className={fraudster ? 'soft' : undefined}>
          {[foundWord(words, found), when].filter(Boolean).join(', ')}
          {gkSessionId?.value ? (
            <>, {fill(text.inSession, { session: <SessionLink gkId={gkSessionId.value} /> })}</>
          ) : null}
        </span>
      </div>
    );
  });

/** Whether somebody listens now, and otherwise when that ended and why. */
function State({ timeline: { session, events = [] } }: { timeline: Timeline }): ReactNode {
  const cut = cutOffIn(events);
  if (!session?.isActive) return <Time at={session?.completionTimestamp} within={text.over} />;
  if (!cut) return <OpenState gkSessionId={session.gkSessionId?.value} />;
  return (
    <Time
      at={cut.time}
      within={(time) => (isWaiting(cut) ? text.waiting(time) : text.cutOff(time, cutOffWords(cut)))}
    />
  );
}
