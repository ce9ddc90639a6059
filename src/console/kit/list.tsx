// A long list from the server, as on every page: a search field and further filters, kept in the address,
// saved views, an export, the rows page by page, and a text if there are none.
import { useState, type ReactNode } from 'react';
import { useAction } from '../api/hooks.js';
import { readAll, type Page, type Pages } from '../api/use-pages.js';
import { t } from '../text/shell.js';
import { Button } from './button.js';
import { downloadCsv, downloadFile } from './copy.js';
import { SelectField, TextField, type Option } from './field.js';
import type { Filters } from './filters.js';
import { ListFoot } from './list-foot.js';
import { ErrorNotice, Loaded, Loading, Notice } from './notice.js';
import { toast } from './toast.js';
import { SavedViews } from './views.js';

const EXPORT_PAGE = 1000;
const EXPORT_MOST = 100_000;

interface ListExport<T> {
  /** Name of the file, without its extension. */
  file: string;
  load: (pageToken: string, pageSize: number) => Promise<Page<T>>;
  toCsv: (rows: readonly T[]) => string;
  /** Whether the rows can also be exported as raw JSON. */
  json?: boolean;
  count: (count: number) => string;
}

interface ListProps<T> {
  filters: Filters<{ q: string }>;
  find: string;
  findHint: string;
  /** Called for Enter in the search field. */
  onEnter?: (text: string) => void;
  /** Further filters. */
  fields?: ReactNode;
  /** One choice that everybody makes, as buttons. */
  chips?: ReactNode;
  /** Filters that few need, behind a button; open where one of them is set. */
  more?: ReactNode;
  isMoreSet?: boolean;
  /** Buttons after the filters. */
  actions?: ReactNode;
  /** The name under which its views are saved; without one, views cannot be saved. */
  views?: string;
  /** The list is the same in every tenant. */
  isShared?: boolean;
  export?: ListExport<T>;
  /** Between the filters and the rows. */
  above?: ReactNode;
  pages: Pages<T>;
  loading: string;
  empty: ReactNode;
  note?: ReactNode;
  children: (rows: readonly T[]) => ReactNode;
}

/** A further filter: a choice that begins with "all". */
export function ChoiceFilter(props: {
  label: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly Option[];
}): ReactNode {
  return <SelectField {...props} options={[{ value: '', label: t.all }, ...props.options]} />;
}

/** One of a few, as buttons; the first is all of them, or what `first` calls it. */
export function Chips({
  label,
  first = t.all,
  value,
  onValue,
  options,
}: {
  label: string;
  first?: string;
  value: string;
  onValue: (value: string) => void;
  options: readonly Option[];
}): ReactNode {
  return (
    <div className="chips" role="group" aria-label={label}>
      {[{ value: '', label: first }, ...options].map((option) => (
        <button
          key={option.value}
          type="button"
          className="chip"
          aria-pressed={option.value === value}
          onClick={() => onValue(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

export function List<T>(props: ListProps<T>): ReactNode {
  const { filters, find, findHint, onEnter, fields, actions, views, above, pages, loading, empty, note } =
    props;
  const { isShared = false, chips, more, isMoreSet = false } = props;
  const [hasMore, setMore] = useState(isMoreSet);
  const { q } = filters.values;
  return (
    <div className="stack">
      <form
        className="list-bar"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          onEnter?.(q.trim());
        }}
      >
        <TextField
          label={find}
          hint={findHint}
          type="search"
          value={q}
          onValue={(value) => filters.set({ q: value })}
        />
        {fields}
        {/* Without a button, Enter does nothing in a form with more than one text field. */}
        <button type="submit" hidden />
        {props.export || actions || more ? (
          <div className="list-actions">
            {more ? (
              <Button aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
                {hasMore ? t.lessFilters : t.moreFilters}
              </Button>
            ) : null}
            {props.export ? <ExportButtons {...props.export} /> : null}
            {actions}
          </div>
        ) : null}
        {more && hasMore ? <div className="list-bar list-more">{more}</div> : null}
      </form>
      {chips}
      {views === undefined ? null : (
        <SavedViews
          list={views}
          isShared={isShared}
          isNarrowed={filters.isNarrowed}
          onClear={filters.clear}
        />
      )}
      {filters.ignored.length > 0 ? (
        <Notice tone="warn" title={t.ignoredFilters(filters.ignored.join(', '))}>
          <Button size="small" onClick={filters.forgetIgnored}>
            {t.forgetIgnored}
          </Button>
        </Notice>
      ) : null}
      {above}
      <Loaded query={pages.query} what={loading}>
        {(rows) =>
          rows.length > 0 ? (
            <div className="list-rows stack" aria-busy={pages.isStale || undefined}>
              {props.children(rows)}
              <ListFoot pages={pages} note={note} />
            </div>
          ) : pages.isStale ? (
            <Loading what={loading} />
          ) : (
            empty
          )
        }
      </Loaded>
    </div>
  );
}

/** Exports everything that matches the filters, as far as a browser can hold it. */
export function ExportButtons<T>({ file, load, toCsv, json = false, count }: ListExport<T>): ReactNode {
  const exporting = useAction(async (format: 'json' | 'csv') => {
    const { rows, isComplete } = await readAll((token) => load(token, EXPORT_PAGE), EXPORT_MOST);
    if (format === 'json') downloadFile(`${file}.json`, JSON.stringify(rows, null, 2));
    else downloadCsv(`${file}.csv`, toCsv(rows));
    toast([t.exported(count(rows.length)), ...(isComplete ? [] : [t.exportedPart])].join('. '));
  });
  return (
    <>
      {json ? (
        <Button busy={exporting.busy} onClick={() => void exporting.run('json')}>
          {t.exportJson}
        </Button>
      ) : null}
      <Button busy={exporting.busy} onClick={() => void exporting.run('csv')}>
        {t.exportCsv}
      </Button>
      {exporting.error ? <ErrorNotice error={exporting.error} title={t.exportFailed} /> : null}
    </>
  );
}
