// Items that are added, edited and deleted in one place: the list (or its empty state), the dialog that edits
// one, and the confirmation before one is deleted.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useAction } from '../api/hooks.js';
import { t } from '../text/shell.js';
import { Button } from './button.js';
import { ConfirmDialog } from './dialog.js';
import type { IconName } from './icons.js';
import { EmptyState } from './notice.js';
import { Table, type Column } from './table.js';
import { toast } from './toast.js';

export interface EditorProps<T> {
  /** Undefined for a new one. */
  item: T | undefined;
  onClose: () => void;
  onDone: () => void;
}

interface EditableListText {
  caption: string;
  add: string;
  saved: string;
  deleted: string;
  deleteTitle: (id: string) => string;
  deleteAction: string;
  /** What else a deletion removes. */
  consequence: string;
  emptyTitle: string;
  emptyText: string;
}

interface EditableListProps<T> {
  text: EditableListText;
  icon: IconName;
  rows: readonly T[];
  /** The own identifier: names it in the list and is typed to confirm its deletion. */
  idOf: (row: T) => string;
  remove: (row: T) => Promise<unknown>;
  reload: () => void;
  addKind?: 'primary' | 'plain';
  addDisabled?: boolean;
  /** Read-only: nothing can be added, edited or deleted. */
  isFixed?: boolean;
  /** Above the list, beside the add button. */
  heading?: ReactNode;
  columns?: readonly Column<T>[];
  /** Instead of a table. */
  children?: (row: T, buttons: ReactNode) => ReactNode;
  /** Before "Edit" and "Delete". */
  actions?: (row: T) => ReactNode;
  editor: (props: EditorProps<T>) => ReactNode;
}

export function EditableList<T>(props: EditableListProps<T>): ReactNode {
  const { text, rows, idOf, reload, columns = [] } = props;
  const [editing, setEditing] = useState<{ item: T | undefined }>();
  const [deleting, setDeleting] = useState<T>();
  const remove = useAction(async (row: T) => {
    await props.remove(row);
    setDeleting(undefined);
    toast(text.deleted);
    reload();
  });
  const { isFixed = false } = props;
  const addId = useId();
  const count = useRef(rows.length);
  // The pressed button may be gone with its row, or with the empty state: the focus moves to the add button.
  useEffect(() => {
    if (count.current !== rows.length && document.activeElement === document.body)
      document.getElementById(addId)?.focus();
    count.current = rows.length;
  }, [rows.length, addId]);
  const add = isFixed ? null : (
    <Button
      id={addId}
      kind={props.addKind ?? 'primary'}
      disabled={props.addDisabled ?? false}
      onClick={() => setEditing({ item: undefined })}
    >
      {text.add}
    </Button>
  );
  const buttons = (row: T): ReactNode => (
    <>
      {props.actions?.(row)}
      {isFixed ? null : (
        <>
          <Button size="small" onClick={() => setEditing({ item: row })}>
            {t.edit}
          </Button>
          <Button size="small" kind="danger" onClick={() => setDeleting(row)}>
            {t.delete}
          </Button>
        </>
      )}
    </>
  );
  const isEmpty = rows.length === 0;
  return (
    <>
      {props.heading || !isEmpty ? (
        <div className="row">
          {props.heading}
          {add}
        </div>
      ) : null}
      {isEmpty ? (
        <EmptyState icon={props.icon} title={text.emptyTitle} action={props.heading ? undefined : add}>
          {text.emptyText}
        </EmptyState>
      ) : props.children ? (
        rows.map((row) => props.children?.(row, buttons(row)))
      ) : (
        <Table
          caption={text.caption}
          rows={rows}
          rowKey={idOf}
          columns={[
            ...columns,
            ...(isFixed && !props.actions ? [] : [{ label: t.actions, actions: true, cell: buttons }]),
          ]}
        />
      )}
      {editing
        ? props.editor({
            item: editing.item,
            onClose: () => {
              setEditing(undefined);
              // Somebody else may have changed it meanwhile, and the dialog may have said so.
              reload();
            },
            onDone: () => {
              setEditing(undefined);
              toast(text.saved);
              reload();
            },
          })
        : null}
      {deleting ? (
        <ConfirmDialog
          title={text.deleteTitle(idOf(deleting))}
          word={idOf(deleting)}
          consequence={text.consequence}
          action={text.deleteAction}
          onClose={() => {
            remove.clear();
            setDeleting(undefined);
          }}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </>
  );
}
