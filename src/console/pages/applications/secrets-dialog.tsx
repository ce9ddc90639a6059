// Secrets, the one time they can be seen: each with a copy button and the curl line that proves it works.
import { useState, type ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { Copy } from '../../kit/copy.js';
import { Dialog } from '../../kit/dialog.js';
import { Checkbox } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { t } from '../../text/applications.js';
import { tokenCurl } from './curl.js';

const text = t.secrets;

export interface ShownSecret {
  clientId: string;
  secret: string;
  /** For the curl line; none for clients that get tokens in another way. */
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
  const [stored, setStored] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      closable={stored}
      foot={
        <>
          <Checkbox label={text.stored} checked={stored} onChecked={setStored} />
          <span className="spacer" />
          <Button kind="primary" disabled={!stored} onClick={onClose}>
            {text.done}
          </Button>
        </>
      }
    >
      <Notice tone="warn" title={text.once}>
        <span>{text.onceText}</span>
      </Notice>
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
    </Dialog>
  );
}
