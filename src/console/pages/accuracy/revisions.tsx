// Revisions of the config set: run one in the shadow of the active one, compare, activate.
import { useState, type ReactNode } from 'react';
import { del, get, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, plural, shortId, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { Badge, Card } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Link } from '../../router.js';
import type { Context } from '../../tenant/tenant.js';
import { decisionWord } from '../biosec/advice.js';
import { DecisionBadge } from '../biosec/decision-badge.js';
import { ifFound } from '../biosec/in-session.js';
import type { Revision, ShadowReport } from './types.js';

export function Revisions({ read, onActivated }: { read: Context; onActivated: () => void }): ReactNode {
  const configset = read.configsetId ?? '';
  const shadowPath = `/v1/x/accuracy/shadow/${encodeURIComponent(configset)}`;
  const [question, setQuestion] = useState<{ about: 'activate' | 'delete'; revision: string } | undefined>();
  const list = useQuery(configset ? `revisions ${read.gkScopeId.value} ${configset}` : undefined, (signal) =>
    get<{ details?: Revision[] }>(
      '/v1/configsets/revisions',
      { context: read, filter: { configsetId: configset } },
      signal,
    ),
  );
  const shadow = useQuery(
    configset ? `shadow ${read.gkScopeId.value} ${configset}` : undefined,
    async (signal) => (await ifFound(get<ShadowReport>(shadowPath, { context: read }, signal))) ?? {},
  );
  const shadowed = shadow.data?.gkShadowRevisionId?.value;
  const start = useAction(async (revision: string) => {
    await put(shadowPath, { context: read, gkConfigsetRevisionId: { value: revision } });
    toast('The revision runs in the shadow');
    shadow.reload();
  });
  const stop = useAction(async () => {
    await del(shadowPath, { context: read });
    toast('The shadow run has ended');
    shadow.reload();
  });
  const activation = useAction(async (revision: string) => {
    await put(`/v1/configsets/revisions/${revision}:activate`, { context: read });
    toast('The revision is active');
    setQuestion(undefined);
    onActivated();
  });
  const deletion = useAction(async (revision: string) => {
    await del(`/v1/configsets/revisions/${revision}`, { context: read });
    toast('The revision is deleted');
    setQuestion(undefined);
    list.reload();
  });
  if (!configset) return null;
  const failure = start.error ?? stop.error;
  return (
    <>
      <Card
        title={`Revisions of ${configset}`}
        hint="A revision in the shadow decides every call a second time, without effect."
      >
        <div className="stack">
          {failure ? <ErrorNotice error={failure} /> : null}
          <Loaded query={list} what="Loading revisions">
            {({ details = [] }) => (
              <Table
                caption={`Revisions of ${configset}`}
                rows={details}
                rowKey={(row) => row.gkConfigsetRevisionId?.value ?? ''}
                columns={[
                  {
                    label: 'Revision',
                    whole: true,
                    cell: (row) => <code>{shortId(row.gkConfigsetRevisionId?.value)}</code>,
                  },
                  {
                    label: 'State',
                    cell: (row) => (
                      <StateBadge
                        state={row.state}
                        shadowed={row.gkConfigsetRevisionId?.value === shadowed}
                      />
                    ),
                  },
                  { label: 'About', cell: (row) => row.description || '-' },
                  { label: 'Made', whole: true, cell: (row) => dateTime(row.creationTimestamp) },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (row) => {
                      const id = row.gkConfigsetRevisionId?.value ?? '';
                      if (row.state === 'STATE_ACTIVE') return null;
                      return (
                        <>
                          {id === shadowed ? (
                            <Button size="small" busy={stop.busy} onClick={() => void stop.run()}>
                              End the shadow run
                            </Button>
                          ) : (
                            <Button size="small" busy={start.busy} onClick={() => void start.run(id)}>
                              Shadow
                            </Button>
                          )}
                          <Button
                            size="small"
                            kind="primary"
                            onClick={() => setQuestion({ about: 'activate', revision: id })}
                          >
                            Activate
                          </Button>
                          <Button
                            size="small"
                            kind="danger"
                            onClick={() => setQuestion({ about: 'delete', revision: id })}
                          >
                            Delete
                          </Button>
                        </>
                      );
                    },
                  },
                ]}
              />
            )}
          </Loaded>
        </div>
      </Card>
      {shadowed ? (
        <Card
          title="Shadow run"
          hint={`Since ${dateTime(shadow.data?.since)}`}
          actions={<Button onClick={shadow.reload}>Refresh</Button>}
        >
          <Loaded query={shadow}>{(data) => <ShadowView report={data} />}</Loaded>
        </Card>
      ) : null}
      {question?.about === 'activate' ? (
        <ConfirmDialog
          title="Activate this revision"
          word={configset}
          consequence={`From now on revision ${shortId(question.revision)} decides every call that names ${configset}. The present one becomes inactive and can be activated again.`}
          action="Activate"
          onClose={() => setQuestion(undefined)}
          onConfirm={() => void activation.run(question.revision)}
          busy={activation.busy}
          error={activation.error}
        />
      ) : null}
      {question?.about === 'delete' ? (
        <ConfirmDialog
          title="Delete this revision"
          word={configset}
          consequence={`Revision ${shortId(question.revision)} of ${configset} will be gone. The active one stays.`}
          action="Delete revision"
          onClose={() => setQuestion(undefined)}
          onConfirm={() => void deletion.run(question.revision)}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
    </>
  );
}

function StateBadge({ state, shadowed }: { state: string | undefined; shadowed: boolean }): ReactNode {
  const tone = state === 'STATE_ACTIVE' ? 'good' : state === 'STATE_INVALID' ? 'bad' : 'neutral';
  return (
    <span className="row">
      <Badge tone={tone}>{words(state, 'STATE')}</Badge>
      {shadowed ? <Badge tone="info">In the shadow</Badge> : null}
    </span>
  );
}

function ShadowView({ report }: { report: ShadowReport }): ReactNode {
  const calls = Number(report.calls ?? 0);
  if (calls === 0) {
    return (
      <EmptyState
        icon="clock"
        title="No call to compare yet"
        action={<Link to="/voice">Verify a voice</Link>}
      >
        Each verification from now on is decided by both revisions.
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      <p>{plural(calls, 'call')} compared.</p>
      <Table
        caption="Decisions of both revisions"
        rows={report.pairs ?? []}
        rowKey={(row) => `${row.active ?? ''} ${row.shadow ?? ''}`}
        columns={[
          { label: 'Active decided', cell: (row) => decisionWord(row.active).word },
          { label: 'Shadow would decide', cell: (row) => decisionWord(row.shadow).word },
          { label: 'Same', cell: (row) => (row.active === row.shadow ? 'Yes' : 'No') },
          { label: 'Calls', number: true, cell: (row) => Number(row.count ?? 0).toLocaleString() },
        ]}
      />
      {report.differences?.length ? (
        <Table
          caption="Calls decided differently, newest first"
          rows={report.differences}
          rowKey={(row) => `${row.time ?? ''} ${row.gkSessionId?.value ?? ''}`}
          columns={[
            { label: 'Time', cell: (row) => dateTime(row.time) },
            {
              label: 'Session',
              cell: (row) => (
                <Link to={`/sessions/${row.gkSessionId?.value ?? ''}`}>
                  {shortId(row.gkSessionId?.value)}
                </Link>
              ),
            },
            { label: 'Operation', cell: (row) => row.operation },
            { label: 'Score', number: true, cell: (row) => row.score?.toFixed(2) ?? '-' },
            { label: 'Active', cell: (row) => <DecisionBadge decision={row.active} /> },
            { label: 'Shadow', cell: (row) => <DecisionBadge decision={row.shadow} /> },
          ]}
        />
      ) : (
        <p className="soft">Both decided every call alike.</p>
      )}
    </div>
  );
}
