// Agents of a site: state at a glance and by one select, everything else in a dialog.
import type { ReactNode } from 'react';
import { put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { words } from '../../format/text.js';
import { FormDialog } from '../../kit/dialog.js';
import { EditableList, type EditorProps } from '../../kit/editable-list.js';
import { CheckGroup, SelectField, TextArea, TextField } from '../../kit/field.js';
import { useForm } from '../../kit/form.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { ErrorNotice } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { agentStates, sitePath, type Agent, type AgentState } from './model.js';
import type { SectionProps, SiteModel } from './site.js';

const tones: Record<AgentState, BadgeTone> = {
  AGENT_STATE_AVAILABLE: 'good',
  AGENT_STATE_BUSY: 'warn',
  AGENT_STATE_OFFLINE: 'neutral',
};
const stateOf = (agent: Agent): AgentState => agent.state ?? 'AGENT_STATE_OFFLINE';
const nameOf = (agent: Agent): string => agent.name || agent.agentId;
const agentPath = (siteId: string, agentId: string): string =>
  `${sitePath(siteId)}/agents/${encodeURIComponent(agentId)}`;

export function Agents({ model, reload }: SectionProps): ReactNode {
  const { siteId } = model.site;
  const groupName = (id: string): string =>
    model.groups.find((group) => group.agentGroupId === id)?.name || id;
  const setState = useAction(async (agent: Agent, state: string) => {
    await put(`${agentPath(siteId, agent.agentId)}/state`, { state });
    toast(`${nameOf(agent)} is ${words(state, 'AGENT_STATE').toLowerCase()}.`);
    reload();
  });
  return (
    <div className="stack">
      {setState.error ? <ErrorNotice error={setState.error} /> : null}
      <EditableList
        what="agent"
        caption="Agents"
        rows={model.agents}
        idOf={(agent) => agent.agentId}
        pathOf={(agent) => agentPath(siteId, agent.agentId)}
        reload={reload}
        consequence="The agent no longer counts in any availability answer."
        empty={{
          icon: 'people',
          title: 'No agent yet',
          text: 'Without agents the answer to every availability question is offline.',
        }}
        addLabel="New agent"
        columns={[
          {
            label: 'Agent',
            cell: (agent) => (
              <>
                <strong>{nameOf(agent)}</strong>
                <div className="soft small mono">{agent.agentId}</div>
              </>
            ),
          },
          { label: 'Groups', cell: (agent) => (agent.agentGroupIds ?? []).map(groupName).join('; ') || '-' },
          {
            label: 'State',
            cell: (agent) => (
              <Badge tone={tones[stateOf(agent)]}>{words(stateOf(agent), 'AGENT_STATE')}</Badge>
            ),
          },
          {
            label: 'Conversations',
            number: true,
            cell: (agent) => `${String(agent.slotsUsed ?? 0)} of ${String(agent.slots ?? 0)}`,
          },
        ]}
        actions={(agent) => (
          <select
            className="input input-small"
            aria-label={`State of ${nameOf(agent)}`}
            value={stateOf(agent)}
            onChange={(event) => void setState.run(agent, event.target.value)}
          >
            {agentStates.map((state) => (
              <option key={state} value={state}>
                {words(state, 'AGENT_STATE')}
              </option>
            ))}
          </select>
        )}
        editor={(props) => <AgentDialog {...props} model={model} />}
      />
    </div>
  );
}

const attributeText = (attributes: Record<string, string> = {}): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');

function readAttributes(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function AgentDialog({
  item: agent,
  model,
  onClose,
  onDone,
}: EditorProps<Agent> & { model: SiteModel }): ReactNode {
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
      const { siteId } = model.site;
      const agentId = draft.agentId.trim();
      await put(agentPath(siteId, agentId), {
        agent: {
          ...draft,
          siteId,
          agentId,
          name: draft.name.trim(),
          slots: Number(draft.slots),
          slotsUsed: Number(draft.slotsUsed),
          attributes: readAttributes(draft.attributes),
        },
      });
      onDone();
    },
  );
  return (
    <FormDialog
      title={agent ? `Edit ${nameOf(agent)}` : 'New agent'}
      onClose={onClose}
      submitLabel="Save agent"
      disabled={form.draft.agentId.trim() === ''}
      {...form.submit}
    >
      {agent ? null : <TextField label="Agent ID" autoFocus spellCheck={false} {...form.text('agentId')} />}
      <TextField label="Name" {...form.text('name')} />
      {model.groups.length > 0 ? (
        <CheckGroup
          label="Groups"
          options={model.groups.map((group) => ({
            value: group.agentGroupId,
            label: group.name || group.agentGroupId,
          }))}
          {...form.list('agentGroupIds')}
        />
      ) : (
        <p className="soft small">There is no agent group yet; an agent without one serves nobody.</p>
      )}
      <SelectField
        label="State"
        options={agentStates.map((value) => ({ value, label: words(value, 'AGENT_STATE') }))}
        {...form.text('state')}
      />
      <TextField label="Conversations at once" type="number" min={0} {...form.text('slots')} />
      <TextField label="Conversations now" type="number" min={0} {...form.text('slotsUsed')} />
      <TextArea
        label="Attributes"
        optional
        hint="One on each line: language=de"
        spellCheck={false}
        {...form.text('attributes')}
      />
    </FormDialog>
  );
}
