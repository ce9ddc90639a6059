// Agents of a site: state at a glance and by one select, everything else in a dialog.
import type { ReactNode } from 'react';
import type { AgentJson, AgentStateJson } from '../../../gen/voxgate/management/v1/engagement_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { CheckGroup, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { useMay } from '../../tenant/rights.js';
import { t } from '../../text/engagement.js';
import { t as shell } from '../../text/shell.js';
import { attributeText, readAttributes } from './attributes.js';
import { agentStates, groupLabel, type SectionProps, type SiteModel } from './model.js';

const text = t.agents;

const tones: Record<AgentStateJson, BadgeTone> = {
  AGENT_STATE_UNSPECIFIED: 'neutral',
  AGENT_STATE_AVAILABLE: 'good',
  AGENT_STATE_BUSY: 'warn',
  AGENT_STATE_OFFLINE: 'neutral',
};
const stateOf = (agent: AgentJson): AgentStateJson => agent.state ?? 'AGENT_STATE_OFFLINE';
const nameOf = (agent: AgentJson): string => agent.name || agent.agentId || '';
const stateNamed = (value: string): AgentStateJson =>
  agentStates.find((state) => state === value) ?? 'AGENT_STATE_OFFLINE';

export function Agents({ model, reload }: SectionProps): ReactNode {
  const may = useMay();
  const isFixed = !may('administrator');
  const { siteId } = model.site;
  const groupName = (id: string): string =>
    groupLabel(model.groups.find((group) => group.agentGroupId === id) ?? { agentGroupId: id });
  const setState = useAction(async (agent: AgentJson, state: AgentStateJson) => {
    await call('SetAgentState', { siteId, agentId: agent.agentId, state });
    toast(text.isNow(nameOf(agent), t.agentStates[state]));
    reload();
  });
  return (
    <div className="stack">
      {setState.error ? <ErrorNotice error={setState.error} /> : null}
      <EditableList
        isFixed={isFixed}
        text={text.list}
        icon="people"
        rows={model.agents}
        idOf={(agent) => agent.agentId ?? ''}
        remove={({ agentId }) => call('DeleteAgent', { siteId, agentId })}
        reload={reload}
        columns={[
          {
            label: text.agent,
            cell: (agent) => (
              <>
                <strong>{nameOf(agent)}</strong>
                <div className="soft small mono">{agent.agentId}</div>
              </>
            ),
          },
          {
            label: text.groups,
            cell: (agent) => (agent.agentGroupIds ?? []).map(groupName).join('; ') || shell.none,
          },
          {
            label: text.state,
            cell: (agent) => <Badge tone={tones[stateOf(agent)]}>{t.agentStates[stateOf(agent)]}</Badge>,
          },
          {
            label: text.conversations,
            number: true,
            cell: (agent) => t.of(agent.slotsUsed ?? 0, agent.slots ?? 0),
          },
        ]}
        {...(may('agentStates') && {
          actions: (agent: AgentJson) => (
            <select
              className="input input-small"
              aria-label={text.stateOf(nameOf(agent))}
              value={stateOf(agent)}
              onChange={(event) => void setState.run(agent, stateNamed(event.target.value))}
            >
              {agentStates.map((state) => (
                <option key={state} value={state}>
                  {t.agentStates[state]}
                </option>
              ))}
            </select>
          ),
        })}
        editor={(props) => <AgentDialog {...props} model={model} />}
      />
    </div>
  );
}

function AgentDialog({
  item: agent,
  model,
  onClose,
  onDone,
}: EditorProps<AgentJson> & { model: SiteModel }): ReactNode {
  const form = useForm(
    {
      agentId: agent?.agentId ?? '',
      name: agent?.name ?? '',
      agentGroupIds: agent?.agentGroupIds ?? [],
      state: (agent?.state ?? 'AGENT_STATE_AVAILABLE') as string,
      slots: String(agent?.slots ?? 1),
      slotsUsed: String(agent?.slotsUsed ?? 0),
      attributes: attributeText(agent?.attributes),
    },
    async (draft) => {
      await call('UpsertAgent', {
        agent: {
          siteId: model.site.siteId,
          agentId: draft.agentId.trim(),
          name: draft.name.trim(),
          agentGroupIds: draft.agentGroupIds,
          state: stateNamed(draft.state),
          slots: Number(draft.slots),
          slotsUsed: Number(draft.slotsUsed),
          attributes: readAttributes(draft.attributes).attributes,
        },
        expected: agent,
      });
      onDone();
    },
  );
  const { problem } = readAttributes(form.draft.attributes);
  const attributes = form.text('attributes');
  return (
    <FormDialog
      title={agent ? text.edit(nameOf(agent)) : text.new}
      onClose={onClose}
      submitLabel={text.save}
      disabled={form.draft.agentId.trim() === '' || problem !== undefined}
      {...form.submit}
    >
      {agent ? null : <TextField label={text.id} autoFocus spellCheck={false} {...form.text('agentId')} />}
      <TextField label={text.name} {...form.text('name')} />
      {model.groups.length > 0 ? (
        <CheckGroup
          label={text.groups}
          options={model.groups.map((group) => ({
            value: group.agentGroupId ?? '',
            label: groupLabel(group),
          }))}
          {...form.list('agentGroupIds')}
        />
      ) : (
        <p className="soft small">{text.noGroup}</p>
      )}
      <SelectField
        label={text.state}
        options={agentStates.map((value) => ({ value, label: t.agentStates[value] }))}
        {...form.text('state')}
      />
      <TextField label={text.slots} type="number" min={0} {...form.text('slots')} />
      <TextField label={text.slotsUsed} type="number" min={0} {...form.text('slotsUsed')} />
      <TextArea
        label={text.attributes}
        optional
        hint={text.attributesHint}
        spellCheck={false}
        {...attributes}
        error={problem ?? attributes.error}
      />
    </FormDialog>
  );
}
