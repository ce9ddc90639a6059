// Shown on every page of a tenant that waits to be deleted: that everything will be deleted, when, and how to
// prevent it.
import type { ReactNode } from 'react';
import { call } from '../api/client.js';
import { useQuery } from '../api/hooks.js';
import { isAdministrator, useMe } from '../api/session.js';
import { dateTime } from '../format/text.js';
import { Notice } from '../kit/notice.js';
import { Link } from '../router.js';
import { t } from '../text/tenants.js';
import { useTenant } from './tenant.js';

export function PendingDeletion(): ReactNode {
  const { tenant } = useTenant();
  const mayKeep = isAdministrator(useMe());
  const isPending = tenant?.details.scopeState === 'SCOPE_STATE_PENDING_DELETION';
  const deletions = useQuery(isPending && mayKeep ? `deletion of ${tenant.id}` : undefined, (signal) =>
    call('ListTenantDeletions', {}, signal),
  );
  if (!isPending) return null;
  const time = deletions.data?.tenants?.find(({ gkScopeId }) => gkScopeId === tenant.id)?.deleteTime;
  return (
    <Notice tone="warn">
      {t.pending(time ? dateTime(time) : '')} {mayKeep ? <Link to="/tenants">{t.keepTenant}</Link> : null}
    </Notice>
  );
}
