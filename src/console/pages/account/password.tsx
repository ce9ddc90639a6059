// Changes the user's own password, which ends everything opened with the old one, except in this browser.
import { useState, type FormEvent, type ReactNode } from 'react';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import type { Me } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { Card } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { t } from '../../text/account.js';
import { Credentials } from './credentials.js';

const text = t.password;
const PASSWORD_LENGTH_MIN = 15;

export function Password({ me }: { me: Me }): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [done, setDone] = useState(false);
  const left = PASSWORD_LENGTH_MIN - next.length;
  const change = useAction(async () => {
    await call('ChangePassword', { currentPassword: current, newPassword: next });
    setDone(true);
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void change.run();
  };
  if (done) return <Changed />;
  return (
    <Card title={text.title} hint={text.hint}>
      <form className="stack" onSubmit={submit}>
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        <TextField
          label={text.current}
          type="password"
          autoComplete="current-password"
          value={current}
          onValue={setCurrent}
          error={change.error?.problem('currentPassword')}
        />
        <TextField
          label={text.next}
          type="password"
          autoComplete="new-password"
          value={next}
          onValue={setNext}
          hint={text.nextHint(PASSWORD_LENGTH_MIN)}
          error={next !== '' && left > 0 ? text.toGo(left) : change.error?.problem('newPassword')}
        />
        <TextField
          label={text.again}
          type="password"
          autoComplete="new-password"
          value={again}
          onValue={setAgain}
          error={again !== '' && again !== next ? text.differ : undefined}
        />
        {change.error ? (
          <ErrorNotice error={change.error} shown={['currentPassword', 'newPassword']} />
        ) : null}
        <div>
          <Button
            type="submit"
            kind="primary"
            busy={change.busy}
            disabled={current === '' || left > 0 || again !== next}
          >
            {text.change}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function Changed(): ReactNode {
  return (
    <Card title={text.changed}>
      <div className="stack">
        <p>{text.changedText}</p>
        <Credentials isLeft />
      </div>
    </Card>
  );
}
