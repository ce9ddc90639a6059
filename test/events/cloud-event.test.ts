// An audit record as the event that receivers get.
import { expect, it } from 'vitest';
import type { AuditRecord } from '../../src/audit/model.js';
import { eventOf } from '../../src/events/feed/cloud-event.js';

const record = { chain: 'tenant-a', seq: 7, atMs: 5000, operation: 'Verify', context: {}, detail: {} };

it.each([
  [['profile-1', 'person-1'], 'profile-1', ['profile-1', 'person-1']],
  [['', 'person-1'], 'person-1', ['person-1']],
  [[''], undefined, []],
  [[], undefined, []],
])('of the subjects %j names %j', (subjectIds, subject, named) => {
  const event = eventOf({ ...record, subjectIds } as unknown as AuditRecord);
  expect(event.subject).toBe(subject);
  expect(event.data.subjectIds).toEqual(named);
});
