// One session: the decision, what led to it step by step, and the analyst's verdict on the engagement.
import { useState, type ReactNode } from 'react';
import { get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, shortId, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { downloadFile } from '../../kit/copy.js';
import { FormDialog } from '../../kit/dialog.js';
import { SelectField, TextArea, TextField } from '../../kit/field.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { Link } from '../../router.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import type { PageProps } from '../registry.js';
import { adviceOnDecision, evidenceWords } from '../biosec/advice.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import {
  memberName,
  VERDICTS,
  verdictWord,
  type Engagement,
  type Timeline,
  type TimelineEvent,
} from './types.js';
import './sessions.css';

export function SessionPage({ params }: PageProps): ReactNode {
  const id = params['gkSessionId'] ?? '';
  const { read } = useBiosecContext();
  const [judging, setJudging] = useState(false);
  const query = useQuery(
    read && `timeline ${id}`,
    (signal) => get<Timeline>(`/v1/x/sessions/${id}/timeline`, { context: read }, signal),
    { everyMs: 5000 },
  );
  const { session, engagement } = query.data ?? {};
  return (
    <>
      <PageHead
        title={`Session ${session?.sessionId || shortId(id)}`}
        crumbs={[{ label: 'Sessions', to: '/sessions' }]}
        actions={
          query.data ? (
            <>
              <Button onClick={() => downloadFile(`session-${id}.json`, JSON.stringify(query.data, null, 2))}>
                Export as JSON
              </Button>
              <Button kind="primary" onClick={() => setJudging(true)} disabled={!engagement?.gkEngagementId}>
                Give a verdict
              </Button>
            </>
          ) : undefined
        }
      >
        What happened, in order, with every check that counted.
      </PageHead>
      <Loaded query={query} what="Loading the session">
        {({ events = [] }) => (
          <div className="stack">
            <div className="grid">
              <Card title="Decision">
                <Facts
                  items={[
                    ['So far', <DecisionBadge key="decision" decision={session?.riskInfo?.decision} />],
                    ['Reason', words(session?.riskInfo?.decisionReason, 'DECISION_REASON')],
                    [
                      'Risk',
                      session?.riskInfo?.risk === undefined
                        ? '-'
                        : `${String(session.riskInfo.risk)} of 1000, trust ${String(session.riskInfo.reliability ?? 0)} of 100`,
                    ],
                    [
                      'State',
                      session?.isActive ? 'Open' : `Over since ${dateTime(session?.completionTimestamp)}`,
                    ],
                  ]}
                />
              </Card>
              <Card title="Circumstances">
                <Facts
                  items={[
                    ['Channel', words(session?.sessionType, 'SESSION_TYPE')],
                    ['About', words(session?.sessionIntent, 'SESSION_INTENT')],
                    ['Started', dateTime(session?.creationTimestamp)],
                    ['From', session?.ani || '-'],
                    [
                      'Claims to be',
                      session?.claimedGkPersonId ? (
                        <Link key="person" to={`/people/persons/${session.claimedGkPersonId.value}`}>
                          {shortId(session.claimedGkPersonId.value)}
                        </Link>
                      ) : (
                        '-'
                      ),
                    ],
                    ['Identifier', <code key="id">{id}</code>],
                  ]}
                />
              </Card>
              <Card title="Engagement">
                <Facts
                  items={[
                    ['Verdict', verdictWord(engagement?.verdictInfo?.verdict)],
                    ['Why', engagement?.verdictInfo?.description || '-'],
                    ['Decision', <DecisionBadge key="decision" decision={engagement?.riskInfo?.decision} />],
                    ['Sessions', String(engagement?.gkSessionIds?.length ?? 0)],
                    ['Identifier', <code key="id">{engagement?.gkEngagementId?.value ?? '-'}</code>],
                  ]}
                />
              </Card>
            </div>
            <Card title="Timeline" hint="Filled dots are checks that count in the decision.">
              {events.length === 0 ? (
                <EmptyState icon="clock" title="Nothing has happened yet">
                  Events appear here as they happen.
                </EmptyState>
              ) : (
                <ol className="timeline">
                  {events.map((event, index) => (
                    <Step key={`${event.requestId ?? ''} ${String(index)}`} event={event} />
                  ))}
                </ol>
              )}
            </Card>
          </div>
        )}
      </Loaded>
      {judging && engagement ? (
        <VerdictDialog
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

/** Their scores compare voices; other scores have scales of their own. */
const VOICE_COMPARISONS = new Set(['Verify', 'Identify', 'DetectKnownFraudsters']);

function Step({ event }: { event: TimelineEvent }): ReactNode {
  const advice =
    event.reason && !event.reason.endsWith('UNSPECIFIED') ? adviceOnDecision(event.reason) : undefined;
  // Adding a take decides nothing about anybody.
  const decided =
    event.operation !== 'Enroll' && event.decision !== undefined && event.decision !== 'DECISION_UNSPECIFIED';
  const ids: [string, string | undefined][] = [
    ['Voiceprint', event.gkVoiceprintProfileId?.value],
    ['Recording', event.gkMediaSegmentId?.value],
    ['Config set revision', event.gkConfigsetRevisionId?.value],
    ['Calibration revision', event.gkCalibrationModelRevisionId?.value],
    ['Request', event.requestId],
    ...Object.entries(event.attributes ?? {}),
  ];
  const shown = ids.filter((pair): pair is [string, string] => Boolean(pair[1]));
  return (
    <li data-factor={event.isFactor || undefined}>
      <time dateTime={event.time}>{event.time ? new Date(event.time).toLocaleTimeString() : ''}</time>
      <div className="timeline-body">
        <div className="row">
          <strong>{event.summary || event.operation}</strong>
          {event.isFactor ? <Badge tone="accent">Counts</Badge> : null}
          {decided ? <DecisionBadge decision={event.decision} /> : null}
        </div>
        <p className="small soft">
          {event.operation} by {memberName(event.member)}
          {event.score === undefined
            ? ''
            : `. Score ${event.score.toFixed(2)}${VOICE_COMPARISONS.has(event.operation ?? '') ? `: ${evidenceWords(event.score)}` : ''}`}
          {event.risk === undefined
            ? ''
            : `. Risk ${String(event.risk)}, trust ${String(event.reliability ?? 0)}`}
          {advice ? `. ${advice.title}` : ''}
        </p>
        {shown.length > 0 ? (
          <details>
            <summary>Details</summary>
            <Facts items={shown.map(([term, value]) => [term, <code key={term}>{value}</code>])} />
          </details>
        ) : null}
      </div>
    </li>
  );
}

function VerdictDialog({
  engagement,
  onClose,
  onDone,
}: {
  engagement: Engagement;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const { read } = useBiosecContext();
  const [verdict, setVerdict] = useState<string>(VERDICTS[0].value);
  const [description, setDescription] = useState(engagement.verdictInfo?.description ?? '');
  const [amount, setAmount] = useState('');
  const give = useAction(async () => {
    await put('/v1/engagements/verdict', {
      context: { ...read, gkEngagementId: engagement.gkEngagementId },
      gkEngagementId: engagement.gkEngagementId,
      verdict,
      description: description.trim(),
      ...(amount.trim() && { amount: amount.trim() }),
    });
    toast('The verdict is recorded');
    onDone();
  });
  return (
    <FormDialog
      title="Verdict on this engagement"
      submitLabel="Record the verdict"
      onClose={onClose}
      onSubmit={() => void give.run()}
      busy={give.busy}
      error={give.error}
    >
      <SelectField label="What was it" value={verdict} onValue={setVerdict} options={VERDICTS} />
      <TextArea label="Why" optional value={description} onValue={setDescription} />
      {verdict === 'ENGAGEMENT_VERDICT_FRAUD' ? (
        <TextField
          label="Loss"
          hint="In the currency your tenant reports in."
          optional
          inputMode="numeric"
          value={amount}
          onValue={setAmount}
          error={give.error?.problem('amount')}
        />
      ) : null}
    </FormDialog>
  );
}
