// The export to a SIEM: from the event log and the installation's audit trail, by one node at a time.
import { readFileSync } from 'node:fs';
import { SYSTEM_CHAIN } from '../audit/model.js';
import { SiemExport, type SiemPlace } from '../events/siem/siem-export.js';
import { siemSender } from '../events/siem/siem-senders.js';
import { underLease } from '../storage/leases.js';
import { readSetting, writeSetting } from '../storage/settings.js';
import type { Events } from './events.js';
import type { Core, Part } from './part.js';
import type { Storage } from '../storage/open-storage.js';

const PLACE_NAME = 'siem.place';
const LEASE_NAME = 'siem.lease';
const LEASE_MS = 5 * 60_000;

export function composeSiem(core: Core, { database, audit }: Storage, events: Events): Part {
  const { url, token, authorities } = core.config.siem;
  const withLease = async (work: () => Promise<void>): Promise<boolean> => {
    // SQLite belongs to one process; asking it for a lease every second would only wear out the disk.
    if (database.dialect === 'sqlite') return work().then(() => true);
    return (await underLease(database, LEASE_NAME, LEASE_MS, work)).held;
  };
  const siem = new SiemExport({
    events: events.store,
    audit,
    flush: () => events.flush(),
    chain: SYSTEM_CHAIN,
    sender: siemSender({
      url,
      token,
      authorities: authorities === '' ? undefined : readFileSync(authorities, 'utf8'),
    }),
    log: core.log,
    withLease,
    place: {
      async read() {
        const noted = await readSetting(database, PLACE_NAME);
        return noted === undefined ? { eventSeq: 0, auditSeq: 0 } : (JSON.parse(noted) as SiemPlace);
      },
      write: (place) => writeSetting(database, PLACE_NAME, JSON.stringify(place)),
    },
  });
  siem.start();
  return {
    metrics: [
      {
        name: 'voxgate_siem_entries_sent_total',
        type: 'counter',
        help: 'Events and audit records that the SIEM has accepted',
        value: () => siem.sent,
      },
      {
        name: 'voxgate_siem_failures',
        type: 'gauge',
        help: 'Failed attempts in a row to reach the SIEM; 0 while all is well',
        value: () => siem.failures,
      },
    ],
    stop: () => siem.stop(),
  };
}
