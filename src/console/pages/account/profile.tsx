// The user's own page: name, language, password and second factor, tooling credentials, sign-ins, and
// programs that may act for the user.
import { useState, type FormEvent, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { replaceUser, useMe, type Me } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Badge, Card, Facts, PageHead } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { Tabs } from '../../kit/tabs.js';
import { toast } from '../../kit/toast.js';
import { useLeaveGuard } from '../../router.js';
import { t } from '../../text/account.js';
import { chooseLanguage, LANGUAGE, languageNames, type Language } from '../../text/language.js';
import { Consents } from './consents.js';
import { Credentials } from './credentials.js';
import { SecondFactors } from './factors.js';
import { Password } from './password.js';
import { LoginSessions } from './sessions.js';

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
          { id: 'factors', label: text.tabs.factors, content: () => <SecondFactors /> },
          { id: 'sessions', label: text.tabs.sessions, content: () => <LoginSessions /> },
          { id: 'consents', label: text.tabs.consents, content: () => <Consents /> },
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
    replaceUser(user);
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
