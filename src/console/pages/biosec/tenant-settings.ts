// A tenant's permissions, stored as parameters of its own config set. A change makes a new revision, with
// everything else as it is now, and activates it.
import { call } from '../../api/client.js';
import { ApiError, asApiError, isChangedMeanwhile } from '../../api/errors.js';
import { ifFound, type Context } from '../../tenant/context.js';
import { t as shell } from '../../text/shell.js';
import { readConfigset, type ActiveConfigset } from './parameters.js';

/** Calls never refer to it. */
const CONFIGSET = 'SCOPE';

const ofTenant = (read: Context): Context => ({ ...read, configsetId: CONFIGSET });

/** Undefined if the tenant has none yet. */
export const readTenantSettings = (
  read: Context,
  signal?: AbortSignal,
): Promise<ActiveConfigset | undefined> => ifFound(readConfigset(ofTenant(read), signal));

type Values = Readonly<Record<string, unknown>>;

/** How often another change may come first before we give up. */
const ATTEMPTS_MAX = 3;

/**
 * Saves the difference between `before` (what was read) and `after`, beside other people's changes; if the
 * same setting was changed meanwhile, nothing is saved. `description` says why, for the record.
 */
export async function saveTenantSettings(
  read: Context,
  section: string,
  { before, after }: { before: Values; after: Values },
  description: string,
): Promise<void> {
  const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await saveOnce(read, section, { before, changed }, description);
      return;
    } catch (thrown) {
      // Somebody has activated another revision since it was read.
      if (!isChangedMeanwhile(asApiError(thrown)) || attempt === ATTEMPTS_MAX) throw thrown;
    }
  }
}

async function saveOnce(
  read: Context,
  section: string,
  { before, changed }: { before: Values; changed: Values },
  description: string,
): Promise<void> {
  const context = ofTenant(read);
  const active = await readTenantSettings(read);
  const now = active?.parameters[section] ?? {};
  for (const [name, value] of Object.entries(changed))
    if (![before[name], value, undefined].includes(now[name])) throw changedMeanwhile();
  const { document = {} } = active ?? {};
  const next = { ...document, [section]: { ...document[section], ...changed } };
  const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
  const { gkConfigsetRevisionId } = await call('CreateConfigset', {
    context,
    configsetId: CONFIGSET,
    type: 'CONFIGSET_TYPE_OPERATIONAL',
    details: { description },
    performValidation: true,
    rawContent: btoa(String.fromCharCode(...bytes)),
  });
  await call('ReplaceActiveRevision', {
    context,
    gkConfigsetRevisionId,
    ...(active?.revisionId !== undefined && { expectedGkConfigsetRevisionId: { value: active.revisionId } }),
  });
}

/** Final here: another try would find the same. */
const changedMeanwhile = (): ApiError =>
  new ApiError(shell.errors.details['CHANGED_MEANWHILE'] ?? '', { code: 'CONFLICT' });
