// Saved views of a list: a name for a search with its filters and order, kept in this browser for each tenant.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { navigate, useLocation } from '../router.js';
import { t } from '../text/shell.js';
import { Button } from './button.js';
import { FormDialog } from './dialog.js';
import { TextField } from './field.js';
import { Icon } from './icons.js';

interface View {
  name: string;
  query: string;
}

const PREFIX = 'voxgate.views';

/** Views from before they were kept per tenant are offered to every tenant until it has its own. */
function readViews(key: string, list: string): View[] {
  try {
    const stored = localStorage.getItem(key) ?? localStorage.getItem(`${PREFIX}.${list}`);
    const read = JSON.parse(stored ?? '[]') as View[];
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

interface ViewsProps {
  /** The list that they belong to. */
  list: string;
  /** The list is the same in every tenant. */
  isShared: boolean;
  isNarrowed: boolean;
  onClear: () => void;
}

export function SavedViews({ isShared, ...props }: ViewsProps): ReactNode {
  const { tenant = '' } = useLocation();
  const key = isShared ? `${PREFIX}.${props.list}` : `${PREFIX}.${tenant}.${props.list}`;
  return <Views key={key} storedAs={key} {...props} />;
}

function Views({
  storedAs,
  list,
  isNarrowed,
  onClear,
}: Omit<ViewsProps, 'isShared'> & { storedAs: string }): ReactNode {
  const { path, query } = useLocation();
  const [views, setViews] = useState(() => readViews(storedAs, list));
  const group = useRef<HTMLDivElement>(null);
  const removed = useRef<number>(undefined);
  // The button is gone: the focus moves to the next view or, if none is left, to the search field.
  useEffect(() => {
    if (removed.current === undefined) return;
    const left = group.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
    const next = left[Math.min(removed.current, left.length - 1)];
    removed.current = undefined;
    (next ?? document.querySelector<HTMLElement>('.list-bar input'))?.focus();
  }, [views]);
  const [saving, setSaving] = useState(false);
  const [name, setName] = useState('');
  const current = query.toString();
  const replaced = views.find((view) => view.name === name.trim() && view.query !== current);
  const store = (next: View[]): void => {
    localStorage.setItem(storedAs, JSON.stringify(next));
    setViews(next);
  };
  if (views.length === 0 && !isNarrowed) return null;
  return (
    <div className="views" role="group" aria-label={t.views.label} ref={group}>
      {views.map((view, index) => (
        <span key={view.name} className="view" data-current={view.query === current || undefined}>
          <button
            type="button"
            aria-pressed={view.query === current}
            onClick={() => navigate(`${path}?${view.query}`, { replace: true })}
          >
            {view.name}
          </button>
          <button
            type="button"
            aria-label={t.views.remove(view.name)}
            data-remove
            onClick={() => {
              removed.current = index;
              store(views.filter((other) => other !== view));
            }}
          >
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      {isNarrowed ? (
        <>
          <Button size="small" kind="quiet" onClick={() => setSaving(true)}>
            {t.views.save}
          </Button>
          <Button size="small" kind="quiet" onClick={onClear}>
            {t.views.clear}
          </Button>
        </>
      ) : null}
      {saving ? (
        <FormDialog
          title={t.views.saveTitle}
          submitLabel={replaced ? t.views.replace : t.views.save}
          danger={replaced !== undefined}
          disabled={name.trim() === ''}
          onClose={() => setSaving(false)}
          onSubmit={() => {
            store([
              ...views.filter((view) => view.name !== name.trim()),
              { name: name.trim(), query: current },
            ]);
            setSaving(false);
            setName('');
          }}
        >
          <TextField label={t.views.name} hint={t.views.hint} value={name} onValue={setName} autoFocus />
          <p role="status">{replaced ? t.views.replaces(replaced.name) : null}</p>
        </FormDialog>
      ) : null}
    </div>
  );
}
