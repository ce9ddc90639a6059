// A time zone by its IANA name, with the names this browser knows as suggestions.
import { useId, type ReactNode } from 'react';
import { Field } from '../../kit/field.js';
import { t } from '../../text/engagement.js';

export function TimeZoneField({
  label = t.site.zone,
  hint,
  value,
  onValue,
  error,
}: {
  label?: string;
  hint?: string;
  value: string;
  onValue: (value: string) => void;
  error: string | undefined;
}): ReactNode {
  const listId = useId();
  return (
    <Field label={label} hint={hint ?? t.site.zoneHint} error={error}>
      {(control) => (
        <>
          <input
            className="input"
            type="text"
            list={listId}
            spellCheck={false}
            autoComplete="off"
            {...control}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
          <datalist id={listId}>
            {Intl.supportedValuesOf('timeZone').map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
