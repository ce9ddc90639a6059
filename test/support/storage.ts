// The real storage for tests: a database with schema and keyring, and a clock that stands still until moved.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Call, type Caller, silentLog } from '../../src/platform.js';
import { type AuditLog, auditLog } from '../../src/storage/audit/audit-log.js';
import type { Database } from '../../src/storage/database.js';
import { type Keyring, openKeyring } from '../../src/storage/sealing/keyring.js';
import { givenMasterKey } from '../../src/storage/sealing/master-key.js';

export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

export function testClock(start = 1_700_000_000_000): TestClock {
  let time = start;
  return { now: () => time, advance: (ms) => (time += ms) };
}

export const TEST_MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

export interface TestStorage {
  database: Database;
  keyring: Keyring;
  audit: AuditLog;
  clock: TestClock;
}

export async function testStorage(database: Database, clock: TestClock = testClock()): Promise<TestStorage> {
  const keyring = await openKeyring({ database, clock, source: givenMasterKey(TEST_MASTER_KEY, 'the test') });
  return { database, keyring, clock, audit: auditLog({ database, keyring, clock }) };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'voxgate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function testCall(caller: Partial<Caller> = {}): Call {
  return {
    requestId: 'request-1',
    signal: new AbortController().signal,
    log: silentLog,
    caller: {
      subject: 'tester',
      issuer: 'https://issuer.test',
      clientId: 'client-1',
      scopes: ['biosec'],
      tenants: 'all',
      ...caller,
    },
  };
}
