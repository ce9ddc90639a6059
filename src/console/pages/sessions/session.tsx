// One session: what it means and what to do on top, then what was heard with every check on it, related calls, and everything in order.
import type { ReactNode } from 'react';
import type { SessionAssessmentJson } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { headlineName, partyName, toneName } from '../../../words/tell.js';
import { call } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { Disclosure } from '../../kit/disclosure.js';
import { Card, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { useReadContext } from '../../tenant/context.js';
import { t as words } from '../../text/assessment.js';
import { t } from '../../text/sessions.js';
import { t as shell } from '../../text/shell.js';
import { useMemberNames } from '../biosec/members.js';
import type { PageProps } from '../page.js';
import { CallDetails } from './call-details.js';
import { Heard, supersededIn } from './heard.js';
import { NextSteps } from './next-steps.js';
import { RelatedCalls } from './related-calls.js';
import { SessionResult } from './session-result.js';
import type { Timeline } from './timeline.js';
import { TimelineStep } from './timeline-step.js';
import { UploadCard } from './upload.js';
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
  return (
    <>
      <PageHead
        title={query.data ? titleOf(query.data) : shortId(id)}
        crumbs={[{ label: t.tabs.sessions, to: '/sessions' }]}
        actions={
          query.data ? (
            <Button onClick={() => downloadFile(`session-${id}.json`, JSON.stringify(query.data, null, 2))}>
              {shell.exportJson}
            </Button>
          ) : undefined
        }
      >
        {query.data?.session?.sessionId || shortId(id)}
      </PageHead>
      <Loaded query={query} what={text.loading}>
        {(timeline) => <Session timeline={timeline} onChanged={query.reload} />}
      </Loaded>
    </>
  );
}

function Session({ timeline, onChanged }: { timeline: Timeline; onChanged: () => void }): ReactNode {
  const { events = [], laterChecks = [], assessment = {}, session, engagement } = timeline;
  const isUpload = headlineName(assessment) === 'UPLOAD';
  return (
    <div className="stack">
      {isUpload ? (
        <UploadCard
          events={events}
          later={laterChecks}
          gkJobIds={timeline.gkJobIds ?? []}
          isGivenUp={session?.wasAbandon ?? false}
        />
      ) : (
        <>
          <SessionResult timeline={timeline} onChanged={onChanged}>
            {engagement?.gkEngagementId ? (
              <NextSteps timeline={timeline} engagement={engagement} onDone={onChanged} />
            ) : null}
          </SessionResult>
          <Heard
            events={events}
            later={laterChecks}
            isGreen={toneName(assessment) === 'GOOD'}
            isOver={session?.isActive !== true}
          />
          <RelatedCalls timeline={timeline} />
        </>
      )}
      <CallDetails timeline={timeline} />
      <Disclosure label={text.timeline}>{() => <TimelineList timeline={timeline} />}</Disclosure>
    </div>
  );
}

/** The caller, by the name that people use; only a match says that it was the person claimed. */
function titleOf({ assessment, session }: Timeline): string {
  const [first] = callersIn(assessment);
  if (first) {
    const name = first.name || partyName(words, first);
    const isTheirs = first.result === 'PARTY_RESULT_MATCHED' || first.result === 'PARTY_RESULT_ENROLLED';
    return isTheirs ? name : text.claiming(name);
  }
  return session?.ani || session?.sessionId || shortId(session?.gkSessionId?.value);
}

const callersIn = ({ whoCalled = [] }: SessionAssessmentJson = {}) =>
  whoCalled.filter(({ isAgent }) => !isAgent);

function TimelineList({ timeline }: { timeline: Timeline }): ReactNode {
  const { events = [], laterChecks = [], assessment = {}, session } = timeline;
  const nameOf = useMemberNames();
  const superseded = supersededIn(events);
  const isGreen = toneName(assessment) === 'GOOD';
  const later = headlineName(assessment) === 'UPLOAD' ? [] : laterChecks;
  if (events.length + later.length === 0)
    return (
      <EmptyState icon="clock" title={text.nothing}>
        {text.nothingText}
      </EmptyState>
    );
  return (
    <Card hint={text.timelineHint}>
      <ol className="timeline">
        {events.map((event, index) => (
          <TimelineStep
            key={`${event.requestId ?? ''} ${String(index)}`}
            event={event}
            by={nameOf(event.member)}
            began={session?.creationTimestamp}
            isGreen={isGreen}
            isSuperseded={superseded.has(event)}
          />
        ))}
        {later.map((check, index) => (
          <TimelineStep
            key={`later ${String(index)}`}
            event={check.event ?? {}}
            by={check.event?.member ? nameOf(check.event.member) : ''}
            isGreen={isGreen}
            later={check}
          />
        ))}
      </ol>
    </Card>
  );
}
