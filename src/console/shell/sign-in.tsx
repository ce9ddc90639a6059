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
import { Wave } from '../kit/wave.js';

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
      <h2>Welcome. One step to begin.</h2>
      <p>
        Nobody has a password here yet. Open the link that was printed when the server started: there you
        choose one, and come straight back.
      </p>
      <p>Is the link gone? On the machine where the server runs, in its folder, this prints a new one:</p>
      <Copy text="bin/voxgate setup-link" label="the command for a new link" />
      <div className="row">
        <a className="button" data-kind="primary" href="/setup">
          I have the setup token
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
