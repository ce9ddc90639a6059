// Buttons: one look in five kinds, with a busy state that keeps the label readable.
import type { ButtonHTMLAttributes, ReactNode } from 'react';

export type ButtonKind = 'plain' | 'primary' | 'quiet' | 'danger' | 'danger-solid';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
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
  return (
    <button
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
