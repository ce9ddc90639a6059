// The pickers for tenant and config set in the top bar.
import type { ReactNode } from 'react';
import type { PageEntry } from '../pages/page.js';
import { useLocation } from '../router.js';
import { useTenant } from '../tenant/tenant.js';
import { t } from '../text/shell.js';
import { t as tenantWords } from '../text/tenants.js';

const text = t.frame;

export function TenantPicker({ page }: { page: PageEntry | undefined }): ReactNode {
  const { tenants, tenant, unknown, selectTenant, loading } = useTenant();
  const { path, query } = useLocation();
  if (tenants.length === 0) return <span className="soft small">{loading ? '' : text.noTenant}</span>;
  if (tenants.length === 1 && unknown === undefined)
    return (
      <span className="picker">
        {text.tenant} <strong>{tenant?.label}</strong>
      </span>
    );
  const tab = query.get('tab');
  // An item of one tenant does not exist in another, but its list does.
  const to = page?.ofTenant && page.under ? page.under : path + (tab ? `?tab=${tab}` : '');
  return (
    <label className="picker">
      <span>{text.tenant}</span>
      <select value={tenant?.name ?? ''} onChange={(event) => selectTenant(event.target.value, to)}>
        {tenant ? null : <option value="">{unknown}</option>}
        {tenants.map(({ id, name, label, details }) => (
          <option key={id} value={name}>
            {details.scopeState === 'SCOPE_STATE_PENDING_DELETION'
              ? `${label} – ${tenantWords.pendingMark}`
              : label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** In the top bar, or in the drawer if the bar is too narrow. Not shown for a single set. */
export function ConfigsetPicker(): ReactNode {
  const { configsets, configsetId, selectConfigset } = useTenant();
  if (configsets.length < 2) return null;
  return (
    <label className="picker picker-configset">
      <span>{text.configset}</span>
      <select value={configsetId ?? ''} onChange={(event) => selectConfigset(event.target.value)}>
        {configsets.map((item) => (
          <option key={item}>{item}</option>
        ))}
      </select>
    </label>
  );
}
