// Things that are added, edited and deleted in one place: the list (or what stands for it while it is empty), the
// dialog that edits one, and the question before one is deleted.
import { useState, type ReactNode } from 'react';
import { del } from '../api/client.js';
import { useAction } from '../api/hooks.js';
import { Button } from './button.js';
import { ConfirmDialog } from './dialog.js';
import type { IconName } from './icons.js';
import { EmptyState } from './notice.js';
import { Table, type Column } from './table.js';
import { toast } from './toast.js';

export interface EditorProps<T> {
  /** Undefined: a new one. */
  item: T | undefined;
  onClose: () => void;
  onDone: () => void;
}

export interface EditableListProps<T> {
  /** One of them in a sentence: "agent group". */
  what: string;
  /** For a word without a singular. */
  verb?: 'is' | 'are';
  rows: readonly T[];
  /** Its own identifier: names it in the list and is typed before it is deleted. */
  idOf: (row: T) => string;
  pathOf: (row: T) => string;
  reload: () => void;
  /** What a deletion takes along. */
  consequence: string;
  empty: { icon: IconName; title: string; text: string };
  addLabel: string;
  addKind?: 'primary' | 'plain';
  addDisabled?: boolean;
  /** Above the list, beside the button that adds. */
  heading?: ReactNode;
  caption?: string;
  columns?: readonly Column<T>[];
  /** Instead of a table. */
  children?: (row: T, buttons: ReactNode) => ReactNode;
  /** Before "Edit" and "Delete". */
  actions?: (row: T) => ReactNode;
  editor: (props: EditorProps<T>) => ReactNode;
}

export function EditableList<T>(props: EditableListProps<T>): ReactNode {
  const { what, verb = 'is', rows, idOf, reload, columns = [] } = props;
  const [editing, setEditing] = useState<{ item: T | undefined }>();
  const [deleting, setDeleting] = useState<T>();
  const remove = useAction(async (row: T) => {
    await del(props.pathOf(row));
    setDeleting(undefined);
    toast(`The ${what} ${verb} deleted.`);
    reload();
  });
  const add = (
    <Button
      kind={props.addKind ?? 'primary'}
      disabled={props.addDisabled ?? false}
      onClick={() => setEditing({ item: undefined })}
    >
      {props.addLabel}
    </Button>
  );
  const buttons = (row: T): ReactNode => (
    <>
      {props.actions?.(row)}
      <Button size="small" onClick={() => setEditing({ item: row })}>
        Edit
      </Button>
      <Button size="small" kind="danger" onClick={() => setDeleting(row)}>
        Delete
      </Button>
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
        <EmptyState
          icon={props.empty.icon}
          title={props.empty.title}
          action={props.heading ? undefined : add}
        >
          {props.empty.text}
        </EmptyState>
      ) : props.children ? (
        rows.map((row) => props.children?.(row, buttons(row)))
      ) : (
        <Table
          caption={props.caption ?? what}
          rows={rows}
          rowKey={idOf}
          columns={[...columns, { label: 'Actions', actions: true, cell: buttons }]}
        />
      )}
      {editing
        ? props.editor({
            item: editing.item,
            onClose: () => setEditing(undefined),
            onDone: () => {
              setEditing(undefined);
              toast(`The ${what} ${verb} saved.`);
              reload();
            },
          })
        : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete ${what} ${idOf(deleting)}?`}
          word={idOf(deleting)}
          consequence={props.consequence}
          action={`Delete ${what}`}
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
