// The user's own page: who I am, my password, my tooling credentials, where I am signed in.
import { useState, type FormEvent, type ReactNode } from 'react';
import { del, get, patch, put } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { leaveForSignIn } from '../../auth/oauth.js';
import { replaceMe, useMe, type Me } from '../../auth/session.js';
import { dateTime, words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { TextField } from '../../kit/field.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { EmptyState, ErrorNotice, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { useLeaveGuard } from '../../router.js';
import { Credentials } from './credentials.js';

export function ProfilePage(): ReactNode {
  const me = useMe();
  return (
    <>
      <PageHead title="Profile">
        Your account, and the credentials with which your own tools act for you.
      </PageHead>
      <Tabs
        label="Profile"
        tabs={[
          { id: 'account', label: 'Account', content: () => <Account me={me} /> },
          { id: 'credentials', label: 'Tooling credentials', content: () => <Credentials /> },
          { id: 'password', label: 'Password', content: () => <Password me={me} /> },
          { id: 'sessions', label: 'Signed in at', content: () => <Sessions /> },
        ]}
      />
    </>
  );
}

function Account({ me }: { me: Me }): ReactNode {
  const [name, setName] = useState(me.displayName ?? '');
  const changed = name.trim() !== (me.displayName ?? '');
  useLeaveGuard(changed);
  const save = useAction(async () => {
    const answer = await patch<{ user: Me }>('/v1/management/me', {
      displayName: name.trim(),
      fieldMask: 'displayName',
    });
    replaceMe(answer.user);
    setName(answer.user.displayName ?? '');
    toast('Your name is saved.');
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void save.run();
  };
  return (
    <div className="stack">
      <Card title="Account">
        <Facts
          items={[
            ['User name', me.username],
            [
              'Role',
              <Badge key="role" tone="accent">
                {words(me.role, 'USER_ROLE')}
              </Badge>,
            ],
            ['User ID', <Copy key="id" text={me.userId} label="user ID" wrap />],
          ]}
        />
      </Card>
      <Card title="Name" hint="How others see you.">
        <form className="stack" onSubmit={submit}>
          <TextField
            label="Display name"
            value={name}
            onValue={setName}
            error={save.error?.problem('displayName')}
            autoComplete="name"
          />
          {save.error ? <ErrorNotice error={save.error} /> : null}
          <div>
            <Button type="submit" kind="primary" busy={save.busy} disabled={!changed}>
              Save name
            </Button>
          </div>
        </form>
      </Card>
    </div>
  );
}

const PASSWORD_LENGTH_MIN = 12;

function Password({ me }: { me: Me }): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [done, setDone] = useState(false);
  const differ = again !== '' && again !== next;
  const short = next !== '' && next.length < PASSWORD_LENGTH_MIN;
  const change = useAction(async () => {
    await put('/v1/management/me/password', { currentPassword: current, newPassword: next });
    setDone(true);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void change.run();
  };
  if (done) {
    return (
      <Card title="Your password is changed">
        <div className="stack">
          <p>Every session and token of yours has ended, here and elsewhere.</p>
          <div>
            <Button kind="primary" onClick={() => void leaveForSignIn('/console/profile')}>
              Sign in with the new password
            </Button>
          </div>
        </div>
      </Card>
    );
  }
  return (
    <Card title="Change the password" hint="You will be signed out everywhere, and your tooling tokens end.">
      <form className="stack" onSubmit={submit}>
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onValue={setCurrent}
          error={change.error?.problem('currentPassword')}
        />
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          value={next}
          onValue={setNext}
          hint={`At least ${String(PASSWORD_LENGTH_MIN)} characters. A sentence works well.`}
          error={
            short
              ? `Still ${String(PASSWORD_LENGTH_MIN - next.length)} to go.`
              : change.error?.problem('newPassword')
          }
        />
        <TextField
          label="New password again"
          type="password"
          autoComplete="new-password"
          value={again}
          onValue={setAgain}
          error={differ ? 'The two differ.' : undefined}
        />
        {change.error ? <ErrorNotice error={change.error} /> : null}
        <div>
          <Button
            type="submit"
            kind="primary"
            busy={change.busy}
            disabled={current === '' || next.length < PASSWORD_LENGTH_MIN || again !== next}
          >
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

interface LoginSession {
  loginSessionId: string;
  creationTimestamp?: string;
  expiryTimestamp?: string;
}

function Sessions(): ReactNode {
  const [ending, setEnding] = useState<LoginSession>();
  const list = useQuery(
    'login-sessions',
    async (signal) =>
      (await get<{ sessions?: LoginSession[] }>('/v1/management/me/sessions', {}, signal)).sessions ?? [],
  );
  const end = useAction(async (session: LoginSession) => {
    await del(`/v1/management/me/sessions/${encodeURIComponent(session.loginSessionId)}`);
    setEnding(undefined);
    toast('That browser is signed out.');
    list.reload();
  });
  return (
    <div className="stack">
      <Notice>
        Each row is a browser in which you signed in. Ending one also ends the console's tokens, so this page
        may ask you to sign in again.
      </Notice>
      <Loaded query={list}>
        {(sessions) =>
          sessions.length === 0 ? (
            <EmptyState icon="profile" title="No browser is signed in" />
          ) : (
            <Table
              caption="Where you are signed in"
              rows={sessions}
              rowKey={(session) => session.loginSessionId}
              columns={[
                { label: 'Signed in', cell: (session) => dateTime(session.creationTimestamp) },
                { label: 'Ends', cell: (session) => dateTime(session.expiryTimestamp) },
                {
                  label: 'Actions',
                  actions: true,
                  cell: (session) => (
                    <Button size="small" kind="danger" onClick={() => setEnding(session)}>
                      Sign out there
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
          title="Sign that browser out?"
          word="sign out"
          consequence={`It was signed in at ${dateTime(ending.creationTimestamp)}. If it is this browser, you will be asked to sign in again.`}
          action="Sign out there"
          onClose={() => setEnding(undefined)}
          onConfirm={() => void end.run(ending)}
          busy={end.busy}
          error={end.error}
        />
      ) : null}
    </div>
  );
}
