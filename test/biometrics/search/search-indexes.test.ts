// Searching in memory on both databases: what the rows say now is what is found, whichever node changed them, within the
// bounds of memory.
import { describe, expect, it } from 'vitest';
import { findSessions, type FindDeps } from '../../../src/biometrics/activity/find-sessions.js';
import type { Party } from '../../../src/biometrics/model/entities.js';
import type { BiometricsStore } from '../../../src/biometrics/ports/store.js';
import { compareIn } from '../../../src/biometrics/call/paging.js';
import { matcherOf } from '../../../src/biometrics/search/match-text.js';
import {
  searchLimits,
  SearchIndexes,
  type SearchLimits,
} from '../../../src/biometrics/search/search-indexes.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { forEachDatabase } from '../../support/database.js';
import { testStorage } from '../../support/storage.js';

const SCOPE = 'tenant';

/** Calls that are over: identifier, number, and whom they claim to be with. */
async function addSessions(
  store: BiometricsStore,
  now: number,
  added: readonly (readonly [string, string, (string | undefined)?])[],
): Promise<void> {
  await store.transaction(async ({ sessions }) => {
    for (const [gkSessionId, ani, claimedGkPersonId] of added)
      await sessions.insert({
        gkSessionId,
        gkScopeId: SCOPE,
        gkEngagementId: gkSessionId,
        sessionType: 'CALL_CENTER',
        isTest: false,
        isActive: false,
        configsetId: 'telephone',
        ...(claimedGkPersonId && { claimedGkPersonId }),
        details: {
          sessionId: '',
          ani,
          dnis: '',
          agentId: '',
          agentExtension: '',
          isSuspicious: false,
          suspiciousReason: '',
          wasAbandon: false,
          businessType: '',
          datacenter: '',
          customData: {},
        },
        createdAtMs: now,
        modifiedAtMs: now,
        lastActivityAtMs: now,
      });
  });
}

await forEachDatabase(({ open }) => {
  async function prepare(limits: Partial<SearchLimits> = {}) {
    const { database, keyring, audit, clock } = await testStorage(await open());
    const store = createBiometricsStore(database, keyring, audit);
    // Two nodes on one database.
    const nodes = [1, 2].map(() => new SearchIndexes({ store, clock }, { ...searchLimits, ...limits }));
    const person = (name: string): Party => ({
      kind: 'PERSON',
      gkId: `id-${name}`,
      gkScopeId: SCOPE,
      externalId: name,
      details: {
        firstName: name,
        lastName: 'Müller',
        preferredLanguage: '',
        phoneNumbers: [],
        customData: {},
      },
      createdAtMs: clock.now(),
      modifiedAtMs: clock.now(),
    });
    const add = (...names: string[]) =>
      store.transaction(async ({ parties }) => {
        for (const name of names) await parties.insert(person(name));
      });
    const rename = (name: string, firstName: string) =>
      store.transaction(({ parties }) => {
        const renamed = person(name);
        return parties.update({ ...renamed, details: { ...renamed.details, firstName } });
      });
    const remove = (name: string) =>
      store.transaction(({ parties }) => parties.delete(SCOPE, 'PERSON', `id-${name}`));
    const find = async (query: string, node = 0) => {
      const index = await nodes[node]?.parties(SCOPE, 'PERSON');
      if (!index) return undefined;
      const { found, total } = await index.find({
        fits: matcherOf(query),
        placeOf: (entry) => entry,
        compare: compareIn('identifier'),
        limit: 10,
      });
      expect(total).toBe(found.length);
      return found.map(({ identifier }) => identifier);
    };
    return { store, clock, nodes, add, rename, remove, find };
  }

  describe('search indexes', () => {
    it('find what was added, renamed and deleted, whichever node did it', async () => {
      const { add, rename, remove, find, clock } = await prepare();
      await add('anna', 'bruno');
      expect(await find('muller')).toEqual(['anna', 'bruno']);
      await add('carl');
      expect(await find('muller')).toEqual(['anna', 'bruno', 'carl']);
      expect(await find('MÜLLER', 1)).toEqual(['anna', 'bruno', 'carl']);
      clock.advance(24 * 3_600_000);
      await rename('anna', 'Zoë');
      expect(await find('zoe', 1)).toEqual(['anna']);
      expect(await find('anna müller', 1)).toEqual([]);
      await remove('bruno');
      for (const node of [0, 1]) expect(await find('muller', node)).toEqual(['anna', 'carl']);
    });

    it('sees a change that carries an earlier time than the last look', async () => {
      const { add, find, clock, store } = await prepare();
      await add('anna');
      expect(await find('anna')).toEqual(['anna']);
      clock.advance(3_600_000);
      await find('anna');
      // By a node whose clock is an hour behind.
      const late = { ...(await store.read.parties.find(SCOPE, 'PERSON', 'id-anna')) } as Party;
      await store.transaction(({ parties }) =>
        parties.insert({ ...late, gkId: 'id-late', externalId: 'late' }),
      );
      expect(await find('late')).toEqual(['late']);
      // After the clock was set back, everything is read again.
      clock.advance(-7_200_000);
      await store.transaction(({ parties }) =>
        parties.update({ ...late, externalId: 'set-back', modifiedAtMs: clock.now() }),
      );
      expect(await find('set-back')).toEqual(['set-back']);
    });

    it('keep within memory, and forget what is not used or gone', async () => {
      const bounds = { listEntriesMax: 3, entriesMax: 4, idleMs: 60_000 };
      const { add, find, nodes, clock, store } = await prepare(bounds);
      const [node] = nodes;
      await add('anna', 'bruno');
      expect(await find('muller')).toHaveLength(2);
      expect(node?.stats).toEqual({ indexes: 1, entries: 2 });
      node?.forget(SCOPE);
      expect(node?.stats).toEqual({ indexes: 0, entries: 0 });
      await find('muller');
      clock.advance(60_000);
      await node?.sessions(SCOPE);
      expect(node?.stats).toEqual({ indexes: 1, entries: 0 });
      // Another list that needs the room.
      expect(await find('muller')).toHaveLength(2);
      await store.transaction(async ({ parties }) => {
        const anna = (await parties.find(SCOPE, 'PERSON', 'id-anna')) as Party;
        for (const gkId of ['1', '2', '3'])
          await parties.insert({ ...anna, kind: 'FRAUDSTER', gkId, externalId: gkId });
      });
      expect((await node?.parties(SCOPE, 'FRAUDSTER'))?.size).toBe(3);
      expect(node?.stats.entries).toBe(3);
      node?.forget(SCOPE);
      // More than one list may have.
      await add('carl', 'dora');
      expect(await find('muller')).toBeUndefined();
      expect(node?.stats.entries).toBe(0);
      expect(await store.read.parties.count(SCOPE, 'PERSON', {})).toBe(4);
    });

    it('order sessions by number without the persons, of whom there are more than memory is meant for', async () => {
      const { add, nodes, store, clock } = await prepare({ listEntriesMax: 3 });
      await add('anna', 'bruno', 'carl', 'dora');
      const now = clock.now();
      await addSessions(store, now, [
        ['late', '+49 30 9'],
        ['none', ''],
        ['early', '+49 30 1'],
      ]);
      const ordered = async (order: 'number' | 'person') =>
        findSessions(
          { searches: nodes[0] } as FindDeps,
          SCOPE,
          { query: '', caseNumber: '', order, bySearches: false },
          { limit: 10 },
          {
            read: async (ids) => new Map(ids.map((id) => [id, id])),
            fits: () => true,
          },
        );
      expect((await ordered('number'))?.items).toEqual(['early', 'late', 'none']);
      expect(await ordered('person')).toBeUndefined();
    });

    it('order sessions by person without regard to capitals and accents', async () => {
      const { add, nodes, store, clock } = await prepare();
      await add('Zoë', 'anna', 'Émile', 'frieda', 'zoe', 'Bruno');
      await addSessions(store, clock.now(), [
        ['of Zoë', '', 'id-Zoë'],
        ['of anna', '', 'id-anna'],
        ['of Émile', '', 'id-Émile'],
        ['nobody', '', undefined],
        ['of frieda', '', 'id-frieda'],
        ['again of Zoë', '', 'id-Zoë'],
        ['of zoe', '', 'id-zoe'],
        ['of Bruno', '', 'id-Bruno'],
      ]);
      const ordered = async (order: 'person' | 'person-reversed') => {
        const found: string[] = [];
        for (let after: string | undefined, isFirst = true; isFirst || after; isFirst = false) {
          const page = await findSessions(
            { searches: nodes[0] } as FindDeps,
            SCOPE,
            { query: '', caseNumber: '', order, bySearches: false },
            { limit: 3, ...(after && { after }) },
            { read: async (ids) => new Map(ids.map((id) => [id, id])), fits: () => true },
          );
          found.push(...(page?.items ?? []));
          after = page?.next;
        }
        return found;
      };
      const names = ['of anna', 'of Bruno', 'of Émile', 'of frieda'];
      const both = ['again of Zoë', 'of Zoë'];
      expect(await ordered('person')).toEqual([...names, ...both, 'of zoe', 'nobody']);
      expect(await ordered('person-reversed')).toEqual(['of zoe', ...both, ...names.reverse(), 'nobody']);
    });

    it('are made ready after a start where a tenant has many people, and stop being read with the server', async () => {
      const { add, find, nodes, store } = await prepare({ warmEntriesMin: 3, warmTenantsMax: 1 });
      const [node] = nodes;
      const signal = new AbortController().signal;
      await add('anna', 'bruno');
      await node?.warm(signal);
      expect(node?.stats.indexes).toBe(0);
      await add('carl');
      await node?.warm(signal);
      expect(node?.stats).toEqual({ indexes: 3, entries: 3 });
      // Nothing but what changed since is opened when somebody searches.
      const { changed } = store.read.parties;
      const asked: number[] = [];
      store.read.parties.changed = (...request) => {
        asked.push(request[2].atMs);
        return changed(...request);
      };
      expect(await find('muller')).toEqual(['anna', 'bruno', 'carl']);
      expect(asked.length).toBeGreaterThan(0);
      expect(asked.every((atMs) => atMs > 0)).toBe(true);
      await nodes[1]?.warm(AbortSignal.abort());
      expect(nodes[1]?.stats.indexes).toBe(0);
      node?.stop();
      expect(node?.stats.indexes).toBe(0);
    });

    it('read once for all who wait', async () => {
      const { add, nodes, store, clock } = await prepare();
      await add(...Array.from({ length: 450 }, (_, at) => `p-${String(at).padStart(3, '0')}`));
      clock.advance(3_600_000);
      let opened = 0;
      const { changed } = store.read.parties;
      store.read.parties.changed = async (...asked) => {
        const rows = await changed(...asked);
        opened += rows.length;
        return rows;
      };
      nodes[0]?.prepare(SCOPE, 'PERSON');
      const both = await Promise.all([1, 2].map(async () => nodes[0]?.parties(SCOPE, 'PERSON')));
      expect(both.map((index) => index?.size)).toEqual([450, 450]);
      expect(opened).toBe(450);
    });
  });
}, 'both quick');
