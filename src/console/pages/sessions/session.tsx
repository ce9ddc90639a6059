// One session, as an investigation: the result, who claimed to be whom and who matched, what was heard with
// every check on it, what to do next, what else is known about the person and the number, and everything in
// order.
import type { ReactNode } from 'react';
import type {
  LaterCheckJson,
  SessionFraudsterJson,
  TimelineEventJson,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { Verbatim } from '../../kit/from-server.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { useReadContext } from '../../tenant/context.js';
import { useMay } from '../../tenant/rights.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import {
  AlsoMatchBadge,
  CutOffBadge,
  ErasedBadge,
  MarkBadges,
  RefusedBadge,
  FoundBadges,
  SessionDecision,
  TrialBadge,
} from '../biosec/decision-badge.js';
import { useMemberNames } from '../biosec/members.js';
import { outcomeWords, verdictWord } from '../biosec/operations.js';
import { CaseLink } from '../biosec/case-link.js';
import { FraudsterLink } from '../biosec/owner-link.js';
import type { PageProps } from '../page.js';
import { Heard, supersededIn } from './heard.js';
import { isFalseAlarm, isJudgedSince } from './judged-since.js';
import { nextStep } from './next-step.js';
import { KeptWhy } from './kept-why.js';
import {
  EnrolledByHand,
  enrolledByHand,
  eventsOf,
  findingOf,
  FoundLater,
  foundLater,
  isAddition,
} from './later-findings.js';
import { CASE_NUMBER, NextSteps, NOTE } from './next-steps.js';
import { RelatedSessions } from './related-sessions.js';
import { TimelineStep } from './timeline-step.js';
import { UploadCard } from './upload.js';
import { isAlsoMatch, isJudgedFraud, isUndecided } from '../biosec/session-words.js';
import { cutOffWords } from './record-words.js';
import { carriedFacts } from './carried-facts.js';
import { decidedBy } from './deciding-check.js';
import { callerFacts, personsIn, whoIn } from './caller-facts.js';
import { Circumstances } from './circumstances.js';
import { EngagementSessions } from './engagement-sessions.js';
import { sessionSummary } from './page-summary.js';
import { OpenState } from './open-state.js';
import { isRefused } from './events.js';
import { cutOffIn, isWaiting } from './verdict.js';
import './sessions.css';

const text = t.session;

export function SessionPage({ params }: PageProps): ReactNode {
  const id = params['gkSessionId'] ?? '';
  const read = useReadContext();
  const query = useQuery(
    read && `timeline ${id}`,
    (signal) => call('GetSessionTimeline', { context: read, gkSessionId: { value: id } }, signal),
    { everyMs: 5000 },
  );
  const nameOf = useMemberNames();
  const { session, engagement } = query.data ?? {};
  return (
    <>
      <PageHead
        title={text.title(session?.sessionId || shortId(id))}
        crumbs={[{ label: t.tabs.sessions, to: '/sessions' }]}
        actions={
          query.data ? (
            <Button onClick={() => downloadFile(`session-${id}.json`, JSON.stringify(query.data, null, 2))}>
              {shell.exportJson}
            </Button>
          ) : undefined
        }
      >
        {text.about}
      </PageHead>
      <Loaded query={query} what={text.loading}>
        {({ events = [], laterChecks = [], ...timeline }) => (
          <div className="stack">
            <div className="session-top">
              {timeline.isUpload ? (
                <UploadCard
                  events={events}
                  later={laterChecks}
                  gkJobIds={timeline.gkJobIds ?? []}
                  isGivenUp={timeline.session?.wasAbandon ?? false}
                />
              ) : (
                <ResultCard {...{ timeline, events }} later={laterChecks} onChanged={query.reload} />
              )}
              <Circumstances timeline={timeline} id={id} />
            </div>
            {timeline.isUpload ? null : (
              <>
                {engagement?.gkEngagementId ? (
                  <NextSteps
                    session={session}
                    engagement={engagement}
                    effects={timeline}
                    events={events}
                    onDone={query.reload}
                  />
                ) : null}
                <Heard
                  events={events}
                  later={laterChecks}
                  decision={session?.riskInfo?.decision}
                  isOver={isOver(session)}
                  isErased={timeline.isErased === true}
                  isDoubted={isDoubted(timeline)}
                  isFalseAlarm={isFalseAlarm(timeline, [...events, ...eventsOf(laterChecks)])}
                  onChecked={query.reload}
                />
                <EngagementSessions engagement={engagement} current={id} />
                <RelatedSessions
                  ani={session?.ani}
                  person={personsIn(timeline)[0]}
                  fraudsters={fraudstersIn(timeline, laterChecks)}
                  caseNumber={engagement?.customData?.[CASE_NUMBER]}
                  id={id}
                />
              </>
            )}
            <TimelineCard {...{ timeline, events, nameOf }} later={laterChecks} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** Whether the matched person may not be the caller. */
const isDoubted = (timeline: Timeline): boolean =>
  timeline.hasOtherPerson === true ||
  timeline.hasSeveralPersons === true ||
  timeline.hasLeftOutMembers === true ||
  timeline.withoutClaimed === true ||
  Boolean(timeline.leftOutCaller) ||
  timeline.carried !== undefined ||
  isJudgedFraud(timeline.engagement?.verdictInfo?.verdict);

function TimelineCard({
  timeline,
  events,
  later,
  nameOf,
}: {
  timeline: Timeline;
  events: readonly TimelineEventJson[];
  later: readonly LaterCheckJson[];
  nameOf: ReturnType<typeof useMemberNames>;
}): ReactNode {
  const superseded = supersededIn(events);
  return (
    <Card title={text.timeline} hint={text.timelineHint}>
      {events.length + later.length === 0 ? (
        <EmptyState icon="clock" title={text.nothing}>
          {text.nothingText}
        </EmptyState>
      ) : (
        <ol className="timeline">
          {events.map((event, index) => (
            <TimelineStep
              key={`${event.requestId ?? ''} ${String(index)}`}
              event={event}
              by={nameOf(event.member)}
              began={timeline.session?.creationTimestamp}
              isSuperseded={superseded.has(event)}
            />
          ))}
          {(timeline.isUpload ? [] : later).map((check, index) => (
            <TimelineStep
              key={`later ${String(index)}`}
              event={check.event ?? {}}
              by={check.event?.member ? nameOf(check.event.member) : ''}
              later={check}
            />
          ))}
        </ol>
      )}
    </Card>
  );
}

function ResultCard({
  timeline,
  events,
  later,
  onChanged,
}: {
  timeline: Timeline;
  events: readonly TimelineEventJson[];
  later: readonly LaterCheckJson[];
  onChanged: () => void;
}): ReactNode {
  const mayListen = useMay()('GetDownloadUrl');
  const { session, engagement, fraudsters = [] } = timeline;
  const risk = session?.riskInfo;
  const { customData: data, verdictInfo: { description: why } = {} } = engagement ?? {};
  const decided = timeline.isErased ? undefined : decidedBy(risk, events, timeline.carried !== undefined);
  const found = foundLater(later, { events, fraudsters });
  const marks = { ...timeline, foundLater: found.map(findingOf) };
  const added = later.filter(isAddition);
  const enrolled = enrolledByHand(timeline, later);
  const checkCount = events.filter(({ isFactor }) => isFactor).length;
  const isFraud = isJudgedFraud(engagement?.verdictInfo?.verdict);
  const verdict = sessionSummary(timeline, events, { later: eventsOf(later), isNews: found.length > 0 });
  // Users are not told to do what they may not, or to listen if nothing was kept.
  const isKept = events.some(({ gkMediaSegmentId }) => gkMediaSegmentId?.value);
  const isJudged = isJudgedSince(timeline, [...events, ...eventsOf(later)]);
  const next = nextStep(verdict, { mayListen, isKept, isOver: isOver(session), isJudged });
  const cut = cutOffIn(events);
  // A refused check is not uncertain: nothing was compared.
  const isGone = timeline.isErased && isUndecided(risk?.decision);
  const isRefusal = events.some(isRefused) && isUndecided(risk?.decision);
  return (
    <Card title={text.result}>
      <p className="session-result">
        {isFraud ? <Badge tone="bad">{text.judged(verdictWord('ENGAGEMENT_VERDICT_FRAUD'))}</Badge> : null}
        {isRefusal || isGone ? null : (
          <SessionDecision session={session} checks={checkCount} marks={marks} isFraud={isFraud} />
        )}
        {events.some(isRefused) ? <RefusedBadge /> : null}
        <FoundBadges of={marks} />
        {session?.isTest ? <TrialBadge /> : null}
        {timeline.isErased ? <ErasedBadge /> : null}
        {cut ? <CutOffBadge /> : null}
        <MarkBadges marks={timeline} />
        {isAlsoMatch(whoIn(timeline)) ? <AlsoMatchBadge /> : null}
        <strong>{verdict.title}</strong>
      </p>
      {next ? <p className="session-next">{next}</p> : null}
      {decided ? <p className="small soft session-decided">{decided}</p> : null}
      <KeptWhy timeline={timeline} onChanged={onChanged} />
      <Facts
        items={[
          ...callerFacts(timeline),
          ...carriedFacts(timeline.carried, risk?.decision),
          ...fraudsters.map(
            ({ gkFraudsterId, fraudsterId }) =>
              [
                text.fraudster,
                <FraudsterLink
                  key={gkFraudsterId?.value}
                  gkId={gkFraudsterId?.value ?? ''}
                  known={fraudsterId}
                />,
              ] as const,
          ),
          ...found.map(
            (check, index) =>
              [text.foundLater, <FoundLater key={`later ${String(index)}`} check={check} />] as const,
          ),
          ...added.map(
            (check, index) =>
              [text.caller, <FoundLater key={`added ${String(index)}`} check={check} />] as const,
          ),
          ...enrolled.map(
            (one) =>
              [text.caller, <EnrolledByHand key={one.gkFraudsterId?.value} fraudster={one} />] as const,
          ),
          [
            text.risk,
            risk?.risk === undefined
              ? shell.none
              : `${checks.riskValue(risk.risk)}, ${checks.reliability(risk.reliability ?? 0)}`,
          ],
          [
            text.state,
            cut && session?.isActive ? (
              <Time
                key="cut"
                at={cut.time}
                within={(time) => (isWaiting(cut) ? text.waiting(time) : text.cutOff(time, cutOffWords(cut)))}
              />
            ) : session?.isActive ? (
              <OpenState key="open" gkSessionId={session.gkSessionId?.value} />
            ) : (
              <Time key="over" at={session?.completionTimestamp} within={text.over} />
            ),
          ],
          [text.outcome, outcomeWords(engagement?.verdictInfo?.verdict, engagement?.verdictInfo?.amount)],
          ...(why ? [[text.why, <Verbatim key="why">{why}</Verbatim>] as const] : []),
          ...(data?.[CASE_NUMBER]
            ? [[text.caseNumber, <CaseLink key="case" number={data[CASE_NUMBER]} />] as const]
            : []),
          ...(data?.[NOTE] ? [[text.note, <Verbatim key="note">{data[NOTE]}</Verbatim>] as const] : []),
        ]}
      />
    </Card>
  );
}

const isOver = (session: Timeline['session']): boolean => session !== undefined && !session.isActive;

type Timeline = AnswerOf<'GetSessionTimeline'>;

/** Fraudsters who were found, in the call or later, and those whose prints were made from it; each once. */
function fraudstersIn(
  { fraudsters = [], madeFraudsters = [] }: Timeline,
  later: readonly LaterCheckJson[],
): SessionFraudsterJson[] {
  const all = [...fraudsters, ...later.flatMap(({ fraudster }) => fraudster ?? []), ...madeFraudsters];
  return [...new Map(all.map((one) => [one.gkFraudsterId?.value, one])).values()];
}
