// Revisions of the config set: run one in the shadow of the active one, compare, activate.
import { useState, type ReactNode } from 'react';
import type { ConfigsetDetailsForReadJson } from '../../../gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { Verbatim } from '../../kit/from-server.js';
import { Badge, Card, Facts } from '../../kit/layout.js';
import { ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { t as alarmThresholds } from '../../text/alarm-thresholds.js';
import { num, shareWords } from '../../text/tools.js';
import { t as shell } from '../../text/shell.js';
import { useConfigset, type ActiveConfigset } from '../biosec/parameters.js';
import { aboutRevision, askedFor } from './about-revision.js';
import { ShadowCard } from './shadow.js';
import { Laxer } from './threshold-card.js';

const text = t.revisions;

interface Question {
  about: 'activate' | 'delete' | 'shadow';
  revision: string;
}

export function Revisions({
  read,
  activeScore,
  onActivated,
}: {
  read: Context;
  /** The score from which the active one verifies, once it is known. */
  activeScore: number | undefined;
  onActivated: () => void;
}): ReactNode {
  const configset = read.configsetId ?? '';
  const key = configset ? `${read.gkScopeId.value} ${configset}` : undefined;
  const [question, setQuestion] = useState<Question | undefined>();
  const list = useQuery(
    key && `revisions ${key}`,
    async (signal) =>
      (await call('ListConfigsetRevisions', { context: read, filter: { configsetId: configset } }, signal))
        .details ?? [],
  );
  const target = { context: read, configsetId: configset };
  const shadow = useQuery(
    key && `shadow ${key}`,
    async (signal) => (await ifFound(call('GetShadowReport', target, signal))) ?? {},
  );
  const start = useAction(async (revision: string) => {
    await call('SetShadowRevision', { ...target, gkConfigsetRevisionId: { value: revision } });
    toast(text.shadowStarted);
    setQuestion(undefined);
    shadow.reload();
  });
  const stop = useAction(async () => {
    await call('ClearShadowRevision', target);
    toast(text.shadowStopped);
    shadow.reload();
  });
  if (!configset) return <Notice>{t.report.noConfigset}</Notice>;
  const active = shadow.data?.gkActiveRevisionId?.value;
  const running = shadow.data?.gkShadowRevisionId?.value;
  const shadowed = running === active ? undefined : running;
  const compared = shadow.data?.gkComparedRevisionId?.value;
  const calls = Number(shadow.data?.calls ?? 0);
  // The active one has nothing to be compared with.
  const isCompared = compared !== undefined && compared !== active;
  // The next run replaces the current one and its results.
  const mustAsk = isCompared && (shadowed !== undefined || calls > 0);
  const failure = question ? undefined : (start.error ?? stop.error);
  return (
    <>
      <Card title={text.title}>
        <div className="stack">
          {failure ? <ErrorNotice error={failure} /> : null}
          <Loaded query={list} what={text.loading}>
            {(rows) => (
              <>
                <p className="accuracy-answer">{answerOf(rows, configset, shadowed)}</p>
                <RevisionTable
                  caption={text.caption(configset)}
                  rows={rows}
                  shadowed={shadowed}
                  busy={start.busy || stop.busy}
                  onShadow={(revision) =>
                    mustAsk ? setQuestion({ about: 'shadow', revision }) : void start.run(revision)
                  }
                  onStop={() => void stop.run()}
                  onQuestion={setQuestion}
                />
              </>
            )}
          </Loaded>
        </div>
      </Card>
      {isCompared ? <ShadowCard query={shadow} /> : null}
      {question?.about === 'shadow' ? (
        <FormDialog
          title={text.replaceTitle}
          submitLabel={text.shadow}
          onClose={() => setQuestion(undefined)}
          onSubmit={() => void start.run(question.revision)}
          busy={start.busy}
          error={start.error}
        >
          {shadowed ? <p>{text.replaceEnds(shortId(shadowed))}</p> : null}
          {calls > 0 ? <p>{text.replaceText(shortId(compared), calls)}</p> : null}
        </FormDialog>
      ) : question ? (
        <RevisionDialog
          question={question}
          rows={list.data ?? []}
          activeScore={activeScore}
          isShadowed={question.revision === shadowed}
          loss={
            question.revision === shadowed
              ? text.deleteShadow
              : question.revision === compared
                ? text.deleteCompared
                : ''
          }
          read={read}
          onClose={() => setQuestion(undefined)}
          onDone={() => {
            setQuestion(undefined);
            if (question.about === 'activate') onActivated();
            else list.reload();
            shadow.reload();
          }}
        />
      ) : null}
    </>
  );
}

const idOf = (row: ConfigsetDetailsForReadJson): string => row.gkConfigsetRevisionId?.value ?? '';

function answerOf(
  rows: readonly ConfigsetDetailsForReadJson[],
  configset: string,
  shadowed: string | undefined,
): string {
  const active = rows.find(({ state }) => state === 'STATE_ACTIVE');
  const decides = active ? text.answer(shortId(idOf(active)), configset) : text.noneActive(configset);
  return `${decides} ${shadowed === undefined ? text.noShadow : text.shadowAnswer(shortId(shadowed))}`;
}

/** By the score that it verifies from, if it was saved with one. */
const aboutOf = ({ description = '' }: ConfigsetDetailsForReadJson = {}): ReactNode => (
  <Verbatim>{aboutRevision(description) || shell.none}</Verbatim>
);

function RevisionTable({
  caption,
  rows,
  shadowed,
  busy,
  onShadow,
  onStop,
  onQuestion,
}: {
  caption: string;
  rows: readonly ConfigsetDetailsForReadJson[];
  shadowed: string | undefined;
  busy: boolean;
  onShadow: (revision: string) => void;
  onStop: () => void;
  onQuestion: (question: Question) => void;
}): ReactNode {
  return (
    <Table
      caption={caption}
      rows={rows}
      rowKey={idOf}
      columns={[
        { label: text.revision, whole: true, cell: (row) => <code>{shortId(idOf(row))}</code> },
        {
          label: text.state,
          cell: (row) => <StateBadge state={row.state} isShadowed={idOf(row) === shadowed} />,
        },
        {
          label: text.about,
          cell: (row) => aboutOf(row),
        },
        { label: text.made, whole: true, cell: (row) => <Time at={row.creationTimestamp} /> },
        {
          label: shell.actions,
          actions: true,
          cell: (row) =>
            row.state === 'STATE_ACTIVE' ? null : (
              <>
                {idOf(row) === shadowed ? (
                  <Button size="small" busy={busy} onClick={onStop}>
                    {text.stopShadow}
                  </Button>
                ) : (
                  <Button size="small" busy={busy} onClick={() => onShadow(idOf(row))}>
                    {text.shadow}
                  </Button>
                )}
                <Button
                  size="small"
                  kind="primary"
                  onClick={() => onQuestion({ about: 'activate', revision: idOf(row) })}
                >
                  {text.activate}
                </Button>
                <Button
                  size="small"
                  kind="danger"
                  onClick={() => onQuestion({ about: 'delete', revision: idOf(row) })}
                >
                  {shell.delete}
                </Button>
              </>
            ),
        },
      ]}
    />
  );
}

function StateBadge({
  state = 'STATE_UNSPECIFIED',
  isShadowed,
}: {
  state: ConfigsetDetailsForReadJson['state'];
  isShadowed: boolean;
}): ReactNode {
  const tone = state === 'STATE_ACTIVE' ? 'good' : state === 'STATE_INVALID' ? 'bad' : 'neutral';
  return (
    <span className="row">
      <Badge tone={tone}>{t.states[state]}</Badge>
      {isShadowed ? <Badge tone="info">{text.inShadow}</Badge> : null}
    </span>
  );
}

type Row = ConfigsetDetailsForReadJson | undefined;

interface Change {
  label: string;
  now: string;
  then: string;
}

/**
 * The wanted share of false accepts, which determines the threshold, and changed alarm thresholds: in the revision
 * in use and in the one to be activated.
 */
function useChanges(read: Context | undefined, revision: string, [before, after]: readonly Row[]): Change[] {
  const now = useConfigset(read);
  const { data } = useQuery(read && `rate of ${revision}`, async (signal) => {
    const { rawContent = '' } = await call(
      'GetConfigsetRevision',
      {
        context: read,
        gkConfigsetRevisionId: { value: revision },
        expectedFormat: 'CONFIGSET_FORMAT_ALL_BYTES',
      },
      signal,
    );
    return { document: JSON.parse(atob(rawContent) || '{}') as ActiveConfigset['document'] };
  });
  if (!now || !data) return [];
  // What somebody asked for: the document has what the calibration takes the same score for.
  const words = ({ document }: Pick<ActiveConfigset, 'document'>, row: Row): string => {
    const rate = askedFor(row?.description ?? '')?.target ?? document['authentication']?.['falseAcceptRate'];
    return typeof rate === 'number' ? shareWords(rate) : text.shippedRate;
  };
  const lines = (['narrow', 'wide'] as const).map((band) => ({
    label: alarmThresholds.lineOf(alarmThresholds.bands[band] ?? band),
    now: num(alarmThresholdIn(now.document, band)),
    then: num(alarmThresholdIn(data.document, band)),
  }));
  return [
    { label: text.rates, now: words(now, before), then: words(data, after) },
    ...lines.filter((line) => line.now !== line.then),
  ];
}

const SHIPPED_ALARM_RISK = 700;

/** The risk from which synthetic speech raises an alarm. */
function alarmThresholdIn(document: ActiveConfigset['document'], band: 'narrow' | 'wide'): number {
  const { attackChecks = {} } = document;
  const own = attackChecks[band === 'narrow' ? 'syntheticRiskHighNarrow' : 'syntheticRiskHighWide'];
  const line = own || attackChecks['syntheticRiskHigh'] || attackChecks['riskHigh'];
  return typeof line === 'number' ? line : SHIPPED_ALARM_RISK;
}

function RevisionDialog({
  question: { about, revision },
  rows,
  activeScore,
  isShadowed,
  loss,
  read,
  onClose,
  onDone,
}: {
  question: Question;
  rows: readonly ConfigsetDetailsForReadJson[];
  activeScore: number | undefined;
  isShadowed: boolean;
  /** What else is lost with a deleted revision. */
  loss: string;
  read: Context;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const configset = read.configsetId ?? '';
  const isActivation = about === 'activate';
  const before = rows.find(({ state }) => state === 'STATE_ACTIVE');
  const after = rows.find((row) => idOf(row) === revision);
  const changes = useChanges(isActivation ? read : undefined, revision, [before, after]);
  const score = askedFor(after?.description ?? '')?.score;
  const work = useAction(async () => {
    const request = { context: read, gkConfigsetRevisionId: { value: revision } };
    // The revision in use according to the dialog: it may have changed since.
    const expected = before?.gkConfigsetRevisionId;
    if (isActivation)
      await call('ReplaceActiveRevision', { ...request, expectedGkConfigsetRevisionId: expected });
    else await call('DeleteConfigsetRevision', request);
    toast(isActivation ? text.activated : text.deleted);
    onDone();
  });
  const short = shortId(revision);
  return (
    <ConfirmDialog
      title={isActivation ? text.activateTitle : text.deleteTitle}
      word={configset}
      consequence={
        isActivation ? (
          <>
            <p>{text.activateText(short, configset)}</p>
            {isShadowed ? <p>{text.activateShadow}</p> : null}
            <Facts
              items={[
                [text.now, aboutOf(before)],
                [text.then, aboutOf(after)],
                ...(activeScore === undefined
                  ? []
                  : [
                      [
                        text.score,
                        text.fromTo(num(activeScore, 2), score === undefined ? shell.none : num(score, 2)),
                      ] as const,
                    ]),
                ...changes.map(({ label, now, then }) => [label, text.fromTo(now, then)] as const),
              ]}
            />
            <Laxer before={activeScore} after={score} />
          </>
        ) : (
          <>
            <p>{text.deleteText(short, configset)}</p>
            {loss ? <p>{loss}</p> : null}
          </>
        )
      }
      action={isActivation ? text.activate : text.deleteAction}
      onClose={onClose}
      onConfirm={() => void work.run()}
      busy={work.busy}
      error={work.error}
    />
  );
}
