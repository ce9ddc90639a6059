// Who may call the operations on the installation: the ones that no permission in a tenant decides. Asked before a request
// is read, so that nobody else learns what is wrong with theirs. Operations that are missing here are for everybody, or it
// depends on what the request names; test/attacks/permission-first.test.ts says for each which it is.
import { requireAdministrator, requireOverview, requireSelf } from '../auth/permissions.js';
import { requireObserver, requireOperator } from '../engagement-api/deps.js';
import type { Call } from '../platform.js';

/** Refuses everybody who is not meant. */
export type InstallationRule = (call: Pick<Call, 'caller'>) => void;

const administrator: InstallationRule = requireAdministrator;
/** Administrators and auditors. */
const overview: InstallationRule = requireOverview;
/** People who act themselves, and not through somebody else's application. */
const self: InstallationRule = (call) => void requireSelf(call);
/** Operators of a contact center. */
const operator: InstallationRule = requireOperator;
/** Those, and auditors. */
const observer: InstallationRule = requireObserver;

const MANAGEMENT = 'voxgate.management.v1';

export const installationAccess: Readonly<Record<string, Readonly<Record<string, InstallationRule>>>> = {
  'vendor.biosec.v1.scopes.ScopesManager': {
    CreateScope: administrator,
    UpdateScopeDetails: administrator,
    RenameScope: administrator,
    SetScopeState: administrator,
    MarkScopeForDeletion: administrator,
    UnMarkScopeForDeletion: administrator,
    ResetScope: administrator,
  },
  [`${MANAGEMENT}.TenantsManager`]: { UpdateTenant: administrator, ListTenantDeletions: administrator },
  [`${MANAGEMENT}.ApplicationsManager`]: { GrantTenant: administrator, RevokeTenant: administrator },
  [`${MANAGEMENT}.EngagementManager`]: {
    RegisterEngagementClient: administrator,
    ListEngagementClients: overview,
    GetEngagementClient: overview,
    LockEngagementClient: administrator,
    UnlockEngagementClient: administrator,
    UpdateEngagementClient: administrator,
    RegenerateEngagementClientSecret: administrator,
    DeleteEngagementClient: administrator,
    UpsertSite: administrator,
    ListSites: observer,
    DeleteSite: administrator,
    UpsertBusinessUnit: administrator,
    ListBusinessUnits: observer,
    DeleteBusinessUnit: administrator,
    UpsertAgentGroup: administrator,
    ListAgentGroups: observer,
    DeleteAgentGroup: administrator,
    UpsertHoursOfOperation: administrator,
    ListHoursOfOperation: observer,
    DeleteHoursOfOperation: administrator,
    UpsertAgent: administrator,
    SetAgentState: operator,
    ListAgents: observer,
    DeleteAgent: administrator,
    PreviewAvailability: overview,
  },
  [`${MANAGEMENT}.SecondFactorsManager`]: {
    GetSecondFactors: self,
    BeginSecondFactorProof: self,
    BeginAuthenticator: self,
    ConfirmAuthenticator: self,
    RemoveAuthenticator: self,
    RenewRecoveryCodes: self,
    BeginPasskey: self,
    CreatePasskey: self,
    RenamePasskey: self,
    RemovePasskey: self,
    ResetSecondFactors: administrator,
  },
  [`${MANAGEMENT}.SystemManager`]: {
    GetMetricsHistory: administrator,
    RotateSigningKey: administrator,
    ListSystemAuditRecords: overview,
    VerifySystemAudit: overview,
  },
  [`${MANAGEMENT}.UsersManager`]: {
    CreateUser: administrator,
    ListUsers: overview,
    UpdateUser: administrator,
    DisableUser: administrator,
    EnableUser: administrator,
    DeleteUser: administrator,
    SetPassword: administrator,
    UpdateMe: self,
    ChangePassword: self,
    ListLoginSessions: self,
    RevokeLoginSession: self,
    ListConsents: self,
    WithdrawConsent: self,
    CreateToolingCredential: self,
    LockToolingCredential: administrator,
    UnlockToolingCredential: administrator,
  },
};
