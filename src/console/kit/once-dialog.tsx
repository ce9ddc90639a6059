// A dialog for something that is shown only once: it closes only after the reader has confirmed that it is
// stored.
import { useState, type ReactNode } from 'react';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { Checkbox } from './field.js';
import { Notice } from './notice.js';

export function OnceDialog({
  title,
  text: { once, onceText, stored, done },
  onClose,
  actions,
  children,
}: {
  title: string;
  text: { once: string; onceText: string; stored: string; done: string };
  onClose: () => void;
  /** Further buttons. */
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const [isStored, setStored] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide
      closable={isStored}
      foot={
        <>
          <Checkbox label={stored} checked={isStored} onChecked={setStored} />
          <span className="spacer" />
          {actions}
          <Button kind="primary" disabled={!isStored} onClick={onClose}>
            {done}
          </Button>
        </>
      }
    >
      <Notice tone="warn" title={once}>
        <span>{onceText}</span>
      </Notice>
      {children}
    </Dialog>
  );
}
