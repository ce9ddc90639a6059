// Modal dialogs on the browser's own <dialog>: focus stays inside, Escape closes, focus returns to where it
// came from; long content scrolls between a fixed head and foot. If something was typed, Escape, the cross
// and the browser's back button ask first. ConfirmDialog asks the user to type a word before something is
// destroyed.
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type ReactNode,
} from 'react';
import type { ApiError } from '../api/errors.js';
import { refreshStale } from '../api/stale.js';
import { useBackGuard } from '../router.js';
import { t } from '../text/shell.js';
import { Button } from './button.js';
import { TextField } from './field.js';
import { fill } from './fill.js';
import { Icon } from './icons.js';
import { ErrorNotice } from './notice.js';

export function Dialog({
  title,
  onClose,
  children,
  foot,
  wide = false,
  closable = true,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, always in view. */
  foot?: ReactNode;
  wide?: boolean;
  closable?: boolean;
}): ReactNode {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { noteTyped, isAsking, leave, question } = useDiscard(onClose);
  // Before the browser handles the next key, so that typed text goes to the field at once.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal();
    // The browser focuses the first button; a field that asked for the focus before the dialog was shown gets
    // it now, but the text before it stays in view.
    dialog?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true });
    return () => {
      if (dialog?.open) dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      refreshStale();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={titleId}
      onInput={noteTyped}
      onCancel={(event) => {
        event.preventDefault();
        if (closable) leave();
      }}
      // The browser does not ask the page when Escape is pressed a second time.
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        if (closable) leave();
      }}
    >
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {closable ? (
          <button type="button" className="icon-button" onClick={leave} aria-label={t.close}>
            <Icon name="close" />
          </button>
        ) : null}
      </div>
      <div className="dialog-body">{children}</div>
      {isAsking || foot ? <div className="dialog-foot">{isAsking ? question : foot}</div> : null}
    </dialog>
  );
}

/** Text that the user wrote, not a search or a confirmation. */
const isWritten = (target: EventTarget): target is HTMLInputElement | HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement &&
    ['text', 'url', 'email', 'tel', 'number', 'password'].includes(target.type) &&
    target.role !== 'combobox' &&
    target.dataset['throwaway'] === undefined);

/** Asks before typed text is thrown away; the cancel button needs no further confirmation. */
function useDiscard(onClose: () => void): {
  noteTyped: (event: FormEvent) => void;
  isAsking: boolean;
  leave: () => void;
  question: ReactNode;
} {
  const typed = useRef(new Set<HTMLInputElement | HTMLTextAreaElement>());
  const before = useRef<Element>(null);
  const [isAsking, setAsking] = useState(false);
  const stay = (): void => {
    setAsking(false);
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  const hasTyped = useCallback(
    () => [...typed.current].some((field) => field.isConnected && field.value.trim() !== ''),
    [],
  );
  useBackGuard(hasTyped);
  const leave = (): void => {
    if (!hasTyped()) onClose();
    else if (isAsking) stay();
    else {
      before.current = document.activeElement;
      setAsking(true);
    }
  };
  return {
    noteTyped: ({ target }) => {
      if (isWritten(target)) typed.current.add(target);
    },
    isAsking,
    leave,
    question: (
      <>
        <p role="alert">{t.discardQuestion}</p>
        <span className="spacer" />
        <Button onClick={stay} autoFocus>
          {t.keepEditing}
        </Button>
        <Button kind="danger" onClick={onClose}>
          {t.discard}
        </Button>
      </>
    ),
  };
}

interface FormDialogProps {
  title: string;
  onClose: () => void;
  onSubmit: () => void;
  submitLabel: string;
  /** Label of the button that changes nothing, if "Cancel" could be misunderstood. */
  keepLabel?: string | undefined;
  busy?: boolean;
  error?: ApiError | undefined;
  /** Fields that show their own problem; other problems are listed above the buttons. */
  shown?: Iterable<string>;
  danger?: boolean;
  /** The action is possible, but something else is the better way. */
  plain?: boolean;
  disabled?: boolean;
  wide?: boolean;
  children: ReactNode;
}

/** A dialog that is a form: Enter submits it, errors appear above the buttons. */
export function FormDialog({
  title,
  onClose,
  onSubmit,
  submitLabel,
  keepLabel = t.cancel,
  busy = false,
  error,
  shown = [],
  danger = false,
  plain = false,
  disabled = false,
  wide = false,
  children,
}: FormDialogProps): ReactNode {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  // Focuses the rejected field; otherwise the button, which lost the focus while it was busy.
  useEffect(() => {
    if (!error || busy) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    const dialog = form.current?.closest('dialog');
    if (dialog && !dialog.contains(document.activeElement))
      dialog.querySelector<HTMLElement>('button[type=submit]')?.focus();
  }, [error, busy]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!disabled) onSubmit();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      wide={wide}
      foot={
        <>
          <Button onClick={onClose}>{keepLabel}</Button>
          <Button
            type="submit"
            form={formId}
            kind={danger ? 'danger-solid' : plain ? 'plain' : 'primary'}
            busy={busy}
            disabled={disabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} ref={form} className="stack" onSubmit={submit} noValidate>
        {children}
        {error ? <ErrorNotice error={error} shown={shown} /> : null}
      </form>
    </Dialog>
  );
}

/** For actions that cannot be undone: the user types `word` (usually the name of the thing). */
export function ConfirmDialog({
  title,
  word,
  consequence,
  action,
  keepLabel,
  onClose,
  onConfirm,
  busy = false,
  error,
}: {
  title: string;
  word: string;
  /** A sentence that says what will be lost. */
  consequence: ReactNode;
  /** Label of the button, such as "Delete application". */
  action: string;
  keepLabel?: string;
  onClose: () => void;
  onConfirm: () => void;
  busy?: boolean;
  error?: ApiError | undefined;
}): ReactNode {
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={onConfirm}
      submitLabel={action}
      keepLabel={keepLabel}
      danger
      busy={busy}
      error={error}
      disabled={typed.trim() !== word}
    >
      <div className="stack" data-tight>
        {typeof consequence === 'string' ? <p>{consequence}</p> : consequence}
      </div>
      <TextField
        label={fill(t.typeToConfirm, { word: <code>{word}</code> })}
        value={typed}
        onValue={setTyped}
        autoFocus
        spellCheck={false}
        data-throwaway
      />
    </FormDialog>
  );
}
