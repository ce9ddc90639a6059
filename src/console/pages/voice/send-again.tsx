// Recordings made while the server was away are kept: one click sends them all.
import { useRef, useState, type ReactNode } from 'react';
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
  const place = useRef<HTMLDivElement>(null);
  const [wasPressed, setPressed] = useState(false);
  if (count === 0 && !wasPressed) return null;
  const send = (): void => {
    setPressed(true);
    // The button disappears with what it sends: keyboard users continue from here.
    place.current?.focus();
    onSend();
  };
  return (
    <div ref={place} tabIndex={-1}>
      {count === 0 ? (
        <span className="visually-hidden">{t.sentAgain}</span>
      ) : (
        <Button busy={busy} onClick={send}>
          {t.sendAgain(count)}
        </Button>
      )}
    </div>
  );
}
