// Engagement API: its clients, and the customer sites they may touch.
import { useState, type ReactNode } from 'react';
import { del, get, post, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { Link } from '../../router.js';
import { LockDialog } from '../applications/client-dialogs.js';
import { splitList } from '../applications/model.js';
import { SecretsDialog, type ShownSecret } from '../applications/secrets-dialog.js';
import { ENGAGEMENT, ENGAGEMENT_SCOPES, sitePath, type EngagementClient, type Site } from './model.js';
import { TimeZoneField } from './time-zone.js';

export function EngagementPage(): ReactNode {
  return (
    <>
      <PageHead title="Engagement">
        Clients of the customer-engagement API, and the sites, agents and opening hours behind its
        availability answers.
      </PageHead>
      <Tabs
        label="Engagement"
        tabs={[
          { id: 'clients', label: 'Clients', content: () => <Clients /> },
          { id: 'sites', label: 'Sites', content: () => <Sites /> },
        ]}
      />
    </>
  );
}

const clientPath = (id: string): string => `${ENGAGEMENT}/clients/${encodeURIComponent(id)}`;
const loadSites = async (signal: AbortSignal): Promise<Site[]> =>
  (await get<{ sites?: Site[] }>(`${ENGAGEMENT}/sites`, {}, signal)).sites ?? [];

function Clients(): ReactNode {
  const [registering, setRegistering] = useState(false);
  const [locking, setLocking] = useState<EngagementClient>();
  const [shown, setShown] = useState<ShownSecret & { title: string }>();
  const list = useQuery(
    'engagement-clients',
    async (signal) =>
      (await get<{ clients?: EngagementClient[] }>(`${ENGAGEMENT}/clients`, {}, signal)).clients ?? [],
  );
  const unlock = useAction(async (client: EngagementClient) => {
    await del(`${clientPath(client.clientId)}/lock`);
    toast(`${client.name} is open again.`);
    list.reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setRegistering(true)}>
      Register a client
    </Button>
  );
  return (
    <div className="stack">
      {unlock.error ? <ErrorNotice error={unlock.error} /> : null}
      <Loaded query={list}>
        {(clients) =>
          clients.length === 0 ? (
            <EmptyState icon="engagement" title="No engagement client yet" action={add}>
              A client asks whether agents are available on the sites you give it.
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <Table
                caption="Engagement clients"
                rows={clients}
                rowKey={(client) => client.clientId}
                columns={[
                  {
                    label: 'Client',
                    cell: (client) => (
                      <div className="stack" data-tight>
                        <strong>{client.name}</strong>
                        <Copy text={client.clientId} label={`client ID ${client.name}`} wrap />
                      </div>
                    ),
                  },
                  {
                    label: 'Sites',
                    cell: (client) => (
                      <span className="row">
                        {(client.sites ?? []).map((site) => (
                          <Badge key={site} plain>
                            {site}
                          </Badge>
                        ))}
                      </span>
                    ),
                  },
                  {
                    label: 'Scopes',
                    cell: (client) => <span className="small">{(client.scopes ?? []).join(' ')}</span>,
                  },
                  {
                    label: 'State',
                    cell: (client) =>
                      client.locked ? <Badge tone="bad">Locked</Badge> : <Badge tone="good">Active</Badge>,
                  },
                  { label: 'Last token', cell: (client) => relativeTime(client.lastUsedTimestamp) },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (client) =>
                      client.locked ? (
                        <Button size="small" busy={unlock.busy} onClick={() => void unlock.run(client)}>
                          Unlock
                        </Button>
                      ) : (
                        <Button size="small" kind="danger" onClick={() => setLocking(client)}>
                          Lock
                        </Button>
                      ),
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
      {registering ? (
        <RegisterDialog
          onClose={() => setRegistering(false)}
          onRegistered={(secret) => {
            setRegistering(false);
            setShown(secret);
            list.reload();
          }}
        />
      ) : null}
      {locking ? (
        <LockDialog
          name={locking.name}
          lock={(reason) => put(`${clientPath(locking.clientId)}/lock`, { reason })}
          onClose={() => setLocking(undefined)}
          onDone={() => {
            setLocking(undefined);
            list.reload();
          }}
        />
      ) : null}
      {shown ? (
        <SecretsDialog title={shown.title} secrets={[shown]} onClose={() => setShown(undefined)} />
      ) : null}
    </div>
  );
}

function RegisterDialog({
  onClose,
  onRegistered,
}: {
  onClose: () => void;
  onRegistered: (secret: ShownSecret & { title: string }) => void;
}): ReactNode {
  const sites = useQuery('sites', loadSites);
  const known = sites.data ?? [];
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string[]>([]);
  const [other, setOther] = useState('');
  const [scopes, setScopes] = useState<string[]>(ENGAGEMENT_SCOPES);
  const register = useAction(async () => {
    const { client, clientSecret } = await post<{ client: EngagementClient; clientSecret: string }>(
      `${ENGAGEMENT}/clients`,
      {
        name: name.trim(),
        sites: [...new Set([...chosen, ...splitList(other)])],
        scopes,
      },
    );
    onRegistered({ title: `${client.name} is registered`, clientId: client.clientId, secret: clientSecret });
  });
  return (
    <FormDialog
      title="Register an engagement client"
      onClose={onClose}
      onSubmit={() => void register.run()}
      submitLabel="Register"
      busy={register.busy}
      error={register.error}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        autoFocus
        error={register.error?.problem('name')}
      />
      {known.length > 0 ? (
        <CheckGroup
          label="Sites"
          options={known.map((site) => ({
            value: site.siteId,
            label: site.name ? `${site.name} (${site.siteId})` : site.siteId,
          }))}
          value={chosen}
          onValue={setChosen}
          error={register.error?.problem('sites')}
        />
      ) : null}
      <TextField
        label={known.length > 0 ? 'Other site IDs' : 'Site IDs'}
        hint="Separated by commas. Its tokens may touch these sites only."
        optional={known.length > 0}
        value={other}
        onValue={setOther}
        error={known.length > 0 ? undefined : register.error?.problem('sites')}
      />
      <CheckGroup
        label="What it may ask"
        options={ENGAGEMENT_SCOPES.map((value) => ({ value, label: value }))}
        value={scopes}
        onValue={setScopes}
      />
    </FormDialog>
  );
}

function Sites(): ReactNode {
  const [editing, setEditing] = useState<Site | 'new'>();
  const [deleting, setDeleting] = useState<Site>();
  const list = useQuery('sites', loadSites);
  const remove = useAction(async (site: Site) => {
    await del(sitePath(site.siteId));
    setDeleting(undefined);
    toast(`Site ${site.siteId} is deleted.`);
    list.reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      New site
    </Button>
  );
  return (
    <div className="stack">
      <Loaded query={list}>
        {(sites) =>
          sites.length === 0 ? (
            <EmptyState icon="engagement" title="No site yet" action={add}>
              A site has business units, agent groups, agents and hours of operation.
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <Table
                caption="Sites"
                rows={sites}
                rowKey={(site) => site.siteId}
                columns={[
                  {
                    label: 'Site',
                    cell: (site) => (
                      <Link to={`/engagement/sites/${encodeURIComponent(site.siteId)}`}>
                        {site.name || site.siteId}
                      </Link>
                    ),
                  },
                  { label: 'Site ID', cell: (site) => <code>{site.siteId}</code> },
                  { label: 'Time zone', cell: (site) => site.timeZone || 'UTC' },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (site) => (
                      <>
                        <Button size="small" onClick={() => setEditing(site)}>
                          Edit
                        </Button>
                        <Button size="small" kind="danger" onClick={() => setDeleting(site)}>
                          Delete
                        </Button>
                      </>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
      {editing ? (
        <SiteDialog
          site={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            list.reload();
          }}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete site ${deleting.siteId}?`}
          word={deleting.siteId}
          consequence="Its business units, agent groups, agents and hours go with it."
          action="Delete site"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </div>
  );
}

function SiteDialog({
  site,
  onClose,
  onDone,
}: {
  site: Site | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [siteId, setSiteId] = useState(site?.siteId ?? '');
  const [name, setName] = useState(site?.name ?? '');
  const [timeZone, setTimeZone] = useState(
    site?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const save = useAction(async () => {
    await put(sitePath(siteId.trim()), { site: { siteId: siteId.trim(), name: name.trim(), timeZone } });
    toast('The site is saved.');
    onDone();
  });
  return (
    <FormDialog
      title={site ? `Edit ${site.siteId}` : 'New site'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save site"
      busy={save.busy}
      error={save.error}
      disabled={siteId.trim() === ''}
    >
      {site ? null : (
        <TextField
          label="Site ID"
          hint="Letters, digits and . _ -"
          value={siteId}
          onValue={setSiteId}
          autoFocus
          spellCheck={false}
          error={save.error?.problem('siteId')}
        />
      )}
      <TextField label="Name" value={name} onValue={setName} error={save.error?.problem('name')} />
      <TimeZoneField value={timeZone} onValue={setTimeZone} error={save.error?.problem('timeZone')} />
    </FormDialog>
  );
}
