// Where the user is signed in; ends one session, or all of them.
import { useState, type ReactNode } from 'react';
import type { LoginSessionJson } from '../../../gen/voxgate/management/v1/users_pb.js';
import { call } from '../../api/client.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { signOut } from '../../api/session.js';
import { dateTime } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog } from '../../kit/dialog.js';
import { CheckGroup } from '../../kit/field.js';
import { Badge } from '../../kit/layout.js';
import { EmptyState, Loaded, Notice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { Time } from '../../kit/time.js';
import { toast } from '../../kit/toast.js';
import { t } from '../../text/account.js';
import { t as shell } from '../../text/shell.js';

const text = t.sessions;

export function LoginSessions(): ReactNode {
  const [ending, setEnding] = useState<LoginSessionJson | 'all'>();
  const list = useQuery(
    'login-sessions',
    async (signal) => (await call('ListLoginSessions', {}, signal)).sessions ?? [],
  );
  const [revoked, setRevoked] = useState<string[]>([]);
  const end = useAction(async (which: LoginSessionJson | 'all') => {
    if (which === 'all') {
      for (const clientId of revoked) await call('DeleteToolingCredential', { clientId });
      await call('SignOutEverywhere', {});
      await signOut();
      return;
    }
    await call('RevokeLoginSession', { loginSessionId: which.loginSessionId });
    setEnding(undefined);
    toast(text.done);
    list.reload();
  });
  return (
    <div className="stack">
      <Notice>{text.about}</Notice>
      <Loaded query={list}>
        {(sessions) =>
          sessions.length === 0 ? (
            <EmptyState icon="profile" title={text.none} />
          ) : (
            <Table
              caption={text.caption}
              rows={sessions}
              rowKey={(session) => session.loginSessionId ?? ''}
              columns={[
                {
                  label: text.signedIn,
                  cell: ({ creationTimestamp, isCurrent }) => (
                    <>
                      <Time at={creationTimestamp} />{' '}
                      {isCurrent ? <Badge tone="accent">{text.here}</Badge> : null}
                    </>
                  ),
                },
                { label: text.ends, cell: (session) => <Time at={session.expiryTimestamp} /> },
                {
                  label: shell.actions,
                  actions: true,
                  cell: (session) => (
                    <Button size="small" kind="danger" onClick={() => setEnding(session)}>
                      {text.signOut}
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      <div>
        <Button kind="danger" onClick={() => setEnding('all')}>
          {text.everywhere}
        </Button>
      </div>
      {ending ? (
        <ConfirmDialog
          title={ending === 'all' ? text.everywhereTitle : text.signOutTitle}
          word={text.word}
          consequence={
            ending === 'all' ? (
              <>
                <p>{text.everywhereText}</p>
                <CredentialsToo value={revoked} onValue={setRevoked} />
              </>
            ) : (
              (ending.isCurrent ? text.signOutHere : text.signOutText)(dateTime(ending.creationTimestamp))
            )
          }
          action={ending === 'all' ? text.everywhere : text.signOut}
          onClose={() => setEnding(undefined)}
          onConfirm={() => void end.run(ending)}
          busy={end.busy}
          error={end.error}
        />
      ) : null}
    </div>
  );
}

/** A credential gets new tokens after all others have ended, so somebody else may have made it for that. */
function CredentialsToo(props: { value: readonly string[]; onValue: (value: string[]) => void }): ReactNode {
  const list = useQuery(
    'credentials',
    async (signal) => (await call('ListToolingCredentials', {}, signal)).credentials ?? [],
  );
  if (list.data === undefined || list.data.length === 0) return null;
  const options = list.data.map(({ clientId = '', name = '', creationTimestamp }) => ({
    value: clientId,
    label: text.credential(name, dateTime(creationTimestamp)),
  }));
  return <CheckGroup label={text.credentialsToo} options={options} {...props} />;
}
