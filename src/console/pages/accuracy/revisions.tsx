// Revisions of the config set: run one in the shadow of the active one, compare, activate.
import { useState, type ReactNode } from 'react';
import type { ConfigsetDetailsForReadJson } from '../../../gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { AsWritten } from '../../kit/from-server.js';
import { Badge, Card } from '../../kit/layout.js';
import { ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { t } from '../../text/accuracy.js';
import { t as shell } from '../../text/shell.js';
import { aboutRevision } from './about-revision.js';
import { ShadowCard } from './shadow.js';

const text = t.revisions;

interface Question {
  about: 'activate' | 'delete';
  revision: string;
}

export function Revisions({ read, onActivated }: { read: Context; onActivated: () => void }): ReactNode {
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
    shadow.reload();
  });
  const stop = useAction(async () => {
    await call('ClearShadowRevision', target);
    toast(text.shadowStopped);
    shadow.reload();
  });
  if (!configset) return null;
  const shadowed = shadow.data?.gkShadowRevisionId?.value;
  const failure = start.error ?? stop.error;
  return (
    <>
      <Card title={text.title(configset)} hint={text.hint}>
        <div className="stack">
          {failure ? <ErrorNotice error={failure} /> : null}
          <Loaded query={list} what={text.loading}>
            {(rows) => (
              <RevisionTable
                caption={text.title(configset)}
                rows={rows}
                shadowed={shadowed}
                busy={start.busy || stop.busy}
                onShadow={(revision) => void start.run(revision)}
                onStop={() => void stop.run()}
                onQuestion={setQuestion}
              />
            )}
          </Loaded>
        </div>
      </Card>
      {shadowed ? <ShadowCard query={shadow} /> : null}
      {question ? (
        <RevisionDialog
          question={question}
          read={read}
          onClose={() => setQuestion(undefined)}
          onDone={() => {
            setQuestion(undefined);
            if (question.about === 'activate') onActivated();
            else list.reload();
          }}
        />
      ) : null}
    </>
  );
}

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
  const idOf = (row: ConfigsetDetailsForReadJson): string => row.gkConfigsetRevisionId?.value ?? '';
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
          cell: ({ description = '' }) => <AsWritten>{aboutRevision(description) || shell.none}</AsWritten>,
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

function RevisionDialog({
  question: { about, revision },
  read,
  onClose,
  onDone,
}: {
  question: Question;
  read: Context;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const configset = read.configsetId ?? '';
  const isActivation = about === 'activate';
  const work = useAction(async () => {
    const request = { context: read, gkConfigsetRevisionId: { value: revision } };
    if (isActivation) await call('ActivateConfigsetRevision', request);
    else await call('DeleteConfigsetRevision', request);
    toast(isActivation ? text.activated : text.deleted);
    onDone();
  });
  const short = shortId(revision);
  return (
    <ConfirmDialog
      title={isActivation ? text.activateTitle : text.deleteTitle}
      word={configset}
      consequence={isActivation ? text.activateText(short, configset) : text.deleteText(short, configset)}
      action={isActivation ? text.activate : text.deleteAction}
      onClose={onClose}
      onConfirm={() => void work.run()}
      busy={work.busy}
      error={work.error}
    />
  );
}
