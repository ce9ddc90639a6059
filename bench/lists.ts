// The lists of the console over a full tenant: the first page, the last page, an order and a search, as the API answers
// them. What is measured is a real server in a process of its own; persons and sessions are put into its database.
import { createHash } from 'node:crypto';
import { systemClock } from '../src/platform.js';
import { createBiometricsStore } from '../src/storage/biometrics/store.js';
import { openStorage } from '../src/storage/open-storage.js';
import { median, wanted, type BenchLine, type BenchOptions, type BenchReport } from './harness.js';
import { accepted, BenchPlatform } from './service-platform.js';

const PERSONS = 100_000;
const PERSONS_TINY = 300;
const FIRST_PAGE_MS_MAX = 300;
const BATCH = 1000;
const ROUNDS = 11;
const ROUNDS_TINY = 3;
const STARTED_AT_MS = Date.UTC(2026, 0, 1);

const firstNames = ['Anna', 'Bruno', 'Chloé', 'Dörte', 'Emil', 'Frida', 'Søren', 'Zoë'];
const lastNames = ['Keller', 'Rossi', 'Müller', 'Lindqvist', 'Novák', 'Weiß', 'García'];

const noDetails = {
  dnis: '',
  agentId: '',
  agentExtension: '',
  isSuspicious: false,
  suspiciousReason: '',
  wasAbandon: false,
  businessType: '',
  datacenter: '',
  customData: {},
};

/** The same one every time, in the form of an identifier of the system. */
function idOf(kind: string, index: number): string {
  const hex = createHash('sha256').update(`${kind} ${index}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

async function fill(platform: BenchPlatform, count: number): Promise<void> {
  const storage = await openStorage({
    home: platform.home,
    databaseUrl: '',
    masterKey: '',
    clock: systemClock,
  });
  const store = createBiometricsStore(storage.database, storage.keyring, storage.audit);
  const { gkScopeId, configsetId } = platform;
  for (let first = 0; first < count; first += BATCH) {
    await store.transaction(async ({ parties, sessions }) => {
      for (let index = first; index < Math.min(first + BATCH, count); index++) {
        const atMs = STARTED_AT_MS + index * 60_000;
        const person = idOf('person', index);
        await parties.insert({
          kind: 'PERSON',
          gkId: person,
          gkScopeId,
          externalId: `customer-${String(index * 7919).padStart(9, '0')}`,
          details: {
            firstName: firstNames[index % firstNames.length] as string,
            lastName: `${lastNames[index % lastNames.length] as string}-${index}`,
            preferredLanguage: '',
            phoneNumbers: [],
            customData: {},
          },
          createdAtMs: atMs,
          modifiedAtMs: atMs,
        });
        await sessions.insert({
          gkSessionId: idOf('session', index),
          gkScopeId,
          gkEngagementId: idOf('engagement', index),
          sessionType: 'CALL_CENTER',
          isTest: false,
          isActive: false,
          claimedGkPersonId: person,
          configsetId,
          details: { ...noDetails, sessionId: `call-${index}`, ani: `+4930${String(1_000_000 + index)}` },
          createdAtMs: atMs,
          completedAtMs: atMs,
          modifiedAtMs: atMs,
          lastActivityAtMs: atMs,
        });
      }
    });
  }
  await storage.close();
}

export async function run({ tiny }: BenchOptions): Promise<BenchReport> {
  const count = tiny ? PERSONS_TINY : PERSONS;
  const platform = await BenchPlatform.start();
  try {
    await fill(platform, count);
    platform.reconnect();
    await platform.authorize();
    const lines: BenchLine[] = [];
    const details: Record<string, unknown> = { persons: count, sessions: count };
    const measure = async (subject: string, path: string, isWanted: boolean): Promise<void> => {
      const times: number[] = [];
      const rounds = tiny ? ROUNDS_TINY : ROUNDS;
      const cpuBefore = platform.cpuMs();
      for (let round = 0; round < rounds; round++) {
        const answer = await platform.list(path);
        accepted(answer);
        times.push(answer.milliseconds);
      }
      const medianMs = median(times);
      if (isWanted) lines.push(wanted(subject, medianMs, FIRST_PAGE_MS_MAX, 'ms'));
      // What the server itself needed, whatever else the machine was doing.
      details[subject] = { medianMs, cpuMs: (platform.cpuMs() - cpuBefore) / rounds };
    };
    await measure('persons, first page', '/v1/x/persons', true);
    await measure('persons, first page by identifier', '/v1/x/persons?order=LIST_ORDER_IDENTIFIER', true);
    await measure('persons, oldest first', '/v1/x/persons?order=LIST_ORDER_OLDEST_FIRST', true);
    await measure('sessions, first page', '/v1/x/sessions', true);
    await measure('sessions, oldest first', '/v1/x/sessions?order=LIST_ORDER_OLDEST_FIRST', true);
    await measure('sessions, a search that many fit', '/v1/x/sessions?query=muller', true);
    await measure('persons, a search that many fit', '/v1/x/persons?query=keller', false);
    await measure('persons, a search that one fits', `/v1/x/persons?query=novak-${count - 3}`, false);
    await measure('sessions, a number that one has', `/v1/x/sessions?query=${1_000_000 + 5}`, false);
    return {
      name: 'lists',
      compared: `lists of a tenant with ${count} persons and as many sessions, over REST`,
      lines,
      details,
    };
  } finally {
    await platform.stop();
  }
}
