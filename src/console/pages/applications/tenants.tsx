// The tenants that an environment's tokens may reach. Administrators grant and revoke them.
import { useState, type ReactNode } from 'react';
import type { EnvironmentJson } from '../../../gen/voxgate/management/v1/applications_pb.js';
import { call } from '../../api/client.js';
import { useAction } from '../../api/hooks.js';
import { isAdministrator, useMe } from '../../api/session.js';
import { Button } from '../../kit/button.js';
import { ConfirmDialog, FormDialog } from '../../kit/dialog.js';
import { SelectField } from '../../kit/field.js';
import { EmptyState } from '../../kit/notice.js';
import { toast } from '../../kit/toast.js';
import { useTenant } from '../../tenant/tenant.js';
import { t } from '../../text/applications.js';

const text = t.tenantTab;

export function Tenants({
  environment,
  onChanged,
}: {
  environment: EnvironmentJson;
  onChanged: (environment: EnvironmentJson) => void;
}): ReactNode {
  const isAdmin = isAdministrator(useMe());
  const { tenants } = useTenant();
  const { gkScopeIds: granted = [], appId } = environment;
  const [granting, setGranting] = useState(false);
  const [revoking, setRevoking] = useState<string>();
  const nameOf = (id: string): string => tenants.find((tenant) => tenant.id === id)?.name ?? id;
  const revoke = useAction(async (gkScopeId: string) => {
    const answer = await call('RevokeTenant', { appId, gkScopeId });
    setRevoking(undefined);
    onChanged(answer.environment ?? {});
    toast(text.revoked(nameOf(gkScopeId)));
  });
  const grantButton = isAdmin ? (
    <Button kind="primary" onClick={() => setGranting(true)}>
      {text.grant}
    </Button>
  ) : null;
  return (
    <div className="stack">
      {granted.length === 0 ? (
        <EmptyState icon="people" title={text.none} action={grantButton}>
          {text.noneText}
        </EmptyState>
      ) : (
        <>
          {grantButton ? (
            <div className="row">{grantButton}</div>
          ) : (
            <p className="soft small">{text.adminsGrant}</p>
          )}
          <ul className="tenant-list">
            {granted.map((id) => (
              <li key={id}>
                <div>
                  <strong>{nameOf(id)}</strong>
                  <div className="mono soft">{id}</div>
                </div>
                {isAdmin ? (
                  <Button size="small" kind="danger" onClick={() => setRevoking(id)}>
                    {text.revoke}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
      {granting ? (
        <GrantDialog
          options={tenants
            .filter(({ id }) => !granted.includes(id))
            .map(({ id, name, label }) => ({
              value: id,
              label: label === name ? name : `${label} (${name})`,
            }))}
          grant={async (gkScopeId) => {
            const answer = await call('GrantTenant', { appId, gkScopeId });
            setGranting(false);
            onChanged(answer.environment ?? {});
            toast(text.granted(nameOf(gkScopeId)));
          }}
          onClose={() => setGranting(false)}
        />
      ) : null}
      {revoking !== undefined ? (
        <ConfirmDialog
          title={text.revokeTitle(nameOf(revoking))}
          word={nameOf(revoking)}
          consequence={text.revokeText}
          action={text.revoke}
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
      title={text.grant}
      onClose={onClose}
      onSubmit={() => void run.run(id)}
      submitLabel={text.grantAction}
      busy={run.busy}
      error={run.error}
      disabled={id === ''}
    >
      {options.length === 0 ? (
        <p>{text.allGranted}</p>
      ) : (
        <SelectField label={text.tenant} value={id} onValue={setId} options={options} />
      )}
    </FormDialog>
  );
}
