// Short messages that come and go; also the page's aria-live region.
import { useSyncExternalStore, type ReactNode } from 'react';
import { t } from '../text/shell.js';
import { Icon } from './icons.js';

interface Message {
  id: number;
  text: string;
  tone: 'good' | 'bad';
}

const SHOWN_MS = 6000;
let messages: readonly Message[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function replace(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Says that something worked (or, with `bad`, did not). */
export function toast(text: string, tone: Message['tone'] = 'good'): void {
  const message = { id: nextId++, text, tone };
  replace([...messages.slice(-3), message]);
  setTimeout(() => dismiss(message.id), SHOWN_MS);
}

function dismiss(id: number): void {
  replace(messages.filter((message) => message.id !== id));
}

export function Toasts(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => messages,
  );
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map((message) => (
        <div key={message.id} className="toast" data-tone={message.tone}>
          <span>{message.text}</span>
          <button
            type="button"
            className="icon-button"
            aria-label={t.dismiss}
            onClick={() => dismiss(message.id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
