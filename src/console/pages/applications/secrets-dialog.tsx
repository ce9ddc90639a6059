// Secrets, the one time they can be seen: each with a copy button and the curl line that proves it works.
import { useState, type ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Checkbox } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { tokenCurl } from './model.js';

export interface ShownSecret {
  clientId: string;
  secret: string;
  /** For the curl line; none for clients that get tokens in another way. */
  scopes?: readonly string[];
  /** Instead of the usual line. */
  curl?: string;
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
  const [stored, setStored] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} wide closable={stored}>
      <Notice tone="warn" title="Shown only now">
        <span>The server keeps a hash, not the secret. Store it in a safe place before you close this.</span>
      </Notice>
      {note}
      {secrets.map(({ clientId, secret, scopes, curl }) => (
        <div key={clientId} className="stack" data-tight>
          <div>
            <div className="field-label">Client ID</div>
            <Copy text={clientId} label="client ID" wrap />
          </div>
          <div>
            <div className="field-label">Client secret</div>
            <Copy text={secret} label="client secret" wrap />
          </div>
          {curl || scopes ? (
            <div>
              <div className="field-label">Fetch a token</div>
              <Copy
                text={curl ?? tokenCurl(clientId, secret, scopes ?? [])}
                label="curl command with the secret"
                block
              />
            </div>
          ) : null}
        </div>
      ))}
      <Checkbox label="I have stored it" checked={stored} onChecked={setStored} />
      <div className="dialog-foot">
        <Button kind="primary" disabled={!stored} onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
