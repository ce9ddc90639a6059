// Above a list with selected rows: how many, what can be done with them, and a way to clear the selection.
import { useEffect, type ReactNode } from 'react';
import { t } from '../text/shell.js';
import { Button } from './button.js';

export function SelectionBar({
  count,
  onClear,
  children,
}: {
  count: number;
  onClear: () => void;
  children: ReactNode;
}): ReactNode {
  // The bar disappears with the selection, and with it the focus: keyboard users continue in the list.
  useEffect(
    () => () => {
      if (document.activeElement === document.body)
        document.querySelector<HTMLElement>('th.select input')?.focus();
    },
    [],
  );
  return (
    <div className="bulk" role="group" aria-label={t.table.selected(count)}>
      <strong>{t.table.selected(count)}</strong>
      {children}
      <Button size="small" kind="quiet" onClick={onClear}>
        {t.table.clearSelection}
      </Button>
    </div>
  );
}
