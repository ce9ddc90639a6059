// Assembles the authorization server from its dependencies, and runs its housekeeping. Called by the
// composition root, by commands and by tests: there is no other way to build it.
import { DAY_MS, type Clock, type Ids, type Log } from '../platform.js';
import { consoleClient } from './authorization/console-client.js';
import { ClientFailures } from './node-state/client-failures.js';
import type { AuthDeps } from './deps.js';
import { Directory } from './directory.js';
import { IdentityProvider } from './identity-provider.js';
import { createPasswordHasher } from './passwords.js';
import type { PasswordHasher } from './passwords.js';
import type { AuthEvents, AuthStore, KeySealer } from './ports.js';
import { AuthCounters } from './auth-counters.js';
import { createRateLimits } from './rate-limits.js';
import { SharedRates } from './shared-rates.js';
import { createSecretHasher } from './secrets.js';
import type { SecretHasher } from './secrets.js';
import type { AuthSettings } from './settings.js';
import { ChangeFeed } from './node-state/change-feed.js';
import { KeyNodes } from './node-state/key-nodes.js';
import { ReplayCache } from './node-state/replay-cache.js';
import { keepSigningKeysFresh } from './tokens/rotate-signing-key.js';
import { SigningKeys } from './node-state/signing-keys.js';
import { VerifiedTokens } from './node-state/verified-tokens.js';

export interface AuthNeeds {
  store: AuthStore;
  clock: Clock;
  ids: Ids;
  log: Log;
  settings: AuthSettings;
  keySealer: KeySealer;
  totpSealer: KeySealer;
  /** At least 32 bytes, derived from the master key; never stored. */
  pepper: Uint8Array;
  /** Whether the clock is trustworthy; otherwise nothing is dropped or rotated because of its age. */
  isTimeProven?: () => Promise<boolean>;
  events?: AuthEvents;
  /** The name by which operators know this server. */
  serverName?: string;
  passwords?: PasswordHasher;
  secrets?: SecretHasher;
}

/** Everything the operations need, and the sealer that rotation needs in addition. */
export type Auth = AuthDeps & {
  keySealer: KeySealer;
  /** Reads other nodes' changes, makes the first signing key, starts the timers. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Drops expired data and rotates keys that are due; runs automatically once an hour. */
  housekeep(): Promise<void>;
  /** Adds a limit whose use is shared with other nodes; undefined if no database is shared. */
  joinRates: (
    name: string,
    drain: (key: string, taken: number) => void,
  ) => ((key: string) => void) | undefined;
};

/** Where the company's identity provider sends browsers back to. */
const PROVIDER_CALLBACK = '/oauth2/login/callback';
const HOUSEKEEP_EVERY_MS = 3600_000;
/**
 * Consecutive wrong passwords are forgotten after this long without another one, whether or not the name
 * exists.
 */
const FAILURES_KEPT_MS = 30 * DAY_MS;
/** A flood of made-up names must not fill the database. */
const FAILURE_ROWS_MAX = 1_000_000;
/**
 * How often servers report that they are alive; a single server does so only for commands that run beside it.
 */
const BEAT_MS = 3000;
const BEAT_ALONE_MS = 60_000;

export function createAuth(needs: AuthNeeds): Auth {
  const { store, clock, ids, log, settings, keySealer, pepper } = needs;
  const changes = new ChangeFeed({
    changes: store.direct.changes,
    clock,
    log,
    pollMs: settings.changePollMs,
  });
  const keys = new SigningKeys({ rows: store.direct.signingKeys, sealer: keySealer, clock });
  const verified = new VerifiedTokens();
  const rates = settings.sharedState
    ? new SharedRates(store.direct.rates, log, () => clock.now())
    : undefined;
  const serverId = ids.uuid();
  const keyNodes = new KeyNodes({
    ...{ notes: store.direct.servers, rows: store.direct.changes, changes, keys, verified, clock, log },
    serverId,
    serverName: needs.serverName ?? serverId,
    beatMs: settings.sharedState ? BEAT_MS : BEAT_ALONE_MS,
  });
  changes.afterRead(() => keyNodes.settle());
  const isTimeProven = needs.isTimeProven ?? (async () => true);
  let timer: NodeJS.Timeout | undefined;
  const auth: Auth = {
    store,
    clock,
    ids,
    log,
    settings,
    keySealer,
    secrets: needs.secrets ?? createSecretHasher(pepper),
    passwords: needs.passwords ?? createPasswordHasher(),
    totpSealer: needs.totpSealer,
    keys,
    keyNodes,
    changes,
    directory: new Directory({
      read: store.direct,
      clock,
      changes,
      builtIn: [consoleClient(settings.issuer)],
    }),
    verified,
    dpopReplay: new ReplayCache(clock),
    limits: createRateLimits(settings.rateLimits, clock, rates),
    events: needs.events ?? { record: () => {} },
    counters: new AuthCounters(),
    clientFailures: new ClientFailures({ store, clock, ids, log }),
    provider:
      settings.provider &&
      new IdentityProvider(settings.provider, `${settings.publicUrl}${PROVIDER_CALLBACK}`, clock),
    async start() {
      await changes.poll();
      await keepSigningKeysFresh(auth, 'start', await isTimeProven());
      await keyNodes.join();
      changes.start();
      rates?.start();
      timer = setInterval(() => {
        auth.housekeep().catch((cause: unknown) => log.warn({ err: cause }, 'housekeeping failed'));
      }, HOUSEKEEP_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      rates?.stop();
      await changes.stop();
      await auth.clientFailures.stop();
      await keyNodes.leave();
    },
    joinRates: (name, drain) => rates?.join(name, drain),
    async housekeep() {
      if (!(await isTimeProven())) return;
      const nowMs = clock.now();
      const { grants, changes: rows, oneTime, signingKeys } = store.direct;
      await grants.deleteExpired(nowMs);
      await rows.deleteExpired(nowMs);
      await oneTime.deleteExpired(nowMs);
      await signingKeys.deleteExpired(nowMs);
      await keyNodes.forgetLost();
      await store.direct.rates.deleteIdle(nowMs - HOUSEKEEP_EVERY_MS);
      await store.direct.failures.deleteIdle(nowMs - FAILURES_KEPT_MS, FAILURE_ROWS_MAX);
      await keepSigningKeysFresh(auth, 'later', true);
    },
  };
  return auth;
}
