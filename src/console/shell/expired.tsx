// The dialog over a page whose sign-in has ended: signing in again in a second window keeps everything that was typed.
import { useEffect, useState, type ReactNode } from 'react';
import { signInWindowUrl } from '../api/oauth.js';
import { giveUp, tryAgain } from '../api/session.js';
import { Button } from '../kit/button.js';
import { Dialog } from '../kit/dialog.js';
import { fill } from '../kit/fill.js';
import { t } from '../text/shell.js';

const text = t.signIn;

/** Over the page, which stays as it is: forms keep what was typed and are sent after the sign-in. */
export function ExpiredDialog({ username }: { username: string }): ReactNode {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    void signInWindowUrl().then(setUrl);
  }, []);
  return (
    <Dialog
      title={text.again}
      onClose={giveUp}
      foot={
        <>
          <Button onClick={() => void tryAgain()}>{text.haveSignedIn}</Button>
          <a className="button" data-kind="primary" href={url} target="voxgate-sign-in">
            {text.button}
          </a>
        </>
      }
    >
      <p>{fill(text.againText, { username: <strong>{username}</strong> })}</p>
    </Dialog>
  );
}
