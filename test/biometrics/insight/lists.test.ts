// The lists behind Directory, Activity and Accuracy on both databases: filters, counts, pages, and no row of
// another scope.
import { describe, expect, it } from 'vitest';
import type { Party } from '../../../src/biometrics/model/entities.js';
import { searchPage } from '../../../src/biometrics/call/paging.js';
import type { Profile } from '../../../src/biometrics/model/profiles.js';
import { unlocked } from '../../../src/biometrics/rules/profile-changes.js';
import type { Factor } from '../../../src/biometrics/model/sessions.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { forEachDatabase } from '../../support/database.js';
import { testStorage } from '../../support/storage.js';

const AT = 1_700_000_000_000;

function person(gkScopeId: string, externalId: string, createdAtMs: number): Party {
  const details = { firstName: '', lastName: '', preferredLanguage: '', phoneNumbers: [], customData: {} };
  return {
    kind: 'PERSON',
    gkId: `${gkScopeId}-${externalId}`,
    gkScopeId,
    externalId,
    details,
    createdAtMs,
    modifiedAtMs: createdAtMs,
  };
}

function print(gkScopeId: string, owner: string, tag: string, createdAtMs: number): Profile {
  return {
    gkVoiceprintProfileId: `${gkScopeId}-${owner}-${tag}`,
    gkScopeId,
    gkOwnerId: `${gkScopeId}-${owner}`,
    ownerType: 'PERSON',
    tag,
    status: 'NOT_TRAINED',
    version: 0,
    lock: unlocked,
    nearTermAdaptation: false,
    customData: {},
    createdAtMs,
    modifiedAtMs: createdAtMs,
  };
}

function factor(gkScopeId: string, factorId: string, gkSessionId: string, createdAtMs: number): Factor {
  return {
    factorId,
    gkScopeId,
    gkEngagementId: 'e',
    gkSessionId,
    kind: 'AUTHENTICATION',
    operation: 'Verify',
    decision: 'AUTHENTIC',
    reason: 'VOICEPRINT_MATCH',
    netSpeechMs: 3000,
    configsetRevisionId: 'c',
    calibrationRevisionId: 'k',
    createdAtMs,
  };
}

await forEachDatabase(({ open }) => {
  async function prepare() {
    const { database, keyring, audit } = await testStorage(await open());
    const store = createBiometricsStore(database, keyring, audit);
    await store.transaction(async (tx) => {
      for (const scope of ['one', 'two']) {
        for (const [index, id] of ['anna', 'Bruno', '100%'].entries()) {
          await tx.parties.insert(person(scope, id, AT + index));
          await tx.profiles.insert(print(scope, id, id === 'anna' ? 'Phone' : 'main', AT + index));
        }
        const group = {
          kind: 'GROUP',
          gkId: `${scope}-g`,
          gkScopeId: scope,
          externalId: 'VIP_x',
          customData: {},
        } as const;
        await tx.collections.insert({ ...group, createdAtMs: AT, modifiedAtMs: AT });
        await tx.collections.addMember(scope, `${scope}-g`, `${scope}-anna`, AT);
        for (const [index, session] of ['s1', 's1', 's2'].entries())
          await tx.factors.insert(factor(scope, `${scope}-f${index}`, session, AT + 10 * index));
      }
    });
    return store.read;
  }

  describe('lists', () => {
    it('of people, alone and as members', async () => {
      const { parties } = await prepare();
      const { parties: all } = await parties.list('one', 'PERSON', {}, { limit: 10 });
      expect(all.map((party) => party.externalId)).toEqual(['100%', 'Bruno', 'anna']);
      expect(await parties.count('one', 'PERSON', {})).toBe(3);
      expect(await parties.count('one', 'FRAUDSTER', {})).toBe(0);
      const members = await parties.list('one', 'PERSON', { memberOf: 'one-g' }, { limit: 10 });
      expect(members.parties.map((party) => party.externalId)).toEqual(['anna']);
      expect(await parties.count('two', 'PERSON', { memberOf: 'one-g' })).toBe(0);
      expect(await parties.findMany('two', ['one-anna', 'two-anna'])).toHaveLength(1);
    });

    it('of groups by a part of their name, whatever is in it', async () => {
      const { collections } = await prepare();
      for (const [text, found] of Object.entries({ vip: 1, P_X: 1, PxX: 0, '%': 0, '\\': 0, '': 1 })) {
        expect(await collections.count('one', 'GROUP', text), text).toBe(found);
        expect((await collections.list('one', 'GROUP', text, { limit: 5 })).collections, text).toHaveLength(
          found,
        );
      }
      expect(await collections.countMembersOf('one', ['one-g', 'two-g'])).toEqual(new Map([['one-g', 1]]));
    });

    it('of prints by owner, tag and state', async () => {
      const { profiles } = await prepare();
      const ids = async (filter: Parameters<typeof profiles.list>[1]) => {
        const { profiles: found } = await profiles.list('one', filter, { limit: 10 });
        expect(await profiles.count('one', filter)).toBe(found.length);
        return found.map((profile) => profile.gkVoiceprintProfileId);
      };
      expect(await ids({ text: 'brUNO' })).toEqual(['one-Bruno-main']);
      expect(await ids({ text: 'phone' })).toEqual(['one-anna-Phone']);
      expect(await ids({ text: '0%' })).toEqual(['one-100%-main']);
      expect(await ids({ tag: 'main' })).toHaveLength(2);
      expect(await ids({ gkOwnerId: 'one-anna', statuses: ['NOT_TRAINED'], trained: false })).toHaveLength(1);
      expect(await ids({ statuses: ['OPTIMAL_TRAINED'] })).toEqual([]);
      expect(await profiles.listByOwners('one', ['one-anna', 'two-anna'])).toHaveLength(1);
    });

    it('of factors in time, newest first, page by page', async () => {
      const { factors } = await prepare();
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await factors.list('one', { toMs: AT + 20 }, { limit: 1, ...(after && { after }) });
        seen.push(...page.factors.map((entry) => entry.factorId));
        after = page.next;
      } while (after);
      expect(seen).toEqual(['one-f1', 'one-f0']);
      expect(await factors.countBySessions('one', ['s1', 's2', 's3'])).toEqual(new Map([['s1', 2], ['s2', 1]])); // prettier-ignore
    });

    it('of segments with their speech', async () => {
      const { enrollment } = await prepare();
      expect(await enrollment.totals(['one-anna-Phone'])).toEqual(new Map());
      expect(await enrollment.listMany(['one-anna-Phone'])).toEqual([]);
    });

    it('of what runs in the shadow, one per config set', async () => {
      const { shadows } = await prepare();
      const run = { gkScopeId: 'one', configsetId: 'Calls', gkConfigsetRevisionId: 'r1', sinceAtMs: AT };
      await shadows.put(run);
      await shadows.put({ ...run, gkConfigsetRevisionId: 'r2', sinceAtMs: AT + 1 });
      expect(await shadows.find('one', 'calls')).toMatchObject({
        gkConfigsetRevisionId: 'r2',
        sinceAtMs: AT + 1,
      });
      expect(await shadows.find('two', 'calls')).toBeUndefined();
      expect((await shadows.find('one', 'calls'))?.endedAtMs).toBeUndefined();
      expect(await shadows.end('two', 'calls', AT + 2)).toBe(false);
      expect([await shadows.end('one', 'CALLS', AT + 2), await shadows.end('one', 'calls', AT + 3)]).toEqual([
        true,
        false,
      ]);
      // What it was, and when it ended, stays until the next one.
      expect(await shadows.find('one', 'calls')).toMatchObject({
        gkConfigsetRevisionId: 'r2',
        endedAtMs: AT + 2,
      });
      await shadows.put(run);
      expect((await shadows.find('one', 'calls'))?.endedAtMs).toBeUndefined();
    });
  });
}, 'both quick');

describe('a searched page', () => {
  const rows = Array.from({ length: 1203 }, (_, i) => ({
    id: String(i).padStart(4, '0'),
    createdAtMs: Math.floor(i / -7),
  }));
  const read = async ({ limit, after }: { limit: number; after?: string }) => {
    const from = after
      ? rows.findIndex((row) => Buffer.from(`${row.createdAtMs}:${row.id}`).toString('base64url') === after) +
        1
      : 0;
    const items = rows.slice(from, from + limit);
    const last = items.at(-1);
    const more = from + limit < rows.length && last;
    return {
      items,
      ...(more && { next: Buffer.from(`${last.createdAtMs}:${last.id}`).toString('base64url') }),
    };
  };

  it('walks through everything that fits, once, and counts it when asked to', async () => {
    for (const count of [true, false]) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await searchPage(
          read,
          (row) => Number(row.id) % 10 === 3,
          (row) => row,
          { limit: 7, ...(after && { after }) },
          { count },
        );
        seen.push(...page.items.map((row) => row.id));
        expect(page.total).toBe(count ? 120 : undefined);
        after = page.next;
      } while (after);
      expect(seen).toEqual(rows.filter((row) => Number(row.id) % 10 === 3).map((row) => row.id));
    }
  });
});
