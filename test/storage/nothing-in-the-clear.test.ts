// Whatever a caller can write freely lies sealed: every text field of every operation of the voiceprint service carries
// a planted word, and none of them is found in the database, its log or the blobs. The fields come from the contract,
// so that a new one is planted without anybody thinking of it.
import { ScalarType, type DescField, type DescMessage, type DescMethod } from '@bufbuild/protobuf';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/storage/database.js';
import { send } from '../biometrics/calls.js';
import { TenantFixture, cases, quickEnrollment, services, type Json } from '../biometrics/requests.js';
import { databaseOf } from '../biometrics/state.js';
import { Platform, forEachStore } from '../biometrics/support.js';

/** Names by which callers look things up: a sealed value cannot be searched for (docs/adr/0005-sealing.md). */
const lookedUp =
  /(^|\.)((new_)?(person|fraudster|group|watchlist|engagement|correlation|configset|template|calibration_model)_id|tag)$/;
const DEPTH_MAX = 4;

/** Words that occur nowhere else, and which field each was planted in. */
class Words {
  readonly #fields = new Map<string, string>();

  next(field: string): string {
    const word = `zqx${String(this.#fields.size).padStart(4, '0')}xqz`;
    this.#fields.set(word, field);
    return word;
  }

  fieldsFoundIn(text: string): string[] {
    return [...new Set(text.match(/zqx\d{4}xqz/g))].map((word) => this.#fields.get(word) ?? word);
  }
}

type Plant = (path: string) => string;

/** The message with a word in every text field that the request leaves open; `skip` names fields that take none. */
function planted(
  desc: DescMessage,
  request: Json,
  plant: Plant,
  skip: ReadonlySet<string>,
  prefix = '',
): Json {
  const made: Json = { ...request };
  if (prefix.split('.').length > DEPTH_MAX) return made;
  for (const field of desc.fields) {
    const path = prefix + field.name;
    if (path === 'context' || path === 'field_mask' || skip.has(path)) continue;
    // Of alternatives, the one that the request chose.
    if (field.oneof && !(field.name in request)) continue;
    const value = plantedField(field, request[field.name], plant, skip, path);
    if (value !== undefined) made[field.name] = value;
  }
  return made;
}

function plantedField(
  field: DescField,
  value: unknown,
  plant: Plant,
  skip: ReadonlySet<string>,
  path: string,
): unknown {
  if (field.fieldKind === 'scalar') return field.scalar === ScalarType.STRING ? plant(path) : undefined;
  if (field.fieldKind === 'map')
    return field.scalar === ScalarType.STRING ? { [plant(`${path} (name)`)]: plant(path) } : undefined;
  if (field.fieldKind === 'list') {
    if (field.listKind === 'scalar') return field.scalar === ScalarType.STRING ? [plant(path)] : undefined;
    if (field.listKind !== 'message' || isId(field.message)) return undefined;
    const item = planted(field.message, {}, plant, skip, `${path}.`);
    return Object.keys(item).length > 0 ? [item] : undefined;
  }
  if (field.fieldKind !== 'message' || isId(field.message)) return undefined;
  if (field.message.typeName === 'google.protobuf.StringValue') return plant(path);
  if (field.message.typeName.startsWith('google.')) return undefined;
  const inner = planted(field.message, (value as Json | undefined) ?? {}, plant, skip, `${path}.`);
  return Object.keys(inner).length > 0 ? inner : undefined;
}

const isId = (message: DescMessage): boolean => message.typeName === 'vendor.biosec.v1.UniqueId';

/** Everything in the details is to be changed. */
function maskOf(method: DescMethod, request: Json): Json {
  const details = method.input.fields.find(({ name }) => name === 'details')?.message;
  if (!('field_mask' in request) || !details) return request;
  const names = Object.keys(request['details'] as Json);
  const mask = details.fields.filter(({ name }) => names.includes(name)).map(({ jsonName }) => jsonName);
  return { ...request, field_mask: mask.join(',') };
}

await forEachStore((store) => {
  const home = mkdtempSync(join(tmpdir(), 'voxgate-clear-'));
  const words = new Words();
  const taken = new Set<string>();
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

  /** Sends the planted request, without the fields that are refused because they are no free text. */
  async function plantIn(
    name: string,
    service: (typeof services)[number],
    method: DescMethod,
  ): Promise<void> {
    const entry = cases[name];
    if (!entry) throw new Error(`${name} has no valid request`);
    const skip = new Set<string>([...(entry.lookups ?? []), ...(entry.harmless ?? [])]);
    for (let tries = 0; tries < 12; tries++) {
      const fields: string[] = [];
      const plant: Plant = (path) => {
        fields.push(path);
        return words.next(`${name}: ${path}`);
      };
      const valid = { context: fixture.context, ...(await entry.request(fixture)) };
      const request = maskOf(method, planted(method.input, valid, plant, skip));
      const answer = await send(platform.server, 'gRPC', service, method, request);
      if (answer.code === 'OK') {
        for (const field of fields) taken.add(`${name}: ${field}`);
        await entry.settled?.(fixture, request, answer.body);
        return;
      }
      expect(answer.fields.length, `${name}: ${JSON.stringify(answer.body)}`).toBeGreaterThan(0);
      for (const field of answer.fields) {
        const plain = field.replace(/\[.*$/, '');
        skip.add(plain);
        if (fields.every((path) => !path.startsWith(plain))) skip.add(plain.replace(/\.[^.]*$/, ''));
      }
    }
    throw new Error(`${name} took no planted request`);
  }

  async function everythingStored(): Promise<string> {
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
    if (store.dialect === 'postgres') texts.push(await dump(database));
    return texts.join('\n');
  }

  describe.each(services.map((service) => [service.name, service] as const))('%s', (_name, service) => {
    it.each(service.methods.map((method) => [method.name, method] as const))('%s', (name, method) =>
      plantIn(name, service, method),
    );
  });

  it('leaves nothing that was written freely in the clear', async () => {
    expect([...taken]).toEqual(
      expect.arrayContaining([
        'UpdateGroup: details.custom_data',
        'UpdateEngagement: details.custom_data',
        'UpdateVoiceprintProfileDetails: details.custom_data',
        'LockVoiceprintProfile: reason',
        'SetEngagementVerdict: description',
        'OptPersonOut: reason',
      ]),
    );
    const found = words.fieldsFoundIn(await everythingStored());
    // The names that are looked up are there: the search does find what is in the clear.
    expect(found).toContain('CreatePerson: person_id');
    expect(found.filter((field) => !lookedUp.test(field.replace(/^.*: /, ''))).sort()).toEqual([]);
  });
});

/** Every column of every table as text, bytes as they are. */
async function dump({ db }: Database): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = current_schema()`.execute(
    db,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db);
    for (const row of rows)
      for (const value of Object.values(row))
        texts.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
  }
  return texts.join('\n');
}
