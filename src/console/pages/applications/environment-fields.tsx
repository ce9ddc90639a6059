// The fields of a new environment, shared by "new application" and "new environment".
import { useState, type ReactNode } from 'react';
import type { NewEnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { ApiError } from '../../api/errors.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/applications.js';
import { purposes, splitList } from './model.js';

const text = t.fields;

interface EnvironmentDraft {
  name: string;
  geographies: string;
  contextTag: string;
  tenantIds: string[];
  purposes: string[];
}

/** Starts with the tenant in use: a token that reaches no tenant is useless. */
export function useEnvironmentDraft(name: string): [EnvironmentDraft, (draft: EnvironmentDraft) => void] {
  const { tenant } = useTenant();
  const mayGrant = isAdministrator(useMe());
  return useState<EnvironmentDraft>(() => ({
    name,
    geographies: 'us',
    contextTag: '',
    tenantIds: mayGrant && tenant ? [tenant.id] : [],
    purposes: ['voice'],
  }));
}

export function environmentBody(draft: EnvironmentDraft): NewEnvironmentJson {
  return {
    name: draft.name.trim(),
    geographies: splitList(draft.geographies),
    ...(draft.contextTag.trim() === '' ? {} : { contextTag: draft.contextTag.trim() }),
    ...(draft.tenantIds.length === 0 ? {} : { gkScopeIds: draft.tenantIds }),
    allowedScopes: scopesFor(draft.purposes),
  };
}

const scopesFor = (chosen: readonly string[]): string[] =>
  Object.entries(purposes).flatMap(([name, scopes]) => (chosen.includes(name) ? scopes : []));

/** Server names of the fields that show their own problems. */
export const environmentFieldNames = ['name', 'geographies', 'contextTag', 'gkScopeIds', 'allowedScopes'];

interface FieldsProps {
  draft: EnvironmentDraft;
  onDraft: (draft: EnvironmentDraft) => void;
  error: ApiError | undefined;
}

/** `isFirst`: of a new application; it need not be named. */
export function EnvironmentFields({
  isFirst = false,
  ...props
}: FieldsProps & { isFirst?: boolean }): ReactNode {
  const { draft, onDraft, error } = props;
  const mayGrant = isAdministrator(useMe());
  const { tenants } = useTenant();
  const change = (part: Partial<EnvironmentDraft>): void => onDraft({ ...draft, ...part });
  return (
    <>
      {isFirst ? null : <NameField {...props} />}
      {mayGrant && tenants.length > 0 ? (
        <CheckGroup
          label={text.tenants}
          options={tenants.map(({ id, label }) => ({ value: id, label }))}
          value={draft.tenantIds}
          onValue={(tenantIds) => change({ tenantIds })}
          error={error?.problem('gkScopeIds')}
        />
      ) : null}
      {draft.tenantIds.length === 0 ? (
        <Notice tone="warn">{mayGrant ? text.noTenant : text.askAdmin}</Notice>
      ) : null}
      <CheckGroup
        label={text.purpose}
        options={Object.entries(text.purposes).map(([value, label]) => ({ value, label }))}
        value={draft.purposes}
        onValue={(chosen) => change({ purposes: chosen })}
        error={error?.problem('allowedScopes')}
      />
      <Advanced {...props} isFirst={isFirst} />
    </>
  );
}

function NameField({ draft, onDraft, error }: FieldsProps): ReactNode {
  return (
    <TextField
      label={text.environment}
      hint={text.environmentHint}
      value={draft.name}
      onValue={(name) => onDraft({ ...draft, name })}
      error={nameProblem(error)}
    />
  );
}

const nameProblem = (error: ApiError | undefined): string | undefined =>
  error?.problem('environment.name') ?? error?.problem('environments[0].name');

/** What few change; open where one of them was refused. */
function Advanced({ isFirst, ...props }: FieldsProps & { isFirst: boolean }): ReactNode {
  const { draft, onDraft, error } = props;
  const [isOpen, setOpen] = useState(false);
  const change = (part: Partial<EnvironmentDraft>): void => onDraft({ ...draft, ...part });
  const problems = [nameProblem(error), error?.problem('geographies'), error?.problem('contextTag')];
  return (
    <details
      className="disclosure"
      open={isOpen || problems.some(Boolean)}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{text.advanced}</summary>
      <div className="disclosure-body stack">
        {isFirst ? <NameField {...props} /> : null}
        <TextField
          label={text.geographies}
          hint={text.geographiesHint}
          value={draft.geographies}
          onValue={(geographies) => change({ geographies })}
          error={error?.problem('geographies')}
        />
        <TextField
          label={text.contextTag}
          hint={text.contextTagHint}
          optional
          value={draft.contextTag}
          onValue={(contextTag) => change({ contextTag })}
          error={error?.problem('contextTag')}
        />
      </div>
    </details>
  );
}
