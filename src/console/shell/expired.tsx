// The dialog over a page whose sign-in has expired: signing in again in a second window keeps everything that
// was typed.
import { useEffect, useState, type ReactNode } from 'react';
import { signInWindowUrl } from '../api/oauth.js';
import { giveUp, tryAgain } from '../api/session.js';
import { Button } from '../kit/button.js';
import { Dialog } from '../kit/dialog.js';
import { fill } from '../kit/fill.js';
import { t } from '../text/shell.js';

const text = t.signIn;

/**
 * The page stays as it is below: forms keep what was typed and are sent after the sign-in. If it is covered,
 * nothing else is visible, and only an explicit button discards what was typed.
 */
export function ExpiredDialog({ username, isCovered }: { username: string; isCovered: boolean }): ReactNode {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    void signInWindowUrl().then(setUrl);
  }, []);
  // The title of a page may contain a person's name.
  useEffect(() => {
    if (!isCovered) return undefined;
    const before = document.title;
    document.title = t.pageTitle(text.title);
    return () => {
      document.title = before;
    };
  }, [isCovered]);
  return (
    <Dialog
      title={text.again}
      onClose={giveUp}
      closable={!isCovered}
      foot={
        <>
          {isCovered ? (
            <Button kind="danger" onClick={giveUp}>
              {text.discardTyped}
            </Button>
          ) : null}
          <Button onClick={() => void tryAgain()}>{text.haveSignedIn}</Button>
          <a className="button" data-kind="primary" href={url} target="voxgate-sign-in">
            {text.button}
          </a>
        </>
      }
    >
      <p>{fill(isCovered ? text.coveredText : text.againText, { username: <strong>{username}</strong> })}</p>
    </Dialog>
  );
}
