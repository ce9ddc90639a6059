// One session, as an investigation: the result, who claimed to be whom and who matched, what was heard with every check
// on it, what to do next, what else is known of the person and the number, and everything in order.
import type { ReactNode } from 'react';
import type {
  EngagementDetailsForReadJson,
  SessionDetailsForReadJson,
} from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { call, type AnswerOf } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { AsWritten } from '../../kit/from-server.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { useReadContext } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { sessionReason } from '../biosec/advice.js';
import { SessionDecision } from '../biosec/decision-badge.js';
import { useMemberNames } from '../biosec/members.js';
import { channelWords, intentWords, outcomeWords } from '../biosec/operations.js';
import { CaseLink } from '../biosec/case-link.js';
import { usePrint } from '../biosec/owner-link.js';
import { PersonLink, usePerson } from '../biosec/person-link.js';
import type { PageProps } from '../page.js';
import { Heard } from './heard.js';
import { History } from '../biosec/history.js';
import { CASE_NUMBER, NextSteps, NOTE } from './next-steps.js';
import { TimelineStep } from './timeline-step.js';
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
  const claimed = useClaimed(query.data);
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
        {({ events = [] }) => (
          <div className="stack">
            <div className="session-top">
              <ResultCard session={session} engagement={engagement} />
              <Circumstances session={session} claimed={claimed} id={id} />
            </div>
            {engagement?.gkEngagementId ? (
              <NextSteps engagement={engagement} events={events} onDone={query.reload} />
            ) : null}
            <Heard events={events} />
            <Past
              ani={session?.ani}
              claimed={claimed}
              caseNumber={engagement?.customData?.[CASE_NUMBER]}
              id={id}
            />
            <Card title={text.timeline} hint={text.timelineHint}>
              {events.length === 0 ? (
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
                    />
                  ))}
                </ol>
              )}
            </Card>
          </div>
        )}
      </Loaded>
    </>
  );
}

function ResultCard({
  session,
  engagement,
}: {
  session: SessionDetailsForReadJson | undefined;
  engagement: EngagementDetailsForReadJson | undefined;
}): ReactNode {
  const risk = session?.riskInfo;
  const data = engagement?.customData;
  return (
    <Card title={text.result}>
      <p className="session-result">
        <SessionDecision session={session} />
        <strong>{risk?.decisionReason ? sessionReason(risk.decisionReason) : text.nothingDecided}</strong>
      </p>
      <Facts
        items={[
          [
            text.risk,
            risk?.risk === undefined
              ? shell.none
              : `${checks.riskValue(risk.risk)}, ${checks.reliability(risk.reliability ?? 0)}`,
          ],
          [
            text.state,
            session?.isActive ? (
              text.open
            ) : (
              <Time key="over" at={session?.completionTimestamp} within={text.over} />
            ),
          ],
          [text.outcome, outcomeWords(engagement?.verdictInfo?.verdict, engagement?.verdictInfo?.amount)],
          [text.why, <AsWritten key="why">{engagement?.verdictInfo?.description || shell.none}</AsWritten>],
          ...(data?.[CASE_NUMBER]
            ? [[text.caseNumber, <CaseLink key="case" number={data[CASE_NUMBER]} />] as const]
            : []),
          ...(data?.[NOTE] ? [[text.note, <AsWritten key="note">{data[NOTE]}</AsWritten>] as const] : []),
        ]}
      />
    </Card>
  );
}

/**
 * Whom the caller claims to be. A program that does not say so with the session says it by the voiceprint that it has the
 * voice compared with.
 */
function useClaimed(timeline: AnswerOf<'GetSessionTimeline'> | undefined): string | undefined {
  const told = timeline?.session?.claimedGkPersonId?.value;
  const verified = timeline?.events?.findLast(({ operation }) => operation === 'Verify');
  const print = usePrint(told ? undefined : verified?.gkVoiceprintProfileId?.value).data?.details;
  return told ?? (print?.ownerType === 'OWNER_TYPE_FRAUDSTER' ? undefined : print?.gkOwnerId?.value);
}

function Circumstances({
  session,
  claimed,
  id,
}: {
  session: SessionDetailsForReadJson | undefined;
  claimed: string | undefined;
  id: string;
}): ReactNode {
  return (
    <Card title={text.circumstances}>
      <Facts
        items={[
          [text.claims, claimed ? <PersonLink key="person" gkId={claimed} /> : shell.none],
          [text.from, session?.ani || shell.none],
          [text.channel, channelWords(session?.sessionType)],
          [text.purpose, intentWords(session?.sessionIntent)],
          [text.started, <Time key="started" at={session?.creationTimestamp} />],
          [text.identifier, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}

/** The history of the case, of the person who was claimed and of the number, each where it is known. */
function Past({
  ani,
  claimed,
  caseNumber,
  id,
}: {
  ani: string | undefined;
  claimed: string | undefined;
  caseNumber: string | undefined;
  id: string;
}): ReactNode {
  const personId = usePerson(claimed).data?.details?.personId;
  return (
    <>
      {caseNumber ? (
        <History
          title={t.history.ofCase(caseNumber)}
          caseNumber={caseNumber}
          current={id}
          match={(entry) => entry.caseNumber === caseNumber}
        />
      ) : null}
      {personId ? (
        <History
          title={t.history.person(personId)}
          query={personId}
          current={id}
          match={(entry) => entry.claimedPersonId === personId}
        />
      ) : null}
      {ani ? (
        <History
          title={t.history.number(ani)}
          query={ani}
          current={id}
          match={({ details }) => details?.ani === ani}
        />
      ) : null}
    </>
  );
}
