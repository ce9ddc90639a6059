// The user's own page: who I am, my language, my password, my tooling credentials, where I am signed in.
import { useState, type FormEvent, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { asMe, replaceMe, useMe, type Me } from '../../api/session.js';
import type { LoginSessionJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { dateTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Tabs } from '../../kit/tabs.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { useLeaveGuard } from '../../router.js';
import { t } from '../../text/account.js';
import { chooseLanguage, LANGUAGE, languageNames, type Language } from '../../text/language.js';
import { t as shell } from '../../text/shell.js';
import { Credentials } from './credentials.js';
import { Password } from './password.js';

const text = t.profile;

export function ProfilePage(): ReactNode {
  const me = useMe();
  return (
    <>
      <PageHead title={text.title}>{text.about}</PageHead>
      <Tabs
        label={text.title}
        tabs={[
          { id: 'account', label: text.tabs.account, content: () => <Account me={me} /> },
          { id: 'credentials', label: text.tabs.credentials, content: () => <Credentials /> },
          { id: 'password', label: text.tabs.password, content: () => <Password me={me} /> },
          { id: 'sessions', label: text.tabs.sessions, content: () => <Sessions /> },
        ]}
      />
    </>
  );
}

function Account({ me }: { me: Me }): ReactNode {
  return (
    <div className="stack">
      <Card title={text.account}>
        <Facts
          items={[
            [text.userName, me.username],
            [
              text.role,
              <Badge key="role" tone="accent">
                {t.roles[me.role ?? 'USER_ROLE_UNSPECIFIED']}
              </Badge>,
            ],
            [text.userId, <Copy key="id" text={me.userId} label={text.userIdLabel} wrap />],
          ]}
        />
      </Card>
      <DisplayName me={me} />
      <Card title={text.language} hint={text.languageHint}>
        <SelectField
          label={text.language}
          value={LANGUAGE}
          onValue={(value) => chooseLanguage(value as Language)}
          options={Object.entries(languageNames).map(([value, label]) => ({ value, label }))}
        />
      </Card>
    </div>
  );
}

function DisplayName({ me }: { me: Me }): ReactNode {
  const [name, setName] = useState(me.displayName ?? '');
  const changed = name.trim() !== (me.displayName ?? '');
  useLeaveGuard(changed);
  const save = useAction(async () => {
    const { user = {} } = await call('UpdateMe', { displayName: name.trim(), fieldMask: 'displayName' });
    replaceMe(asMe(user));
    setName(user.displayName ?? '');
    toast(text.nameSaved);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save.run();
  };
  return (
    <Card title={text.name} hint={text.nameHint}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label={text.displayName}
          value={name}
          onValue={setName}
          error={save.error?.problem('displayName')}
          autoComplete="name"
        />
        {save.error ? <ErrorNotice error={save.error} shown={['displayName']} /> : null}
        <div>
          <Button type="submit" kind="primary" busy={save.busy} disabled={!changed}>
            {text.saveName}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Sessions(): ReactNode {
  const words = t.sessions;
  const [ending, setEnding] = useState<LoginSessionJson>();
  const list = useQuery(
    'login-sessions',
    async (signal) => (await call('ListLoginSessions', {}, signal)).sessions ?? [],
  );
  const end = useAction(async ({ loginSessionId }: LoginSessionJson) => {
    await call('RevokeLoginSession', { loginSessionId });
    setEnding(undefined);
    toast(words.done);
    list.reload();
  });
  return (
    <div className="stack">
      <Notice>{words.about}</Notice>
      <Loaded query={list}>
        {(sessions) =>
          sessions.length === 0 ? (
            <EmptyState icon="profile" title={words.none} />
          ) : (
            <Table
              caption={words.caption}
              rows={sessions}
              rowKey={(session) => session.loginSessionId ?? ''}
              columns={[
                { label: words.signedIn, cell: (session) => <Time at={session.creationTimestamp} /> },
                { label: words.ends, cell: (session) => <Time at={session.expiryTimestamp} /> },
                {
                  label: shell.actions,
                  actions: true,
                  cell: (session) => (
                    <Button size="small" kind="danger" onClick={() => setEnding(session)}>
                      {words.signOut}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {ending ? (
        <ConfirmDialog
          title={words.signOutTitle}
          word={words.word}
          consequence={words.signOutText(dateTime(ending.creationTimestamp))}
          action={words.signOut}
          onClose={() => setEnding(undefined)}
          onConfirm={() => void end.run(ending)}
          busy={end.busy}
          error={end.error}
        />
      ) : null}
    </div>
  );
}
