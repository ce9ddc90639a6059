// Every error of every field, one at a time: from a valid request of each operation one mandatory field is left
// out, or one field is corrupted, over gRPC and over REST. The refusal has the right code and names the field,
// nothing was written, and the untouched request is served afterwards. On the same server: what is sent twice (repeats.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Database } from '../../src/storage/database.js';
import { itInLanes } from '../support/lanes.js';
import {
  changed,
  hasBody,
  isInPath,
  leavesOf,
  send,
  type Leaf,
  type Outcome,
  type Transport,
} from './calls.js';
import { TenantFixture, cases, quickEnrollment, services, type Json } from './requests.js';
import { describeRepeats } from './repeats.js';
import { databaseOf, stateOf } from './state.js';
import { Platform, forEachStore } from './support.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const contextFields = ['gk_engagement_id', 'gk_session_id', 'gk_scope_id', 'configset_id'] as const;
const transports: Transport[] = ['gRPC', 'REST'];
const httpOf: Record<string, number> = {
  INVALID_REQUEST: 400,
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  TOO_LARGE: 413,
};

interface Corruption {
  what: string;
  request: Json;
  /** What the answer may be. */
  codes: string[];
  /** Named by the answer, or one of its members is. */
  field: string;
  violation?: string;
  over?: Transport[];
}

/** No field of any kind is written like this. */
const wrongKind = [{ wrong: ['kind'] }];

/** Messages other than wrappers, which are written as the value they wrap. */
const isPlainMessage = ({ field }: Leaf) =>
  field.message !== undefined && !/Value$/.test(field.message.typeName);

/** What goes wrong with a field of its kind. */
function corruptionsOf(
  leaf: Leaf,
  request: Json,
  method: Parameters<typeof hasBody>[0],
  harmless: readonly string[],
): Corruption[] {
  const { path, kind } = leaf;
  const made: Corruption[] = [];
  const add = (what: string, value: unknown, codes: string[], more: Partial<Corruption> = {}) =>
    made.push({
      what: `${path} ${what}`,
      request: changed(request, path, value),
      codes,
      field: path,
      ...more,
    });
  if (kind === 'id' && !harmless.includes(path)) {
    add('of nothing', { value: UNKNOWN_ID }, ['NOT_FOUND']);
    add('not a UUID', { value: 'x y/ü?' }, ['NOT_FOUND']);
    add('with a NUL', { value: 'a\u0000b' }, ['NOT_FOUND', 'INVALID_REQUEST']);
    add('endless', { value: 'x'.repeat(5000) }, ['NOT_FOUND', 'INVALID_REQUEST']);
  }
  if (kind === 'enum')
    add('unknown', 4242, ['INVALID_REQUEST', 'BAD_REQUEST'], { violation: 'OUT_OF_RANGE' });
  if (kind === 'enum')
    add('misspelled', 'NO_SUCH_WORD', ['BAD_REQUEST', 'INVALID_REQUEST'], { over: ['REST'] });
  if (hasBody(method) && !isInPath(method, path) && !(leaf.field.fieldKind === 'list' && kind !== 'id'))
    add('of the wrong kind', kind === 'other' && isPlainMessage(leaf) ? 7 : wrongKind, ['BAD_REQUEST'], {
      over: ['REST'],
    });
  return made;
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-fields-'));
  let platform: Platform;
  let fixture: TenantFixture;
  let database: Database;

  beforeAll(async () => {
    const settings = { home, ...(await store.settings()) };
    platform = await Platform.start({ config: settings, parameters: quickEnrollment });
    fixture = await TenantFixture.make(platform, 'one');
    database = databaseOf(settings);
  });
  afterAll(async () => {
    await database?.close();
    await platform?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  function check(answer: Outcome, { what, codes, field, violation }: Corruption, transport: Transport): void {
    const told = `${transport}: ${what}: ${JSON.stringify(answer.body)}`;
    expect(codes, told).toContain(answer.code);
    if (transport === 'REST') expect(answer.http, told).toBe(httpOf[answer.code]);
    const named = answer.fields.findIndex(
      (name) =>
        name === field ||
        name.startsWith(`${field}.`) ||
        name === `context.${field}` ||
        name === field.replace(/\[\d+\]$/, ''),
    );
    expect(named, told).toBeGreaterThanOrEqual(0);
    if (violation && answer.code === 'INVALID_REQUEST')
      expect(answer.violations[named], told).toBe(violation);
  }

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, service) => {
    itInLanes(service.methods.map((method) => [method.name, method] as const))('%s', async (name, method) => {
      const entry = cases[name];
      if (!entry) throw new Error(`${name} has no valid request`);
      const valid: Json = { context: fixture.context, ...(await entry.request(fixture)) };
      const corruptions: Corruption[] = [];
      const missing = 'MANDATORY_FIELD_MISSING';

      contextFields.forEach((member, index) => {
        const field = `context.${member}`;
        const rule = entry.context[index];
        if (rule === 'M')
          corruptions.push({
            what: `no ${field}`,
            request: changed(valid, field, undefined),
            codes: ['INVALID_REQUEST'],
            field,
            violation: missing,
          });
        if (rule === '-') return;
        corruptions.push(
          member === 'configset_id'
            ? {
                what: `unknown ${field}`,
                request: changed(valid, field, 'no-such-set'),
                codes: ['INVALID_REQUEST'],
                field,
              }
            : {
                what: `unknown ${field}`,
                request: changed(valid, field, { value: UNKNOWN_ID }),
                codes: ['NOT_FOUND'],
                field,
              },
        );
      });
      corruptions.push({
        what: 'no context',
        request: changed(valid, 'context', undefined),
        codes: ['INVALID_REQUEST'],
        field: 'context.gk_scope_id',
        violation: missing,
      });

      for (const mandatory of entry.mandatory) {
        const [field, named] = typeof mandatory === 'string' ? [mandatory, mandatory] : mandatory;
        corruptions.push({
          what: `no ${field}`,
          request: changed(valid, field, undefined),
          codes: ['INVALID_REQUEST'],
          field: named,
          violation: missing,
          ...(isInPath(method, field) && { over: ['gRPC'] }),
        });
      }
      if (entry.either) {
        const field = entry.either;
        const neither = changed(changed(valid, field, undefined), `context.${field}`, undefined);
        corruptions.push({
          what: `no ${field} anywhere`,
          request: neither,
          codes: ['INVALID_REQUEST'],
          field,
          violation: missing,
        });
      }
      const leaves = leavesOf(method.input, valid);
      for (const leaf of leaves)
        corruptions.push(...corruptionsOf(leaf, valid, method, entry.harmless ?? []));
      const ownNames = leaves.filter(({ path, kind }) => kind === 'string' && /_id$/.test(path));
      for (const { path } of ownNames) {
        for (const [what, value] of [
          ['too long', 'x'.repeat(200)],
          ['with a NUL', 'a\u0000b'],
        ] as const) {
          const exists = entry.lookups?.includes(path) ?? false;
          corruptions.push({
            what: `${path} ${what}`,
            request: changed(valid, path, value),
            codes: exists ? ['NOT_FOUND', 'INVALID_REQUEST'] : ['INVALID_REQUEST', 'NOT_FOUND'],
            field: path,
          });
        }
      }

      const before = await stateOf(database, platform.gkScopeId);
      for (const corruption of corruptions)
        for (const transport of corruption.over ?? transports)
          check(
            await send(platform.server, transport, service, method, corruption.request),
            corruption,
            transport,
          );
      expect(await stateOf(database, platform.gkScopeId)).toEqual(before);

      const served = await send(platform.server, 'REST', service, method, valid);
      expect(served.code, JSON.stringify(served.body)).toBe('OK');
      await entry.settled?.(fixture, valid, served.body);
    });
  });

  describeRepeats(() => ({ server: platform.server, fixture, database }));
});
