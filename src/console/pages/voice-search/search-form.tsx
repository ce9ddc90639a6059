// The form above every search: how far back, further fields, and the button.
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../kit/button.js';
import { TextField } from '../../kit/field.js';
import { t } from '../../text/voice-search.js';

export function SearchForm({
  days,
  onDays,
  onSearch,
  busy,
  disabled = false,
  children,
}: {
  days: string;
  onDays: (days: string) => void;
  onSearch: () => void;
  busy: boolean;
  disabled?: boolean;
  children?: ReactNode;
}): ReactNode {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSearch();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      <TextField
        label={t.days}
        hint={t.daysHint}
        optional
        inputMode="numeric"
        pattern="[0-9]*"
        value={days}
        onValue={onDays}
      />
      <div className="row">
        <Button type="submit" kind="primary" busy={busy} disabled={disabled}>
          {t.search}
        </Button>
      </div>
    </form>
  );
}

/** Empty: as far as the tenant allows. */
export const daysOf = (days: string): number => Number.parseInt(days, 10) || 0;
