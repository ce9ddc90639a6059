// Agents of a site: state at a glance and by one select, everything else in a dialog.
import { useState, type ReactNode } from 'react';
import { del, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { words } from '../../format/text.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { CheckGroup, SelectField, TextArea, TextField } from '../../kit/field.js';
import { Badge, type BadgeTone } from '../../kit/layout.js';
import { EmptyState, ErrorNotice } from '../../kit/notice.js';
import { Table } from '../../kit/table.js';
import { toast } from '../../kit/toast.js';
import { AGENT_STATES, sitePath, type Agent, type AgentGroup, type AgentState } from './model.js';
import type { SectionProps } from './site.js';

const TONES: Record<AgentState, BadgeTone> = {
  AGENT_STATE_AVAILABLE: 'good',
  AGENT_STATE_BUSY: 'warn',
  AGENT_STATE_OFFLINE: 'neutral',
};
const stateOf = (agent: Agent): AgentState => agent.state ?? 'AGENT_STATE_OFFLINE';

export function Agents({ model, reload }: SectionProps): ReactNode {
  const [editing, setEditing] = useState<Agent | 'new'>();
  const [deleting, setDeleting] = useState<Agent>();
  const path = `${sitePath(model.site.siteId)}/agents`;
  const setState = useAction(async (agent: Agent, state: string) => {
    await put(`${path}/${encodeURIComponent(agent.agentId)}/state`, { state });
    toast(`${agent.name || agent.agentId} is ${words(state, 'AGENT_STATE').toLowerCase()}.`);
    reload();
  });
  const remove = useAction(async (agent: Agent) => {
    await del(`${path}/${encodeURIComponent(agent.agentId)}`);
    setDeleting(undefined);
    toast('The agent is deleted.');
    reload();
  });
  const add = (
    <Button kind="primary" onClick={() => setEditing('new')}>
      New agent
    </Button>
  );
  return (
    <div className="stack">
      {setState.error ? <ErrorNotice error={setState.error} /> : null}
      {model.agents.length === 0 ? (
        <EmptyState icon="people" title="No agent yet" action={add}>
          Without agents the answer to every availability question is offline.
        </EmptyState>
      ) : (
        <>
          <div className="row">{add}</div>
          <Table
            caption="Agents"
            rows={model.agents}
            rowKey={(agent) => agent.agentId}
            columns={[
              {
                label: 'Agent',
                cell: (agent) => (
                  <div>
                    <strong>{agent.name || agent.agentId}</strong>
                    <div className="soft small mono">{agent.agentId}</div>
                  </div>
                ),
              },
              { label: 'Groups', cell: (agent) => (agent.agentGroupIds ?? []).join(', ') || '-' },
              {
                label: 'State',
                cell: (agent) => (
                  <Badge tone={TONES[stateOf(agent)]}>{words(stateOf(agent), 'AGENT_STATE')}</Badge>
                ),
              },
              {
                label: 'Conversations',
                number: true,
                cell: (agent) => `${String(agent.slotsUsed ?? 0)} of ${String(agent.slots ?? 0)}`,
              },
              {
                label: 'Actions',
                actions: true,
                cell: (agent) => (
                  <>
                    <select
                      className="input"
                      style={{ width: 'auto', minHeight: '1.875rem' }}
                      aria-label={`State of ${agent.name || agent.agentId}`}
                      value={stateOf(agent)}
                      onChange={(event) => void setState.run(agent, event.target.value)}
                    >
                      {AGENT_STATES.map((state) => (
                        <option key={state} value={state}>
                          {words(state, 'AGENT_STATE')}
                        </option>
                      ))}
                    </select>
                    <Button size="small" onClick={() => setEditing(agent)}>
                      Edit
                    </Button>
                    <Button size="small" kind="danger" onClick={() => setDeleting(agent)}>
                      Delete
                    </Button>
                  </>
                ),
              },
            ]}
          />
        </>
      )}
      {editing ? (
        <AgentDialog
          path={path}
          siteId={model.site.siteId}
          groups={model.groups}
          agent={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onDone={() => {
            setEditing(undefined);
            toast('The agent is saved.');
            reload();
          }}
        />
      ) : null}
      {deleting ? (
        <ConfirmDialog
          title={`Delete agent ${deleting.agentId}?`}
          word={deleting.agentId}
          consequence="The agent no longer counts in any availability answer."
          action="Delete agent"
          onClose={() => setDeleting(undefined)}
          onConfirm={() => void remove.run(deleting)}
          busy={remove.busy}
          error={remove.error}
        />
      ) : null}
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
  path,
  siteId,
  groups,
  agent,
  onClose,
  onDone,
}: {
  path: string;
  siteId: string;
  groups: readonly AgentGroup[];
  agent: Agent | undefined;
  onClose: () => void;
  onDone: () => void;
}): ReactNode {
  const [id, setId] = useState(agent?.agentId ?? '');
  const [name, setName] = useState(agent?.name ?? '');
  const [memberOf, setMemberOf] = useState(agent?.agentGroupIds ?? []);
  const [state, setState] = useState<string>(agent?.state ?? 'AGENT_STATE_AVAILABLE');
  const [slots, setSlots] = useState(String(agent?.slots ?? 1));
  const [used, setUsed] = useState(String(agent?.slotsUsed ?? 0));
  const [attributes, setAttributes] = useState(attributeText(agent?.attributes));
  const save = useAction(async () => {
    await put(`${path}/${encodeURIComponent(id.trim())}`, {
      agent: {
        siteId,
        agentId: id.trim(),
        name: name.trim(),
        agentGroupIds: memberOf,
        state,
        slots: Number(slots),
        slotsUsed: Number(used),
        attributes: readAttributes(attributes),
      },
    });
    onDone();
  });
  return (
    <FormDialog
      title={agent ? `Edit ${agent.agentId}` : 'New agent'}
      onClose={onClose}
      onSubmit={() => void save.run()}
      submitLabel="Save agent"
      busy={save.busy}
      error={save.error}
      disabled={id.trim() === ''}
    >
      {agent ? null : (
        <TextField
          label="Agent ID"
          value={id}
          onValue={setId}
          autoFocus
          spellCheck={false}
          error={save.error?.problem('agentId')}
        />
      )}
      <TextField label="Name" value={name} onValue={setName} error={save.error?.problem('name')} />
      {groups.length > 0 ? (
        <CheckGroup
          label="Groups"
          options={groups.map((group) => ({
            value: group.agentGroupId,
            label: group.name || group.agentGroupId,
          }))}
          value={memberOf}
          onValue={setMemberOf}
          error={save.error?.problem('agentGroupIds')}
        />
      ) : (
        <p className="soft small">There is no agent group yet; an agent without one serves nobody.</p>
      )}
      <SelectField
        label="State"
        value={state}
        onValue={setState}
        options={AGENT_STATES.map((value) => ({ value, label: words(value, 'AGENT_STATE') }))}
      />
      <TextField
        label="Conversations at once"
        type="number"
        min={0}
        value={slots}
        onValue={setSlots}
        error={save.error?.problem('slots')}
      />
      <TextField
        label="Conversations now"
        type="number"
        min={0}
        value={used}
        onValue={setUsed}
        error={save.error?.problem('slotsUsed')}
      />
      <TextArea
        label="Attributes"
        optional
        hint="One on each line: language=de"
        value={attributes}
        onValue={setAttributes}
        spellCheck={false}
        error={save.error?.problem('attributes')}
      />
    </FormDialog>
  );
}
