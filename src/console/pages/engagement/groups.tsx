// Business units of a site and the agent groups that serve them.
import type { ReactNode } from 'react';
import type { AgentGroupJson, BusinessUnitJson } from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { SelectField, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/engagement.js';
import { t as shell } from '../../text/shell.js';
import { unitLabel, type SectionProps } from './model.js';

export function Groups({ model, reload }: SectionProps): ReactNode {
  const isFixed = !useMay()('administrator');
  const { siteId } = model.site;
  return (
    <div className="stack" data-loose>
      <section className="stack" aria-labelledby="units-title">
        <EditableList
          isFixed={isFixed}
          text={t.units.list}
          icon="people"
          heading={<h2 id="units-title">{t.units.heading}</h2>}
          rows={model.units}
          idOf={(unit) => unit.businessUnitId ?? ''}
          remove={({ businessUnitId }) => call('DeleteBusinessUnit', { siteId, businessUnitId })}
          reload={reload}
          addKind="plain"
          columns={[
            { label: t.units.id, cell: (unit) => <code>{unit.businessUnitId}</code> },
            { label: t.units.name, cell: (unit) => unit.name || shell.none },
          ]}
          editor={(props) => <UnitDialog {...props} siteId={siteId} />}
        />
      </section>
      <section className="stack" aria-labelledby="groups-title">
        <EditableList
          isFixed={isFixed}
          text={t.groups.list}
          icon="people"
          heading={<h2 id="groups-title">{t.groups.heading}</h2>}
          rows={model.groups}
          idOf={(group) => group.agentGroupId ?? ''}
          remove={({ agentGroupId }) => call('DeleteAgentGroup', { siteId, agentGroupId })}
          reload={reload}
          addKind="plain"
          addDisabled={model.units.length === 0}
          columns={[
            { label: t.units.id, cell: (group) => <code>{group.agentGroupId}</code> },
            { label: t.units.name, cell: (group) => group.name || shell.none },
            { label: t.groups.unit, cell: (group) => unitName(model.units, group.businessUnitId) },
            {
              label: t.groups.queue,
              number: true,
              cell: (group) => t.of(group.queueLength ?? 0, group.queueCapacity ?? 0),
            },
          ]}
          editor={(props) => <GroupDialog {...props} siteId={siteId} units={model.units} />}
        />
      </section>
    </div>
  );
}

function unitName(units: readonly BusinessUnitJson[], id = ''): string {
  return unitLabel(units.find(({ businessUnitId }) => businessUnitId === id) ?? { businessUnitId: id });
}

function UnitDialog({
  item: unit,
  siteId,
  onClose,
  onDone,
}: EditorProps<BusinessUnitJson> & { siteId: string }): ReactNode {
  const form = useForm(
    { businessUnitId: unit?.businessUnitId ?? '', name: unit?.name ?? '' },
    async (draft) => {
      const businessUnitId = draft.businessUnitId.trim();
      await call('UpsertBusinessUnit', {
        businessUnit: { siteId, businessUnitId, name: draft.name.trim() },
        expected: unit,
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={unit ? t.units.edit(unit.businessUnitId ?? '') : t.units.new}
      onClose={onClose}
      submitLabel={t.units.save}
      disabled={form.draft.businessUnitId.trim() === ''}
      {...form.submit}
    >
      {unit ? null : (
        <TextField
          label={t.units.unitId}
          hint={t.units.unitIdHint}
          inputMode="numeric"
          autoFocus
          {...form.text('businessUnitId')}
        />
      )}
      <TextField label={t.units.name} {...form.text('name')} />
    </FormDialog>
  );
}

function GroupDialog({
  item: group,
  siteId,
  units,
  onClose,
  onDone,
}: EditorProps<AgentGroupJson> & { siteId: string; units: readonly BusinessUnitJson[] }): ReactNode {
  const form = useForm(
    {
      agentGroupId: group?.agentGroupId ?? '',
      name: group?.name ?? '',
      businessUnitId: group?.businessUnitId ?? units[0]?.businessUnitId ?? '',
      queueCapacity: String(group?.queueCapacity ?? 0),
      queueLength: String(group?.queueLength ?? 0),
    },
    async (draft) => {
      await call('UpsertAgentGroup', {
        agentGroup: {
          siteId,
          agentGroupId: draft.agentGroupId.trim(),
          name: draft.name.trim(),
          businessUnitId: draft.businessUnitId,
          queueCapacity: Number(draft.queueCapacity),
          queueLength: Number(draft.queueLength),
        },
        expected: group,
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={group ? t.groups.edit(group.agentGroupId ?? '') : t.groups.new}
      onClose={onClose}
      submitLabel={t.groups.save}
      disabled={form.draft.agentGroupId.trim() === ''}
      {...form.submit}
    >
      {group ? null : (
        <TextField label={t.groups.groupId} autoFocus spellCheck={false} {...form.text('agentGroupId')} />
      )}
      <TextField label={t.units.name} {...form.text('name')} />
      <SelectField
        label={t.groups.unit}
        options={units.map((unit) => ({ value: unit.businessUnitId ?? '', label: unitLabel(unit) }))}
        {...form.text('businessUnitId')}
      />
      <TextField
        label={t.groups.capacity}
        type="number"
        min={0}
        hint={t.groups.capacityHint}
        {...form.text('queueCapacity')}
      />
      <TextField label={t.groups.waiting} type="number" min={0} {...form.text('queueLength')} />
    </FormDialog>
  );
}
