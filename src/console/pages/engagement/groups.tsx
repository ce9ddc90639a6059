// Business units of a site and the agent groups that serve them.
import { useState, type ReactNode } from 'react';
import { del, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField, TextField } from '../../kit/field.js';
import { EmptyState } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { sitePath, type AgentGroup, type BusinessUnit } from './model.js';
import type { SectionProps } from './site.js';

type Open =
  | { kind: 'unit'; unit?: BusinessUnit }
  | { kind: 'group'; group?: AgentGroup }
  | { kind: 'delete'; path: string; id: string; what: string; consequence: string };

export function Groups({ model, reload }: SectionProps): ReactNode {
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const done = (text: string): void => {
    close();
    toast(text);
    reload();
  };
  const path = sitePath(model.site.siteId);
  const remove = useAction(async (target: { path: string; what: string }) => {
    await del(target.path);
    done(`The ${target.what} is deleted.`);
  });
  return (
    <div className="stack" data-loose>
      <section className="stack" aria-labelledby="units-title">
        <div className="row">
          <h2 id="units-title">Business units</h2>
          <Button onClick={() => setOpen({ kind: 'unit' })}>New business unit</Button>
        </div>
        {model.units.length === 0 ? (
          <EmptyState icon="people" title="No business unit yet">
            The availability question names a business unit; begin with one.
          </EmptyState>
        ) : (
          <Table
            caption="Business units"
            rows={model.units}
            rowKey={(unit) => unit.businessUnitId}
            columns={[
              { label: 'ID', cell: (unit) => <code>{unit.businessUnitId}</code> },
              { label: 'Name', cell: (unit) => unit.name || '-' },
              {
                label: 'Actions',
                actions: true,
                cell: (unit) => (
                  <>
                    <Button size="small" onClick={() => setOpen({ kind: 'unit', unit })}>
                      Edit
                    </Button>
                    <Button
                      size="small"
                      kind="danger"
                      onClick={() =>
                        setOpen({
                          kind: 'delete',
                          path: `${path}/business-units/${encodeURIComponent(unit.businessUnitId)}`,
                          id: unit.businessUnitId,
                          what: 'business unit',
                          consequence: 'Agent groups that serve it lose their purpose.',
                        })
                      }
                    >
                      Delete
                    </Button>
                  </>
                ),
              },
            ]}
          />
        )}
      </section>
      <section className="stack" aria-labelledby="groups-title">
        <div className="row">
          <h2 id="groups-title">Agent groups</h2>
          <Button onClick={() => setOpen({ kind: 'group' })} disabled={model.units.length === 0}>
            New agent group
          </Button>
        </div>
        {model.groups.length === 0 ? (
          <EmptyState icon="people" title="No agent group yet">
            Agents belong to groups; a group serves a business unit and may have a queue.
          </EmptyState>
        ) : (
          <Table
            caption="Agent groups"
            rows={model.groups}
            rowKey={(group) => group.agentGroupId}
            columns={[
              { label: 'ID', cell: (group) => <code>{group.agentGroupId}</code> },
              { label: 'Name', cell: (group) => group.name || '-' },
              { label: 'Business unit', cell: (group) => <code>{group.businessUnitId}</code> },
              {
                label: 'Queue',
                number: true,
                cell: (group) => `${String(group.queueLength ?? 0)} of ${String(group.queueCapacity ?? 0)}`,
              },
              {
                label: 'Actions',
                actions: true,
                cell: (group) => (
                  <>
                    <Button size="small" onClick={() => setOpen({ kind: 'group', group })}>
                      Edit
                    </Button>
                    <Button
                      size="small"
                      kind="danger"
                      onClick={() =>
                        setOpen({
                          kind: 'delete',
                          path: `${path}/agent-groups/${encodeURIComponent(group.agentGroupId)}`,
                          id: group.agentGroupId,
                          what: 'agent group',
                          consequence: 'Its agents stay, without this group.',
                        })
                      }
                    >
                      Delete
                    </Button>
                  </>
                ),
              },
            ]}
          />
        )}
      </section>
      {open?.kind === 'unit' ? (
        <UnitDialog
          path={path}
          siteId={model.site.siteId}
          unit={open.unit}
          onClose={close}
          onDone={() => done('The business unit is saved.')}
        />
      ) : null}
      {open?.kind === 'group' ? (
        <GroupDialog
          path={path}
          siteId={model.site.siteId}
          units={model.units}
          group={open.group}
          onClose={close}
          onDone={() => done('The agent group is saved.')}
        />
      ) : null}
      {open?.kind === 'delete' ? (
        <ConfirmDialog
          title={`Delete ${open.what} ${open.id}?`}
          word={open.id}
          consequence={open.consequence}
          action={`Delete ${open.what}`}
          onClose={() => {
            remove.clear();
            close();
          }}
          onConfirm={() => void remove.run(open)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
    </div>
  );
}

function UnitDialog({
  path,
  siteId,
  unit,
  onClose,
  onDone,
}: {
  path: string;
  siteId: string;
  unit: BusinessUnit | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [id, setId] = useState(unit?.businessUnitId ?? '');
  const [name, setName] = useState(unit?.name ?? '');
  const save = useAction(async () => {
    await put(`${path}/business-units/${encodeURIComponent(id.trim())}`, {
      businessUnit: { siteId, businessUnitId: id.trim(), name: name.trim() },
    });
    onDone();
  });
  return (
    <FormDialog
      title={unit ? `Edit business unit ${unit.businessUnitId}` : 'New business unit'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save business unit"
      busy={save.busy}
      error={save.error}
      disabled={id.trim() === ''}
    >
      {unit ? null : (
        <TextField
          label="Business unit ID"
          hint="Digits only."
          inputMode="numeric"
          value={id}
          onValue={setId}
          autoFocus
          error={save.error?.problem('businessUnitId')}
        />
      )}
      <TextField label="Name" value={name} onValue={setName} error={save.error?.problem('name')} />
    </FormDialog>
  );
}

function GroupDialog({
  path,
  siteId,
  units,
  group,
  onClose,
  onDone,
}: {
  path: string;
  siteId: string;
  units: readonly BusinessUnit[];
  group: AgentGroup | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [id, setId] = useState(group?.agentGroupId ?? '');
  const [name, setName] = useState(group?.name ?? '');
  const [unit, setUnit] = useState(group?.businessUnitId ?? units[0]?.businessUnitId ?? '');
  const [capacity, setCapacity] = useState(String(group?.queueCapacity ?? 0));
  const [length, setLength] = useState(String(group?.queueLength ?? 0));
  const save = useAction(async () => {
    await put(`${path}/agent-groups/${encodeURIComponent(id.trim())}`, {
      agentGroup: {
        siteId,
        agentGroupId: id.trim(),
        businessUnitId: unit,
        name: name.trim(),
        queueCapacity: Number(capacity),
        queueLength: Number(length),
      },
    });
    onDone();
  });
  return (
    <FormDialog
      title={group ? `Edit agent group ${group.agentGroupId}` : 'New agent group'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save agent group"
      busy={save.busy}
      error={save.error}
      disabled={id.trim() === ''}
    >
      {group ? null : (
        <TextField
          label="Agent group ID"
          value={id}
          onValue={setId}
          autoFocus
          spellCheck={false}
          error={save.error?.problem('agentGroupId')}
        />
      )}
      <TextField label="Name" value={name} onValue={setName} error={save.error?.problem('name')} />
      <SelectField
        label="Business unit"
        value={unit}
        onValue={setUnit}
        options={units.map((item) => ({
          value: item.businessUnitId,
          label: item.name ? `${item.name} (${item.businessUnitId})` : item.businessUnitId,
        }))}
        error={save.error?.problem('businessUnitId')}
      />
      <TextField
        label="Queue capacity"
        type="number"
        min={0}
        hint="Conversations that may wait; 0 means no queue."
        value={capacity}
        onValue={setCapacity}
        error={save.error?.problem('queueCapacity')}
      />
      <TextField
        label="Waiting now"
        type="number"
        min={0}
        value={length}
        onValue={setLength}
        error={save.error?.problem('queueLength')}
      />
    </FormDialog>
  );
}
