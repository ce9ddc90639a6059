// One session: the decision, what led to it step by step, and the analyst's verdict on the engagement.
import { useState, type ReactNode } from 'react';
import { get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, plural, shortId, words } from '../../format/text.js';
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
import { adviceOnAttack, adviceOnDecision, evidenceWords } from '../biosec/advice.js';
import { DecisionBadge, SessionDecision } from '../biosec/decision-badge.js';
import { ifFound } from '../biosec/in-session.js';
import { useMemberNames } from '../biosec/members.js';
import { operationWords } from '../biosec/operations.js';
import type { Id } from '../biosec/types.js';
import {
  channelWords,
  verdicts,
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
  const nameOf = useMemberNames();
  const { session, engagement } = query.data ?? {};
  const risk = session?.riskInfo;
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
                    [
                      session?.isActive ? 'So far' : 'Outcome',
                      <SessionDecision key="decision" session={session} />,
                    ],
                    ['Reason', risk?.decisionReason ? sessionReason(risk.decisionReason) : '-'],
                    [
                      'Risk',
                      risk?.risk === undefined
                        ? '-'
                        : `${String(risk.risk)} of 1000, trust ${String(risk.reliability ?? 0)} of 100`,
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
                    ['Channel', channelWords(session?.sessionType)],
                    ['About', words(session?.sessionIntent, 'SESSION_INTENT')],
                    ['Started', dateTime(session?.creationTimestamp)],
                    ['From', session?.ani || '-'],
                    [
                      'Claims to be',
                      session?.claimedGkPersonId ? (
                        <PersonLink key="person" person={session.claimedGkPersonId} />
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
                    [
                      'Decision',
                      engagement?.riskInfo?.decision ? (
                        <DecisionBadge key="decision" decision={engagement.riskInfo.decision} />
                      ) : engagement?.isActive ? (
                        'when it ends'
                      ) : (
                        '-'
                      ),
                    ],
                    ['Sessions', plural(engagement?.gkSessionIds?.length ?? 0, 'session')],
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
                    <Step
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

/** The person by the name that applications use; the identifier until it is known. */
function PersonLink({ person }: { person: Id }): ReactNode {
  const { read } = useBiosecContext();
  const found = useQuery(read && `person name ${person.value}`, (signal) =>
    ifFound(
      get<{ details?: { personId?: string } }>(`/v1/persons/${person.value}`, { context: read }, signal),
    ),
  );
  return (
    <Link to={`/people/persons/${person.value}`}>
      {found.data?.details?.personId || shortId(person.value)}
    </Link>
  );
}

/** Their scores compare voices; other scores have scales of their own. */
const voiceComparisons = new Set(['Verify', 'Identify', 'DetectKnownFraudsters']);
const attackChecks = new Set(['SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK']);

function sessionReason(reason: string): string {
  const bare = reason.replace('DECISION_REASON_', '');
  return sessionReasons[bare] ?? adviceOnDecision(reason).title;
}

const sessionReasons: Readonly<Record<string, string>> = {
  FRAUD_RISK: 'A check found a risk of fraud',
  UNSPECIFIED: '-',
};

function Step({ event, by }: { event: TimelineEvent; by: string }): ReactNode {
  const factor = event.attributes?.['factor'];
  const isAttack = attackChecks.has(factor ?? '');
  // Adding a take decides nothing about anybody.
  const decided =
    event.operation !== 'Enroll' && event.decision !== undefined && event.decision !== 'DECISION_UNSPECIFIED';
  const advice =
    decided && event.reason && !event.reason.endsWith('UNSPECIFIED')
      ? (isAttack ? adviceOnAttack : adviceOnDecision)(event.reason)
      : undefined;
  const speech = Number(event.attributes?.['netSpeechMs'] ?? 0) / 1000;
  const facts = [
    `By ${by}`,
    ...(advice ? [advice.title] : []),
    ...(speech > 0 ? [`${speech.toFixed(1)} s of speech`] : []),
    ...(event.score !== undefined && voiceComparisons.has(event.operation ?? '')
      ? [`score ${event.score.toFixed(2)}: ${evidenceWords(event.score)}`]
      : []),
    ...(decided && event.risk !== undefined
      ? [`risk ${String(event.risk)} of 1000, trust ${String(event.reliability ?? 0)} of 100`]
      : []),
  ];
  const ids: [string, string | undefined][] = [
    ['Voiceprint', event.gkVoiceprintProfileId?.value],
    ['Recording', event.gkMediaSegmentId?.value],
    ['Config set revision', event.gkConfigsetRevisionId?.value],
    ['Calibration revision', event.gkCalibrationModelRevisionId?.value],
    ['Operation', event.operation],
    ['Request', event.requestId],
    ...Object.entries(event.attributes ?? {}),
  ];
  const shown = ids.filter((pair): pair is [string, string] => Boolean(pair[1]));
  return (
    <li data-factor={event.isFactor || undefined}>
      <time dateTime={event.time}>{event.time ? new Date(event.time).toLocaleTimeString() : ''}</time>
      <div className="timeline-body">
        <div className="row">
          <strong>{operationWords(event.operation, factor)}</strong>
          {decided ? <DecisionBadge decision={event.decision} /> : null}
          {event.isFactor && decided ? <Badge plain>counts in the decision</Badge> : null}
        </div>
        <p className="small soft">{facts.join(' · ')}</p>
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
  const [verdict, setVerdict] = useState<string>(verdicts[0].value);
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
      <SelectField label="What was it" value={verdict} onValue={setVerdict} options={verdicts} />
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
