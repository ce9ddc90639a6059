import { chmodSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform.js';
import { openKeyring, placeOf } from '../../src/storage/sealing/keyring.js';
import { fileMasterKey, givenMasterKey, newMasterKey } from '../../src/storage/sealing/master-key.js';
import {
  listKeys,
  resealColumn,
  rotateDataKeys,
  rotateMasterKey,
} from '../../src/storage/sealing/rotation.js';
import { sealedColumns } from '../../src/storage/sealing/sealed-columns.js';
import { keyVersionOf } from '../../src/storage/sealing/cipher.js';
import { forEachDatabase } from '../support/database.js';
import { temporaryFolder, testStorage } from '../support/storage.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const text = (value: Uint8Array): string => Buffer.from(value).toString();
const PLACE = placeOf('persons', 'name', 'p1');

await forEachDatabase(({ open }) => {
  describe('sealed values', () => {
    it('open only in the scope and at the place where they were sealed', async () => {
      const { database, keyring } = await testStorage(await open());
      const a = await keyring.forTenant(database.db, 'scope-a');
      const b = await keyring.forTenant(database.db, 'scope-b');
      const sealed = a.seal(bytes('Ada Lovelace'), PLACE);
      expect(text(a.open(sealed, PLACE))).toBe('Ada Lovelace');
      expect(Buffer.from(sealed).includes('Ada')).toBe(false);
      expect(() => a.open(sealed, placeOf('persons', 'name', 'p2'))).toThrowError(
        expect.objectContaining({ fault: 'SEAL_BROKEN' }),
      );
      expect(() => b.open(sealed, PLACE)).toThrowError(expect.objectContaining({ fault: 'SEAL_BROKEN' }));
    });

    it('do not open when a single bit was changed, and are never equal twice', async () => {
      const { database, keyring } = await testStorage(await open());
      const sealer = await keyring.forTenant(database.db, 's');
      const sealed = sealer.seal(bytes('x'), PLACE);
      expect(sealer.seal(bytes('x'), PLACE)).not.toEqual(sealed);
      for (let at = 0; at < sealed.byteLength; at++) {
        const changed = sealed.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(() => sealer.open(changed, PLACE), `byte ${at}`).toThrow();
      }
      expect(() => sealer.open(new Uint8Array(5), PLACE)).toThrowError(
        expect.objectContaining({ fault: 'SEAL_BROKEN' }),
      );
    });

    it('can be empty and can be large', async () => {
      const { database, keyring } = await testStorage(await open());
      const sealer = await keyring.forTenant(database.db, 's');
      for (const size of [0, 1, 1_000_000]) {
        const plain = new Uint8Array(size).fill(5);
        expect(Buffer.compare(sealer.open(sealer.seal(plain, PLACE), PLACE), plain)).toBe(0);
      }
    });
  });

  describe('data keys', () => {
    it('leave older values readable after a rotation and seal new ones with the new version', async () => {
      const { database, keyring } = await testStorage(await open());
      const old = (await keyring.forTenant(database.db, 's')).seal(bytes('old'), PLACE);
      expect(await rotateDataKeys(database, keyring, 's')).toEqual([{ tenantKey: 's', version: 2 }]);
      const sealer = await keyring.forTenant(database.db, 's');
      expect(text(sealer.open(old, PLACE))).toBe('old');
      expect(keyVersionOf(sealer.seal(bytes('new'), PLACE))).toBe(2);
    });

    it('make content unreadable for good once destroyed, without touching other scopes', async () => {
      const { database, keyring } = await testStorage(await open());
      const sealed = (await keyring.forTenant(database.db, 's')).seal(bytes('secret'), PLACE);
      const other = (await keyring.forTenant(database.db, 'other')).seal(bytes('kept'), PLACE);
      await database.transaction((tx) => keyring.destroy(tx, 's'));
      const after = await keyring.forTenant(database.db, 's');
      expect(() => after.open(sealed, PLACE)).toThrowError(
        expect.objectContaining({ fault: 'KEY_DESTROYED' }),
      );
      expect(text(after.open(after.seal(bytes('fresh'), PLACE), PLACE))).toBe('fresh');
      expect(text((await keyring.forTenant(database.db, 'other')).open(other, PLACE))).toBe('kept');
    });

    it('are asked for once in a transaction, and again where it changes them', async () => {
      const { database, keyring } = await testStorage(await open());
      await keyring.forTenant(database.db, 's');
      await database.transaction(async (tx) => {
        const first = await keyring.forTenant(tx, 's');
        expect(await keyring.forTenant(tx, 's')).toBe(first);
        expect((await keyring.forTenant(tx, 'other')).keyVersion).toBe(1);
      });
      await database.transaction(async (tx) => {
        const first = await keyring.forTenant(tx, 's');
        await keyring.rotate(tx, 's');
        expect([first.keyVersion, (await keyring.forTenant(tx, 's')).keyVersion]).toEqual([1, 2]);
        await keyring.destroy(tx, 's');
        expect((await keyring.forTenant(tx, 's')).keyVersion).toBe(3);
      });
      expect((await keyring.forTenant(database.db, 's')).keyVersion).toBe(3);
    });

    it('are not kept when the transaction that made them fails', async () => {
      const { database, keyring } = await testStorage(await open());
      const failing = database.transaction(async (tx) => {
        await keyring.forTenant(tx, 's');
        throw new Error('stop');
      });
      await expect(failing).rejects.toThrow('stop');
      const sealer = await keyring.forTenant(database.db, 's');
      const again = await keyring.forTenant(database.db, 's');
      expect(text(again.open(sealer.seal(bytes('x'), PLACE), PLACE))).toBe('x');
    });

    it('are made once when many ask at the same time', async () => {
      const { database, keyring } = await testStorage(await open());
      const sealers = await Promise.all(Array.from({ length: 8 }, () => keyring.forTenant(database.db, 's')));
      const keys = new Set(sealers.map((sealer) => Buffer.from(sealer.dataKey(1)).toString('hex')));
      expect(keys.size).toBe(1);
    });

    it('are themselves unreadable in the database', async () => {
      const { database, keyring } = await testStorage(await open());
      const dataKey = (await keyring.forTenant(database.db, 's')).dataKey(1);
      const { wrapped_key } = await database.db
        .selectFrom('sealing_keys')
        .select('wrapped_key')
        .executeTakeFirstOrThrow();
      expect(Buffer.from(wrapped_key ?? []).includes(Buffer.from(dataKey))).toBe(false);
    });

    it('bring a sealed column under the newest version by reseal', async () => {
      const { database, keyring } = await testStorage(await open());
      const column = {
        table: 'audit_records',
        column: 'personal',
        idColumn: 'operation',
        scopeColumn: 'scope_key',
      };
      const at = (id: string): string => placeOf(column.table, column.column, id);
      const sealer = await keyring.forTenant(database.db, 's');
      const row = {
        scope_key: 's',
        time: 0,
        record_type: '',
        actor_subject: '',
        actor_issuer: '',
        context: '{}',
        subject_ids: '',
        detail: '',
        personal_digest: null,
        prev_hash: '',
        hash: '',
      };
      const ids = Array.from({ length: 450 }, (_, n) => `op-${String(n).padStart(4, '0')}`);
      const rows = ids.map((operation, n) => ({
        ...row,
        seq: n,
        operation,
        personal: sealer.seal(bytes(operation), at(operation)),
      }));
      await database.db.insertInto('audit_records').values(rows).execute();
      await rotateDataKeys(database, keyring, 's');
      expect(await resealColumn(database, keyring, column, 's')).toMatchObject({
        scanned: 450,
        resealed: 450,
      });
      expect(await resealColumn(database, keyring, column, 's')).toMatchObject({ scanned: 450, resealed: 0 });
      const renewed = await keyring.forTenant(database.db, 's');
      const stored = await database.db
        .selectFrom('audit_records')
        .select(['operation', 'personal'])
        .execute();
      for (const { operation, personal } of stored) {
        expect(keyVersionOf(personal ?? new Uint8Array())).toBe(2);
        expect(text(renewed.open(personal ?? new Uint8Array(), at(operation)))).toBe(operation);
      }
    });
  });

  it('finds every column that is listed as sealed in the schema', async () => {
    const { database, keyring } = await testStorage(await open());
    for (const column of sealedColumns) {
      expect(
        await resealColumn(database, keyring, column, 's'),
        `${column.table}.${column.column}`,
      ).toMatchObject({ scanned: 0 });
    }
  });

  describe('the master key file', () => {
    const openWith = async (path: string, database: Awaited<ReturnType<typeof open>>) =>
      openKeyring({ database, clock: systemClock, source: fileMasterKey(path) });

    it('is made on first start, for its owner only, and opens everything again', async () => {
      const database = await open();
      const path = join(temporaryFolder(), 'home', 'master.key');
      const sealed = (await (await openWith(path, database)).forTenant(database.db, 's')).seal(
        bytes('x'),
        PLACE,
      );
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(join(path, '..'))).toEqual(['master.key']);
      const again = await (await openWith(path, database)).forTenant(database.db, 's');
      expect(text(again.open(sealed, PLACE))).toBe('x');
    });

    it('is refused when others can read it', async () => {
      const database = await open();
      const path = join(temporaryFolder(), 'master.key');
      await openWith(path, database);
      chmodSync(path, 0o640);
      await expect(openWith(path, database)).rejects.toMatchObject({
        fault: 'MASTER_KEY_UNSAFE',
        message: expect.stringContaining(path),
      });
    });

    it('is refused when it is missing, of another installation, or not a key; and never replaced silently', async () => {
      const database = await open();
      const path = join(temporaryFolder(), 'master.key');
      await openWith(path, database);
      rmSync(path);
      await expect(openWith(path, database)).rejects.toMatchObject({ fault: 'MASTER_KEY_MISSING' });
      writeFileSync(path, Buffer.from(newMasterKey().bytes).toString('base64'), { mode: 0o600 });
      await expect(openWith(path, database)).rejects.toMatchObject({ fault: 'MASTER_KEY_WRONG' });
      writeFileSync(path, 'short');
      await expect(openWith(path, database)).rejects.toMatchObject({
        fault: 'MASTER_KEY_WRONG',
        message: expect.stringContaining('32 bytes'),
      });
    });

    it('can be rotated under a running server, and the old key then opens nothing', async () => {
      const database = await open();
      const path = join(temporaryFolder(), 'master.key');
      const keyring = await openWith(path, database);
      const sealed = (await keyring.forTenant(database.db, 's')).seal(bytes('x'), PLACE);
      const oldKey = readFileSync(path, 'utf8');
      const rotation = await rotateMasterKey(database, fileMasterKey(path));
      expect(rotation.rewrapped).toBe(1);
      expect(rotation.masterKeyId).not.toBe(rotation.previousKeyId);
      expect(text((await keyring.forTenant(database.db, 's')).open(sealed, PLACE))).toBe('x');
      await keyring.forTenant(database.db, 'made-after-rotation');
      const listing = await listKeys(database, keyring);
      expect(listing.masterKeyId).toBe(rotation.masterKeyId);
      expect(listing.dataKeys.map((key) => [key.tenantKey, key.version, key.masterKeyId])).toEqual([
        ['made-after-rotation', 1, rotation.masterKeyId],
        ['s', 1, rotation.masterKeyId],
      ]);
      const withOld = openKeyring({
        database,
        clock: systemClock,
        source: givenMasterKey(oldKey, 'the old key'),
      });
      await expect(withOld).rejects.toMatchObject({ fault: 'MASTER_KEY_WRONG' });
    });

    it('survives a crash between the commit of a rotation and the change of the file', async () => {
      const database = await open();
      const folder = temporaryFolder();
      const path = join(folder, 'master.key');
      const sealed = (await (await openWith(path, database)).forTenant(database.db, 's')).seal(
        bytes('x'),
        PLACE,
      );
      const source = fileMasterKey(path);
      const crashing = {
        ...source,
        adopt: () => {
          throw new Error('power cut');
        },
      };
      await expect(rotateMasterKey(database, crashing)).rejects.toThrow('power cut');
      expect(readdirSync(folder).sort()).toEqual(['master.key', 'master.key.next']);
      const again = await (await openWith(path, database)).forTenant(database.db, 's');
      expect(text(again.open(sealed, PLACE))).toBe('x');
      expect(readdirSync(folder)).toEqual(['master.key']);
    });

    it('survives a crash before the commit of a rotation', async () => {
      const database = await open();
      const folder = temporaryFolder();
      const path = join(folder, 'master.key');
      const sealed = (await (await openWith(path, database)).forTenant(database.db, 's')).seal(
        bytes('x'),
        PLACE,
      );
      fileMasterKey(path).prepareNext?.();
      const again = await (await openWith(path, database)).forTenant(database.db, 's');
      expect(text(again.open(sealed, PLACE))).toBe('x');
      expect((await rotateMasterKey(database, fileMasterKey(path))).rewrapped).toBe(1);
    });

    it('given from outside is rotated with the operator handing over the next one', async () => {
      const database = await open();
      const first = givenMasterKey(Buffer.alloc(32, 1).toString('base64'), 'VOXGATE_MASTER_KEY');
      const keyring = await openKeyring({ database, clock: systemClock, source: first });
      const sealed = (await keyring.forTenant(database.db, 's')).seal(bytes('x'), PLACE);
      await expect(rotateMasterKey(database, first)).rejects.toMatchObject({ fault: 'MASTER_KEY_MISSING' });
      const next = newMasterKey();
      await rotateMasterKey(database, first, next);
      const second = givenMasterKey(Buffer.from(next.bytes).toString('base64'), 'VOXGATE_MASTER_KEY');
      const reopened = await openKeyring({ database, clock: systemClock, source: second });
      expect(text((await reopened.forTenant(database.db, 's')).open(sealed, PLACE))).toBe('x');
    });

    it('cannot be swapped for a file of another installation by renaming', async () => {
      const database = await open();
      const folder = temporaryFolder();
      const path = join(folder, 'master.key');
      await openWith(path, database);
      fileMasterKey(join(folder, 'other.key')).create?.();
      renameSync(join(folder, 'other.key'), path);
      await expect(openWith(path, database)).rejects.toMatchObject({ fault: 'MASTER_KEY_WRONG' });
    });
  });
});
