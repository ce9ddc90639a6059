// Which tenants the tokens of an environment may reach. Administrators grant and take away.
import { useState, type ReactNode } from 'react';
import { del, put } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../auth/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField } from '../../kit/field.js';
import { EmptyState } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { useTenant } from '../../tenant/tenant.js';
import { environmentPath, type Environment } from './model.js';

export function Tenants({
  environment,
  onChanged,
}: {
  environment: Environment;
  onChanged: (environment: Environment) => void;
}): ReactNode {
  const admin = isAdministrator(useMe());
  const { scopes } = useTenant();
  const granted = environment.gkScopeIds ?? [];
  const [granting, setGranting] = useState(false);
  const [revoking, setRevoking] = useState<string>();
  const nameOf = (id: string): string => scopes.find((scope) => scope.gkScopeId.value === id)?.scopeId ?? id;
  const path = (id: string): string =>
    `${environmentPath(environment.appId)}/tenants/${encodeURIComponent(id)}`;
  const revoke = useAction(async (id: string) => {
    const answer = await del<{ environment: Environment }>(path(id));
    setRevoking(undefined);
    onChanged(answer.environment);
    toast(`${nameOf(id)} is taken away.`);
  });
  const grantButton = admin ? (
    <Button kind="primary" onClick={() => setGranting(true)}>
      Grant a tenant
    </Button>
  ) : null;
  return (
    <div className="stack">
      {granted.length === 0 ? (
        <EmptyState icon="people" title="No tenant yet" action={grantButton}>
          Tokens of this environment can reach no voices until a tenant is granted.
        </EmptyState>
      ) : (
        <>
          {grantButton ? (
            <div className="row">{grantButton}</div>
          ) : (
            <p className="soft small">Administrators grant tenants.</p>
          )}
          <ul className="tenant-list">
            {granted.map((id) => (
              <li key={id}>
                <div>
                  <strong>{nameOf(id)}</strong>
                  <div className="mono soft">{id}</div>
                </div>
                {admin ? (
                  <Button size="small" kind="danger" onClick={() => setRevoking(id)}>
                    Take away
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
      {granting ? (
        <GrantDialog
          options={scopes
            .filter((scope) => !granted.includes(scope.gkScopeId.value))
            .map((scope) => ({
              value: scope.gkScopeId.value,
              label: scope.customerName ? `${scope.customerName} (${scope.scopeId})` : scope.scopeId,
            }))}
          grant={async (id) => {
            const answer = await put<{ environment: Environment }>(path(id));
            setGranting(false);
            onChanged(answer.environment);
            toast(`${nameOf(id)} is granted.`);
          }}
          onClose={() => setGranting(false)}
        />
      ) : null}
      {revoking !== undefined ? (
        <ConfirmDialog
          title={`Take ${nameOf(revoking)} away?`}
          word={nameOf(revoking)}
          consequence="Programs of this environment lose access to the tenant at once, also with tokens that are out. The voices in it stay."
          action="Take away"
          onClose={() => {
            revoke.clear();
            setRevoking(undefined);
          }}
          onConfirm={() => void revoke.run(revoking)}
          busy={revoke.busy}
          error={revoke.error}
        />
      ) : null}
    </div>
  );
}

function GrantDialog({
  options,
  grant,
  onClose,
}: {
  options: readonly { value: string; label: string }[];
  grant: (id: string) => Promise<void>;
  onClose: () => void;
}): ReactNode {
  const [id, setId] = useState(options[0]?.value ?? '');
  const run = useAction(grant);
  return (
    <FormDialog
      title="Grant a tenant"
      onClose={onClose}
      onSubmit={() => void run.run(id)}
      submitLabel="Grant"
      busy={run.busy}
      error={run.error}
      disabled={id === ''}
    >
      {options.length === 0 ? (
        <p>Every tenant you can see is granted already.</p>
      ) : (
        <SelectField label="Tenant" value={id} onValue={setId} options={options} />
      )}
    </FormDialog>
  );
}
