// All applications that the user may see, and a button for a new one.
import { useState, type ReactNode } from 'react';
import type { ApplicationJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { AnswerOf } from '../../../client/contract.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { FormDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { useFilters, usePaused } from '../../kit/filters.js';
import { Icon } from '../../kit/icons.js';
import { Badge, PageHead } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Link, navigate } from '../../router.js';
import { t } from '../../text/applications.js';
import { t as shell } from '../../text/shell.js';
import {
  EnvironmentFields,
  environmentBody,
  environmentFieldNames,
  useEnvironmentDraft,
} from './environment-fields.js';
import { nameOf, secretsOf } from './model.js';
import { SecretsDialog } from './secrets-dialog.js';
import './applications.css';

export function ApplicationsPage(): ReactNode {
  const filters = useFilters({ q: '' });
  const search = usePaused(filters.values.q.trim());
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<AnswerOf<'CreateApplication'>>();
  // Kept while another search is loading.
  const [mayCreate, setMayCreate] = useState<boolean>();
  const list = useQuery(`applications ${search}`, async (signal) => {
    const found = await call('ListApplications', { pageSize: 200, query: search }, signal);
    setMayCreate(found.mayCreate === true);
    return found;
  });
  // An auditor of the installation may not change anything.
  const mayAsk = useMe().role !== 'USER_ROLE_AUDITOR' && mayCreate === false;
  const open = mayCreate ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" size={16} /> {t.add}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHead title={t.title} actions={open}>
        {t.about}
      </PageHead>
      <div className="stack">
        <div className="app-search">
          <TextField
            label={t.find}
            type="search"
            value={filters.values.q}
            onValue={(q) => filters.set({ q })}
          />
        </div>
        <Loaded query={list}>
          {({ applications = [], nextPageToken }) =>
            applications.length === 0 ? (
              <EmptyState
                icon="applications"
                title={search === '' ? t.none : t.noMatch}
                action={search === '' ? open : undefined}
              >
                {search !== '' ? t.noMatchText : mayAsk ? t.askForOne : t.noneText}
              </EmptyState>
            ) : (
              <>
                <ul className="app-grid">
                  {applications.map((application) => (
                    <li key={application.applicationId}>
                      <ApplicationCard application={application} />
                    </li>
                  ))}
                </ul>
                {mayAsk ? <p className="soft small">{t.askForOne}</p> : null}
                {nextPageToken ? <p className="soft small">{shell.table.narrow}</p> : null}
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
          title={t.ready(created.application?.name ?? '')}
          secrets={secretsOf(created.clients ?? [])}
          onClose={() => navigate(`/applications/${created.application?.applicationId ?? ''}`)}
        />
      ) : null}
    </>
  );
}

function ApplicationCard({ application }: { application: ApplicationJson }): ReactNode {
  const { environments = [], callerRole } = application;
  const clients = environments.reduce((sum, environment) => sum + (environment.clientCount ?? 0), 0);
  const facts = [
    t.environments(environments.length),
    t.clients(clients),
    ...(callerRole ? [t.youAre(t.roles[callerRole])] : []),
  ];
  return (
    <article className="card app-card">
      <h2>
        <Link to={`/applications/${application.applicationId ?? ''}`}>{nameOf(application)}</Link>
      </h2>
      <div className="row">
        {environments.map((environment) => (
          <Badge key={environment.appId} plain tone="accent">
            {nameOf(environment)}
          </Badge>
        ))}
      </div>
      <p className="soft small">{facts.join(' · ')}</p>
    </article>
  );
}

function CreateDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (answer: AnswerOf<'CreateApplication'>) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useEnvironmentDraft('development');
  const create = useAction(async () => {
    const environments = [environmentBody(environment)];
    onCreated(await call('CreateApplication', { name: name.trim(), environments }));
  });
  return (
    <FormDialog
      title={t.add}
      onClose={onClose}
      onSubmit={() => void create.run()}
      submitLabel={t.create}
      disabled={environment.purposes.length === 0}
      busy={create.busy}
      error={create.error}
      shown={environmentFieldNames}
    >
      <TextField
        label={t.name}
        value={name}
        onValue={setName}
        autoFocus
        required
        error={create.error?.fields.find(({ field }) => field === 'name')?.message}
      />
      <EnvironmentFields isFirst draft={environment} onDraft={setEnvironment} error={create.error} />
    </FormDialog>
  );
}
