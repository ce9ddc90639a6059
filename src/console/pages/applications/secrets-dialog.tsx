// Shows secrets the only time they can be seen: each with a copy button and a curl command that proves it
// works.
import type { ReactNode } from 'react';
import { Copy } from '../../kit/copy.js';
import { OnceDialog } from '../../kit/once-dialog.js';
import { t } from '../../text/applications.js';
import { tokenCurl } from './curl.js';

const text = t.secrets;

export interface ShownSecret {
  clientId: string;
  secret: string;
  /** For the curl command; absent for clients that get tokens in another way. */
  scopes?: readonly string[];
}

export function SecretsDialog({
  title,
  secrets,
  note,
  onClose,
}: {
  title: string;
  secrets: readonly ShownSecret[];
  note?: ReactNode;
  onClose: () => void;
}): ReactNode {
  return (
    <OnceDialog title={title} text={text} onClose={onClose}>
      {note}
      {secrets.map(({ clientId, secret, scopes }) => (
        <div key={clientId} className="stack" data-tight>
          <div>
            <div className="field-label">{text.clientId}</div>
            <Copy text={clientId} label={text.clientIdLabel} wrap />
          </div>
          <div>
            <div className="field-label">{text.secret}</div>
            <Copy text={secret} label={text.secretLabel} wrap />
          </div>
          {scopes ? (
            <div>
              <div className="field-label">{text.fetchToken}</div>
              <Copy text={tokenCurl(clientId, secret, scopes)} label={text.curl} block />
            </div>
          ) : null}
        </div>
      ))}
    </OnceDialog>
  );
}
