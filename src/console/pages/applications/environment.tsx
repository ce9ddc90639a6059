// One environment: its application ID, clients, tenants, requests, and the files that a program starts from.
import { useState, type ReactNode } from 'react';
import type { EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { changedMask } from '../../kit/changed.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Facts, PageHead } from '../../kit/layout.js';
import { Loaded, Notice } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';
import type { PageProps } from '../page.js';
import { Clients } from './clients.js';
import { Downloads } from './downloads.js';
import { Geographies } from './environments.js';
import { nameOf } from './model.js';
import { Requests } from './requests.js';
import { Tenants } from './tenants.js';
import { Urns } from './urns.js';
import './applications.css';

const text = t.environment;

export function EnvironmentPage({ params }: PageProps): ReactNode {
  const isAdmin = isAdministrator(useMe());
  const applicationId = params['applicationId'] ?? '';
  const appId = params['appId'] ?? '';
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const application = useQuery(
    `application ${applicationId}`,
    async (signal) => (await call('GetApplication', { applicationId }, signal)).application ?? {},
  );
  const environment = useQuery(
    `environment ${appId}`,
    async (signal) => (await call('GetEnvironment', { appId }, signal)).environment ?? {},
  );
  const isOwner = application.data?.callerRole === 'APPLICATION_ROLE_OWNER';
  const mayChange = isOwner || isAdmin;
  const applicationName = application.data ? nameOf(application.data) : t.application.title;
  return (
    <>
      <PageHead
        title={environment.data ? `${applicationName} ${nameOf(environment.data)}` : text.title}
        crumbs={[
          { label: t.title, to: '/applications' },
          { label: applicationName, to: `/applications/${applicationId}` },
        ]}
        actions={
          mayChange && environment.data ? (
            <>
              <Button onClick={() => setDialog('edit')}>{text.rename}</Button>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                {text.delete}
              </Button>
            </>
          ) : null
        }
      />
      <Loaded query={environment}>
        {(loaded) => (
          <div className="stack" data-loose>
            {loaded.gkScopeIds?.length ? null : (
              <Notice tone="warn" title={text.noTenant}>
                <span>{isAdmin ? text.noTenantAdmin : text.noTenantMember}</span>
              </Notice>
            )}
            <Facts
              items={[
                [
                  t.application.applicationId,
                  <Copy key="id" text={appId} label={t.application.applicationIdOf(nameOf(loaded))} wrap />,
                ],
                [t.application.geographies, <Geographies key="geo" geographies={loaded.geographies ?? []} />],
                [text.contextTag, <code key="tag">{loaded.contextTag || shell.none}</code>],
              ]}
            />
            <EnvironmentTabs
              environment={loaded}
              isOwner={isOwner}
              mayChange={mayChange}
              onChanged={environment.setData}
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

/** Whether programs with this scope name models, dialogs or wordsets. */
const namesResources = (scope: string): boolean => /^(asr|nlu|dlg)/.test(scope);

function EnvironmentTabs({
  environment,
  isOwner,
  mayChange,
  onChanged,
}: {
  environment: EnvironmentJson;
  isOwner: boolean;
  mayChange: boolean;
  onChanged: (environment: EnvironmentJson) => void;
}): ReactNode {
  const { appId } = environment;
  const clients = useQuery(`scopes ${appId ?? ''}`, (signal) => call('ListClients', { appId }, signal));
  const scopes = clients.data?.clients?.flatMap(({ allowedScopes = [] }) => allowedScopes) ?? [];
  return (
    <Tabs
      label={text.title}
      tabs={[
        {
          id: 'clients',
          label: text.tabs.clients,
          content: () => <Clients environment={environment} isOwner={isOwner} mayChange={mayChange} />,
        },
        {
          id: 'tenants',
          label: text.tabs.tenants,
          content: () => <Tenants environment={environment} onChanged={onChanged} />,
        },
        {
          id: 'requests',
          label: text.tabs.requests,
          content: () => <Requests environment={environment} />,
        },
        {
          id: 'downloads',
          label: text.tabs.downloads,
          content: () => <Downloads environment={environment} scopes={scopes} />,
        },
        ...(scopes.some(namesResources)
          ? [{ id: 'urns', label: text.tabs.urns, content: () => <Urns environment={environment} /> }]
          : []),
      ]}
    />
  );
}

function EditDialog({
  environment,
  onClose,
  onDone,
}: {
  environment: EnvironmentJson;
  onClose: () => void;
  onDone: (environment: EnvironmentJson) => void;
}): ReactNode {
  const form = useForm(
    { name: nameOf(environment), contextTag: environment.contextTag ?? '' },
    async ({ name, contextTag }) => {
      const before = { name: environment.name ?? '', contextTag: environment.contextTag ?? '' };
      const after = { name: name.trim(), contextTag: contextTag.trim() };
      const fieldMask = changedMask(before, after);
      const { appId } = environment;
      const request = { appId, ...after, expected: environment, fieldMask };
      const answer = fieldMask ? await call('UpdateEnvironment', request) : {};
      toast(text.saved);
      onDone({ ...environment, ...answer.environment });
    },
  );
  return (
    <FormDialog
      title={text.renameTitle(nameOf(environment))}
      onClose={onClose}
      submitLabel={text.save}
      {...form.submit}
    >
      <TextField label={t.fields.environment} autoFocus {...form.text('name')} />
      <TextField
        label={text.contextTag}
        hint={text.contextTagHint}
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
  environment: EnvironmentJson;
  onClose: () => void;
}): ReactNode {
  const name = nameOf(environment);
  const remove = useAction(async () => {
    await call('DeleteEnvironment', { appId: environment.appId });
    toast(text.deleted(name));
    navigate(`/applications/${environment.applicationId ?? ''}`, { replace: true });
  });
  return (
    <ConfirmDialog
      title={text.deleteTitle(name)}
      word={name}
      consequence={text.deleteText}
      action={text.delete}
      onClose={onClose}
      onConfirm={() => void remove.run()}
      busy={remove.busy}
      error={remove.error}
    />
  );
}
