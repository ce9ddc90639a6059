// From time to time, voices of stored calls are packed into blocks, if the tenant may search them; what no longer belongs in a
// block, or in the groups of a tenant, is removed.
import { yieldToEventLoop } from '../../platform.js';
import { tenantParameters } from '../configsets/tenant-parameters.js';
import type { BiometricsDeps } from '../ports/deps.js';

/** Voices per block: made in about 20 ms; this many are read one by one after one of them was erased. */
const BLOCK_VOICES = 256;
/** Removed per transaction. */
const BLOCKS_AT_ONCE = 4;

interface PackOptions {
  blockVoices?: number;
  /** Stops between two blocks. */
  stopping?: AbortSignal | undefined;
}

/** Returns how many blocks were made, and how many removed. */
export async function packVoices(
  deps: Pick<BiometricsDeps, 'store' | 'ids' | 'configsetCache'>,
  { blockVoices = BLOCK_VOICES, stopping }: PackOptions = {},
): Promise<{ made: number; removed: number }> {
  const done = { made: 0, removed: 0 };
  await leaveGroups(deps);
  for (const gkScopeId of await deps.store.read.callVoices.tenantsToPack(blockVoices)) {
    const { voiceSearch } = await tenantParameters(deps, gkScopeId);
    const { callVoices } = deps.store.read;
    const wrong = voiceSearch.hasLegalBasis
      ? await callVoices.outdatedBlocks(gkScopeId)
      : await callVoices.blocks(gkScopeId, Number.MIN_SAFE_INTEGER);
    for (let at = 0; at < wrong.length; at += BLOCKS_AT_ONCE) {
      const some = wrong.slice(at, at + BLOCKS_AT_ONCE);
      await deps.store.transaction((tx) => tx.callVoices.dropBlocks(gkScopeId, some));
      await yieldToEventLoop();
    }
    done.removed += wrong.length;
    if (voiceSearch.hasLegalBasis) done.made += await packTenant(deps, gkScopeId, { blockVoices, stopping });
  }
  return done;
}

/**
 * Groups are made on request; without a legal basis they are deleted, and so are middles that contain a
 * deleted recording.
 */
async function leaveGroups(deps: Pick<BiometricsDeps, 'store' | 'configsetCache'>): Promise<void> {
  for (const gkScopeId of await deps.store.read.voiceGroups.tenants()) {
    const { voiceSearch } = await tenantParameters(deps, gkScopeId);
    await deps.store.transaction(async ({ voiceGroups }) => {
      if (voiceSearch.hasLegalBasis) await voiceGroups.dropOutdated(gkScopeId);
      else await voiceGroups.forget(gkScopeId);
    });
    await yieldToEventLoop();
  }
}

async function packTenant(
  { store, ids }: Pick<BiometricsDeps, 'store' | 'ids'>,
  gkScopeId: string,
  { blockVoices, stopping }: Required<Pick<PackOptions, 'blockVoices'>> & PackOptions,
): Promise<number> {
  let made = 0;
  let after: string | undefined;
  do {
    const page = { limit: blockVoices, order: 'oldest', ...(after && { after }) } as const;
    const { voices, next } = await store.transaction((tx) =>
      tx.callVoices.makeBlock(gkScopeId, ids.uuid(), page),
    );
    if (voices > 0) made++;
    after = next;
    await yieldToEventLoop();
  } while (after && !stopping?.aborted);
  return made;
}
