// The tenant and the config set in use. The tenant is part of the address, so that a link leads everybody to
// the same place and nothing of one tenant can stay on the screen under the name of another; for an address
// without one, the tenant that this browser used last is taken.
import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { ScopeDetailsForReadJson } from '../../gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { call } from '../api/client.js';
import type { ApiError } from '../api/errors.js';
import { useQuery } from '../api/hooks.js';
import { completeAddress, navigate, useLocation } from '../router.js';

export interface Tenant {
  /** Assigned by the system; never changes. */
  id: string;
  /** Chosen by people; used in the address. */
  name: string;
  /** Shown in lists and pickers: the name, and the customer if that says more. */
  label: string;
  details: ScopeDetailsForReadJson;
}

interface TenantChoice {
  tenants: readonly Tenant[];
  tenant: Tenant | undefined;
  /** Named in the address, but not available to this user. */
  unknown: string | undefined;
  configsets: readonly string[];
  configsetId: string | undefined;
  loading: boolean;
  error: ApiError | undefined;
  /** Goes to the same list, or to `to`, of another tenant. */
  selectTenant: (name: string, to: string) => void;
  selectConfigset: (configsetId: string) => void;
  reload: () => void;
}

const ChoiceContext = createContext<TenantChoice | undefined>(undefined);
const TENANT_KEY = 'voxgate.tenant';
const CONFIGSET_KEY = 'voxgate.configset';

/** Created at bootstrap; used if the list of config sets cannot be read. */
const USUAL_CONFIGSET = 'telephone';
/** Settings of the tenant and of the installation: calls cannot be checked by them. */
const builtInSets = new Set(['SYSTEM', 'SCOPE']);

function asTenant(details: ScopeDetailsForReadJson): Tenant {
  const { scopeId: name = '', customerName = '' } = details;
  const saysMore = customerName !== '' && customerName.toLowerCase() !== name.toLowerCase();
  const label = saysMore ? `${name} (${customerName})` : name;
  return { id: details.gkScopeId?.value ?? '', name, label, details };
}

export function TenantProvider({ children }: { children: ReactNode }): ReactNode {
  const { tenant: inAddress } = useLocation();
  const list = useQuery('tenants', async (signal) =>
    ((await call('ListScopes', {}, signal)).details ?? []).map(asTenant),
  );
  const tenants = useMemo(() => list.data ?? [], [list.data]);
  const last = useRef<Tenant | undefined>(undefined);
  // A tenant that was just renamed is still the same one: the address follows.
  const renamed = last.current?.name === inAddress ? last.current?.id : undefined;
  const named =
    tenants.find(({ name, id }) => name === inAddress || id === inAddress) ??
    tenants.find(({ id }) => id === renamed);
  const remembered = tenants.find(({ name }) => name === localStorage.getItem(TENANT_KEY));
  const tenant = inAddress === undefined ? (remembered ?? tenants[0]) : named;
  const sets = useConfigsets(tenant?.id);
  useLayoutEffect(() => {
    last.current = tenant;
    if (tenant) localStorage.setItem(TENANT_KEY, tenant.name);
  }, [tenant]);
  useEffect(() => {
    if (tenant && tenant.name !== inAddress) completeAddress(tenant.name);
  }, [tenant, inAddress]);
  const selectTenant = useCallback((name: string, to: string) => navigate(to, { tenant: name }), []);
  const { reload: reloadTenants } = list;
  const isUnknown = list.data !== undefined && inAddress !== undefined && !named;
  // It may have been created since, in another tab or by a program: the list is loaded once more before
  // giving up.
  const [asked, setAsked] = useState<{ name: string; before: readonly Tenant[] }>();
  useEffect(() => {
    if (!isUnknown || asked?.name === inAddress) return;
    setAsked({ name: inAddress, before: tenants });
    reloadTenants();
  }, [isUnknown, asked, inAddress, tenants, reloadTenants]);
  const isAsking = isUnknown && !list.error && (asked?.name !== inAddress || asked.before === tenants);
  const { reload: reloadSets } = sets;
  const reload = useCallback(() => {
    reloadTenants();
    reloadSets();
  }, [reloadTenants, reloadSets]);
  const choice: TenantChoice = {
    tenants,
    tenant,
    unknown: isUnknown && !isAsking ? inAddress : undefined,
    configsets: sets.configsets,
    configsetId: sets.configsetId,
    loading: list.loading || sets.loading || isAsking,
    error: list.error,
    selectTenant,
    selectConfigset: sets.select,
    reload,
  };
  return <ChoiceContext value={choice}>{children}</ChoiceContext>;
}

function useConfigsets(tenantId: string | undefined): {
  configsets: readonly string[];
  configsetId: string | undefined;
  loading: boolean;
  select: (configsetId: string) => void;
  reload: () => void;
} {
  const [wanted, setWanted] = useState(() => localStorage.getItem(CONFIGSET_KEY) ?? '');
  const { data, error, loading, reload } = useQuery(tenantId && `configsets ${tenantId}`, (signal) =>
    call('ListConfigsetRevisions', { context: { gkScopeId: { value: tenantId } } }, signal),
  );
  const configsets = useMemo(() => {
    if (error) return [USUAL_CONFIGSET];
    // Calls use operational sets with an active revision; the built-in ones control other things, whoever
    // changed them.
    const usable = (data?.details ?? []).filter(
      ({ configsetId = '', type, state, configClass }) =>
        !builtInSets.has(configsetId) &&
        type === 'CONFIGSET_TYPE_OPERATIONAL' &&
        state === 'STATE_ACTIVE' &&
        configClass !== 'CONFIG_CLASS_TEMPLATE',
    );
    return [...new Set(usable.flatMap((entry) => entry.configsetId ?? []))].sort();
  }, [data, error]);
  const select = useCallback((value: string) => {
    localStorage.setItem(CONFIGSET_KEY, value);
    setWanted(value);
  }, []);
  return {
    configsets,
    configsetId: configsets.includes(wanted) ? wanted : configsets[0],
    loading,
    select,
    reload,
  };
}

export function useTenant(): TenantChoice {
  const choice = useContext(ChoiceContext);
  if (!choice) throw new Error('useTenant outside TenantProvider');
  return choice;
}
