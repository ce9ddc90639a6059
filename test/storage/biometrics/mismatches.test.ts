// Which sessions the store offers to whoever looks for a match beside a mismatch, on both databases: all that are meant, and not every
// live call, most of which begin without a decision.
import { expect, it } from 'vitest';
import type { Decision } from '../../../src/biometrics/model/outcome.js';
import { LIVE_OPERATION, type FactorKind } from '../../../src/biometrics/model/sessions.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import { forEachDatabase } from '../../support/database.js';
import { testStorage } from '../../support/storage.js';

const TENANT = 'tenant-1';
type Made = readonly [decision: Decision, operation?: string, kind?: FactorKind];

const sessions: readonly [name: string, isOffered: boolean, made: readonly Made[]][] = [
  ['a match alone', false, [['AUTHENTIC']]],
  ['a mismatch alone', false, [['NO_MATCH']]],
  ['a match after a mismatch', true, [['NO_MATCH'], ['AUTHENTIC']]],
  ['a match before a mismatch', true, [['AUTHENTIC'], ['NO_MATCH']]],
  ['too little speech, and a match', false, [['UNCERTAIN'], ['AUTHENTIC']]],
  [
    'a match, and a watchlist that could not tell',
    false,
    [['AUTHENTIC'], ['UNCERTAIN', 'X', 'FRAUD_DETECTION']],
  ],
  [
    'a call that was decided',
    false,
    [
      ['UNCERTAIN', LIVE_OPERATION],
      ['AUTHENTIC', LIVE_OPERATION],
    ],
  ],
  [
    'a call that did not match at first',
    false,
    [
      ['NO_MATCH', LIVE_OPERATION],
      ['AUTHENTIC', LIVE_OPERATION],
    ],
  ],
  [
    'a call that matched at first',
    true,
    [
      ['AUTHENTIC', LIVE_OPERATION],
      ['UNCERTAIN', LIVE_OPERATION],
    ],
  ],
];

await forEachDatabase(({ open }) => {
  it('offers sessions with a match and a mismatch', async () => {
    const { database, keyring, audit } = await testStorage(await open());
    const store = createBiometricsStore(database, keyring, audit);
    await store.transaction(async (tx) => {
      for (const [index, [gkSessionId, , made]] of sessions.entries()) {
        const owner = { gkScopeId: TENANT, gkEngagementId: `e${index}`, gkSessionId };
        const times = { createdAtMs: index, modifiedAtMs: index, lastActivityAtMs: index };
        const details = {
          sessionId: '',
          ani: '',
          dnis: '',
          agentId: '',
          agentExtension: '',
          isSuspicious: false,
          suspiciousReason: '',
          wasAbandon: false,
          businessType: '',
          datacenter: '',
          customData: {},
        };
        await tx.sessions.insert({
          ...owner,
          ...times,
          details,
          sessionType: 'CALL_CENTER',
          configsetId: '',
          isTest: false,
          isActive: false,
        });
        for (const [at, [decision, operation = 'Verify', kind = 'AUTHENTICATION']] of made.entries())
          await tx.factors.insert({
            ...owner,
            factorId: `${gkSessionId} ${at}`,
            kind,
            operation,
            decision,
            reason: '',
            netSpeechMs: 5000,
            configsetRevisionId: '',
            calibrationRevisionId: '',
            createdAtMs: at,
          });
      }
    });
    const offered = await store.read.sessions.list(
      TENANT,
      { hasMismatch: true },
      { limit: 100, order: 'oldest' },
    );
    const meant = sessions.flatMap(([name, isOffered]) => (isOffered ? name : []));
    expect(offered.sessions.map(({ gkSessionId }) => gkSessionId)).toEqual(meant);
    const { sessions: none } = await store.read.sessions.list(
      'tenant-2',
      { hasMismatch: true },
      { limit: 100 },
    );
    expect(none).toEqual([]);
  });
});
