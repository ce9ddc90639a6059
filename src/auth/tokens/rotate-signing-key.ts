// Makes the first signing key, and later ones: a new key is published a while before it signs, and an old one
// stays published until its last token has expired. A compromised key is dropped at once, with every token it
// signed, and the call returns when no server trusts it any more.
import type { Call } from '../../platform.js';
import { commit } from '../commit.js';
import type { AuthDeps } from '../deps.js';
import type { SigningAlgorithm } from '../model.js';
import type { KeySealer } from '../ports.js';
import { requireAdministrator, systemCall } from '../permissions.js';
import { generateSigningKey } from '../node-state/signing-keys.js';

interface RotateSigningKeyInput {
  algorithm?: SigningAlgorithm;
  /** The old keys must no longer be trusted. */
  compromised?: boolean;
}

type RotationDeps = AuthDeps & { keySealer: KeySealer };

const SKEW_MS = 60_000;

export async function rotateSigningKey(
  deps: RotationDeps,
  call: Call,
  input: RotateSigningKeyInput,
): Promise<{ kid: string; activeFromMs: number; unconfirmed: readonly string[] }> {
  requireAdministrator(call);
  const { algorithm = deps.settings.signingAlgorithm, compromised = false } = input;
  const nowMs = deps.clock.now();
  const atOnce = compromised || !deps.keys.hasCurrent();
  const activeFromMs = atOnce ? nowMs : nowMs + deps.settings.keyActivationDelayMs;
  const key = await generateSigningKey(deps.keySealer, { algorithm, nowMs, activeFromMs });
  const tokenLifeMs = Math.max(deps.settings.accessTokenSeconds, deps.settings.engagementTokenSeconds) * 1000;
  await commit(deps, call, async ({ tx, audit, announce }) => {
    const expiresAtMs = compromised ? nowMs : activeFromMs + tokenLifeMs + SKEW_MS;
    for (const old of await tx.signingKeys.list()) {
      if (old.expiresAtMs === undefined || old.expiresAtMs > expiresAtMs)
        await tx.signingKeys.setExpiry(old.kid, expiresAtMs);
    }
    await tx.signingKeys.insert(key);
    await announce('keys', 'all', 'refresh');
    await audit(
      'signing-key.rotate',
      { type: 'signing-key', id: key.kid },
      { algorithm, compromised, activeFromMs },
    );
  });
  await deps.keys.reloadFresh();
  deps.verified.clear();
  const unconfirmed = compromised ? await deps.keyNodes.confirmed(call.signal) : [];
  return { kid: key.kid, activeFromMs, unconfirmed };
}

/**
 * Makes a first key if there is none, and a new one if the newest is old by a trustworthy clock. At start
 * also if the configuration names another algorithm; later an operator's choice at rotation is left alone.
 */
export async function keepSigningKeysFresh(
  deps: RotationDeps,
  moment: 'start' | 'later',
  isTimeProven: boolean,
): Promise<void> {
  await deps.keys.reload();
  const newest = deps.keys.newest();
  const { keyMaxAgeMs, signingAlgorithm } = deps.settings;
  const old =
    isTimeProven && newest && keyMaxAgeMs > 0 && deps.clock.now() - newest.activeFromMs > keyMaxAgeMs;
  const due = !newest || old || (moment === 'start' && newest.algorithm !== signingAlgorithm);
  if (due) await rotateSigningKey(deps, systemCall(deps), {});
}
