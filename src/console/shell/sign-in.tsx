// What is shown without a signed-in user: the way to the login page, the first run, and the dialog that comes
// up when a sign-in ends in the middle of work.
import { useEffect, useState, type ReactNode } from 'react';
import { leaveForSignIn, signInWindowUrl } from '../auth/oauth.js';
import { giveUp, tryAgain } from '../auth/session.js';
import { Button } from '../kit/button.js';
import { Copy } from '../kit/copy.js';
import { Dialog } from '../kit/dialog.js';
import { Mark } from '../kit/icons.js';
import { Notice } from '../kit/notice.js';

function Wave(): ReactNode {
  const bars = Array.from({ length: 61 }, (_unused, index) => {
    const at = index / 60;
    const shape = Math.sin(Math.PI * at) * (0.35 + 0.65 * Math.abs(Math.sin(at * 21) * Math.cos(at * 8.3)));
    return { x: 6 + index * 10, half: 4 + shape * 92, bright: index % 9 === 4 };
  });
  return (
    <svg className="wave" viewBox="0 0 612 210" aria-hidden="true">
      {bars.map(({ x, half, bright }) => (
        <line
          key={x}
          x1={x}
          x2={x}
          y1={105 - half}
          y2={105 + half}
          stroke={bright ? '#f0a35c' : '#4f8a7c'}
          strokeWidth="4"
          strokeLinecap="round"
        />
      ))}
    </svg>
  );
}

function Gate({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="gate">
      <div className="gate-art">
        <span className="brand">
          <Mark />
          Voxgate
        </span>
        <Wave />
        <div>
          <h1>A voice is a key you always carry.</h1>
          <p>
            Open, self-hosted voice biometrics: enroll, verify, watch and understand, on your own machines.
          </p>
        </div>
      </div>
      <main className="gate-form" id="main">
        {children}
      </main>
    </div>
  );
}

export function SignedOutPage({
  firstRun,
  problem,
  elsewhere,
}: {
  firstRun: boolean;
  problem?: string;
  elsewhere?: string;
}): ReactNode {
  useEffect(() => {
    document.title = firstRun ? 'First run - Voxgate' : 'Sign in - Voxgate';
  }, [firstRun]);
  const returnTo = location.pathname.startsWith('/console/')
    ? location.pathname + location.search
    : '/console/';
  if (elsewhere) {
    return (
      <Gate>
        <h2>This server goes by another name</h2>
        <p>
          It signs people in at <code>{elsewhere}</code>, but this browser came by{' '}
          <code>{location.origin}</code>. Set <code>publicUrl</code> if this address is the right one.
        </p>
        <div>
          <a className="button" data-kind="primary" href={`${elsewhere}/console/`}>
            Go to {new URL(elsewhere).host}
          </a>
        </div>
      </Gate>
    );
  }
  if (firstRun) return <FirstRun />;
  return (
    <Gate>
      <h2>Sign in to the console</h2>
      <p className="soft">You will see this server's own login page and come back here.</p>
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <div>
        <Button kind="primary" onClick={() => void leaveForSignIn(returnTo)}>
          Sign in
        </Button>
      </div>
      <p className="soft small">
        Looking for the API? The <a href="/docs">reference</a> is open to everybody.
      </p>
    </Gate>
  );
}

function FirstRun(): ReactNode {
  return (
    <Gate>
      <h2>Welcome. Nobody can sign in here yet.</h2>
      <p>The first administrator is made on the machine where this server runs. Either of these will do:</p>
      <ol>
        <li>
          <strong>Let the server choose a password.</strong> This prints the user name <code>admin</code> and
          a password, once:
          <Copy text="voxgate bootstrap" label="the bootstrap command" />
        </li>
        <li>
          <strong>Or choose it yourself</strong>, if the installation printed a setup token: take it to the
          setup page.
        </li>
      </ol>
      <div className="row">
        <a className="button" data-kind="primary" href="/setup">
          I have a setup token
        </a>
        <Button onClick={() => location.reload()}>I have a password</Button>
      </div>
    </Gate>
  );
}

export function WindowDonePage(): ReactNode {
  useEffect(() => window.close(), []);
  return (
    <Gate>
      <h2>You are signed in again</h2>
      <p>Close this window and go on where you were.</p>
    </Gate>
  );
}

/** Over the page, which stays as it is: forms keep what was typed and are sent after the sign-in. */
export function ExpiredDialog({ username }: { username: string }): ReactNode {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    void signInWindowUrl().then(setUrl);
  }, []);
  return (
    <Dialog title="Please sign in again" onClose={giveUp}>
      <p>
        Your session has ended. Sign in as <strong>{username}</strong> in a second window; this page keeps
        everything you typed and carries on by itself.
      </p>
      <div className="dialog-foot">
        <Button onClick={() => void tryAgain()}>I have signed in</Button>
        <a className="button" data-kind="primary" href={url} target="voxgate-sign-in">
          Sign in
        </a>
      </div>
    </Dialog>
  );
}
