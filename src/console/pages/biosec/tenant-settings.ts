// What a tenant allows: parameters of its own config set. A change is a new revision with all else as it is now, which is put to use.
import { call } from '../../api/client.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { readConfigset, type ActiveConfigset } from './parameters.js';

/** Calls never name it. */
const CONFIGSET = 'SCOPE';

const ofTenant = (read: Context): Context => ({ ...read, configsetId: CONFIGSET });

/** Undefined where the tenant has none yet. */
export const readTenantSettings = (
  read: Context,
  signal?: AbortSignal,
): Promise<ActiveConfigset | undefined> => ifFound(readConfigset(ofTenant(read), signal));

/** `description` says why, for the record. */
export async function saveTenantSettings(
  read: Context,
  section: string,
  values: Readonly<Record<string, unknown>>,
  description: string,
): Promise<void> {
  const context = ofTenant(read);
  const { document = {} } = (await readTenantSettings(read)) ?? {};
  const next = { ...document, [section]: { ...document[section], ...values } };
  const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
  const { gkConfigsetRevisionId } = await call('CreateConfigset', {
    context,
    configsetId: CONFIGSET,
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    details: { description },
    performValidation: true,
    rawContent: btoa(String.fromCharCode(...bytes)),
  });
  await call('ActivateConfigsetRevision', { context, gkConfigsetRevisionId });
}
