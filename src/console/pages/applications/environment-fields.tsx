// The fields of a new environment, shared by "new application" and "new environment".
import { useState, type ReactNode } from 'react';
import type { NewEnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import type { ApiError } from '../../api/errors.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { Notice } from '../../kit/notice.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/applications.js';
import { splitList } from './model.js';

const text = t.fields;

interface EnvironmentDraft {
  name: string;
  geographies: string;
  contextTag: string;
  tenantIds: string[];
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
  }));
}

export function environmentBody(draft: EnvironmentDraft): NewEnvironmentJson {
  return {
    name: draft.name.trim(),
    geographies: splitList(draft.geographies),
    ...(draft.contextTag.trim() === '' ? {} : { contextTag: draft.contextTag.trim() }),
    ...(draft.tenantIds.length === 0 ? {} : { gkScopeIds: draft.tenantIds }),
  };
}

/** Server names of the fields that show their own problems. */
export const environmentFieldNames = ['name', 'geographies', 'contextTag', 'gkScopeIds'];

export function EnvironmentFields({
  draft,
  onDraft,
  error,
}: {
  draft: EnvironmentDraft;
  onDraft: (draft: EnvironmentDraft) => void;
  error: ApiError | undefined;
}): ReactNode {
  const mayGrant = isAdministrator(useMe());
  const { tenants } = useTenant();
  const change = (part: Partial<EnvironmentDraft>): void => onDraft({ ...draft, ...part });
  return (
    <>
      <TextField
        label={text.environment}
        hint={text.environmentHint}
        value={draft.name}
        onValue={(name) => change({ name })}
        error={error?.problem('environment.name') ?? error?.problem('environments[0].name')}
      />
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
      {mayGrant && tenants.length > 0 ? (
        <CheckGroup
          label={text.tenants}
          hint={text.tenantsHint}
          options={tenants.map(({ id, label }) => ({ value: id, label }))}
          value={draft.tenantIds}
          onValue={(tenantIds) => change({ tenantIds })}
          error={error?.problem('gkScopeIds')}
        />
      ) : null}
      {draft.tenantIds.length === 0 ? (
        <Notice tone="warn">{mayGrant ? text.noTenant : text.askAdmin}</Notice>
      ) : null}
    </>
  );
}
