// Standard tabs: arrow keys move, and the selected tab is in the address (`?tab=`), so that links and reloads
// keep it.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { setQuery, useLocation } from '../router.js';

interface Tab {
  id: string;
  label: string;
  content: () => ReactNode;
}

export function Tabs({
  label,
  tabs,
  parameter = 'tab',
}: {
  label: string;
  tabs: readonly Tab[];
  parameter?: string;
}): ReactNode {
  const { query } = useLocation();
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const active = tabs.find((tab) => tab.id === query.get(parameter)) ?? tabs[0];
  if (!active) return null;
  const select = (id: string): void => setQuery({ [parameter]: id === tabs[0]?.id ? undefined : id });
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = tabs.indexOf(active);
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (!next) return;
    select(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            className="tab"
            id={`${base}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === active}
            aria-controls={`${base}-panel`}
            tabIndex={tab === active ? 0 : -1}
            onClick={() => select(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${active.id}`}
      >
        {active.content()}
      </div>
    </div>
  );
}
