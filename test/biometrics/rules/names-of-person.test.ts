// Under which names a person was known, from the records of the audit trail.
import { expect, it } from 'vitest';
import { namesOfPerson, type NamingRecord } from '../../../src/biometrics/rules/names-of-person.js';

const created = (atMs: number, externalId: string): NamingRecord => ({
  operation: 'CreatePerson',
  atMs,
  personal: { externalId },
});
const renamed = (atMs: number, from: string, to: string): NamingRecord => ({
  operation: 'RenamePerson',
  atMs,
  personal: { from, to },
});
const deleted = (atMs: number, personal: object = {}): NamingRecord => ({
  operation: 'DeletePerson',
  atMs,
  personal: { ...personal },
});

it.each([
  { of: 'one who was never renamed', records: [created(1, 'a')], current: 'a', names: [{ name: 'a' }] },
  {
    of: 'one who was renamed twice',
    records: [created(1, 'a'), renamed(2, 'a', 'b'), renamed(3, 'b', 'c')],
    current: 'c',
    names: [{ name: 'a', untilMs: 2 }, { name: 'b', untilMs: 3 }, { name: 'c' }],
  },
  {
    of: 'one whose first records were cut',
    records: [renamed(3, 'b', 'c')],
    current: 'c',
    names: [{ name: 'b', untilMs: 3 }, { name: 'c' }],
  },
  {
    of: 'one who was deleted',
    records: [created(1, 'a'), deleted(4, { externalId: 'a' })],
    current: undefined,
    names: [{ name: 'a', untilMs: 4 }],
  },
  {
    of: 'one who was deleted by a program that kept no name',
    records: [created(1, 'a'), renamed(2, 'a', 'b')],
    current: undefined,
    names: [{ name: 'a', untilMs: 2 }, { name: 'b' }],
  },
  { of: 'one of whom nothing is known', records: [], current: undefined, names: [] },
])('knows the names of $of', ({ records, current, names }) => {
  expect(namesOfPerson(records, current)).toEqual(names);
});
