// Whom the callers of sessions claim to be if nobody by that name is known: batch lines say it, for as long as they may.
import type { Session } from '../model/sessions.js';
import type { BiometricsDeps } from '../ports/deps.js';

/** By session; own IDs. */
export async function claimedNames(
  { store: { read } }: BiometricsDeps,
  gkScopeId: string,
  sessions: readonly Session[],
): Promise<ReadonlyMap<string, string>> {
  const lines = sessions.flatMap(({ gkSessionId, details: { batchLine } }) =>
    batchLine ? [{ gkSessionId, ...batchLine }] : [],
  );
  if (lines.length === 0) return new Map();
  const names = await read.batches.ownersNamed(gkScopeId, lines);
  return new Map(
    lines.flatMap(({ gkSessionId }, at) => {
      const name = names[at];
      return name === undefined ? [] : [[gkSessionId, name] as const];
    }),
  );
}
