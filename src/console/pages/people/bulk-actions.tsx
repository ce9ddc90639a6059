// Actions on several persons or fraudsters at once: add them to a collection, or delete them. Each is a call
// of its own; those that failed stay selected.
import { useState, type ReactNode } from 'react';
import { forEachSelected } from '../../api/for-each.js';
import { useAction, useQuery } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { SelectionBar } from '../../kit/selection-bar.js';
import { toast } from '../../kit/toast.js';
import { useInSession, useReadContext, type Context } from '../../tenant/context.js';
import { Allowed } from '../../tenant/allowed.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/people.js';
import type { PartyKind } from '../biosec/party-picker.js';
import { collectionKinds, listCollections, partyKinds, type Party } from './kinds.js';
import { RecordingsStay } from './recordings-stay.js';

interface BulkProps {
  kind: PartyKind;
  selected: ReadonlySet<string>;
  onSelected: (selected: ReadonlySet<string>) => void;
  reload: () => void;
  /** The own IDs of the selected ones, and of others. */
  names: ReadonlyMap<string, string>;
  /** Rows of the list with the current filters. */
  shown: readonly Party[];
}

function useForEach({ selected, onSelected, reload }: Omit<BulkProps, 'names' | 'shown'>) {
  const inSession = useInSession();
  return (work: (context: Context, gkId: string) => Promise<unknown>): Promise<number> =>
    forEachSelected(
      selected,
      (gkId) => inSession((context) => work(context, gkId)),
      (left) => {
        onSelected(left);
        reload();
      },
    );
}

export function BulkActions(props: BulkProps): ReactNode {
  const { kind, selected, onSelected } = props;
  const { text, remove, needs } = partyKinds[kind];
  const [open, setOpen] = useState<'add' | 'delete' | undefined>();
  const forEach = useForEach(props);
  const close = (): void => setOpen(undefined);
  const deletion = useAction(async () => {
    const done = await forEach(remove);
    toast(t.deletedMany(done));
    close();
  });
  return (
    <SelectionBar count={selected.size} onClear={() => onSelected(new Set())}>
      <Allowed to={needs.collect}>
        <Button size="small" onClick={() => setOpen('add')}>
          {text.addTo}
        </Button>
      </Allowed>
      <Allowed to={needs.remove}>
        <Button size="small" kind="danger" onClick={() => setOpen('delete')}>
          {text.deleteSelected}
        </Button>
      </Allowed>
      {open === 'delete' ? (
        <ConfirmDialog
          title={text.deleteSelected}
          word={t.bulkConfirm}
          consequence={
            <>
              <p>{text.deleteManyText(selected.size)}</p>
              <Chosen {...props} />
              <RecordingsStay ofFraudster={kind === 'fraudster'} />
              {kind === 'person' ? <p>{t.stay.erase}</p> : null}
            </>
          }
          action={text.deleteSelected}
          onClose={close}
          onConfirm={() => void deletion.run()}
          busy={deletion.busy}
          error={deletion.error}
        />
      ) : null}
      {open === 'add' ? <AddToCollection kind={kind} forEach={forEach} onClose={close} /> : null}
    </SelectionBar>
  );
}

const NAMED_MAX = 20;

/** The selected ones, including those that a later search has hidden. */
function Chosen({ selected, names, shown }: BulkProps): ReactNode {
  const known = [...selected].map((gkId) => names.get(gkId) || t.erased);
  const inSight = new Set(shown.map(({ gkId }) => gkId));
  const unseen = [...selected].filter((gkId) => !inSight.has(gkId)).length;
  return (
    <>
      <p translate="no">
        <strong>{known.slice(0, NAMED_MAX).join(', ')}</strong>
        {known.length > NAMED_MAX ? ` ${t.andMore(known.length - NAMED_MAX)}` : ''}
      </p>
      {unseen > 0 ? <Notice tone="warn">{t.notInSight(unseen)}</Notice> : null}
    </>
  );
}

/** Adds one or several parties to an existing group or watchlist. */
export function AddToCollection({
  kind,
  forEach,
  onClose,
}: {
  kind: PartyKind;
  forEach: (work: (context: Context, gkId: string) => Promise<unknown>) => Promise<number>;
  onClose: () => void;
}): ReactNode {
  const { text, collection } = partyKinds[kind];
  const { addMember, hasMember, create, idField, needs } = collectionKinds[collection];
  const read = useReadContext();
  const inSession = useInSession();
  const mayCreate = useMay()(needs.add);
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | undefined>();
  const list = useQuery(read && `choose ${collection} ${read.gkScopeId.value}`, (signal) =>
    listCollections(collection, read as Context, { pageSize: 200 }, signal),
  );
  const rows = list.data?.rows ?? [];
  const gkId = chosen ?? rows[0]?.gkId ?? '';
  const isFirst = list.data !== undefined && rows.length === 0;
  const adding = useAction(async () => {
    const first = isFirst ? await inSession((context) => create(context, name.trim())) : undefined;
    // It exists from now on, even if the next step fails.
    if (first) list.reload();
    let already = 0;
    const done = await forEach(async (context, member) => {
      if (!first && (await hasMember(context, gkId, member))) already += 1;
      else await addMember(context, first ?? gkId, member);
    });
    const to = first ? name.trim() : (rows.find((row) => row.gkId === gkId)?.id ?? '');
    toast([t.addedMany(done - already, to), ...(already > 0 ? [t.alreadyIn(already)] : [])].join(' '));
    onClose();
  });
  return (
    <FormDialog
      title={text.addToMember}
      submitLabel={isFirst && mayCreate ? text.createAndAdd : t.addButton}
      onClose={onClose}
      onSubmit={() => void adding.run()}
      busy={adding.busy}
      error={adding.error ?? list.error}
      shown={[idField]}
      disabled={isFirst ? !mayCreate || name.trim() === '' : gkId === ''}
    >
      {isFirst && mayCreate ? (
        <TextField
          label={text.collection}
          hint={text.firstCollection}
          autoFocus
          spellCheck={false}
          error={adding.error?.problem(idField)}
          value={name}
          onValue={setName}
        />
      ) : isFirst ? (
        <p>{text.noCollection}</p>
      ) : (
        <SelectField
          label={text.collection}
          value={gkId}
          onValue={setChosen}
          options={rows.map((row) => ({ value: row.gkId, label: row.id }))}
        />
      )}
    </FormDialog>
  );
}
