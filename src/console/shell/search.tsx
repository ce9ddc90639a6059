// Find anything (Ctrl-K): pages and their tabs at once; people, fraudsters, lists, sessions and applications
// as the server finds them. One field, arrows and Enter, or a click.
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useLast, useQuery } from '../api/hooks.js';
import { Dialog } from '../kit/dialog.js';
import { autoFocused } from '../kit/auto-focus.js';
import { Field } from '../kit/field.js';
import { usePaused } from '../kit/filters.js';
import { ErrorNotice } from '../kit/notice.js';
import { useTheme } from '../kit/theme.js';
import { navigate } from '../router.js';
import { useReadContext } from '../tenant/context.js';
import { useMay } from '../tenant/rights.js';
import { t } from '../text/search.js';
import { findActions, findCommands, findPlaces, findThings, type Found } from './search-sources.js';
import './search.css';

export function SearchDialog({
  takeEarly,
  onClose,
}: {
  /** Text typed before the dialog was ready; read once. */
  takeEarly: () => string;
  onClose: () => void;
}): ReactNode {
  const may = useMay();
  const read = useReadContext();
  const [typed, setTyped] = useState('');
  // The field gets the focus after the dialog's effects have run; it is filled in the same step, before
  // another key arrives.
  useLayoutEffect(() => {
    const early = takeEarly();
    if (early !== '') setTyped(early);
  }, [takeEarly]);
  const words = typed.trim();
  const sought = usePaused(words);
  const tenant = read?.gkScopeId.value ?? '';
  const things = useQuery(sought === '' ? undefined : `search ${tenant} ${sought}`, (signal) =>
    findThings(read, sought, may, signal),
  );
  // The last results stay until newer ones arrive: a list must not vanish under the finger.
  const known = useLast(`search ${tenant}`, things.data);
  const pagesFound = findPlaces(typed, may);
  const isKnown = ({ to, label }: Found): boolean =>
    pagesFound.some((one) => one.to === to && one.label === label);
  const places = [
    ...pagesFound,
    ...findCommands(typed, useTheme()),
    ...findActions(typed, may).filter((one) => !isKnown(one)),
  ];
  const found = [...places, ...(words === '' || things.error ? [] : (known ?? []))];
  const isPending = words !== '' && (sought !== words || things.loading);
  const isSlow = useSlow(isPending);
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Finder
        typed={typed}
        onTyped={setTyped}
        found={found}
        isFirstSure={places.length > 0 || !isPending}
        onClose={onClose}
      />
      <p className="soft small" role="status">
        {isPending
          ? isSlow
            ? t.slow
            : t.searching
          : found.length > 0
            ? t.count(found.length)
            : words === ''
              ? ''
              : t.none}
      </p>
      {things.error ? <ErrorNotice error={things.error} /> : null}
    </Dialog>
  );
}

const SLOW_MS = 1500;

/** Whether the wait has lasted long enough to be explained. */
function useSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isPending]);
  return isPending && isSlow;
}

const keyOf = ({ kind, to, label }: Found): string => `${kind} ${to} ${label}`;

function Finder({
  typed,
  onTyped,
  found,
  isFirstSure,
  onClose,
}: {
  typed: string;
  onTyped: (typed: string) => void;
  found: readonly Found[];
  /** No later result can come before the first one. */
  isFirstSure: boolean;
  onClose: () => void;
}): ReactNode {
  const listId = useId();
  /** The highlighted result, by identity, since others may come before it. */
  const [marked, setMarked] = useState<string>();
  /** Enter was pressed before the answer arrived. */
  const [isWaiting, setWaiting] = useState(false);
  const markedAt = found.findIndex((one) => keyOf(one) === marked);
  const active = Math.max(markedAt, 0);
  useEffect(() => {
    document.getElementById(`${listId}-${String(active)}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);
  const go = (one: Found | undefined): void => {
    setWaiting(false);
    if (!one) return;
    onClose();
    if (one.run) one.run();
    else if (one.isOutside) location.assign(one.to);
    else navigate(one.to);
  };
  const goFirst = useEffectEvent(() => go(found[0]));
  useEffect(() => {
    if (isWaiting && isFirstSure) goFirst();
  }, [isWaiting, isFirstSure]);
  const type = (text: string): void => {
    onTyped(text);
    setMarked(undefined);
    setWaiting(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      const next = found[(active + step + found.length) % found.length];
      if (next) setMarked(keyOf(next));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (markedAt >= 0 || isFirstSure) go(found[active]);
      else setWaiting(true);
    }
  };
  return (
    <>
      <Field label={t.label} hint={t.hint}>
        {(control) => (
          <input
            className="input"
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            {...autoFocused(true)}
            aria-expanded={found.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${listId}-${String(active)}` : undefined}
            {...control}
            value={typed}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <ul id={listId} role="listbox" aria-label={t.results} className="search-list" tabIndex={0}>
        {found.map((one, index) => (
          <li
            key={keyOf(one)}
            id={`${listId}-${String(index)}`}
            role="option"
            aria-selected={index === active}
            onClick={() => go(one)}
          >
            <span>{one.label}</span>{' '}
            <span className="small soft">{[one.note, one.kind].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
