// The state of a form, shared by all of them: a draft, its fields bound by name to the controls of
// kit/field.tsx, the server's problems beside their fields, and one save at a time.
import { useState } from 'react';
import type { ApiError } from '../api/errors.js';
import { useAction } from '../api/hooks.js';

type NamesOf<D, V> = { [K in keyof D]: D[K] extends V ? K : never }[keyof D] & string;

export interface Form<D> {
  draft: D;
  set: (part: Partial<D>) => void;
  error: ApiError | undefined;
  /** For when the form no longer holds the values that were refused. */
  clearError: () => void;
  /** For TextField, TextArea and SelectField. `field` is the server's name for it, if it differs. */
  text: (
    name: NamesOf<D, string>,
    field?: string,
  ) => { value: string; onValue: (value: string) => void; error: string | undefined };
  /** For CheckGroup. */
  list: (
    name: NamesOf<D, readonly string[]>,
    field?: string,
  ) => { value: readonly string[]; onValue: (value: string[]) => void; error: string | undefined };
  /** For Checkbox. */
  flag: (name: NamesOf<D, boolean>) => { checked: boolean; onChecked: (checked: boolean) => void };
  /** For FormDialog. */
  submit: {
    onSubmit: () => void;
    busy: boolean;
    error: ApiError | undefined;
    shown: ReadonlySet<string>;
  };
}

export function useForm<D extends object>(
  start: D | (() => D),
  save: (draft: D) => Promise<unknown>,
): Form<D> {
  const [draft, setDraft] = useState<D>(start);
  const action = useAction(() => save(draft));
  /**
   * Fields rendered in this pass: the dialog around them renders later and need not repeat their problems.
   */
  const shown = new Set<string>();
  const set = (part: Partial<D>): void => setDraft((old) => ({ ...old, ...part }));
  const bind = <V>(name: keyof D & string, field: string) => {
    shown.add(field);
    return {
      value: draft[name] as V,
      onValue: (value: V) => set({ [name]: value } as Partial<D>),
      error: action.error?.problem(field),
    };
  };
  return {
    draft,
    set,
    error: action.error,
    clearError: () => {
      if (action.error) action.clear();
    },
    text: (name, field = name) => bind<string>(name, field),
    list: (name, field = name) => bind<string[]>(name, field),
    flag: (name) => ({
      checked: draft[name] as boolean,
      onChecked: (checked) => set({ [name]: checked } as Partial<D>),
    }),
    submit: { onSubmit: () => void action.run(), busy: action.busy, error: action.error, shown },
  };
}
