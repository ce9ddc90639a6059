// Buttons: one look in five kinds, with a busy state that keeps the label readable.
import type { ButtonHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { autoFocused } from './auto-focus.js';

type ButtonKind = 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-solid';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  size?: 'normal' | 'small';
  busy?: boolean;
}

/** A busy button keeps the focus, which a disabled one would lose; a click on it does nothing, so that its form is not sent either. */
export function Button({
  kind = 'plain',
  size = 'normal',
  busy = false,
  children,
  type = 'button',
  onClick,
  autoFocus,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type={type}
      className="button"
      data-kind={kind}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event: MouseEvent) => event.preventDefault() : onClick}
      {...autoFocused(autoFocus)}
      {...rest}
    >
      {busy ? <span className="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  );
}
