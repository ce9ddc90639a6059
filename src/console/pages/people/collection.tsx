// One group or watchlist: its members, adding and removing them, deleting it.
import { useState, type ReactNode } from 'react';
import { useAction, useQuery } from '../../api/hooks.js';
import { usePages } from '../../api/use-pages.js';
import { shortId } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { ListFoot } from '../../kit/list-foot.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { Allowed } from '../../tenant/allowed.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { t } from '../../text/people.js';
import { t as shell } from '../../text/shell.js';
import { PartyPicker } from '../biosec/party-picker.js';
import type { PageProps } from '../page.js';
import { collectionKinds, listParties, partyKinds, type CollectionKind, type Party } from './kinds.js';

export function GroupPage({ params }: PageProps): ReactNode {
  return <CollectionPage kind="group" gkId={params['gkId'] ?? ''} />;
}
export function WatchlistPage({ params }: PageProps): ReactNode {
  return <CollectionPage kind="watchlist" gkId={params['gkId'] ?? ''} />;
}

function CollectionPage({ kind, gkId }: { kind: CollectionKind; gkId: string }): ReactNode {
  const { text, path, read: readDetails, remove, needs } = collectionKinds[kind];
  const read = useReadContext();
  const inSession = useInSession();
  const [open, setOpen] = useState<'add' | 'delete' | undefined>();
  const [round, setRound] = useState(0);
  const details = useQuery(read && `${kind} ${gkId}`, (signal) => readDetails(read as Context, gkId, signal));
  const id = details.data ?? shortId(gkId);
  const deletion = useAction(async () => {
    await inSession((context) => remove(context, gkId));
    toast(t.deleted(id));
    navigate(`/people?tab=${path}`);
  });
  return (
    <>
      <PageHead
        title={id}
        crumbs={[{ label: text.title, to: `/people?tab=${path}` }]}
        actions={
          <>
            <Allowed to="Identify">
              <Link
                to={
                  kind === 'group'
                    ? `/voice?tab=identify&group=${gkId}`
                    : `/voice?tab=watchlist&watchlist=${gkId}`
                }
                className="button"
              >
                {t.collection.try}
              </Link>
            </Allowed>
            <Allowed to={needs.remove}>
              <Button kind="danger" onClick={() => setOpen('delete')}>
                {text.delete}
              </Button>
            </Allowed>
          </>
        }
      >
        {text.about}
      </PageHead>
      <div className="stack">
        <Facts
          items={[
            [t.party.systemIdentifier, <Copy key="id" text={gkId} label={t.party.systemIdentifier} wrap />],
          ]}
        />
        <Card
          title={t.collection.members}
          actions={
            <Allowed to={needs.collect}>
              <Button kind="primary" onClick={() => setOpen('add')}>
                {text.addMember}
              </Button>
            </Allowed>
          }
        >
          {details.error ? (
            <ErrorNotice error={details.error} title={shell.loadFailed} />
          ) : read ? (
            <Members key={round} kind={kind} gkId={gkId} id={id} read={read} />
          ) : null}
        </Card>
      </div>
      {open === 'add' ? (
        <AddMember
          kind={kind}
          gkId={gkId}
          to={id}
          onClose={() => setOpen(undefined)}
          onAdded={() => {
            setOpen(undefined);
            setRound((value) => value + 1);
          }}
        />
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title={text.delete}
          word={id}
          consequence={text.deleteText}
          action={text.delete}
          onClose={() => setOpen(undefined)}
          onConfirm={() => void deletion.run()}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
    </>
  );
}

function Members({
  kind,
  gkId,
  id,
  read,
}: {
  kind: CollectionKind;
  gkId: string;
  id: string;
  read: Context;
}): ReactNode {
  const { member, needs, text } = collectionKinds[kind];
  const { path } = partyKinds[member];
  const [leaving, setLeaving] = useState<Member>();
  const pages = usePages({ list: `members ${gkId}`, view: '' }, (pageToken, signal) =>
    listParties(member, read, { memberOf: gkId, pageToken }, signal),
  );
  const isLastVoice = (rows: readonly Member[], leaver: Member): boolean =>
    !pages.hasMore && rows.every((row) => row.gkId === leaver.gkId || row.trained === 0);
  return (
    <div className="stack">
      {leaving ? (
        <RemoveMember
          kind={kind}
          list={{ gkId, id }}
          leaving={leaving}
          isLastVoice={isLastVoice(pages.query.data ?? [], leaving)}
          onClose={() => setLeaving(undefined)}
          onRemoved={() => {
            setLeaving(undefined);
            pages.query.reload();
          }}
        />
      ) : null}
      <Loaded query={pages.query} what={t.collection.loading}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="people" title={t.collection.none}>
              {text.comparesNobody} {t.collection.noneText}
            </EmptyState>
          ) : (
            <>
              <Table
                caption={t.collection.membersOf(id)}
                rows={rows}
                rowKey={(row) => row.gkId}
                columns={[
                  {
                    label: t.columns.identifier,
                    cell: (row) => <Link to={`/people/${path}/${row.gkId}`}>{row.id}</Link>,
                  },
                  { label: t.columns.name, cell: (row) => row.name || shell.none },
                  {
                    label: t.columns.voice,
                    cell: (row) => (
                      <Badge tone={row.trained > 0 ? 'good' : 'warn'}>
                        {row.trained > 0 ? t.trained : t.noTrained}
                      </Badge>
                    ),
                  },
                  {
                    label: shell.actions,
                    actions: true,
                    cell: (row) => (
                      <Allowed to={needs.collect}>
                        <Button
                          size="small"
                          kind="quiet"
                          aria-label={t.collection.removeOne(row.id)}
                          onClick={() => setLeaving(row)}
                        >
                          {t.collection.remove}
                        </Button>
                      </Allowed>
                    ),
                  },
                ]}
              />
              <ListFoot pages={pages} />
            </>
          )
        }
      </Loaded>
    </div>
  );
}

type Member = Pick<Party, 'gkId' | 'id' | 'trained'>;

function RemoveMember({
  kind,
  list,
  leaving,
  isLastVoice,
  onClose,
  onRemoved,
}: {
  kind: CollectionKind;
  list: { gkId: string; id: string };
  leaving: Member;
  /** Nobody would be left to compare with. */
  isLastVoice: boolean;
  onClose: () => void;
  onRemoved: () => void;
}): ReactNode {
  const { removeMember, text } = collectionKinds[kind];
  const inSession = useInSession();
  const removal = useAction(async () => {
    await inSession((context) => removeMember(context, list.gkId, leaving.gkId));
    toast(t.removed(leaving.id, list.id));
    onRemoved();
  });
  return (
    <FormDialog
      title={t.collection.removeFrom(leaving.id, list.id)}
      submitLabel={t.collection.remove}
      danger
      onClose={onClose}
      onSubmit={() => void removal.run()}
      busy={removal.busy}
      error={removal.error}
    >
      <p>{text.removeText(leaving.id, list.id)}</p>
      {isLastVoice ? <Notice tone="warn">{text.removeLast(list.id)}</Notice> : null}
    </FormDialog>
  );
}

function AddMember({
  kind,
  gkId,
  to,
  onClose,
  onAdded,
}: {
  kind: CollectionKind;
  gkId: string;
  to: string;
  onClose: () => void;
  onAdded: () => void;
}): ReactNode {
  const { member, addMember, text } = collectionKinds[kind];
  const { find, text: party, idField } = partyKinds[member];
  const inSession = useInSession();
  const form = useForm({ id: '' }, async (draft) => {
    const id = draft.id.trim();
    await inSession(async (context) => addMember(context, gkId, (await find(context, id)) ?? ''));
    toast(t.added(id));
    onAdded();
  });
  return (
    <FormDialog
      title={t.collection.addTitle(text.addMember, to)}
      submitLabel={t.addButton}
      onClose={onClose}
      disabled={form.draft.id.trim() === ''}
      {...form.submit}
    >
      <PartyPicker
        kind={member}
        label={party.identifierOf}
        onlyKnown
        autoFocus
        {...form.text('id', idField)}
      />
    </FormDialog>
  );
}
