// One session, as an investigation: the result, who claimed to be whom and who matched, each check with what was heard,
// the outcome that an analyst records, and everything in order.
import { useState, type ReactNode } from 'react';
import type {
  EngagementDetailsForReadJson,
  SessionDetailsForReadJson,
} from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { dateTime, shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Time } from '../../kit/time.js';
import { Link } from '../../router.js';
import { ifFound, useReadContext } from '../../tenant/context.js';
import { t as checks } from '../../text/checks.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { sessionReason } from '../biosec/advice.js';
import { DecisionBadge, SessionDecision } from '../biosec/decision-badge.js';
import { useMemberNames } from '../biosec/members.js';
import { channelWords, intentWords, verdictWord } from '../biosec/operations.js';
import type { PageProps } from '../page.js';
import { OutcomeDialog } from './outcome-dialog.js';
import { TimelineStep } from './timeline-step.js';
import './sessions.css';

const text = t.session;

export function SessionPage({ params }: PageProps): ReactNode {
  const id = params['gkSessionId'] ?? '';
  const read = useReadContext();
  const [judging, setJudging] = useState(false);
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
            <>
              <Button onClick={() => downloadFile(`session-${id}.json`, JSON.stringify(query.data, null, 2))}>
                {shell.exportJson}
              </Button>
              <Button kind="primary" onClick={() => setJudging(true)} disabled={!engagement?.gkEngagementId}>
                {text.record}
              </Button>
            </>
          ) : undefined
        }
      >
        {text.about}
      </PageHead>
      <Loaded query={query} what={text.loading}>
        {({ events = [] }) => (
          <div className="stack">
            <div className="grid">
              <DecisionCard session={session} />
              <Circumstances session={session} id={id} />
              <EngagementCard engagement={engagement} />
            </div>
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
      {judging && engagement ? (
        <OutcomeDialog
          engagement={engagement}
          onClose={() => setJudging(false)}
          onDone={() => {
            setJudging(false);
            query.reload();
          }}
        />
      ) : null}
    </>
  );
}

function DecisionCard({ session }: { session: SessionDetailsForReadJson | undefined }): ReactNode {
  const risk = session?.riskInfo;
  return (
    <Card title={text.decision}>
      <Facts
        items={[
          [
            session?.isActive ? text.soFar : text.outcome,
            <SessionDecision key="decision" session={session} />,
          ],
          [text.reason, risk?.decisionReason ? sessionReason(risk.decisionReason) : shell.none],
          [
            text.risk,
            risk?.risk === undefined
              ? shell.none
              : `${checks.risk(risk.risk)}, ${checks.reliability(risk.reliability ?? 0)}`,
          ],
          [text.state, session?.isActive ? text.open : text.over(dateTime(session?.completionTimestamp))],
        ]}
      />
    </Card>
  );
}

function Circumstances({
  session,
  id,
}: {
  session: SessionDetailsForReadJson | undefined;
  id: string;
}): ReactNode {
  return (
    <Card title={text.circumstances}>
      <Facts
        items={[
          [text.channel, channelWords(session?.sessionType)],
          [text.purpose, intentWords(session?.sessionIntent)],
          [text.started, <Time key="started" at={session?.creationTimestamp} />],
          [text.from, session?.ani || shell.none],
          [
            text.claims,
            session?.claimedGkPersonId?.value ? (
              <PersonLink key="person" gkId={session.claimedGkPersonId.value} />
            ) : (
              shell.none
            ),
          ],
          [text.identifier, <code key="id">{id}</code>],
        ]}
      />
    </Card>
  );
}

function EngagementCard({ engagement }: { engagement: EngagementDetailsForReadJson | undefined }): ReactNode {
  return (
    <Card title={text.engagement}>
      <Facts
        items={[
          [text.outcome, verdictWord(engagement?.verdictInfo?.verdict)],
          [text.why, engagement?.verdictInfo?.description || shell.none],
          [
            text.decision,
            engagement?.riskInfo?.decision ? (
              <DecisionBadge key="decision" decision={engagement.riskInfo.decision} />
            ) : engagement?.isActive ? (
              text.whenEnds
            ) : (
              shell.none
            ),
          ],
          [text.sessions, t.list.count(engagement?.gkSessionIds?.length ?? 0)],
          [text.identifier, <code key="id">{engagement?.gkEngagementId?.value ?? shell.none}</code>],
        ]}
      />
    </Card>
  );
}

/** The person by the name that applications use; the identifier until it is known. */
function PersonLink({ gkId }: { gkId: string }): ReactNode {
  const read = useReadContext();
  const found = useQuery(read && `person name ${gkId}`, (signal) =>
    ifFound(call('GetPersonDetails', { context: read, gkPersonId: { value: gkId } }, signal)),
  );
  return <Link to={`/people/persons/${gkId}`}>{found.data?.details?.personId || shortId(gkId)}</Link>;
}
