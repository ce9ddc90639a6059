// Recordings that the server was away for are kept: one press sends them all.
import type { ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { t } from '../../text/voice.js';

export function SendAgain({
  count,
  busy,
  onSend,
}: {
  count: number;
  busy: boolean;
  onSend: () => void;
}): ReactNode {
  if (count === 0) return null;
  return (
    <div>
      <Button busy={busy} onClick={onSend}>
        {t.sendAgain(count)}
      </Button>
    </div>
  );
}
