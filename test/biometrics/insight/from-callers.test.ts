// Thresholds from a tenant's own callers, on the real stores with made-up voices: who counts as a caller, who is left
// out, what is kept, and that nothing acts before it is activated.
import { describe, expect, it } from 'vitest';
import { activeCalibration, factoryRevisionId } from '../../../src/biometrics/calibration/active.js';
import { calibrateFromCallers } from '../../../src/biometrics/accuracy/from-callers.js';
import { ConfigsetCache } from '../../../src/biometrics/configsets/cache.js';
import type { OperationDeps } from '../../../src/biometrics/operations/deps.js';
import type { Factor, Session } from '../../../src/biometrics/model/sessions.js';
import type { VoiceSample } from '../../../src/voice/scoring/speaker-model.js';
import { forEachDatabase } from '../../support/database.js';
import { testCall } from '../../support/storage.js';
import { model, names, prepare as prepareOn, print, sample, SCOPE } from '../galleries/prints.js';

const wordsOf = (warnings: readonly { message: string }[]): string =>
  warnings.map(({ message }) => message).join();

const PEOPLE = 24;
const context = { gkScopeId: SCOPE };
const call = testCall();
const DAY_MS = 86_400_000;

await forEachDatabase(({ open }) => {
  async function tenant(parameters: object = { calibration: { useCallers: true } }) {
    const { store, clock } = await prepareOn(await open());
    const deps = {
      store,
      clock,
      ids: { uuid: () => `id-${Math.random()}`, token: () => 'token' },
      tenants: { isUsable: async () => true },
      configsetCache: new ConfigsetCache(),
      jobs: { wake: () => {} },
      engine: { model },
    } as unknown as OperationDeps;
    await store.transaction(async (tx) => {
      await tx.configsets.insert({
        gkConfigsetRevisionId: 'set-1',
        gkScopeId: SCOPE,
        configClass: 'CONFIGSET',
        configsetId: 'SCOPE',
        state: 'ACTIVE',
        content: JSON.stringify(parameters),
        createdAtMs: 1,
        modifiedAtMs: 1,
      } as unknown as Parameters<typeof tx.configsets.insert>[0]);
      for (const name of names(PEOPLE)) await tx.profiles.insert(print(name, { ownerType: 'PERSON' }));
    });
    let calls = 0;
    /** A verified call of a person; `more` changes the result that is stored. */
    const callOf = (name: string, more: Partial<Factor> = {}, voice: VoiceSample = sample()) =>
      store.transaction(async (tx) => {
        const id = `call-${++calls}`;
        await tx.processedAudios.insert({
          gkProcessedAudioId: id,
          gkScopeId: SCOPE,
          gkMediaSegmentId: id,
          model: { voice, checkpoints: [] },
          createdAtMs: clock.now(),
          modifiedAtMs: clock.now(),
        } as unknown as Parameters<typeof tx.processedAudios.insert>[0]);
        await tx.factors.insert({
          factorId: id,
          gkScopeId: SCOPE,
          gkEngagementId: 'engagement',
          gkSessionId: `session-${id}`,
          kind: 'AUTHENTICATION',
          operation: 'Verify',
          decision: 'AUTHENTIC',
          reason: '',
          netSpeechMs: voice.netMs,
          gkVoiceprintProfileId: `print-${name}`,
          gkProcessedAudioId: id,
          configsetRevisionId: 'set-1',
          calibrationRevisionId: 'c-1',
          createdAtMs: clock.now(),
          ...more,
        });
      });
    const everybodyCalls = async () => {
      for (const name of names(PEOPLE)) await callOf(name);
    };
    const fit = (more: object = {}) =>
      calibrateFromCallers(deps, call, { context, calibrationModelId: '', level: 0, ...more });
    return { deps, store, clock, callOf, everybodyCalls, fit };
  }

  describe('CalibrateFromCallers', () => {
    it('needs the permission of the config set SCOPE', async () => {
      const { fit, everybodyCalls } = await tenant({});
      await everybodyCalls();
      await expect(fit()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    });

    it('counts each caller once, against the prints of others', async () => {
      const { fit, callOf, everybodyCalls } = await tenant();
      await everybodyCalls();
      await callOf('p0001');
      await callOf('p0001');
      const report = await fit();
      expect(report).toMatchObject({
        callers: PEOPLE,
        owners: PEOPLE,
        trials: PEOPLE * (PEOPLE - 1),
        calls: 26,
      });
      expect(report.revisionId).toBeUndefined();
      expect(report.model).toBe(model.revision);
      expect(report.activeRevisionId).toBe(factoryRevisionId(model.revision));
      const llrs = report.thresholds.map(({ llr }) => llr.value);
      expect(llrs).toEqual([...llrs].sort((a, b) => a - b));
      expect(report.thresholds[0]?.before.llr).toBe(1);
      expect(wordsOf(report.warnings)).toContain('too few pairs to show 0.01%');
    });

    it('names those who may be one person under two names', async () => {
      const { fit, callOf, store } = await tenant();
      for (const name of names(PEOPLE).slice(1)) await callOf(name);
      const [other] = await store.read.profiles.findMany(SCOPE, ['print-p0001']);
      await callOf('p0000', {}, sample(other?.trained?.template.embedding));
      await store.transaction(async (tx) => {
        for (const name of ['p0000', 'p0001'])
          await tx.parties.insert({
            ...{ kind: 'PERSON', gkId: `owner-${name}`, gkScopeId: SCOPE, externalId: `C-${name}` },
            details: { firstName: '', lastName: '', preferredLanguage: '', phoneNumbers: [], customData: {} },
            ...{ createdAtMs: 1, modifiedAtMs: 1 },
          });
      });
      const report = await fit();
      expect(wordsOf(report.warnings)).toContain(
        'these may be one person under two names: C-p0000 and C-p0001 (score ',
      );
      // The pair that is worst, with the call that it was; each pair once.
      expect(report.alike[0]).toMatchObject({
        gkPersonId: 'owner-p0000',
        gkSessionId: expect.stringMatching(/^session-call-/),
        owner: 'owner-p0001',
      });
      expect(report.alike).toHaveLength(10);
      const scores = report.alike.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      // Somebody says that they are: one caller, who is no stranger to either print.
      await store.transaction((tx) =>
        tx.samePersons.insert({
          ...{ gkScopeId: SCOPE, gkPersonId: 'owner-p0001', gkOtherPersonId: 'owner-p0000' },
          ...{ actor: { subject: 'somebody', issuer: 'here' }, createdAtMs: 1 },
        }),
      );
      const after = await fit();
      expect(after).toMatchObject({ callers: PEOPLE - 1, owners: PEOPLE - 1 });
      expect(after.trials).toBe((PEOPLE - 2) * PEOPLE);
      expect(wordsOf(after.warnings)).not.toContain('two names');
      expect(
        after.alike.some(({ gkPersonId, owner }) => gkPersonId === 'owner-p0000' && owner === 'owner-p0001'),
      ).toBe(false);
    });

    it('leaves out old calls, other models, too little speech, other checks, and who opted out', async () => {
      const { fit, callOf, clock, store } = await tenant();
      const all = names(PEOPLE);
      await callOf(all[0]!);
      clock.advance(100 * DAY_MS);
      for (const name of all.slice(1, 16)) await callOf(name);
      await callOf(all[16]!, {}, { ...sample(), modelRevision: 'another' });
      await callOf(all[17]!, {}, { ...sample(), netMs: 1400 });
      await callOf(all[18]!, { kind: 'FRAUD_DETECTION' });
      await callOf(all[19]!);
      await store.transaction((tx) =>
        tx.parties.insert({
          kind: 'PERSON',
          gkId: `owner-${all[19]}`,
          gkScopeId: SCOPE,
          externalId: 'out',
          details: {
            firstName: '',
            lastName: '',
            preferredLanguage: '',
            phoneNumbers: [],
            customData: {},
          },
          consent: { status: 'OPTED_OUT', agentId: '', reason: '', atMs: 1 },
          createdAtMs: 1,
          modifiedAtMs: 1,
        }),
      );
      expect(await fit()).toMatchObject({ callers: 15, owners: PEOPLE, trials: 15 * (PEOPLE - 1) });
      expect(await fit({ fromMs: 0 })).toMatchObject({ callers: 16 });
    });

    it('takes the claimed person, else the session, of callers whom nothing was verified for', async () => {
      const { fit, callOf, store } = await tenant();
      for (const name of names(12)) await callOf(name);
      await callOf('p0020', { operation: 'Identify', decision: 'NO_MATCH', gkSessionId: 'unknown' });
      await callOf('p0021', { operation: 'Identify', decision: 'NO_MATCH', gkSessionId: 'claimed' });
      await store.transaction((tx) =>
        tx.sessions.insert({
          gkSessionId: 'claimed',
          gkScopeId: SCOPE,
          gkEngagementId: 'engagement',
          sessionType: 'IVR',
          isTest: false,
          isActive: false,
          claimedGkPersonId: 'owner-p0022',
          configsetId: '',
          details: {},
          createdAtMs: 1,
          modifiedAtMs: 1,
          lastActivityAtMs: 1,
        } as unknown as Session),
      );
      // Thirteen leave their own print out; nobody knows who the fourteenth is.
      expect(await fit()).toMatchObject({ callers: 14, trials: 13 * (PEOPLE - 1) + PEOPLE });
    });

    it('does not take a refused call for one of the person whom it claimed', async () => {
      const { fit, callOf, everybodyCalls, store } = await tenant();
      await everybodyCalls();
      const before = await fit();
      const [thief] = await store.read.profiles.findMany(SCOPE, ['print-p0007']);
      // Somebody enrolled tries the account of somebody else.
      const voice = sample(thief?.trained?.template.embedding);
      await callOf('p0003', { decision: 'NO_MATCH', gkSessionId: 'tried' }, voice);
      const tried = await fit();
      expect(tried).toMatchObject({
        calls: before.calls + 1,
        alike: before.alike,
        warnings: before.warnings,
      });
      expect(tried.thresholds).toEqual(before.thresholds);
    });

    it('tells of a refused call without saying whose it was, where the account has no other', async () => {
      const { fit, callOf, store } = await tenant();
      for (const name of names(14)) await callOf(name);
      const [thief] = await store.read.profiles.findMany(SCOPE, ['print-p0007']);
      const voice = sample(thief?.trained?.template.embedding);
      await callOf('p0020', { decision: 'NO_MATCH', gkSessionId: 'tried' }, voice);
      const { callers, alike, warnings } = await fit();
      expect(callers).toBe(15);
      expect(alike[0]).toEqual({ gkSessionId: 'tried', owner: 'owner-p0007', score: expect.any(Number) });
      expect(wordsOf(warnings)).not.toContain('one person under two names');
    });

    it('says what is missing', async () => {
      const { fit, callOf } = await tenant();
      for (const name of names(9)) await callOf(name);
      await expect(fit()).rejects.toThrow(/9 callers are too few/);
      await expect(fit()).rejects.toMatchObject({
        fields: [],
        diagnostics: [{ code: 'TOO_FEW_CALLERS' }],
      });
      await expect(fit({ fromMs: 0 })).rejects.toMatchObject({ fields: [{ field: 'start_time' }] });
      await expect(fit({ level: 1 })).rejects.toThrow(/confidence_level/);
      await expect(fit({ calibrationModelId: 'factory' })).rejects.toThrow(/calibration_model_id/);
    });

    it('keeps the thresholds as a validated revision that acts once it is active', async () => {
      const { fit, everybodyCalls, store, deps } = await tenant();
      await everybodyCalls();
      const { revisionId, thresholds } = await fit({ calibrationModelId: 'own-callers' });
      const kept = await store.read.calibrations.find(SCOPE, revisionId ?? '');
      expect(kept).toMatchObject({ state: 'VALIDATED', calibrationModelId: 'own-callers', mode: 'BASIC' });
      expect(kept?.description).toContain(`${PEOPLE} callers`);
      expect((await activeCalibration(store, SCOPE, deps.engine.model)).model.thresholds).toEqual(
        model.thresholds,
      );
      await store.transaction((tx) => tx.calibrations.update({ ...kept!, state: 'ACTIVE' }));
      const active = await activeCalibration(store, SCOPE, deps.engine.model);
      expect(active.model.thresholds.map(({ far }) => far)).toEqual([0.01, 0.005, 0.001, 0.0001]);
      expect(active.model.thresholds[0]?.llr).toBeCloseTo(thresholds[0]?.llr.value ?? NaN, 3);
      // The next run is measured against these.
      const again = await fit();
      expect(again.activeRevisionId).toBe(revisionId);
      expect(again.thresholds[0]?.before.llr).toBeCloseTo(again.thresholds[0]?.llr.value ?? NaN, 3);
    });
  });
});
