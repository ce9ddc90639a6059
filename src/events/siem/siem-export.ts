// Sends events and audit records to a SIEM. It reads what is stored, from a position that is stored too: a SIEM that was
// unreachable misses nothing that is still kept, nothing is held in memory, and no call ever waits. One node at a time does
// it; after a crash a batch may be sent twice, with the same IDs.
import type { AuditReader } from '../../audit/ports.js';
import { isOutage } from '../../errors.js';
import type { Log } from '../../platform.js';
import type { EventType } from '../model.js';
import type { EventStore } from '../ports.js';
import { entryOfEvent, entryOfRecord } from './siem-line.js';
import type { SiemSender } from './siem-senders.js';

/** What went out already: the place in the event log, and in the installation's audit trail. */
export interface SiemPlace {
  eventSeq: number;
  auditSeq: number;
}

interface SiemDeps {
  events: Pick<EventStore, 'read'>;
  audit: Pick<AuditReader, 'readChained'>;
  /** Everything recorded so far is in the store. */
  flush(): Promise<void>;
  chain: string;
  sender: SiemSender;
  log: Log;
  place: { read(): Promise<SiemPlace>; write(place: SiemPlace): Promise<void> };
  /** Runs the work unless another node is at it; false when one is. */
  withLease(work: () => Promise<void>): Promise<boolean>;
}

const BATCH_MAX = 500;
const IDLE_MS = 1000;
const RETRY_MS_MAX = 60_000;

/** All but single calls, which are many and belong to metrics. */
const exported: readonly EventType[] = [
  'token.issued',
  'token.refused',
  'token.revoked',
  'sign-in.succeeded',
  'sign-in.failed',
  'bearer.refused',
  'consent.granted',
  'consent.denied',
  'access.ended',
  'authentications.suppressed',
  'decision',
];

export class SiemExport {
  readonly #deps: SiemDeps;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #failures = 0;
  #sent = 0;
  #stopped = false;

  constructor(deps: SiemDeps) {
    this.#deps = deps;
  }

  get sent(): number {
    return this.#sent;
  }

  /** Failed attempts in a row; 0 while all is well. */
  get failures(): number {
    return this.#failures;
  }

  start(): void {
    if (this.#stopped) return;
    const delayMs = Math.min(RETRY_MS_MAX, IDLE_MS * 2 ** this.#failures);
    this.#timer = setTimeout(() => {
      this.#running = this.run().finally(() => this.start());
    }, delayMs).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#deps.sender.close();
    await this.#running;
  }

  /** Sends everything there is; a failure is told once and tried again later. */
  async run(): Promise<void> {
    try {
      await this.#deps.withLease(async () => {
        await this.#deps.flush();
        while (!this.#stopped && (await this.#sendBatch()));
      });
      if (this.#failures > 0) this.#deps.log.info({}, 'the SIEM accepts events again');
      this.#failures = 0;
    } catch (cause) {
      if (this.#failures === 0 && !isOutage(cause))
        this.#deps.log.warn({ err: cause }, 'cannot reach the SIEM; events wait in the log');
      this.#failures += 1;
    }
  }

  /** Whether there may be more. */
  async #sendBatch(): Promise<boolean> {
    const { events, audit, chain, sender, place } = this.#deps;
    const from = await place.read();
    const found = await events.read({ types: exported, afterSeq: from.eventSeq, limit: BATCH_MAX });
    const records = await audit.readChained(chain, from.auditSeq, BATCH_MAX);
    const entries = [
      ...found.map(entryOfEvent),
      ...records.map(({ record, hash }) => entryOfRecord(record, hash)),
    ].sort((a, b) => a.atMs - b.atMs);
    if (entries.length === 0) return false;
    await sender.send(entries);
    await place.write({
      eventSeq: found.at(-1)?.seq ?? from.eventSeq,
      auditSeq: records.at(-1)?.record.seq ?? from.auditSeq,
    });
    this.#sent += entries.length;
    return found.length === BATCH_MAX || records.length === BATCH_MAX;
  }
}
