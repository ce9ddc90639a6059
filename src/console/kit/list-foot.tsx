// Below a long list: how much of it is shown, and a button for more.
import type { ReactNode } from 'react';
import type { Pages } from '../api/use-pages.js';
import { t } from '../text/shell.js';
import { Button } from './button.js';
import { ErrorNotice } from './notice.js';

export function ListFoot<T>({ pages, note }: { pages: Pages<T>; note?: ReactNode }): ReactNode {
  const shown = pages.query.data?.length ?? 0;
  return (
    <div className="row">
      <span className="small soft">
        {pages.total === undefined
          ? t.table.soMany(shown)
          : t.table.shown(shown, Math.max(shown, pages.total))}
      </span>
      {note ? <span className="small soft">{note}</span> : null}
      {pages.hasMore ? (
        <Button size="small" busy={pages.busy} onClick={pages.more}>
          {t.table.more}
        </Button>
      ) : null}
      {pages.error ? <ErrorNotice error={pages.error} /> : null}
    </div>
  );
}
