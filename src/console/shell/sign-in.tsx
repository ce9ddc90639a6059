// Shown without a signed-in user: the way to the login page, and the first run.
import { useEffect, type ReactNode } from 'react';
import { leaveForSignIn } from '../api/oauth.js';
import { Button } from '../kit/button.js';
import { Copy } from '../kit/copy.js';
import { fill } from '../kit/fill.js';
import { Mark } from '../kit/icons.js';
import { Notice } from '../kit/notice.js';
import { Wave } from '../kit/wave.js';
import { t } from '../text/shell.js';

const text = t.signIn;

function Gate({ children }: { children: ReactNode }): ReactNode {
  return (
    <main className="gate" id="main">
      <div className="gate-art">
        <span className="brand">
          <Mark />
          Voxgate
        </span>
        <Wave />
        <div>
          <h1>{text.motto}</h1>
          <p>{text.about}</p>
        </div>
      </div>
      <div className="gate-form">{children}</div>
    </main>
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
    document.title = t.pageTitle(firstRun ? text.firstRunTitle : text.title);
  }, [firstRun]);
  const returnTo = location.pathname.startsWith('/console/')
    ? location.pathname + location.search
    : '/console/';
  if (elsewhere) return <Elsewhere issuer={elsewhere} />;
  if (firstRun) return <FirstRun returnTo={returnTo} />;
  return (
    <Gate>
      <h2>{text.heading}</h2>
      <p className="soft">{text.text}</p>
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      {isSecureContext ? null : <Notice tone="bad">{text.insecure}</Notice>}
      <div>
        <Button kind="primary" disabled={!isSecureContext} onClick={() => void leaveForSignIn(returnTo)}>
          {text.button}
        </Button>
      </div>
      <p className="soft small">{fill(text.api, { reference: <a href="/docs">{text.reference}</a> })}</p>
    </Gate>
  );
}

function Elsewhere({ issuer }: { issuer: string }): ReactNode {
  return (
    <Gate>
      <h2>{text.elsewhereHeading}</h2>
      <p>
        {fill(text.elsewhereText, {
          issuer: <code>{issuer}</code>,
          origin: <code>{location.origin}</code>,
          setting: <code>publicUrl</code>,
        })}
      </p>
      <div>
        <a className="button" data-kind="primary" href={`${issuer}/console/`}>
          {text.goTo(new URL(issuer).host)}
        </a>
      </div>
    </Gate>
  );
}

function FirstRun({ returnTo }: { returnTo: string }): ReactNode {
  return (
    <Gate>
      <h2>{text.firstRunHeading}</h2>
      <p>{text.firstRunText}</p>
      <p>{text.linkLost}</p>
      <Copy text="voxgate setup-link" label={text.linkCommand} />
      <div className="row">
        <a className="button" data-kind="primary" href="/setup">
          {text.haveToken}
        </a>
        <Button onClick={() => void leaveForSignIn(returnTo)}>{text.havePassword}</Button>
      </div>
    </Gate>
  );
}

export function WindowDonePage(): ReactNode {
  useEffect(() => window.close(), []);
  return (
    <Gate>
      <h2>{text.windowDone}</h2>
      <p>{text.windowDoneText}</p>
    </Gate>
  );
}
