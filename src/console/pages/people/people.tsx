// People and watchlists: the four lists, search, and making new entries.
import { useState, type ReactNode } from 'react';
import { get, post } from '../../api/client.js';
import { useQuery } from '../../api/hooks.js';
import { dateTime, plural } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table, type Column } from '../../kit/table.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import { useBiosecContext } from '../../tenant/tenant.js';
import { useInSession } from '../biosec/in-session.js';
import './people.css';
import {
  collection,
  collectionsOf,
  partyKinds,
  partiesOf,
  type CollectionKind,
  type ListAnswer,
  type Party,
  type PartyKind,
} from './kinds.js';

const PAGE = 100;
const MOST = 1000;

export function PeoplePage(): ReactNode {
  return (
    <>
      <PageHead title="People and watchlists">
        Whose voices are known here, in which groups and watchlists they are, and what may be done with them.
      </PageHead>
      <Tabs
        label="Lists"
        tabs={[
          { id: 'persons', label: 'Persons', content: () => <PartyList key="person" kind="person" /> },
          {
            id: 'fraudsters',
            label: 'Fraudsters',
            content: () => <PartyList key="fraudster" kind="fraudster" />,
          },
          { id: 'groups', label: 'Groups', content: () => <CollectionList key="group" kind="group" /> },
          {
            id: 'watchlists',
            label: 'Watchlists',
            content: () => <CollectionList key="watchlist" kind="watchlist" />,
          },
        ]}
      />
    </>
  );
}

function useList(path: string): {
  query: ReturnType<typeof useQuery<ListAnswer>>;
  text: string;
  setText: (text: string) => void;
  size: number;
  more: () => void;
  ready: boolean;
} {
  const { read } = useBiosecContext();
  const [text, setText] = useState('');
  const [size, setSize] = useState(PAGE);
  const query = useQuery(read && `${path} ${read.gkScopeId.value} ${text} ${String(size)}`, (signal) =>
    get<ListAnswer>(`/v1/x/${path}`, { context: read, query: text, pageSize: size }, signal),
  );
  return {
    query,
    text,
    setText,
    size,
    more: () => setSize((value) => Math.min(MOST, value + PAGE)),
    ready: read !== undefined,
  };
}

function Toolbar({
  text,
  setText,
  label,
  onAdd,
  addLabel,
}: {
  text: string;
  setText: (text: string) => void;
  label: string;
  onAdd: () => void;
  addLabel: string;
}): ReactNode {
  return (
    <div className="row people-bar">
      <TextField label={label} type="search" value={text} onValue={setText} />
      <Button kind="primary" onClick={onAdd}>
        {addLabel}
      </Button>
    </div>
  );
}

/** What a list shows of one kind of entry; search, paging and adding are the same for all. */
interface ListView<Row> {
  facts: { path: string; one: string; title: string; idName: string; gkName: string };
  rowsOf: (answer: ListAnswer) => Row[];
  columns: Column<Row>[];
  /** Shown when nothing is found; `searching` tells whether by a search. */
  empty: (searching: boolean) => ReactNode;
}

function EntryList<Row extends { gkId: string }>({
  facts,
  rowsOf,
  columns,
  empty,
}: ListView<Row>): ReactNode {
  const list = useList(facts.path);
  const [adding, setAdding] = useState(false);
  if (!list.ready) return <EmptyState icon="people" title="Choose a tenant first" />;
  return (
    <div className="stack">
      <Toolbar
        text={list.text}
        setText={list.setText}
        label={`Find a ${facts.one}`}
        onAdd={() => setAdding(true)}
        addLabel={`Add a ${facts.one}`}
      />
      <Loaded query={list.query} what={`Loading ${facts.path}`}>
        {(answer) => {
          const rows = rowsOf(answer);
          if (rows.length === 0) return empty(list.text !== '');
          return (
            <>
              <Table caption={facts.title} rows={rows} rowKey={(row) => row.gkId} columns={columns} />
              <More
                shown={rows.length}
                total={answer.total ?? rows.length}
                busy={list.query.busy}
                onMore={list.more}
              />
            </>
          );
        }}
      </Loaded>
      {adding ? (
        <AddDialog
          path={facts.path}
          one={facts.one}
          idName={facts.idName}
          gkName={facts.gkName}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </div>
  );
}

function PartyList({ kind }: { kind: PartyKind }): ReactNode {
  const facts = partyKinds[kind];
  const isPerson = kind === 'person';
  const columns: Column<Party>[] = [
    {
      label: 'Identifier',
      cell: (row) => <Link to={`/people/${facts.path}/${row.gkId}`}>{row.id || '(erased)'}</Link>,
    },
    { label: 'Name', cell: (row) => row.name || '-' },
    { label: 'Voiceprints', cell: (row) => <Prints prints={row.prints} trained={row.trained} /> },
    ...(isPerson ? [{ label: 'Consent', cell: (row: Party) => <Consent status={row.consent} /> }] : []),
    { label: 'Added', cell: (row) => dateTime(row.created) },
  ];
  return (
    <EntryList
      facts={facts}
      rowsOf={(answer) => partiesOf(kind, answer)}
      columns={columns}
      empty={(searching) => (
        <EmptyState
          icon="people"
          title={searching ? 'Nobody by that name' : `No ${facts.path} yet`}
          action={isPerson && !searching ? <Link to="/voice">Record the first voice</Link> : undefined}
        >
          {searching
            ? 'Try a shorter part of the identifier or name.'
            : isPerson
              ? 'Persons appear here when they are enrolled, by your applications or in the voice lab.'
              : 'Add known fraudsters and their voices, then put them on a watchlist.'}
        </EmptyState>
      )}
    />
  );
}

function CollectionList({ kind }: { kind: CollectionKind }): ReactNode {
  const facts = collection[kind];
  return (
    <EntryList
      facts={facts}
      rowsOf={(answer) => collectionsOf(kind, answer)}
      columns={[
        {
          label: 'Identifier',
          cell: (row) => <Link to={`/people/${facts.path}/${row.gkId}`}>{row.id}</Link>,
        },
        { label: 'Members', cell: (row) => plural(row.members, facts.member) },
        { label: 'Added', cell: (row) => dateTime(row.created) },
      ]}
      empty={(searching) => (
        <EmptyState icon="people" title={searching ? 'Nothing by that name' : `No ${facts.path} yet`}>
          {facts.about}
        </EmptyState>
      )}
    />
  );
}

function Prints({ prints, trained }: { prints: number; trained: number }): ReactNode {
  if (prints === 0) return <Badge>none</Badge>;
  return (
    <Badge tone={trained > 0 ? 'good' : 'warn'}>
      {trained > 0 ? plural(trained, 'trained print') : 'not trained'}
    </Badge>
  );
}

export function Consent({ status }: { status: string | undefined }): ReactNode {
  if (status === 'CONSENT_STATUS_OPTED_OUT') return <Badge tone="warn">Opted out</Badge>;
  if (status === 'CONSENT_STATUS_OPTED_IN') return <Badge tone="good">Opted in</Badge>;
  return <Badge>Not asked</Badge>;
}

function More({
  shown,
  total,
  busy,
  onMore,
}: {
  shown: number;
  total: number;
  busy: boolean;
  onMore: () => void;
}): ReactNode {
  return (
    <div className="row">
      <span className="small soft">
        {shown} of {total}
      </span>
      {shown < total && shown < MOST ? (
        <Button size="small" busy={busy} onClick={onMore}>
          Show more
        </Button>
      ) : null}
    </div>
  );
}

function AddDialog({
  path,
  one,
  idName,
  gkName,
  onClose,
}: {
  path: string;
  one: string;
  idName: string;
  gkName: string;
  onClose: () => void;
}): ReactNode {
  const inSession = useInSession();
  const form = useForm({ id: '' }, async (draft) => {
    const id = draft.id.trim();
    const made = await inSession((context) =>
      post<Record<string, { value: string } | undefined>>(`/v1/${path}`, { context, [idName]: id }),
    );
    toast(`${id} is added`);
    navigate(`/people/${path}/${made[gkName]?.value ?? ''}`);
  });
  return (
    <FormDialog
      title={`Add a ${one}`}
      submitLabel="Add"
      onClose={onClose}
      disabled={form.draft.id.trim() === ''}
      {...form.submit}
    >
      <TextField
        label="Identifier"
        hint="Chosen by you; applications use it to name this entry."
        autoFocus
        spellCheck={false}
        {...form.text('id', idName)}
      />
    </FormDialog>
  );
}
