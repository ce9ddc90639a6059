// Parameters of a config set that people change in the console: a tenant's permissions, in a config set of their own, and those of calls.
// A change makes a new revision, with everything else as it is now, and activates it.
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

interface Change {
  before: Values;
  after: Values;
}

export const saveTenantSettings = (
  read: Context,
  section: string,
  change: Change,
  description: string,
): Promise<void> => saveSettings(ofTenant(read), section, change, description);

/**
 * Saves the difference between `before` (what was read) and `after` in the config set of the context, beside other people's
 * changes; if the same setting was changed meanwhile, nothing is saved. `description` says why, for the record.
 */
export async function saveSettings(
  context: Context,
  section: string,
  { before, after }: Change,
  description: string,
): Promise<void> {
  const changed = Object.fromEntries(Object.entries(after).filter(([name, value]) => value !== before[name]));
  for (let attempt = 1; ; attempt += 1) {
    try {
      await saveOnce(context, section, { before, changed }, description);
      return;
    } catch (thrown) {
      // Somebody has activated another revision since it was read.
      if (!isChangedMeanwhile(asApiError(thrown)) || attempt === ATTEMPTS_MAX) throw thrown;
    }
  }
}

async function saveOnce(
  context: Context,
  section: string,
  { before, changed }: { before: Values; changed: Values },
  description: string,
): Promise<void> {
  const active = await ifFound(readConfigset(context));
  const now = active?.parameters[section] ?? {};
  for (const [name, value] of Object.entries(changed))
    if (![before[name], value, undefined].includes(now[name])) throw changedMeanwhile();
  const { document = {} } = active ?? {};
  const next = { ...document, [section]: { ...document[section], ...changed } };
  const bytes = new TextEncoder().encode(JSON.stringify(next, null, 2));
  const { gkConfigsetRevisionId } = await call('CreateConfigset', {
    context,
    configsetId: context.configsetId,
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
