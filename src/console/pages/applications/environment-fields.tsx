// The fields of a new environment, shared by "new application" and "new environment".
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/errors.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { CheckGroup, TextField } from '../../kit/field.js';
import { useTenant } from '../../tenant/tenant.js';
import { splitList } from './model.js';

export interface EnvironmentDraft {
  name: string;
  geographies: string;
  contextTag: string;
  gkScopeIds: string[];
}

export const emptyEnvironment: EnvironmentDraft = {
  name: 'development',
  geographies: 'us',
  contextTag: '',
  gkScopeIds: [],
};

export function environmentBody(draft: EnvironmentDraft): object {
  return {
    name: draft.name.trim(),
    geographies: splitList(draft.geographies),
    ...(draft.contextTag.trim() === '' ? {} : { contextTag: draft.contextTag.trim() }),
    ...(draft.gkScopeIds.length === 0 ? {} : { gkScopeIds: draft.gkScopeIds }),
  };
}

export function EnvironmentFields({
  draft,
  onDraft,
  error,
}: {
  draft: EnvironmentDraft;
  onDraft: (draft: EnvironmentDraft) => void;
  error: ApiError | undefined;
}): ReactNode {
  const me = useMe();
  const { scopes } = useTenant();
  const change = (part: Partial<EnvironmentDraft>): void => onDraft({ ...draft, ...part });
  return (
    <>
      <TextField
        label="Environment"
        hint="Such as development, test or production."
        value={draft.name}
        onValue={(name) => change({ name })}
        error={error?.problem('environment.name') ?? error?.problem('environments[0].name')}
      />
      <TextField
        label="Geographies"
        hint="Separated by commas. Each gets a client named default."
        value={draft.geographies}
        onValue={(geographies) => change({ geographies })}
        error={error?.problem('geographies')}
      />
      <TextField
        label="Context tag"
        hint="Names the models of this environment in URNs. Made from the application ID when empty."
        optional
        value={draft.contextTag}
        onValue={(contextTag) => change({ contextTag })}
        error={error?.problem('contextTag')}
      />
      {isAdministrator(me) && scopes.length > 0 ? (
        <CheckGroup
          label="Tenants its tokens may reach"
          options={scopes.map((scope) => ({
            value: scope.gkScopeId.value,
            label: scope.customerName || scope.scopeId,
          }))}
          value={draft.gkScopeIds}
          onValue={(gkScopeIds) => change({ gkScopeIds })}
        />
      ) : null}
    </>
  );
}
