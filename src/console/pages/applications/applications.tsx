// All applications the user may see, and the way to a new one.
import { useState, type ReactNode } from 'react';
import { get, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { plural, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { Icon } from '../../kit/icons.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Link, navigate } from '../../router.js';
import { EnvironmentFields, emptyEnvironment, environmentBody } from './environment-fields.js';
import type { Application, NewClient } from './model.js';
import { SecretsDialog } from './secrets-dialog.js';
import './applications.css';

export function ApplicationsPage(): ReactNode {
  const [search, setSearch] = useState('');
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ application: Application; clients: NewClient[] }>();
  const list = useQuery(`applications ${search}`, (signal) =>
    get<{ applications?: Application[]; nextPageToken?: string }>(
      '/v1/management/applications',
      { pageSize: 200, query: search },
      signal,
    ),
  );
  const open = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" size={16} /> New application
    </Button>
  );
  return (
    <>
      <PageHead title="Applications" actions={open}>
        An application has environments; each environment has an application ID, and client IDs that fetch
        tokens.
      </PageHead>
      <div className="stack">
        <div className="app-search">
          <TextField label="Find by name" type="search" value={search} onValue={setSearch} />
        </div>
        <Loaded query={list}>
          {({ applications = [], nextPageToken }) =>
            applications.length === 0 ? (
              search === '' ? (
                <EmptyState icon="applications" title="No application yet" action={open}>
                  Make one to get the credentials that your program needs.
                </EmptyState>
              ) : (
                <EmptyState icon="applications" title="Nothing by that name">
                  Try a shorter part of the name.
                </EmptyState>
              )
            ) : (
              <>
                <ul className="app-grid">
                  {applications.map((application) => (
                    <li key={application.applicationId}>
                      <ApplicationCard application={application} />
                    </li>
                  ))}
                </ul>
                {nextPageToken ? (
                  <p className="soft small">There are more; narrow the search to see them.</p>
                ) : null}
              </>
            )
          }
        </Loaded>
      </div>
      {creating ? (
        <CreateDialog
          onClose={() => setCreating(false)}
          onCreated={(answer) => {
            setCreating(false);
            setCreated(answer);
          }}
        />
      ) : null}
      {created ? (
        <SecretsDialog
          title={`${created.application.name} is ready`}
          secrets={created.clients.map(({ client, clientSecret = '' }) => ({
            clientId: client.clientId,
            secret: clientSecret,
            scopes: client.allowedScopes ?? [],
          }))}
          onClose={() => navigate(`/applications/${created.application.applicationId}`)}
        />
      ) : null}
    </>
  );
}

function ApplicationCard({ application }: { application: Application }): ReactNode {
  const environments = application.environments ?? [];
  const clients = environments.reduce((sum, environment) => sum + (environment.clientCount ?? 0), 0);
  return (
    <article className="card app-card">
      <h2>
        <Link to={`/applications/${application.applicationId}`}>{application.name}</Link>
      </h2>
      <div className="row">
        {environments.map((environment) => (
          <Badge key={environment.appId} plain tone="accent">
            {environment.name}
          </Badge>
        ))}
      </div>
      <p className="soft small">
        {plural(environments.length, 'environment')}, {plural(clients, 'client')}
        {application.callerRole
          ? ` · you are ${words(application.callerRole, 'APPLICATION_ROLE').toLowerCase()}`
          : ''}
      </p>
    </article>
  );
}

function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (answer: { application: Application; clients: NewClient[] }) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState(emptyEnvironment);
  const create = useAction(async () => {
    const answer = await post<{ application: Application; clients?: NewClient[] }>(
      '/v1/management/applications',
      {
        name: name.trim(),
        environments: [environmentBody(environment)],
      },
    );
    onCreated({ application: answer.application, clients: answer.clients ?? [] });
  });
  return (
    <FormDialog
      title="New application"
      onClose={onClose}
      onSubmit={() => void create.run()}
      submitLabel="Create application"
      busy={create.busy}
      error={create.error}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        autoFocus
        required
        error={create.error?.fields.find(({ field }) => field === 'name')?.message}
      />
      <EnvironmentFields draft={environment} onDraft={setEnvironment} error={create.error} />
    </FormDialog>
  );
}
