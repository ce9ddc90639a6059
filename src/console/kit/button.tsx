// Buttons: one look in five kinds, with a busy state that keeps the label readable.
import { useLayoutEffect, useRef, type ButtonHTMLAttributes, type ReactNode } from 'react';

type ButtonKind = 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-solid';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: 'normal' | 'small';
  busy?: boolean;
}

export function Button({
  kind = 'plain',
  size = 'normal',
  busy = false,
  disabled,
  children,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  // A busy button is disabled, which makes the browser remove its focus: it is restored, unless the focus has
  // moved on.
  useLayoutEffect(() => {
    if (busy) {
      hadFocus.current = document.activeElement === button.current;
      return;
    }
    if (hadFocus.current && document.activeElement === document.body) button.current?.focus();
    hadFocus.current = false;
  }, [busy]);
  return (
    <button
      ref={button}
      type={type}
      className="button"
      data-kind={kind}
      data-size={size}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
