// What two people change of one thing: each keeps theirs, and the same is not changed twice.
import { expect, it } from 'vitest';
import { mergedChange, refuseStale } from '../../src/audit/merge-change.js';
import { AppError } from '../../src/errors.js';

interface Thing {
  id: string;
  name: string;
  timeZone: string;
  groups: readonly string[];
  attributes: Readonly<Record<string, string>>;
  tenantId?: string | undefined;
}

const read: Thing = {
  id: '1',
  name: 'Berlin',
  timeZone: 'UTC',
  groups: ['a'],
  attributes: { x: '1', y: '2' },
};

it.each<[string, Partial<Thing>, Partial<Thing>, Partial<Thing> | string[]]>([
  ['nothing else happened', { name: 'Bonn' }, {}, { name: 'Bonn' }],
  [
    'another field was changed',
    { timeZone: 'Asia/Tokyo' },
    { name: 'Bonn' },
    { name: 'Bonn', timeZone: 'Asia/Tokyo' },
  ],
  ['both have written the same', { name: 'Bonn' }, { name: 'Bonn' }, { name: 'Bonn' }],
  ['nothing is changed', {}, { name: 'Bonn' }, { name: 'Bonn' }],
  ['the order of a map is none', { attributes: { y: '2', x: '1' } }, { attributes: {} }, { attributes: {} }],
  ['it got a tenant', { name: 'Bonn' }, { tenantId: 't' }, { name: 'Bonn', tenantId: 't' }],
  ['its tenant is taken away', { tenantId: undefined }, {}, {}],
  ['the same field was changed', { name: 'Bonn' }, { name: 'Köln' }, ['thing.name']],
  ['the same list was changed', { groups: ['b'] }, { groups: ['a', 'c'] }, ['thing.groups']],
  [
    'two fields were',
    { timeZone: 'Asia/Tokyo', name: 'x' },
    { timeZone: 'Asia/Baku', name: 'y' },
    ['thing.name', 'thing.time_zone'],
  ],
])('where %s', (_what, mine, theirs, expected) => {
  const merge = () =>
    mergedChange('thing', { wanted: { ...read, ...mine }, read, stored: { ...read, ...theirs } });
  if (!Array.isArray(expected)) return expect(merge()).toEqual({ ...read, ...expected });
  try {
    merge();
    expect.unreachable();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(AppError);
    const { fields, diagnostics } = thrown as AppError;
    expect(fields.map(({ field }) => field).sort()).toEqual(expected);
    expect(diagnostics).toMatchObject([{ code: 'CHANGED_MEANWHILE' }]);
  }
});

it('replaces everything where nobody says what they had read, and makes nothing again that was deleted', () => {
  const wanted = { ...read, name: 'Bonn' };
  expect(mergedChange('thing', { wanted, read: undefined, stored: { ...read, timeZone: 'x' } })).toBe(wanted);
  expect(mergedChange('thing', { wanted, read: undefined, stored: undefined })).toBe(wanted);
  expect(() => mergedChange('thing', { wanted, read, stored: undefined })).toThrow('no such thing');
});

it.each<[string, Partial<Thing>, Partial<Thing>, string[]]>([
  ['nothing is to be changed', {}, { name: 'Köln' }, []],
  ['another field was changed', { timeZone: 'Asia/Tokyo' }, { name: 'Köln' }, []],
  ['both have written the same', { name: 'Bonn' }, { name: 'Bonn' }, []],
  ['the order of a map is none', { attributes: { x: '2' } }, { attributes: { y: '2', x: '1' } }, []],
  ['the same fields were', { name: 'Bonn', groups: [] }, { name: 'Köln', groups: ['b'] }, ['name', 'groups']],
])('of named fields, where %s', (_what, wanted, theirs, expected) => {
  const change = (): void => refuseStale<Thing>(wanted, read, { ...read, ...theirs });
  if (expected.length === 0) return expect(change).not.toThrow();
  expect(change).toThrow(
    expect.objectContaining({
      code: 'CONFLICT',
      fields: expected.map((field) => expect.objectContaining({ field, violation: 'FIELD_CONFLICT' })),
    }),
  );
});

it('asks for nothing where nobody says what they had read', () => {
  expect(() => refuseStale<Thing>({ name: 'Bonn' }, undefined, { ...read, name: 'Köln' })).not.toThrow();
});
