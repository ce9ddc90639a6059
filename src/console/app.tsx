// Maps the session state to what is shown.
import { useEffect, type ReactNode } from 'react';
import { startSession, useSession } from './api/session.js';
import { PageBoundary } from './boundary.js';
import { Loading } from './kit/notice.js';
import { SignedOutPage, WindowDonePage } from './shell/sign-in.js';
import { SignedIn } from './signed-in.js';
import { t } from './text/shell.js';

export function App(): ReactNode {
  const session = useSession();
  useEffect(() => void startSession(), []);
  switch (session.phase) {
    case 'starting':
      return <Opening />;
    case 'signed-out':
      return <SignedOutPage {...session} />;
    case 'window-done':
      return <WindowDonePage />;
    case 'signed-in':
    case 'expired':
      // The same tree for both states: an expired sign-in must not unmount what the user is typing into.
      return (
        <PageBoundary>
          <SignedIn expired={session.phase === 'expired' ? session : undefined} />
        </PageBoundary>
      );
  }
}

function Opening(): ReactNode {
  return (
    <main className="main">
      <h1 className="visually-hidden">Voxgate</h1>
      <Loading what={t.opening} />
    </main>
  );
}
