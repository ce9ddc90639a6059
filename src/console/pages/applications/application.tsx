// One application: its environments, its people, its name and its end.
import { useState, type ReactNode } from 'react';
import { del, get, patch, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { plural } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { Link, navigate } from '../../router.js';
import type { PageProps } from '../registry.js';
import { EnvironmentFields, emptyEnvironment, environmentBody } from './environment-fields.js';
import { Members } from './members.js';
import { applicationPath, type Application, type Environment, type NewClient } from './model.js';
import { SecretsDialog } from './secrets-dialog.js';
import './applications.css';

export function ApplicationPage({ params }: PageProps): ReactNode {
  const me = useMe();
  const id = params['applicationId'] ?? '';
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'environment'>();
  const [created, setCreated] = useState<{ environment: Environment; clients: NewClient[] }>();
  const query = useQuery(
    `application ${id}`,
    async (signal) => (await get<{ application: Application }>(applicationPath(id), {}, signal)).application,
  );
  const application = query.data;
  const mayChange = application?.callerRole === 'APPLICATION_ROLE_OWNER' || isAdministrator(me);
  const done = (): void => {
    setDialog(undefined);
    query.reload();
  };
  return (
    <>
      <PageHead
        title={application?.name ?? 'Application'}
        crumbs={[{ label: 'Applications', to: '/applications' }]}
        actions={
          application && mayChange ? (
            <>
              <Button onClick={() => setDialog('rename')}>Rename</Button>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                Delete application
              </Button>
            </>
          ) : null
        }
      />
      <Loaded query={query}>
        {(loaded) => (
          <Tabs
            label="Application"
            tabs={[
              {
                id: 'environments',
                label: 'Environments',
                content: () => (
                  <Environments
                    application={loaded}
                    mayChange={mayChange}
                    onCreate={() => setDialog('environment')}
                  />
                ),
              },
              {
                id: 'members',
                label: 'Members',
                content: () => (
                  <Members application={loaded} mayChange={mayChange} onChanged={query.setData} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {application && dialog === 'rename' ? (
        <RenameDialog application={application} onClose={() => setDialog(undefined)} onDone={done} />
      ) : null}
      {application && dialog === 'delete' ? (
        <DeleteDialog application={application} onClose={() => setDialog(undefined)} />
      ) : null}
      {application && dialog === 'environment' ? (
        <EnvironmentDialog
          application={application}
          onClose={() => setDialog(undefined)}
          onCreated={(answer) => {
            setDialog(undefined);
            setCreated(answer);
          }}
        />
      ) : null}
      {created ? (
        <SecretsDialog
          title={`Environment ${created.environment.name} is ready`}
          secrets={created.clients.map(({ client, clientSecret = '' }) => ({
            clientId: client.clientId,
            secret: clientSecret,
            scopes: client.allowedScopes ?? [],
          }))}
          onClose={() => {
            setCreated(undefined);
            query.reload();
          }}
        />
      ) : null}
    </>
  );
}

function Environments({
  application,
  mayChange,
  onCreate,
}: {
  application: Application;
  mayChange: boolean;
  onCreate: () => void;
}): ReactNode {
  const environments = application.environments ?? [];
  const add = mayChange ? (
    <Button kind="primary" onClick={onCreate}>
      New environment
    </Button>
  ) : null;
  if (environments.length === 0) {
    return (
      <EmptyState icon="applications" title="No environment yet" action={add}>
        An environment gives you an application ID and the first client credentials.
      </EmptyState>
    );
  }
  return (
    <div className="stack">
      {add ? <div className="row">{add}</div> : null}
      {environments.map((environment) => (
        <Card
          key={environment.appId}
          title={environment.name}
          actions={
            <Link
              className="button"
              to={`/applications/${application.applicationId}/environments/${environment.appId}`}
            >
              Clients and downloads
            </Link>
          }
        >
          <Facts
            items={[
              [
                'Application ID',
                <Copy
                  key="id"
                  text={environment.appId}
                  label={`application ID of ${environment.name}`}
                  wrap
                />,
              ],
              [
                'Geographies',
                <span key="geo" className="row">
                  {(environment.geographies ?? []).map((geography) => (
                    <Badge key={geography} plain>
                      {geography}
                    </Badge>
                  ))}
                </span>,
              ],
              ['Clients', plural(environment.clientCount ?? 0, 'client')],
              ['Tenants', plural((environment.gkScopeIds ?? []).length, 'tenant')],
            ]}
          />
        </Card>
      ))}
    </div>
  );
}

function RenameDialog({
  application,
  onClose,
  onDone,
}: {
  application: Application;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const form = useForm({ name: application.name }, async ({ name }) => {
    await patch(applicationPath(application.applicationId), { name: name.trim(), fieldMask: 'name' });
    toast('The application has a new name.');
    onDone();
  });
  return (
    <FormDialog title="Rename application" onClose={onClose} submitLabel="Rename" {...form.submit}>
      <TextField label="Name" autoFocus {...form.text('name')} />
    </FormDialog>
  );
}

function DeleteDialog({
  application,
  onClose,
}: {
  application: Application;
  onClose: () => void;
}): ReactNode {
  const remove = useAction(async () => {
    await del(applicationPath(application.applicationId));
    toast(`${application.name} is deleted.`);
    navigate('/applications', { replace: true });
  });
  return (
    <ConfirmDialog
      title={`Delete ${application.name}?`}
      word={application.name}
      consequence={`Its ${plural((application.environments ?? []).length, 'environment')} and all their clients go with it. Tokens that are out stop working at once. This cannot be undone.`}
      action="Delete application"
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}

function EnvironmentDialog({
  application,
  onClose,
  onCreated,
}: {
  application: Application;
  onClose: () => void;
  onCreated: (answer: { environment: Environment; clients: NewClient[] }) => void;
}): ReactNode {
  const [draft, setDraft] = useState({ ...emptyEnvironment, name: 'production' });
  const create = useAction(async () => {
    const answer = await post<{ environment: Environment; clients?: NewClient[] }>(
      `${applicationPath(application.applicationId)}/environments`,
      {
        environment: environmentBody(draft),
      },
    );
    onCreated({ environment: answer.environment, clients: answer.clients ?? [] });
  });
  return (
    <FormDialog
      title="New environment"
      onClose={onClose}
      onSubmit={() => void create.run()}
      submitLabel="Create environment"
      busy={create.busy}
      error={create.error}
    >
      <EnvironmentFields draft={draft} onDraft={setDraft} error={create.error} />
    </FormDialog>
  );
}
