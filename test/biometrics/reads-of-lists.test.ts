// What a page of a list of sessions reads of the persons who are gone, and of the fraudsters who are: each once for all of its rows.
import { expect, it } from 'vitest';
import { withDeletedFraudsters, type DeletedDeps } from '../../src/biometrics/activity/deleted-fraudsters.js';
import { erasedClaims, type SessionEntry } from '../../src/biometrics/activity/session-entries.js';
import type { Factor, Session } from '../../src/biometrics/model/sessions.js';
import type { Repositories } from '../../src/biometrics/ports/store.js';

const alarm = (gkSessionId: string): SessionEntry =>
  ({
    session: { gkSessionId, decision: { decision: 'FRAUD', reason: 'FRAUD_RISK' } },
    fraudsters: [],
  }) as unknown as SessionEntry;

const hit = (gkSessionId: string): Factor =>
  ({
    gkSessionId,
    kind: 'FRAUD_DETECTION',
    decision: 'FRAUD',
    gkVoiceprintProfileId: 'print of mallory',
  }) as Factor;

it('reads the checks of every session once', async () => {
  const read: string[][] = [];
  const asked: string[][] = [];
  const deps = {
    store: {
      read: {
        factors: {
          listBySessions: async (_gkScopeId: string, ids: readonly string[]) => {
            read.push([...ids]);
            return new Map(ids.flatMap((id) => (id === 'second' ? [] : [[id, [hit(id)]]])));
          },
        },
        parties: { findMany: async () => [] },
        profiles: {
          findMany: async () => [],
          ownersOf: async (_gkScopeId: string, prints: readonly string[]) =>
            new Map(prints.map((print) => [print, 'gk-mallory'])),
        },
      },
    },
    audit: {
      personalAbout: async (_chain: string, ids: readonly string[]) => {
        asked.push([...ids]);
        return ids.map((subjectId) => ({ subjectId, personal: { externalId: 'mallory' } }));
      },
    },
  } as unknown as DeletedDeps;
  const entries = [alarm('first'), alarm('second'), alarm('third')];
  const named = await withDeletedFraudsters(deps, 'tenant', entries);
  expect(read).toEqual([['first', 'second', 'third']]);
  expect(asked).toEqual([['gk-mallory']]);
  const namesIn = (of: readonly { fraudsterId: string }[] = []) => of.map(({ fraudsterId }) => fraudsterId);
  expect(named.map(({ fraudsters }) => namesIn(fraudsters))).toEqual([['mallory'], [], ['mallory']]);
});

it('asks once which of the persons claimed were erased, and not for those who are there', async () => {
  const asked: string[][] = [];
  const erasure = {
    erasedPersons: async (ids: readonly string[]) => {
      asked.push([...ids]);
      return new Set(['erased']);
    },
  } as unknown as Repositories['erasure'];
  const sessions = ['there', 'erased', 'deleted', 'erased', undefined].map(
    (claimedGkPersonId) => ({ ...(claimedGkPersonId && { claimedGkPersonId }) }) as Session,
  );
  const told = await erasedClaims({ erasure }, sessions, new Map([['there', {} as never]]));
  expect(asked).toEqual([['erased', 'deleted']]);
  expect(sessions.map((session) => told(session).isClaimErased ?? false)).toEqual([
    ...[false, true, false, true, false],
  ]);
});
