// What one capability contributes to the server, and what every capability is given.
import type { FastifyInstance } from 'fastify';
import type { PasswordHasher } from '../auth/passwords.js';
import type { Config } from '../config.js';
import type { LiveProtocol } from '../live/protocols/live-protocol.js';
import type { Once } from '../idempotency/once.js';
import type { Clock, Ids, Log } from '../platform.js';
import type { ShareCalls } from '../transport/limits/call-rate.js';
import type { CallRecord } from '../transport/dispatch/exchange.js';
import type { OwnMetric } from '../transport/metrics.js';
import type { ReadinessCheck } from '../transport/readiness.js';
import type { Authenticate, ServiceBinding } from '../transport/service.js';
import type { PublicAddresses } from './addresses.js';
import type { ClockWatch } from './clock-watch.js';
import type { TimeProof } from './time-proof.js';

export interface Part {
  bindings?: readonly ServiceBinding[];
  routes?: readonly ((http: FastifyInstance, authenticate: Authenticate) => void)[];
  /** Where WebSockets come in. */
  protocols?: readonly LiveProtocol[];
  readiness?: readonly ReadinessCheck[];
  metrics?: readonly OwnMetric[];
  authenticate?: Authenticate;
  /** Makes a rate limit one with other nodes'; undefined where there are none. */
  shareCalls?: ShareCalls;
  /** Keeps the answers of calls with an idempotency key. */
  once?: Once;
  /** Told of every call after its answer; must not throw and must not wait. */
  onCall?: (record: CallRecord) => void;
  /** Told once where clients reach the server. */
  onServing?: (addresses: PublicAddresses) => Promise<void>;
  /** Ends what runs on between calls, while there are still connections to say so. */
  drain?: () => Promise<void>;
  stop?: () => Promise<void>;
}

export interface Core {
  config: Config;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** How passwords are hashed, where that is not the default. */
  passwords?: PasswordHasher;
  /** Asked before anything is deleted for its age; absent where nothing is. */
  timeProof?: TimeProof;
  /** Compares the clock with the database's; absent in commands. */
  clockWatch?: ClockWatch;
  /** Filled in once there is a server. Absent in commands. */
  isReady?: () => boolean;
  /** Filled in once the server listens; addresses that clients are told are made from it. Absent in commands. */
  listening?: Partial<PublicAddresses>;
}
