// Alarm thresholds from a tenant's own callers, on the real stores with made-up calls: which calls count, what is left out and why, that
// nobody who calls often moves the line, and that nothing acts before a revision is activated.
import { describe, expect, it } from 'vitest';
import { proposeAlarmThresholds } from '../../../src/biometrics/accuracy/propose-alarm-thresholds.js';
import { ConfigsetCache } from '../../../src/biometrics/configsets/cache.js';
import { activateRevision } from '../../../src/biometrics/configsets/change-revision.js';
import type { OperationDeps } from '../../../src/biometrics/operations/deps.js';
import type { Engagement, Factor, Session } from '../../../src/biometrics/model/sessions.js';
import { forEachDatabase } from '../../support/database.js';
import { testCall } from '../../support/storage.js';
import { model, prepare as prepareOn, SCOPE } from '../galleries/prints.js';

const context = { gkScopeId: SCOPE };
const call = testCall();
const DETECTOR = 'detector-3';
const DAY_MS = 86_400_000;

interface Made {
  person?: string;
  ani?: string;
  risk?: number;
  factor?: Partial<Factor>;
  session?: Partial<Session>;
  engagement?: Partial<Engagement>;
  more?: Partial<Factor>[];
}

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
      engine: { model, detectors: { synthetic: { revision: DETECTOR } } },
    } as unknown as OperationDeps;
    await store.transaction((tx) =>
      tx.configsets.insert({
        gkConfigsetRevisionId: 'set-1',
        gkScopeId: SCOPE,
        configClass: 'CONFIGSET',
        configsetId: 'SCOPE',
        type: 'SCOPE',
        state: 'ACTIVE',
        content: JSON.stringify(parameters),
        createdAtMs: 1,
        modifiedAtMs: 1,
      } as unknown as Parameters<typeof tx.configsets.insert>[0]),
    );
    let made = 0;
    /** A call, as it is stored; each is newer than those before. */
    const calls = (...all: Made[]) =>
      store.transaction(async (tx) => {
        for (const { person, ani = '', risk = 100, factor, session, engagement, more = [] } of all) {
          const id = String(++made).padStart(5, '0');
          const atMs = clock.now() + made;
          const common = { gkScopeId: SCOPE, gkEngagementId: `e-${id}`, createdAtMs: atMs };
          await tx.engagements.insert({
            ...{ ...common, isActive: false, engagementId: '', correlationId: '', analystId: '' },
            ...{ configsetId: '', customData: {}, modifiedAtMs: atMs, lastActivityAtMs: atMs },
            ...engagement,
          });
          await tx.sessions.insert({
            ...{ ...common, gkSessionId: `s-${id}`, sessionType: 'IVR', isTest: false, isActive: false },
            ...(person && { claimedGkPersonId: person }),
            ...{ configsetId: '', details: { ani }, modifiedAtMs: atMs, lastActivityAtMs: atMs },
            ...session,
          } as unknown as Session);
          const check = {
            ...{ ...common, gkSessionId: `s-${id}`, kind: 'SYNTHETIC_SPEECH', operation: 'AnalyzeAudio' },
            ...{ decision: 'NO_RISK_DETECTED', reason: 'AUDIO_OK', risk, reliability: 80, score: 0 },
            ...{ netSpeechMs: 8000, configsetRevisionId: 'set-1', calibrationRevisionId: 'c-1' },
            ...{ detector: DETECTOR, bandwidth: 'narrow', alarmRisk: 700 },
          } as const;
          for (const [at, other] of [factor ?? {}, ...more].entries())
            await tx.factors.insert({ ...check, factorId: `f-${id}-${String(at)}`, ...other } as Factor);
        }
      });
    /** So many people, each with one call. */
    const crowd = (count: number, risk: (place: number) => number, factor: Partial<Factor> = {}) =>
      calls(
        ...Array.from({ length: count }, (_, place) => ({
          person: `person-${String(place)}`,
          risk: risk(place),
          factor,
        })),
      );
    const propose = (more: object = {}) =>
      proposeAlarmThresholds(deps, call, { context, rate: 0.01, callsPerCaller: 0, keep: false, ...more });
    return { deps, store, clock, calls, crowd, propose };
  }

  describe('ProposeAlarmThresholds', () => {
    it('needs the permission of the config set SCOPE', async () => {
      const { propose } = await tenant({});
      await expect(propose()).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
        diagnostics: [{ code: 'CALLERS_NOT_ALLOWED' }],
      });
    });

    it('refuses rates and counts that make no sense, by name', async () => {
      const { propose } = await tenant();
      await expect(propose({ rate: 0.5, callsPerCaller: 11 })).rejects.toMatchObject({
        fields: [
          { field: 'target_false_alarm_rate', message: 'must be from 0.001 to 0.1' },
          { field: 'calls_per_caller', message: 'must be from 1 to 10' },
        ],
      });
    });

    it('draws a line for each band, and says what either does to the calls that were', async () => {
      const { crowd, propose } = await tenant({
        calibration: { useCallers: true },
        attackChecks: { syntheticRiskHighNarrow: 600 },
      });
      await crowd(120, (place) => place);
      await crowd(110, (place) => 200 + place, { bandwidth: 'wide', decision: 'UNCERTAIN', reliability: 10 });
      const report = await propose({ callsPerCaller: 2 });
      expect(report).toMatchObject({ detector: DETECTOR, calls: 230, excluded: [] });
      expect(report.lines).toMatchObject([
        {
          bandwidth: 'narrow',
          callers: 120,
          inUse: { risk: 600, alarms: 0 },
          proposed: { risk: 120, alarms: 0, alarmsOfAll: 0, withoutOne: 119, checkedAlarms: 1 },
        },
        { bandwidth: 'wide', callers: 110, inUse: { risk: 700 }, proposed: { risk: 310 } },
      ]);
      expect(report.lines[0]?.histogram.slice(0, 7)).toEqual([20, 20, 20, 20, 20, 20, 0]);
      expect(report.lines[0]?.highest[0]).toMatchObject({
        ...{ gkSessionId: 's-00120', risk: 119, isGenuine: false, isAlarm: false },
      });
    });

    describe('with a line in use that has raised alarms', () => {
      const alarm: Partial<Factor> = { decision: 'FRAUD', reason: 'SYNTHETIC_SPEECH_DETECTED' };
      const caught = [641, 578, 357].map((risk, at) => ({
        ...{ person: `attacker-${at}`, risk, factor: { ...alarm, risk } },
        session: { details: { ani: '', sessionId: `CALL-${at}` } as Session['details'] },
      }));
      const withLine = (syntheticRiskHighNarrow: number) =>
        tenant({ calibration: { useCallers: true }, attackChecks: { syntheticRiskHighNarrow } });

      it('is not raised by them until somebody records them as genuine', async () => {
        const { crowd, calls, propose } = await withLine(261);
        await crowd(176, (place) => place);
        await calls(...caught);
        const report = await propose();
        expect(report.lines[0]).toMatchObject({
          ...{ calls: 176, alarmed: 3, riskWithAlarmed: 642 },
          inUse: { risk: 261 },
          proposed: { risk: 261, alarms: 0, alarmsOfAll: 3 },
          highest: [{ sessionId: 'CALL-0', risk: 641, isAlarm: true }, { risk: 578 }, { risk: 357 }, {}, {}],
        });
        expect(report.excluded).toEqual([{ reason: 'OWN_ALARM', calls: 3 }]);
      });

      it('is raised by what is left, and by genuine calls', async () => {
        const { crowd, calls, propose } = await withLine(261);
        await crowd(176, (place) => place + 200);
        await calls(...caught);
        expect((await propose()).lines[0]).toMatchObject({ riskWithAlarmed: 642, proposed: { risk: 376 } });
        const other = await withLine(261);
        const verdictAtMs = 1;
        await other.crowd(176, (place) => place);
        await other.calls(
          ...caught.map((one) => ({
            ...one,
            engagement: { verdict: { verdict: 'AUTHENTIC', atMs: verdictAtMs } } as unknown as Engagement,
          })),
        );
        const { lines, excluded } = await other.propose();
        expect(lines[0]).toMatchObject({ alarmed: 0, genuine: 3, proposed: { risk: 642 } });
        expect([lines[0]?.riskWithAlarmed, excluded]).toEqual([undefined, []]);
      });

      it('does not go down for leaving them out', async () => {
        const { crowd, calls, propose } = await withLine(642);
        await crowd(176, (place) => place);
        await calls(
          ...caught.slice(0, 1).map((one) => ({ ...one, risk: 650, factor: { ...alarm, risk: 650 } })),
        );
        const [line] = (await propose()).lines;
        expect(line).toMatchObject({ alarmed: 1, riskWithAlarmed: 651, proposed: { risk: 642 } });
      });
    });

    it('says what is missing for a line, and keeps none', async () => {
      const { crowd, propose } = await tenant();
      await crowd(40, () => 10);
      const [line] = (await propose()).lines;
      expect(line).toMatchObject({ calls: 40, callers: 40, needed: { calls: 99, callers: 20 } });
      expect(line?.proposed).toBeUndefined();
      await expect(propose({ keep: true })).rejects.toMatchObject({
        diagnostics: [{ code: 'TOO_FEW_CALLERS' }],
      });
    });

    it('counts whoever calls often once, by person and by number', async () => {
      const { crowd, calls, propose } = await tenant();
      await crowd(120, (place) => 100 + (place % 50));
      const before = (await propose()).lines[0]?.proposed?.risk;
      // One attacker, below the shipped line, under his own name and then as many others from one number.
      await calls(
        ...Array.from({ length: 60 }, () => ({ person: 'attacker', risk: 650 })),
        ...Array.from({ length: 60 }, (_, place) => ({
          person: `victim-${place}`,
          ani:
            ['+49 30 555 01 23', 'tel:030-5550123', 'sip:+49305550123@10.1.2.3;user=phone'][place % 3] ?? '',
          risk: 640,
        })),
        ...Array.from({ length: 10 }, (_, place) => ({
          ani: ['', 'anonymous', `sip:caller-${place}@pbx4.example`][place % 3] ?? '',
          risk: 660,
        })),
      );
      const report = await propose({ rate: 0.03 });
      const [line] = report.lines;
      expect(line).toMatchObject({ callers: 122, calls: 122 });
      // Two of three that may raise an alarm are his: the line is drawn by an honest caller.
      expect(line?.proposed).toMatchObject({ risk: before, alarms: 2 });
      expect(report.excluded).toEqual([
        { reason: 'UNKNOWN_CALLER', calls: 10 },
        { reason: 'CALLER_COUNTED', calls: 118 },
      ]);
      // With one in a hundred a single caller could set it: the report says how far.
      const strict = (await propose()).lines[0]?.proposed;
      expect(strict).toMatchObject({ risk: 651, withoutOne: 641 });
    });

    it('leaves out what may be no honest call, and says why', async () => {
      const { crowd, calls, propose, store } = await tenant();
      await crowd(100, () => 50);
      const verdict = (word: 'FRAUD' | 'SOMEONE_ELSE' | 'AUTHENTIC') => ({
        verdict: { verdict: word, description: '', atMs: 1, analystId: 'a' },
      });
      await store.transaction((tx) =>
        tx.parties.insert({
          ...{ kind: 'PERSON', gkId: 'out', gkScopeId: SCOPE, externalId: 'out' },
          details: { firstName: '', lastName: '', preferredLanguage: '', phoneNumbers: [], customData: {} },
          consent: { status: 'OPTED_OUT', agentId: '', reason: '', atMs: 1 },
          ...{ createdAtMs: 1, modifiedAtMs: 1 },
        }),
      );
      const alarm: Partial<Factor> = { decision: 'FRAUD', reason: 'SYNTHETIC_SPEECH_DETECTED' };
      await calls(
        { person: 'x1', engagement: verdict('FRAUD') },
        { person: 'x2', engagement: verdict('SOMEONE_ELSE') },
        { person: 'x3', more: [{ kind: 'FRAUD_DETECTION', decision: 'FRAUD' }] },
        { person: 'x4', risk: 900, factor: alarm },
        { person: 'x5', more: [{ kind: 'CHANNEL_PLAYBACK', decision: 'FRAUD' }] },
        { person: 'x6', session: { details: { ani: '', isSuspicious: true } as Session['details'] } },
        { person: 'out' },
        { person: 'x7', factor: { detector: 'detector-2' } },
        { person: 'x8', factor: { decision: 'UNCERTAIN', reliability: 5 } },
        { person: 'x9', factor: { kind: 'CHANNEL_PLAYBACK' } },
        { person: 'x10', session: { isTest: true } },
        { person: 'x11', session: { sessionType: 'FRAUD_ANALYST' } },
        // Below the shipped line an alarm is the tenant's own: it stays, or each new line would lie lower.
        { person: 'y1', risk: 300, factor: { ...alarm, alarmRisk: 250 } },
        // Somebody has listened, and says that it was the right person.
        { person: 'y2', risk: 720, factor: alarm, engagement: verdict('AUTHENTIC') },
      );
      const report = await propose({ rate: 0.02 });
      expect(Object.fromEntries(report.excluded.map(({ reason, calls: count }) => [reason, count]))).toEqual({
        FRAUD_OUTCOME: 2,
        FRAUDSTER_FOUND: 1,
        ATTACK_FOUND: 2,
        SUSPICIOUS: 1,
        OPTED_OUT: 1,
        OTHER_DETECTOR: 1,
        NOT_JUDGED: 1,
        NO_CHECK: 1,
      });
      expect(report).toMatchObject({
        calls: 112,
        lines: [
          { callers: 102, genuine: 1, callsOfAll: 109, inUse: { risk: 700, alarms: 1, alarmsOfAll: 2 } },
        ],
      });
      expect(report.lines[0]?.highest.slice(0, 2)).toMatchObject([
        { risk: 720, isGenuine: true },
        { risk: 300, isGenuine: false },
      ]);
    });

    it('never lies above the shipped line', async () => {
      const { crowd, propose } = await tenant();
      await crowd(120, () => 699);
      expect((await propose()).lines[0]?.proposed?.risk).toBe(700);
    });

    it('takes a live call at its highest, and calls since the time that was asked for', async () => {
      const { crowd, clock, propose } = await tenant();
      await crowd(50, () => 10);
      clock.advance(100 * DAY_MS);
      await crowd(100, () => 10, { operation: 'LiveAudio', highestRisk: 200 });
      expect((await propose()).lines).toMatchObject([{ calls: 100, proposed: { risk: 201 } }]);
      expect(await propose({ fromMs: 0 })).toMatchObject({ calls: 150 });
    });

    it('keeps the lines beside all else, and they act when somebody activates them', async () => {
      const { crowd, deps, store, propose } = await tenant({
        calibration: { useCallers: true },
        attackChecks: { riskHigh: 800 },
      });
      await crowd(120, (place) => place);
      const { revisionId = '' } = await propose({ keep: true });
      const kept = await store.read.configsets.find(SCOPE, revisionId);
      expect(kept).toMatchObject({
        state: 'VALIDATED',
        configsetId: 'SCOPE',
        createdBy: call.caller.subject,
      });
      expect(kept?.description).toContain('telephone 120 (120 calls of 120 callers)');
      expect(JSON.parse(kept?.content ?? '{}')).toEqual({
        calibration: { useCallers: true },
        attackChecks: { riskHigh: 800, syntheticRiskHighNarrow: 120 },
      });
      expect((await propose()).lines[0]?.inUse.risk).toBe(800);
      const activate = (gkConfigsetRevisionId: string) =>
        activateRevision(deps, call, { context, gkConfigsetRevisionId });
      await activate(revisionId);
      expect((await propose()).lines[0]?.inUse.risk).toBe(120);
      await activate('set-1');
      expect((await propose()).lines[0]?.inUse.risk).toBe(800);
    });
  });
});
