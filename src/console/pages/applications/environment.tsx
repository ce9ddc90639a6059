// One environment: its application ID, clients, tenants, and the files a program starts from.
import { useState, type ReactNode } from 'react';
import { del, get } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog } from '../../kit/dialog.js';
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
import './applications.css';

export function EnvironmentPage({ params }: PageProps): ReactNode {
  const me = useMe();
  const applicationId = params['applicationId'] ?? '';
  const appId = params['appId'] ?? '';
  const [deleting, setDeleting] = useState(false);
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
            <Button kind="danger" onClick={() => setDeleting(true)}>
              Delete environment
            </Button>
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
              ]}
            />
          </div>
        )}
      </Loaded>
      {deleting && environment.data ? (
        <DeleteDialog environment={environment.data} onClose={() => setDeleting(false)} />
      ) : null}
    </>
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
