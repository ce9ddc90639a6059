// Scope administration on every database: the operations of the domain over the real store.
import { describe, expect, it } from 'vitest';
import type { AppError } from '../../src/errors.js';
import { verifyChain } from '../../src/audit/verify-chain.js';
import { silentLog, systemIds } from '../../src/platform.js';
import { createTenant } from '../../src/tenants/create-tenant.js';
import {
  deleteDueTenants,
  markTenantForDeletion,
  unmarkTenantForDeletion,
} from '../../src/tenants/delete-tenant.js';
import type { TenantsDeps } from '../../src/tenants/deps.js';
import {
  getGkScopeId,
  getTenantDetails,
  listTenantDeletions,
  listTenants,
} from '../../src/tenants/read-tenants.js';
import { renameTenant } from '../../src/tenants/rename-tenant.js';
import { resetTenant } from '../../src/tenants/reset-tenant.js';
import { setTenantState } from '../../src/tenants/set-tenant-state.js';
import { updateTenantDetails } from '../../src/tenants/update-tenant-details.js';
import { tenantsStore, tenantsOf } from '../../src/storage/tenants/tenants-store.js';
import { forEachDatabase } from '../support/database.js';
import { testCall, testStorage, type TestStorage } from '../support/storage.js';

const DAY_MS = 86_400_000;
const call = testCall();

await forEachDatabase(({ open }) => {
  interface TestPlatform extends TestStorage {
    deps: TenantsDeps;
    emptied: string[];
    told: string[];
  }
  const setUp = async (): Promise<TestPlatform> => {
    const storage = await testStorage(await open());
    const emptied: string[] = [];
    const told: string[] = [];
    const store = tenantsStore({
      ...storage,
      contentDeleters: [async (_tx, gkScopeId) => void emptied.push(gkScopeId)],
      onContentDeleted: (gkScopeId) => void told.push(gkScopeId),
    });
    return {
      ...storage,
      emptied,
      told,
      deps: { store, clock: storage.clock, ids: systemIds, deletionDelayMs: 30 * DAY_MS },
    };
  };
  const create = async (deps: TenantsDeps, scopeId: string): Promise<string> =>
    (await createTenant(deps, call, { scopeId, profile: 'DEFAULT', expectedPersonsNumber: 1000 })).gkScopeId;

  describe('creating', () => {
    it('gives a scope that can be read back by both of its names', async () => {
      const { deps, clock } = await setUp();
      const details = {
        customerName: 'Örebro Bank',
        description: 'test',
        isBillable: true,
        type: 'DEMO' as const,
        goLiveAtMs: 5,
      };
      const { gkScopeId } = await createTenant(deps, call, {
        scopeId: 'bank',
        profile: '100K',
        expectedPersonsNumber: 5,
        details,
      });
      expect(await getGkScopeId(deps, call, { scopeId: 'bank' })).toEqual({ gkScopeId });
      expect(await getTenantDetails(deps, call, { gkScopeId })).toEqual({
        gkScopeId,
        scopeId: 'bank',
        state: 'INITIALIZED',
        profile: '100K',
        expectedPersonsNumber: 5,
        ...details,
        createdAtMs: clock.now(),
        modifiedAtMs: clock.now(),
      });
    });

    it('refuses a name that is taken, also by two callers at once', async () => {
      const { deps } = await setUp();
      const attempts = await Promise.allSettled([create(deps, 'a'), create(deps, 'a'), create(deps, 'a')]);
      const refused = attempts.filter((attempt) => attempt.status === 'rejected');
      expect(refused).toHaveLength(2);
      for (const { reason } of refused)
        expect(reason).toMatchObject({ code: 'ALREADY_EXISTS', fields: [{ field: 'scope_id' }] });
      expect(await listTenants(deps, call)).toHaveLength(1);
    });

    it('names every wrong field at once', async () => {
      const { deps } = await setUp();
      const details = { customerName: 'x'.repeat(257), description: 'a\u0000b' };
      const wrong = createTenant(deps, call, {
        scopeId: '',
        profile: undefined,
        expectedPersonsNumber: -1,
        details,
      });
      const error = await wrong.catch((thrown: AppError) => thrown);
      expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
      expect((error as AppError).fields.map((fault) => [fault.field, fault.violation])).toEqual([
        ['scope_id', 'MANDATORY_FIELD_MISSING'],
        ['scope_profile', 'MANDATORY_FIELD_MISSING'],
        ['expected_persons_number', 'OUT_OF_RANGE'],
        ['details.customer_name', 'TOO_LONG'],
        ['details.description', 'INVALID_FORMAT'],
      ]);
    });

    it.each([
      ['x'.repeat(129), 'TOO_LONG'],
      [' a', 'INVALID_FORMAT'],
      ['a\nb', 'INVALID_FORMAT'],
    ])('refuses the name %j', async (scopeId, violation) => {
      const { deps } = await setUp();
      await expect(create(deps, scopeId)).rejects.toMatchObject({
        fields: [{ field: 'scope_id', violation }],
      });
    });
  });

  describe('rights', () => {
    it('lets callers with named tenants see these and change none', async () => {
      const { deps } = await setUp();
      const [mine, foreign] = [await create(deps, 'mine'), await create(deps, 'foreign')];
      const limited = testCall({ tenants: [mine] });
      expect((await listTenants(deps, limited)).map((scope) => scope.scopeId)).toEqual(['mine']);
      expect(await listTenants(deps, testCall({ tenants: [] }))).toEqual([]);
      expect(await getGkScopeId(deps, limited, { scopeId: 'mine' })).toEqual({ gkScopeId: mine });
      await expect(getGkScopeId(deps, limited, { scopeId: 'foreign' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      await expect(getTenantDetails(deps, limited, { gkScopeId: foreign })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      await expect(getTenantDetails(deps, limited, { gkScopeId: 'no-such' })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
      const changes = [
        createTenant(deps, limited, { scopeId: 'new', profile: 'DEFAULT', expectedPersonsNumber: 1 }),
        renameTenant(deps, limited, { gkScopeId: mine, newScopeId: 'b' }),
        updateTenantDetails(deps, limited, { gkScopeId: mine, details: {}, mask: ['description'] }),
        setTenantState(deps, limited, { gkScopeId: mine, state: 'ACTIVE' }),
        markTenantForDeletion(deps, limited, { gkScopeId: mine }),
        unmarkTenantForDeletion(deps, limited, { gkScopeId: mine }),
        resetTenant(deps, limited, { gkScopeId: mine }),
        listTenantDeletions(deps, limited),
      ];
      for (const change of changes) await expect(change).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    });
  });

  describe('changing', () => {
    it('updates exactly what the mask names', async () => {
      const { deps, clock } = await setUp();
      const gkScopeId = await create(deps, 'a');
      const details = {
        customerName: 'New',
        description: 'ignored',
        expectedPersonsNumber: 7,
        goLiveAtMs: 9,
      };
      clock.advance(10);
      await updateTenantDetails(deps, call, {
        gkScopeId,
        details,
        mask: ['customer_name', 'expected_persons_number', 'go_live_timestamp'],
      });
      expect(await getTenantDetails(deps, call, { gkScopeId })).toMatchObject({
        customerName: 'New',
        description: '',
        expectedPersonsNumber: 7,
        goLiveAtMs: 9,
        modifiedAtMs: clock.now(),
      });
      await updateTenantDetails(deps, call, {
        gkScopeId,
        details: {},
        mask: ['go_live_timestamp', 'customer_name'],
      });
      const cleared = await getTenantDetails(deps, call, { gkScopeId });
      expect(cleared.customerName).toBe('');
      expect(cleared).not.toHaveProperty('goLiveAtMs');
    });

    it('refuses a mask that is empty or names what cannot be changed', async () => {
      const { deps } = await setUp();
      const gkScopeId = await create(deps, 'a');
      const update = (mask: string[]) => updateTenantDetails(deps, call, { gkScopeId, details: {}, mask });
      await expect(update([])).rejects.toMatchObject({
        fields: [{ field: 'field_mask', violation: 'MANDATORY_FIELD_MISSING' }],
      });
      await expect(update(['scope_state'])).rejects.toMatchObject({
        fields: [{ field: 'field_mask', value: 'scope_state' }],
      });
      await expect(update(['constructor'])).rejects.toMatchObject({
        fields: [{ field: 'field_mask', value: 'constructor' }],
      });
    });

    it('renames, keeps the gk id, and refuses a taken name', async () => {
      const { deps } = await setUp();
      const [a] = [await create(deps, 'a'), await create(deps, 'b')];
      await renameTenant(deps, call, { gkScopeId: a, newScopeId: 'c' });
      expect(await getGkScopeId(deps, call, { scopeId: 'c' })).toEqual({ gkScopeId: a });
      await expect(getGkScopeId(deps, call, { scopeId: 'a' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await renameTenant(deps, call, { gkScopeId: a, newScopeId: 'c' });
      await expect(renameTenant(deps, call, { gkScopeId: a, newScopeId: 'b' })).rejects.toMatchObject({
        code: 'ALREADY_EXISTS',
        fields: [{ field: 'new_scope_id' }],
      });
      await expect(renameTenant(deps, call, { gkScopeId: 'no-such', newScopeId: 'x' })).rejects.toMatchObject(
        {
          code: 'NOT_FOUND',
        },
      );
    });

    it('takes only the states that callers may set', async () => {
      const { deps } = await setUp();
      const gkScopeId = await create(deps, 'a');
      for (const state of ['CREATED', 'READY', 'PENDING_DELETION', 'DELETED'] as const) {
        await expect(setTenantState(deps, call, { gkScopeId, state })).rejects.toMatchObject({
          fields: [{ field: 'scope_state', violation: 'OUT_OF_RANGE' }],
        });
      }
      await expect(setTenantState(deps, call, { gkScopeId, state: undefined })).rejects.toMatchObject({
        fields: [{ violation: 'MANDATORY_FIELD_MISSING' }],
      });
      await setTenantState(deps, call, { gkScopeId, state: 'ACTIVE' });
      expect(await getTenantDetails(deps, call, { gkScopeId })).toMatchObject({ state: 'ACTIVE' });
    });
  });

  describe('the end of a scope', () => {
    it('is immediate before it was ever ACTIVE, and frees its name', async () => {
      const { deps, emptied, told } = await setUp();
      const gkScopeId = await create(deps, 'a');
      await markTenantForDeletion(deps, call, { gkScopeId });
      await expect(getTenantDetails(deps, call, { gkScopeId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect([emptied, told]).toEqual([[gkScopeId], [gkScopeId]]);
      await create(deps, 'a');
    });

    it('waits 30 days once it was ACTIVE, usable and revocable until then', async () => {
      const { deps, clock, emptied, database } = await setUp();
      const tenants = tenantsOf(database, clock);
      const gkScopeId = await create(deps, 'a');
      await setTenantState(deps, call, { gkScopeId, state: 'ACTIVE' });
      await setTenantState(deps, call, { gkScopeId, state: 'INITIALIZED' });
      await markTenantForDeletion(deps, call, { gkScopeId });
      expect(await getTenantDetails(deps, call, { gkScopeId })).toMatchObject({ state: 'PENDING_DELETION' });
      await expect(setTenantState(deps, call, { gkScopeId, state: 'ACTIVE' })).rejects.toMatchObject({
        fields: [{ violation: 'FIELD_CONFLICT' }],
      });
      const unused = await create(deps, 'b');
      const deletions = await listTenantDeletions(deps, call);
      expect(deletions.waitingDays).toBe(30);
      expect(deletions.tenants).toContainEqual({
        gkScopeId,
        isImmediate: false,
        deleteAfterMs: clock.now() + 30 * DAY_MS,
      });
      expect(deletions.tenants).toContainEqual({ gkScopeId: unused, isImmediate: true });
      await unmarkTenantForDeletion(deps, call, { gkScopeId });
      expect(await getTenantDetails(deps, call, { gkScopeId })).toMatchObject({ state: 'READY' });
      expect((await listTenantDeletions(deps, call)).tenants).toContainEqual({
        gkScopeId,
        isImmediate: false,
      });
      await markTenantForDeletion(deps, call, { gkScopeId });
      clock.advance(30 * DAY_MS - 1);
      expect(await deleteDueTenants(deps, silentLog)).toEqual([]);
      expect(await tenants.isUsable(gkScopeId)).toBe(true);
      clock.advance(1);
      expect(await tenants.isUsable(gkScopeId)).toBe(false);
      await expect(getTenantDetails(deps, call, { gkScopeId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await deleteDueTenants(deps, silentLog)).toEqual([gkScopeId]);
      expect(await deleteDueTenants(deps, silentLog)).toEqual([]);
      expect(emptied).toEqual([gkScopeId]);
    });

    it('destroys the keys of its content; a reset does too, but keeps the scope', async () => {
      const { deps, keyring, database, emptied } = await setUp();
      const gkScopeId = await create(deps, 'a');
      const sealed = (await keyring.forTenant(database.db, gkScopeId)).seal(new Uint8Array([1]), 'x');
      await resetTenant(deps, call, { gkScopeId });
      const after = await keyring.forTenant(database.db, gkScopeId);
      expect(() => after.open(sealed, 'x')).toThrowError(expect.objectContaining({ fault: 'KEY_DESTROYED' }));
      expect(await getTenantDetails(deps, call, { gkScopeId })).toMatchObject({
        scopeId: 'a',
        state: 'INITIALIZED',
      });
      expect(emptied).toEqual([gkScopeId]);
    });
  });

  it('leaves every change in the chain of the scope and of the installation', async () => {
    const { deps, audit } = await setUp();
    const gkScopeId = await create(deps, 'a');
    await renameTenant(deps, call, { gkScopeId, newScopeId: 'b' });
    await setTenantState(deps, call, { gkScopeId, state: 'ACTIVE' });
    await markTenantForDeletion(deps, call, { gkScopeId });
    for (const chain of [gkScopeId, 'system']) {
      const records = await audit.read({ chain, recordType: 'SCOPE_EVENT', afterSeq: 0, limit: 10 });
      expect(records.map((record) => record.operation)).toEqual([
        'CreateScope',
        'RenameScope',
        'SetScopeState',
        'MarkScopeForDeletion',
      ]);
      expect(await verifyChain(audit, chain)).toMatchObject({ ok: true, records: 4 });
    }
  });
}, 'both quick');
