// One environment: its application ID, clients, tenants, and the files a program starts from.
import { useState, type ReactNode } from 'react';
import { del, get, patch } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, Facts, PageHead } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import type { PageProps } from '../registry.js';
import { Clients } from './clients.js';
import { Downloads } from './downloads.js';
import { applicationPath, environmentPath, type Application, type Environment } from './model.js';
import { Tenants } from './tenants.js';
import { Urns } from './urns.js';
import './applications.css';

export function EnvironmentPage({ params }: PageProps): ReactNode {
  const me = useMe();
  const applicationId = params['applicationId'] ?? '';
  const appId = params['appId'] ?? '';
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const application = useQuery(
    `application ${applicationId}`,
    async (signal) =>
      (await get<{ application: Application }>(applicationPath(applicationId), {}, signal)).application,
  );
  const environment = useQuery(
    `environment ${appId}`,
    async (signal) =>
      (await get<{ environment: Environment }>(environmentPath(appId), {}, signal)).environment,
  );
  const isOwner = application.data?.callerRole === 'APPLICATION_ROLE_OWNER';
  const mayChange = isOwner || isAdministrator(me);
  return (
    <>
      <PageHead
        title={
          environment.data ? `${application.data?.name ?? ''} ${environment.data.name}`.trim() : 'Environment'
        }
        crumbs={[
          { label: 'Applications', to: '/applications' },
          { label: application.data?.name ?? 'Application', to: `/applications/${applicationId}` },
        ]}
        actions={
          mayChange && environment.data ? (
            <>
              <Button onClick={() => setDialog('edit')}>Rename</Button>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                Delete environment
              </Button>
            </>
          ) : null
        }
      />
      <Loaded query={environment}>
        {(loaded) => (
          <div className="stack" data-loose>
            <Facts
              items={[
                ['Application ID', <Copy key="id" text={loaded.appId} label="application ID" wrap />],
                [
                  'Geographies',
                  <span key="geo" className="row">
                    {(loaded.geographies ?? []).map((geography) => (
                      <Badge key={geography} plain>
                        {geography}
                      </Badge>
                    ))}
                  </span>,
                ],
                ['Context tag', <code key="tag">{loaded.contextTag || '-'}</code>],
              ]}
            />
            <Tabs
              label="Environment"
              tabs={[
                {
                  id: 'clients',
                  label: 'Client IDs',
                  content: () => <Clients environment={loaded} isOwner={isOwner} mayChange={mayChange} />,
                },
                {
                  id: 'tenants',
                  label: 'Tenants',
                  content: () => <Tenants environment={loaded} onChanged={environment.setData} />,
                },
                { id: 'downloads', label: 'Downloads', content: () => <Downloads environment={loaded} /> },
                { id: 'urns', label: 'Resource names', content: () => <Urns environment={loaded} /> },
              ]}
            />
          </div>
        )}
      </Loaded>
      {dialog === 'edit' && environment.data ? (
        <EditDialog
          environment={environment.data}
          onClose={() => setDialog(undefined)}
          onDone={(changed) => {
            setDialog(undefined);
            environment.setData(changed);
          }}
        />
      ) : null}
      {dialog === 'delete' && environment.data ? (
        <DeleteDialog environment={environment.data} onClose={() => setDialog(undefined)} />
      ) : null}
    </>
  );
}

function EditDialog({
  environment,
  onClose,
  onDone,
}: {
  environment: Environment;
  onClose: () => void;
  onDone: (environment: Environment) => void;
}): ReactNode {
  const form = useForm(
    { name: environment.name, contextTag: environment.contextTag ?? '' },
    async ({ name, contextTag }) => {
      const answer = await patch<{ environment: Environment }>(environmentPath(environment.appId), {
        name: name.trim(),
        contextTag: contextTag.trim(),
        fieldMask: 'name,contextTag',
      });
      toast('The environment is saved.');
      onDone({ ...environment, ...answer.environment });
    },
  );
  return (
    <FormDialog
      title={`Rename ${environment.name}`}
      onClose={onClose}
      submitLabel="Save environment"
      {...form.submit}
    >
      <TextField label="Environment" autoFocus {...form.text('name')} />
      <TextField
        label="Context tag"
        hint="Part of every URN of this environment: programs that hold such a name need the new one."
        spellCheck={false}
        {...form.text('contextTag')}
      />
    </FormDialog>
  );
}

function DeleteDialog({
  environment,
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}): ReactNode {
  const remove = useAction(async () => {
    await del(environmentPath(environment.appId));
    toast(`Environment ${environment.name} is deleted.`);
    navigate(`/applications/${environment.applicationId}`, { replace: true });
  });
  return (
    <ConfirmDialog
      title={`Delete environment ${environment.name}?`}
      word={environment.name}
      consequence="Its application ID and all its clients go with it, and their tokens stop working at once. The last environment stays as long as its application does."
      action="Delete environment"
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
