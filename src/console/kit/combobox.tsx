// A text field with suggestions: typed text is looked up, arrows choose, Enter accepts, and free text is
// possible if allowed.
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { t } from '../text/shell.js';
import { Field } from './field.js';

export interface Suggestion {
  value: string;
  /** Shown beside the value, in small print. */
  note?: string | undefined;
}

export function Combobox({
  label,
  hint,
  error,
  value,
  onValue,
  suggestions,
  emptyNote,
  autoFocus = false,
}: {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  value: string;
  onValue: (value: string) => void;
  suggestions: readonly Suggestion[];
  /** Shown if nothing matches; without it nothing is shown. */
  emptyNote?: string | undefined;
  autoFocus?: boolean;
}): ReactNode {
  const listId = useId();
  const [open, setOpen] = useState(false);
  // By value, not by position: the list may be replaced between the arrow key and Enter.
  const [marked, setMarked] = useState<string>();
  const active = suggestions.findIndex((suggestion) => suggestion.value === marked);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  const choose = (index: number): void => {
    const chosen = suggestions[index];
    if (!chosen) return;
    onValue(chosen.value);
    setOpen(false);
    setMarked(undefined);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      event.preventDefault();
      setOpen(true);
      const from = active < 0 && step < 0 ? suggestions.length : active;
      setMarked(suggestions[(from + step + suggestions.length) % suggestions.length]?.value);
    } else if (event.key === 'Enter' && open && active >= 0) {
      event.preventDefault();
      choose(active);
    } else if (event.key === 'Escape' && open) {
      // Escape first closes the list, and only the next time a dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  const isShown = open && (suggestions.length > 0 || (emptyNote !== undefined && value.trim() !== ''));
  // Dropping a file on the page ends the input here, although the field keeps the focus.
  useEffect(() => {
    if (!open) return undefined;
    const close = (): void => setOpen(false);
    document.addEventListener('dragenter', close);
    return () => document.removeEventListener('dragenter', close);
  }, [open]);
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="combobox">
          <input
            ref={input}
            className="input"
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            data-autofocus={autoFocus || undefined}
            aria-expanded={isShown}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isShown && active >= 0 ? `${listId}-${String(active)}` : undefined}
            {...control}
            value={value}
            onChange={(event) => {
              onValue(event.target.value);
              setOpen(true);
              setMarked(undefined);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setOpen(false)}
          />
          <ul
            id={listId}
            role="listbox"
            aria-label={t.suggestions}
            className="combobox-list"
            hidden={!isShown}
            // The field must not lose the focus before the click has chosen.
            onMouseDown={(event) => event.preventDefault()}
          >
            {suggestions.map((suggestion, index) => (
              <li
                key={suggestion.value}
                id={`${listId}-${String(index)}`}
                role="option"
                aria-selected={index === active}
                onClick={() => choose(index)}
              >
                <span>{suggestion.value}</span>{' '}
                {suggestion.note ? <span className="small soft">{suggestion.note}</span> : null}
              </li>
            ))}
            {suggestions.length === 0 && emptyNote ? (
              <li className="soft small" role="option" aria-selected={false} aria-disabled="true">
                {emptyNote}
              </li>
            ) : null}
          </ul>
        </div>
      )}
    </Field>
  );
}
