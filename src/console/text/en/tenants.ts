// English: tenants.
import type { ScopeStateJson } from '../../../gen/vendor/biosec/v1/scopes/scopes_pb.js';

const states: Record<ScopeStateJson, string> = {
  SCOPE_STATE_UNSPECIFIED: '–',
  SCOPE_STATE_CREATED: 'Created',
  SCOPE_STATE_INITIALIZED: 'Initialized',
  SCOPE_STATE_INITIALIZATION_FAILURE: 'Initialization failed',
  SCOPE_STATE_READY: 'Ready',
  SCOPE_STATE_ACTIVE: 'Active',
  SCOPE_STATE_PENDING_DELETION: 'Pending deletion',
  SCOPE_STATE_DELETED: 'Deleted',
};

export const text = {
  title: 'Tenants',
  about:
    'A tenant has its own people, voiceprints, thresholds and audit trail. Nothing crosses from one to another.',
  states,
  add: 'New tenant',
  none: 'No tenants yet',
  noneText: 'Voices belong to a tenant. Create the first one.',
  caption: 'Tenants',
  tenant: 'Tenant',
  inUse: '(open)',
  id: 'ID',
  state: 'State',
  open: 'Open',
  rename: 'Rename',
  keep: 'Keep it',
  kept: (name: string) => `${name} will be kept.`,
  deleteTitle: (name: string) => `Delete tenant ${name}?`,
  deleteText: (time: string) =>
    `All its people, voiceprints, recordings and settings will be erased on ${time}. Until then you can cancel; after that it cannot be recovered.`,
  deleteAtOnceText: 'This tenant was never active, so it is erased at once. It cannot be recovered.',
  deletedOn: (time: string) => `Will be deleted on ${time}`,
  pending: (time: string) =>
    time === ''
      ? 'This tenant is marked for deletion: everything in it will be erased.'
      : `This tenant is marked for deletion: everything in it will be erased on ${time}.`,
  pendingMark: 'pending deletion',
  keepTenant: 'Keep tenant',
  delete: 'Delete tenant',
  deleted: (name: string) => `${name} is marked for deletion.`,
  create: 'Create tenant',
  created: (name: string) => `${name} is ready; you are still in the tenant you were in.`,
  openNow: (name: string) => `Open ${name}`,
  name: 'Tenant name',
  nameHint: 'Programs refer to the tenant by this name.',
  customer: 'Customer',
  usedFor: 'Used for',
  types: { PRODUCTION: 'Production', INTERNAL: 'Internal', DEMO: 'Demo' },
  expected: 'People expected',
  renameTitle: (name: string) => `Rename ${name}`,
  renameHint: 'Programs that look it up by name need the new one. Its ID stays the same.',
  description: 'Description',
  save: 'Save tenant',
  saved: 'Tenant saved.',
};
