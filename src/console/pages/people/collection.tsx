// One group or watchlist: its members, adding and removing them, deleting it.
import { useState, type ReactNode } from 'react';
import { get, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { deleteInContext, useBiosecContext } from '../../tenant/tenant.js';
import type { PageProps } from '../registry.js';
import { useInSession } from '../biosec/in-session.js';
import type { Id } from '../biosec/types.js';
import { collection, partyKinds, partiesOf, type CollectionKind, type ListAnswer } from './kinds.js';

export function GroupPage({ params }: PageProps): ReactNode {
  return <CollectionPage kind="group" gkId={params['gkId'] ?? ''} />;
}
export function WatchlistPage({ params }: PageProps): ReactNode {
  return <CollectionPage kind="watchlist" gkId={params['gkId'] ?? ''} />;
}

function CollectionPage({ kind, gkId }: { kind: CollectionKind; gkId: string }): ReactNode {
  const facts = collection[kind];
  const party = partyKinds[facts.member];
  const { read } = useBiosecContext();
  const inSession = useInSession();
  const [open, setOpen] = useState<'add' | 'delete' | undefined>();
  const details = useQuery(read && `${kind} ${gkId}`, (signal) =>
    get<{ details?: Record<string, unknown> }>(`/v1/${facts.path}/${gkId}`, { context: read }, signal),
  );
  const members = useQuery(read && `members ${gkId}`, (signal) =>
    get<ListAnswer>(
      `/v1/x/${party.path}`,
      { context: read, [facts.gkName]: { value: gkId }, pageSize: 1000 },
      signal,
    ),
  );
  const id = String(details.data?.details?.[facts.idName] ?? shortId(gkId));
  const removal = useAction(async (gkMember: string, name: string) => {
    await inSession((context) =>
      post(`/v1/${facts.path}/${gkId}/${party.path}:batchDelete`, {
        context,
        [`${party.gkName}s`]: [{ value: gkMember }],
      }),
    );
    toast(`${name} is no longer in ${id}`);
    members.reload();
  });
  const deletion = useAction(async () => {
    await inSession((context) => deleteInContext(`/v1/${facts.path}/${gkId}`, context));
    toast(`${id} is deleted`);
    navigate(`/people?tab=${facts.path}`);
  });
  return (
    <>
      <PageHead
        title={id}
        crumbs={[{ label: facts.title, to: `/people?tab=${facts.path}` }]}
        actions={
          <>
            <Link to={`/voice?tab=${kind === 'group' ? 'identify' : 'watchlist'}`} className="button">
              Try it in the lab
            </Link>
            <Button kind="danger" onClick={() => setOpen('delete')}>
              Delete {facts.one}
            </Button>
          </>
        }
      >
        {facts.about}
      </PageHead>
      <Card
        title="Members"
        actions={
          <Button kind="primary" onClick={() => setOpen('add')}>
            Add a {facts.member}
          </Button>
        }
      >
        <Loaded query={members} what="Loading members">
          {(answer) => {
            const rows = partiesOf(facts.member, answer);
            return rows.length === 0 ? (
              <EmptyState icon="people" title="Nobody is in it yet">
                Add a {facts.member} by identifier.
              </EmptyState>
            ) : (
              <Table
                caption={`Members of ${id}`}
                rows={rows}
                rowKey={(row) => row.gkId}
                columns={[
                  {
                    label: 'Identifier',
                    cell: (row) => <Link to={`/people/${party.path}/${row.gkId}`}>{row.id}</Link>,
                  },
                  {
                    label: 'Voice',
                    cell: (row) =>
                      row.trained > 0 ? (
                        <Badge tone="good">trained</Badge>
                      ) : (
                        <Badge tone="warn">no trained print</Badge>
                      ),
                  },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (row) => (
                      <Button
                        size="small"
                        kind="quiet"
                        busy={removal.busy}
                        aria-label={`Remove ${row.id}`}
                        onClick={() => void removal.run(row.gkId, row.id)}
                      >
                        Remove
                      </Button>
                    ),
                  },
                ]}
              />
            );
          }}
        </Loaded>
      </Card>
      {open === 'add' ? (
        <AddMember
          kind={kind}
          gkId={gkId}
          onClose={() => setOpen(undefined)}
          onAdded={() => {
            setOpen(undefined);
            members.reload();
          }}
        />
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${id}`}
          word={id}
          consequence={`The ${facts.one} will be gone. Its members and their voiceprints stay.`}
          action={`Delete ${facts.one}`}
          onClose={() => setOpen(undefined)}
          onConfirm={() => void deletion.run()}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
    </>
  );
}

function AddMember({
  kind,
  gkId,
  onClose,
  onAdded,
}: {
  kind: CollectionKind;
  gkId: string;
  onClose: () => void;
  onAdded: () => void;
}): ReactNode {
  const facts = collection[kind];
  const party = partyKinds[facts.member];
  const inSession = useInSession();
  const form = useForm({ id: '' }, async (draft) => {
    const id = draft.id.trim();
    await inSession(async (context) => {
      const found = await get<Record<string, Id | undefined>>(
        `/v1/${party.path}/${encodeURIComponent(id)}/gkid`,
        { context },
      );
      await post(`/v1/${facts.path}/${gkId}/${party.path}`, { context, [party.gkName]: found[party.gkName] });
    });
    toast(`${id} is added`);
    onAdded();
  });
  return (
    <FormDialog
      title={`Add a ${facts.member}`}
      submitLabel="Add"
      onClose={onClose}
      disabled={form.draft.id.trim() === ''}
      {...form.submit}
    >
      <TextField
        label={`Identifier of the ${facts.member}`}
        autoFocus
        spellCheck={false}
        {...form.text('id')}
      />
    </FormDialog>
  );
}
