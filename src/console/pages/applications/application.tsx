// One application: its environments, its people, its name and its deletion.
import { useState, type ReactNode } from 'react';
import type { ApplicationJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { PageHead } from '../../kit/layout.js';
import { Loaded } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { navigate } from '../../router.js';
import { t } from '../../text/applications.js';
import type { PageProps } from '../page.js';
import {
  EnvironmentFields,
  environmentBody,
  environmentFieldNames,
  useEnvironmentDraft,
} from './environment-fields.js';
import { Environments } from './environments.js';
import { Members } from './members.js';
import { nameOf, secretsOf } from './model.js';
import { SecretsDialog } from './secrets-dialog.js';
import './applications.css';

const text = t.application;

export function ApplicationPage({ params }: PageProps): ReactNode {
  const me = useMe();
  const id = params['applicationId'] ?? '';
  const [dialog, setDialog] = useState<'rename' | 'delete' | 'environment'>();
  const [created, setCreated] = useState<AnswerOf<'CreateEnvironment'>>();
  const query = useQuery(
    `application ${id}`,
    async (signal) => (await call('GetApplication', { applicationId: id }, signal)).application ?? {},
  );
  const application = query.data;
  const mayChange = application?.callerRole === 'APPLICATION_ROLE_OWNER' || isAdministrator(me);
  const close = (): void => setDialog(undefined);
  const done = (): void => {
    close();
    query.reload();
  };
  return (
    <>
      <PageHead
        title={application?.name ?? text.title}
        crumbs={[{ label: t.title, to: '/applications' }]}
        actions={
          application && mayChange ? (
            <>
              <Button onClick={() => setDialog('rename')}>{text.rename}</Button>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                {text.delete}
              </Button>
            </>
          ) : null
        }
      />
      <Loaded query={query}>
        {(loaded) => (
          <Tabs
            label={text.title}
            tabs={[
              {
                id: 'environments',
                label: text.environments,
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
                label: text.members,
                content: () => (
                  <Members application={loaded} mayChange={mayChange} onChanged={query.setData} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {application && dialog === 'rename' ? (
        <RenameDialog application={application} onClose={close} onDone={done} />
      ) : null}
      {application && dialog === 'delete' ? <DeleteDialog application={application} onClose={close} /> : null}
      {application && dialog === 'environment' ? (
        <EnvironmentDialog
          application={application}
          onClose={close}
          onCreated={(answer) => {
            close();
            setCreated(answer);
          }}
        />
      ) : null}
      {created ? (
        <SecretsDialog
          title={text.environmentReady(created.environment?.name ?? '')}
          secrets={secretsOf(created.clients ?? [])}
          onClose={() => {
            setCreated(undefined);
            query.reload();
          }}
        />
      ) : null}
    </>
  );
}

interface DialogProps {
  application: ApplicationJson;
  onClose: () => void;
}

function RenameDialog({ application, onClose, onDone }: DialogProps & { onDone: () => void }): ReactNode {
  const form = useForm({ name: nameOf(application) }, async ({ name }) => {
    const { applicationId } = application;
    await call('UpdateApplication', {
      applicationId,
      name: name.trim(),
      expected: { name: application.name },
      fieldMask: 'name',
    });
    toast(text.renamed);
    onDone();
  });
  return (
    <FormDialog title={text.renameTitle} onClose={onClose} submitLabel={text.rename} {...form.submit}>
      <TextField label={t.name} autoFocus {...form.text('name')} />
    </FormDialog>
  );
}

function DeleteDialog({ application, onClose }: DialogProps): ReactNode {
  const name = nameOf(application);
  const remove = useAction(async () => {
    await call('DeleteApplication', { applicationId: application.applicationId });
    toast(text.deleted(name));
    navigate('/applications', { replace: true });
  });
  return (
    <ConfirmDialog
      title={text.deleteTitle(name)}
      word={name}
      consequence={text.deleteText(application.environments?.length ?? 0)}
      action={text.delete}
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
}: DialogProps & { onCreated: (answer: AnswerOf<'CreateEnvironment'>) => void }): ReactNode {
  const [draft, setDraft] = useEnvironmentDraft('production');
  const create = useAction(async () => {
    const { applicationId } = application;
    onCreated(await call('CreateEnvironment', { applicationId, environment: environmentBody(draft) }));
  });
  return (
    <FormDialog
      title={text.addEnvironment}
      onClose={onClose}
      onSubmit={() => void create.run()}
      submitLabel={text.createEnvironment}
      disabled={draft.purposes.length === 0}
      busy={create.busy}
      error={create.error}
      shown={environmentFieldNames}
    >
      <EnvironmentFields draft={draft} onDraft={setDraft} error={create.error} />
    </FormDialog>
  );
}
