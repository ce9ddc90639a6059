// Find anything (Ctrl-K): pages and their tabs at once, people, fraudsters, lists, sessions and applications as the
// server finds them. One field, arrows and Enter; a click does the same.
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useQuery } from '../api/hooks.js';
import { isAdministrator, useMe } from '../api/session.js';
import { Dialog } from '../kit/dialog.js';
import { Field } from '../kit/field.js';
import { usePaused } from '../kit/filters.js';
import { ErrorNotice } from '../kit/notice.js';
import { navigate } from '../router.js';
import { useReadContext } from '../tenant/context.js';
import { t } from '../text/search.js';
import { findPlaces, findThings, type Found } from './search-sources.js';
import './search.css';

export function SearchDialog({ onClose }: { onClose: () => void }): ReactNode {
  const me = useMe();
  const read = useReadContext();
  const [typed, setTyped] = useState('');
  const sought = usePaused(typed.trim());
  const things = useQuery(
    sought === '' ? undefined : `search ${read?.gkScopeId.value ?? ''} ${sought}`,
    (signal) => findThings(read, sought, signal),
  );
  const found = [...findPlaces(typed, isAdministrator(me)), ...(sought === '' ? [] : (things.data ?? []))];
  const isOver = typed.trim() !== '' && sought === typed.trim() && !things.busy;
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Finder typed={typed} onTyped={setTyped} found={found} onClose={onClose} />
      <p className="soft small" role="status">
        {found.length > 0 ? t.count(found.length) : isOver ? t.none : ''}
      </p>
      {things.error ? <ErrorNotice error={things.error} /> : null}
    </Dialog>
  );
}

function Finder({
  typed,
  onTyped,
  found,
  onClose,
}: {
  typed: string;
  onTyped: (typed: string) => void;
  found: readonly Found[];
  onClose: () => void;
}): ReactNode {
  const listId = useId();
  const [active, setActive] = useState(0);
  useEffect(() => setActive(0), [typed]);
  useEffect(() => {
    document.getElementById(`${listId}-${String(active)}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);
  const go = (one: Found | undefined): void => {
    if (!one) return;
    onClose();
    if (one.isOutside) location.assign(one.to);
    else navigate(one.to);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((old) => (old + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go(found[active]);
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
            autoFocus
            data-autofocus
            aria-expanded={found.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={found.length > 0 ? `${listId}-${String(active)}` : undefined}
            {...control}
            value={typed}
            onChange={(event) => onTyped(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <ul id={listId} role="listbox" aria-label={t.results} className="search-list" tabIndex={0}>
        {found.map((one, index) => (
          <li
            key={`${one.kind} ${one.to}`}
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
