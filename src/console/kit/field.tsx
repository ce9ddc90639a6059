// A labeled control with hint and error; the ids that connect them are made here.
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { t } from '../text/shell.js';
import { autoFocused } from './auto-focus.js';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode | undefined;
  error?: string | undefined;
  optional?: boolean | undefined;
}

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

/** For custom controls: `<Field label="…">{(control) => <input {...control} />}</Field>` */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }): ReactNode {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {optional ? <span className="field-optional"> {t.optional}</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {hint ? (
        <div className="field-hint" id={hintId}>
          {hint}
        </div>
      ) : null}
      {error ? (
        <div className="field-error" id={errorId}>
          {error}
        </div>
      ) : null}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  autoFocus,
  ...rest
}: FieldProps & { value: string; onValue: (value: string) => void } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'value'
  >): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <input
          className="input"
          type="text"
          autoComplete="off"
          {...autoFocused(autoFocus)}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  autoFocus,
  ...rest
}: FieldProps & { value: string; onValue: (value: string) => void } & Omit<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'value'
  >): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <textarea
          className="input"
          {...autoFocused(autoFocus)}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export function SelectField({
  label,
  hint,
  error,
  optional,
  value,
  onValue,
  options,
  autoFocus,
  ...rest
}: FieldProps & { value: string; onValue: (value: string) => void; options: readonly Option[] } & Omit<
    SelectHTMLAttributes<HTMLSelectElement>,
    'value'
  >): ReactNode {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <select
          className="input"
          {...autoFocused(autoFocus)}
          {...rest}
          {...control}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  hint,
  checked,
  onChecked,
  ...rest
}: { label: ReactNode; hint?: ReactNode; checked: boolean; onChecked: (checked: boolean) => void } & Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'checked'
>): ReactNode {
  const id = useId();
  return (
    <div className="check">
      <input
        type="checkbox"
        id={id}
        {...rest}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint ? (
          <div className="field-hint" id={`${id}-hint`}>
            {hint}
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** Multiple choices from a set, such as scopes or tenants. */
export function CheckGroup({
  label,
  hint,
  error,
  options,
  value,
  onValue,
}: FieldProps & {
  options: readonly Option[];
  value: readonly string[];
  onValue: (value: string[]) => void;
}): ReactNode {
  const id = useId();
  return (
    <fieldset className="field" aria-describedby={hint || error ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      <div className="row">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            label={option.label}
            checked={value.includes(option.value)}
            onChecked={(checked) =>
              onValue(checked ? [...value, option.value] : value.filter((item) => item !== option.value))
            }
          />
        ))}
      </div>
      <div id={`${id}-hint`}>
        {hint ? <div className="field-hint">{hint}</div> : null}
        {error ? <div className="field-error">{error}</div> : null}
      </div>
    </fieldset>
  );
}
