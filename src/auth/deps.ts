// Everything that the operations of this domain are given. Created once in the composition root (see
// create.ts).
import type { Clock, Ids, Log } from '../platform.js';
import type { ClientFailures } from './node-state/client-failures.js';
import type { IdentityProvider } from './identity-provider.js';
import type { PasswordHasher } from './passwords.js';
import type { AuthEvents, AuthStore, KeySealer } from './ports.js';
import type { SecretHasher } from './secrets.js';
import type { AuthSettings } from './settings.js';
import type { ChangeFeed } from './node-state/change-feed.js';
import type { Directory } from './directory.js';
import type { KeyNodes } from './node-state/key-nodes.js';
import type { ReplayCache } from './node-state/replay-cache.js';
import type { SigningKeys } from './node-state/signing-keys.js';
import type { VerifiedTokens } from './node-state/verified-tokens.js';
import type { AuthCounters } from './auth-counters.js';
import type { RateLimits } from './rate-limits.js';

export interface AuthDeps {
  store: AuthStore;
  clock: Clock;
  ids: Ids;
  log: Log;
  settings: AuthSettings;
  secrets: SecretHasher;
  passwords: PasswordHasher;
  /** For the secrets of authenticator apps, by user ID. */
  totpSealer: KeySealer;
  keys: SigningKeys;
  keyNodes: KeyNodes;
  changes: ChangeFeed;
  directory: Directory;
  verified: VerifiedTokens;
  dpopReplay: ReplayCache;
  limits: RateLimits;
  events: AuthEvents;
  counters: AuthCounters;
  clientFailures: ClientFailures;
  /** Set if the company has one. */
  provider: IdentityProvider | undefined;
}
