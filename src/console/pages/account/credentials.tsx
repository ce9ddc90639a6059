// Credentials for the tooling interface: programs that act with the permissions of this user.
import { useState, type ReactNode } from 'react';
import { del, get, post } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { dateTime, relativeTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { Checkbox, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, Loaded } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { SecretsDialog, type ShownSecret } from '../applications/secrets-dialog.js';

const PATH = '/v1/management/me/credentials';
const SERVICE = 'TOOLING_CREDENTIAL_TYPE_SERVICE_ACCOUNT';
const USER = 'TOOLING_CREDENTIAL_TYPE_USER_ACCOUNT';

interface Credential {
  clientId: string;
  name: string;
  type: typeof SERVICE | typeof USER;
  redirectUris?: string[];
  public?: boolean;
  hasKeys?: boolean;
  creationTimestamp?: string;
  lastUsedTimestamp?: string;
}

export function Credentials(): ReactNode {
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Credential>();
  const [shown, setShown] = useState<ShownSecret & { title: string }>();
  const list = useQuery(
    'credentials',
    async (signal) => (await get<{ credentials?: Credential[] }>(PATH, {}, signal)).credentials ?? [],
  );
  const remove = useAction(async (credential: Credential) => {
    await del(`${PATH}/${encodeURIComponent(credential.clientId)}`);
    setDeleting(undefined);
    toast(`${credential.name} is deleted.`);
    list.reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      New credential
    </Button>
  );
  return (
    <div className="stack">
      <Loaded query={list}>
        {(credentials) =>
          credentials.length === 0 ? (
            <EmptyState icon="key" title="No tooling credential yet" action={add}>
              Make a service account for scripts and pipelines, or a user account for a program in which you
              sign in yourself.
            </EmptyState>
          ) : (
            <>
              <div className="row">{add}</div>
              <Table
                caption="Tooling credentials"
                rows={credentials}
                rowKey={(credential) => credential.clientId}
                columns={[
                  {
                    label: 'Credential',
                    cell: (credential) => (
                      <div className="stack" data-tight>
                        <strong>{credential.name}</strong>
                        <Copy text={credential.clientId} label={`client ID ${credential.name}`} wrap />
                        {(credential.redirectUris ?? []).map((uri) => (
                          <code key={uri} className="soft">
                            {uri}
                          </code>
                        ))}
                      </div>
                    ),
                  },
                  {
                    label: 'Type',
                    cell: (credential) => (
                      <span className="row">
                        {credential.type === SERVICE ? (
                          <Badge tone="info">Service account</Badge>
                        ) : (
                          <Badge tone="accent">User account</Badge>
                        )}
                        {credential.public ? <Badge plain>Public</Badge> : null}
                        {credential.hasKeys ? <Badge plain>Own keys</Badge> : null}
                      </span>
                    ),
                  },
                  {
                    label: 'Made',
                    whole: true,
                    cell: (credential) => dateTime(credential.creationTimestamp),
                  },
                  { label: 'Last token', cell: (credential) => relativeTime(credential.lastUsedTimestamp) },
                  {
                    label: 'Actions',
                    actions: true,
                    cell: (credential) => (
                      <Button size="small" kind="danger" onClick={() => setDeleting(credential)}>
                        Delete
                      </Button>
                    ),
                  },
                ]}
              />
            </>
          )
        }
      </Loaded>
      {creating ? (
        <NewCredentialDialog
          onClose={() => setCreating(false)}
          onCreated={(secret) => {
            setCreating(false);
            list.reload();
            if (secret) setShown(secret);
          }}
        />
      ) : null}
      {shown ? (
        <SecretsDialog title={shown.title} secrets={[shown]} onClose={() => setShown(undefined)} />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${deleting.name}?`}
          word={deleting.name}
          consequence="Programs that use it stop working at once, also with tokens that are out."
          action="Delete credential"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </div>
  );
}

function NewCredentialDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (secret: (ShownSecret & { title: string }) | undefined) => void;
}): ReactNode {
  const form = useForm(
    { name: '', type: SERVICE as string, redirectUris: '', public: false, withKeys: false, jwksJson: '' },
    async (draft) => {
      const interactive = draft.type === USER;
      const isPublic = interactive && draft.public;
      const { credential, clientSecret } = await post<{ credential: Credential; clientSecret?: string }>(
        PATH,
        {
          name: draft.name.trim(),
          type: draft.type,
          ...(interactive && {
            redirectUris: draft.redirectUris.split(/\s+/).filter(Boolean),
            public: isPublic,
          }),
          ...(draft.withKeys && !isPublic && { jwksJson: draft.jwksJson }),
        },
      );
      if (!clientSecret) {
        toast(
          `${credential.name} is ready. ${credential.hasKeys ? 'It signs with its own keys.' : 'It needs no secret.'}`,
        );
        onCreated(undefined);
        return;
      }
      const curl = [
        `curl -u '${encodeURIComponent(credential.clientId)}:${clientSecret}' \\`,
        '  -d grant_type=client_credentials -d scope=platform-api \\',
        `  ${location.origin}/oauth2/token`,
      ].join('\n');
      onCreated({
        title: `${credential.name} is ready`,
        clientId: credential.clientId,
        secret: clientSecret,
        ...(interactive ? {} : { curl }),
      });
    },
  );
  const { type, withKeys } = form.draft;
  const isPublic = type === USER && form.draft.public;
  return (
    <FormDialog
      title="New tooling credential"
      onClose={onClose}
      submitLabel="Create credential"
      {...form.submit}
    >
      <TextField label="Name" autoFocus {...form.text('name')} />
      <SelectField
        label="Type"
        hint={
          type === SERVICE
            ? 'For a program without a user: client credentials.'
            : 'For a program in which you sign in: authorization code with PKCE.'
        }
        options={[
          { value: SERVICE, label: 'Service account' },
          { value: USER, label: 'User account' },
        ]}
        {...form.text('type')}
      />
      {type === USER ? (
        <>
          <TextArea
            label="Redirect URIs"
            hint="One on each line; compared exactly."
            spellCheck={false}
            {...form.text('redirectUris')}
          />
          <Checkbox
            label="The program cannot keep a secret"
            hint="Browser and desktop programs: no secret, PKCE only."
            {...form.flag('public')}
          />
        </>
      ) : null}
      {isPublic ? null : (
        <Checkbox
          label="Sign with own keys instead of a secret"
          hint="private_key_jwt: the server holds public keys only."
          {...form.flag('withKeys')}
        />
      )}
      {withKeys && !isPublic ? (
        <TextArea
          label="Public keys (JWK set)"
          spellCheck={false}
          className="input mono"
          placeholder='{"keys":[{"kty":"EC", …}]}'
          {...form.text('jwksJson')}
        />
      ) : null}
    </FormDialog>
  );
}
