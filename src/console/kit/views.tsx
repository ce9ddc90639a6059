// Saved views of a list: a name for a search with its filters and order, kept in this browser.
import { useState, type ReactNode } from 'react';
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

const keyOf = (list: string): string => `voxgate.views.${list}`;

function readViews(list: string): View[] {
  try {
    const read = JSON.parse(localStorage.getItem(keyOf(list)) ?? '[]') as View[];
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

export function SavedViews({
  list,
  isNarrowed,
  onClear,
}: {
  /** Which list they belong to. */
  list: string;
  isNarrowed: boolean;
  onClear: () => void;
}): ReactNode {
  const { path, query } = useLocation();
  const [views, setViews] = useState(() => readViews(list));
  const [saving, setSaving] = useState(false);
  const [name, setName] = useState('');
  const current = query.toString();
  const store = (next: View[]): void => {
    localStorage.setItem(keyOf(list), JSON.stringify(next));
    setViews(next);
  };
  if (views.length === 0 && !isNarrowed) return null;
  return (
    <div className="views" role="group" aria-label={t.views.label}>
      {views.map((view) => (
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
            onClick={() => store(views.filter((other) => other !== view))}
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
          submitLabel={t.views.save}
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
        </FormDialog>
      ) : null}
    </div>
  );
}
