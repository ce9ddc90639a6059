// Business units of a site and the agent groups that serve them.
import type { ReactNode } from 'react';
import { put } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { sitePath, unitLabel, type AgentGroup, type BusinessUnit } from './model.js';
import type { SectionProps } from './site.js';

const unitPath = (siteId: string, id: string): string =>
  `${sitePath(siteId)}/business-units/${encodeURIComponent(id)}`;
const groupPath = (siteId: string, id: string): string =>
  `${sitePath(siteId)}/agent-groups/${encodeURIComponent(id)}`;

export function Groups({ model, reload }: SectionProps): ReactNode {
  const { siteId } = model.site;
  return (
    <div className="stack" data-loose>
      <section className="stack" aria-labelledby="units-title">
        <EditableList
          what="business unit"
          caption="Business units"
          heading={<h2 id="units-title">Business units</h2>}
          rows={model.units}
          idOf={(unit) => unit.businessUnitId}
          pathOf={(unit) => unitPath(siteId, unit.businessUnitId)}
          reload={reload}
          consequence="Agent groups that serve it lose their purpose."
          empty={{
            icon: 'people',
            title: 'No business unit yet',
            text: 'The availability question names a business unit; begin with one.',
          }}
          addLabel="New business unit"
          addKind="plain"
          columns={[
            { label: 'ID', cell: (unit) => <code>{unit.businessUnitId}</code> },
            { label: 'Name', cell: (unit) => unit.name || '-' },
          ]}
          editor={(props) => <UnitDialog {...props} siteId={siteId} />}
        />
      </section>
      <section className="stack" aria-labelledby="groups-title">
        <EditableList
          what="agent group"
          caption="Agent groups"
          heading={<h2 id="groups-title">Agent groups</h2>}
          rows={model.groups}
          idOf={(group) => group.agentGroupId}
          pathOf={(group) => groupPath(siteId, group.agentGroupId)}
          reload={reload}
          consequence="Its agents stay, without this group."
          empty={{
            icon: 'people',
            title: 'No agent group yet',
            text: 'Agents belong to groups; a group serves a business unit and may have a queue.',
          }}
          addLabel="New agent group"
          addKind="plain"
          addDisabled={model.units.length === 0}
          columns={[
            { label: 'ID', cell: (group) => <code>{group.agentGroupId}</code> },
            { label: 'Name', cell: (group) => group.name || '-' },
            { label: 'Business unit', cell: (group) => unitName(model.units, group.businessUnitId) },
            {
              label: 'Queue',
              number: true,
              cell: (group) => `${String(group.queueLength ?? 0)} of ${String(group.queueCapacity ?? 0)}`,
            },
          ]}
          editor={(props) => <GroupDialog {...props} siteId={siteId} units={model.units} />}
        />
      </section>
    </div>
  );
}

function unitName(units: readonly BusinessUnit[], id: string): string {
  const unit = units.find(({ businessUnitId }) => businessUnitId === id);
  return unit ? unitLabel(unit) : id;
}

function UnitDialog({
  item: unit,
  siteId,
  onClose,
  onDone,
}: EditorProps<BusinessUnit> & { siteId: string }): ReactNode {
  const form = useForm(
    { businessUnitId: unit?.businessUnitId ?? '', name: unit?.name ?? '' },
    async (draft) => {
      const businessUnitId = draft.businessUnitId.trim();
      await put(unitPath(siteId, businessUnitId), {
        businessUnit: { siteId, businessUnitId, name: draft.name.trim() },
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={unit ? `Edit business unit ${unit.businessUnitId}` : 'New business unit'}
      onClose={onClose}
      submitLabel="Save business unit"
      disabled={form.draft.businessUnitId.trim() === ''}
      {...form.submit}
    >
      {unit ? null : (
        <TextField
          label="Business unit ID"
          hint="Digits only."
          inputMode="numeric"
          autoFocus
          {...form.text('businessUnitId')}
        />
      )}
      <TextField label="Name" {...form.text('name')} />
    </FormDialog>
  );
}

function GroupDialog({
  item: group,
  siteId,
  units,
  onClose,
  onDone,
}: EditorProps<AgentGroup> & { siteId: string; units: readonly BusinessUnit[] }): ReactNode {
  const form = useForm(
    {
      agentGroupId: group?.agentGroupId ?? '',
      name: group?.name ?? '',
      businessUnitId: group?.businessUnitId ?? units[0]?.businessUnitId ?? '',
      queueCapacity: String(group?.queueCapacity ?? 0),
      queueLength: String(group?.queueLength ?? 0),
    },
    async (draft) => {
      const agentGroupId = draft.agentGroupId.trim();
      await put(groupPath(siteId, agentGroupId), {
        agentGroup: {
          ...draft,
          siteId,
          agentGroupId,
          name: draft.name.trim(),
          queueCapacity: Number(draft.queueCapacity),
          queueLength: Number(draft.queueLength),
        },
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={group ? `Edit agent group ${group.agentGroupId}` : 'New agent group'}
      onClose={onClose}
      submitLabel="Save agent group"
      disabled={form.draft.agentGroupId.trim() === ''}
      {...form.submit}
    >
      {group ? null : (
        <TextField label="Agent group ID" autoFocus spellCheck={false} {...form.text('agentGroupId')} />
      )}
      <TextField label="Name" {...form.text('name')} />
      <SelectField
        label="Business unit"
        options={units.map((unit) => ({ value: unit.businessUnitId, label: unitLabel(unit) }))}
        {...form.text('businessUnitId')}
      />
      <TextField
        label="Queue capacity"
        type="number"
        min={0}
        hint="Conversations that may wait; 0 means no queue."
        {...form.text('queueCapacity')}
      />
      <TextField label="Waiting now" type="number" min={0} {...form.text('queueLength')} />
    </FormDialog>
  );
}
