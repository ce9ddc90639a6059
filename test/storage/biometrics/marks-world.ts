// Sessions, checks, recordings, prints and whatever else marks depend on, written at random by every door of the store.
import { expect } from 'vitest';
import { refreshAllMarks, withMarks } from '../../../src/biometrics/activity/stored-marks.js';
import { workOutMarks } from '../../../src/biometrics/activity/work-out-marks.js';
import { ConfigsetCache } from '../../../src/biometrics/configsets/cache.js';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';
import {
  LIVE_OPERATION,
  SPEAKER_CHANGED,
  type Factor,
  type FactorKind,
  type MarkName,
  type Session,
} from '../../../src/biometrics/model/sessions.js';
import type { BiometricsDeps } from '../../../src/biometrics/ports/deps.js';
import { decideSession } from '../../../src/biometrics/rules/session-decision.js';
import { markNames } from '../../../src/biometrics/rules/session-marks.js';
import { systemIds } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import { dice } from '../../support/dice.js';
import { testClock, testStorage } from '../../support/storage.js';

export const TENANT = 'tenant-1';
const persons = ['anna', 'bruno'];
const CONFIGSET = 'calls';
export const allMarks: readonly MarkName[] = [
  'UNDECIDED_CHECKS',
  'UNCHECKED',
  'MISSING_CHECKS',
  'OPEN_LIST',
  'MISMATCH',
  'SECOND_VOICE',
  'OTHER_PERSON',
  'OTHER_CLAIMED',
  'OPEN_CLAIM',
];

const details: Session['details'] = {
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

export async function world(database: Database, seed: number) {
  const clock = testClock();
  const { keyring, audit } = await testStorage(database, clock);
  const store = createBiometricsStore(database, keyring, audit);
  const deps: BiometricsDeps = {
    ...{ clock, store, ids: systemIds, configsetCache: new ConfigsetCache() },
    tenants: { isUsable: async () => true },
    jobs: { wake: () => {} },
  };
  const { isSo, oneOf } = dice(seed);
  const recordings: { media: string; audios: string[] }[] = [];
  const prints = new Map<string, string>();
  let last = 0;
  const newId = (kind: string): string => `${kind}-${String((last += 1)).padStart(5, '0')}`;
  const tick = (): number => {
    clock.advance(1000);
    return clock.now();
  };
  const all = async (): Promise<Session[]> =>
    (await store.read.sessions.list(TENANT, {}, { limit: 1000 })).sessions;
  const anySession = async (): Promise<Session | undefined> => {
    const sessions = await all();
    return sessions.length > 0 ? oneOf(sessions.slice(0, 12)) : undefined;
  };

  async function addPrint(): Promise<void> {
    const print = newId('print');
    const owner = oneOf(persons);
    prints.set(print, owner);
    await database.db
      .insertInto('voiceprint_profiles')
      .values({
        ...{ gk_voiceprint_profile_id: print, gk_scope_id: TENANT, gk_owner_id: owner, owner_type: 'PERSON' },
        ...{
          tag: print,
          status: 'TRAINED',
          version: 1,
          lock: '{}',
          near_term_adaptation: 0,
          custom_data: '{}',
        },
        ...{ calibration_revision_id: null, configset_id: null, template: null, texts: null },
        ...{ created_at: tick(), modified_at: tick() },
      })
      .execute();
  }

  async function addRecording({ gkEngagementId, gkSessionId }: Session): Promise<void> {
    const media = newId('media');
    const audios = [newId('audio'), newId('audio')];
    const times = { created_at: tick(), modified_at: tick() };
    const common = { gk_scope_id: TENANT, gk_media_segment_id: media, document: '{}', texts: null, ...times };
    const where = { gk_engagement_id: gkEngagementId, gk_session_id: gkSessionId };
    await database.db
      .insertInto('media_segments')
      .values({ ...common, ...where, gk_person_id: null, legal_hold: 0, blob_id: null })
      .execute();
    for (const audio of audios)
      await database.db
        .insertInto('processed_audios')
        .values({ ...common, gk_processed_audio_id: audio, model: null, fingerprint: null })
        .execute();
    recordings.push({ media, audios });
  }

  async function start(): Promise<void> {
    const earlier = isSo(0.5) ? await anySession() : undefined;
    const atMs = tick();
    const session: Session = {
      gkSessionId: newId('session'),
      gkScopeId: TENANT,
      gkEngagementId: earlier?.gkEngagementId ?? newId('engagement'),
      sessionType: 'CALL_CENTER',
      isTest: false,
      isActive: true,
      ...(isSo(0.6) && { claimedGkPersonId: oneOf(persons) }),
      configsetId: isSo(0.5) ? CONFIGSET : '',
      details,
      createdAtMs: atMs,
      modifiedAtMs: atMs,
      lastActivityAtMs: atMs,
    };
    await store.transaction((tx) => tx.sessions.insert(session));
    if (isSo(0.8)) await addRecording(session);
  }

  function drawn(): Pick<Factor, 'kind' | 'operation' | 'decision' | 'reason' | 'gkCollectionId'> {
    const kinds = ['AUTHENTICATION', 'AUTHENTICATION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;
    const kind: FactorKind = oneOf([...kinds, 'FRAUD_DETECTION', 'ENROLLMENT']);
    const operation = isSo(0.2) ? LIVE_OPERATION : 'Verify';
    if (kind === 'ENROLLMENT') return { kind, operation: 'Enroll', decision: 'UNCERTAIN', reason: '' };
    if (kind === 'AUTHENTICATION') {
      const decision: Decision = oneOf(['AUTHENTIC', 'AUTHENTIC', 'AUTHENTIC', 'NO_MATCH', 'UNCERTAIN']);
      return {
        kind,
        operation,
        decision,
        reason: decision === 'UNCERTAIN' && isSo(0.5) ? SPEAKER_CHANGED : '',
      };
    }
    const decision: Decision = oneOf(['NO_RISK_DETECTED', 'NO_RISK_DETECTED', 'UNCERTAIN']);
    const list = kind === 'FRAUD_DETECTION' && { gkCollectionId: oneOf(['list-1', 'list-2']) };
    return {
      kind,
      operation,
      decision,
      reason: decision === 'UNCERTAIN' && isSo(0.5) ? 'NO_SCORES' : '',
      ...list,
    };
  }

  async function check(): Promise<void> {
    const session = await anySession();
    if (!session) return;
    const made = drawn();
    const heard =
      recordings.length > 0 && made.operation !== LIVE_OPERATION ? oneOf(recordings.slice(-8)) : undefined;
    const print = made.kind === 'AUTHENTICATION' && prints.size > 0 ? oneOf([...prints.keys()]) : undefined;
    const risk = made.decision === 'AUTHENTIC' || made.decision === 'NO_RISK_DETECTED' ? 1 : 40;
    await store.transaction((tx) =>
      tx.factors.insert({
        ...made,
        factorId: newId('factor'),
        gkScopeId: TENANT,
        gkEngagementId: session.gkEngagementId,
        gkSessionId: session.gkSessionId,
        ...(made.decision !== 'UNCERTAIN' && { risk, reliability: oneOf([60, 90]) }),
        netSpeechMs: oneOf([3000, 5000]),
        ...(print && { gkVoiceprintProfileId: print }),
        ...(heard && { gkProcessedAudioId: oneOf(heard.audios) }),
        configsetRevisionId: '',
        calibrationRevisionId: '',
        createdAtMs: tick(),
      }),
    );
  }

  const change = async (to: (session: Session) => Promise<Partial<Session>>): Promise<void> => {
    const session = await anySession();
    if (session) {
      const changed = { ...session, ...(await to(session)), modifiedAtMs: tick() };
      await store.transaction((tx) => tx.sessions.update(changed));
    }
  };
  const doors: Readonly<Record<string, () => Promise<unknown>>> = {
    start,
    check,
    addPrint,
    record: async () => {
      const session = await anySession();
      if (session) await addRecording(session);
    },
    claim: () => change(async () => ({ claimedGkPersonId: oneOf(persons) })),
    stop: () =>
      change(async ({ gkEngagementId }) => ({
        isActive: false,
        decision: decideSession(
          await store.read.factors.listByEngagement(TENANT, gkEngagementId),
          defaultParameters,
        ),
      })),
    erase: () => change(async () => ({ isErased: true, marks: { isUnchecked: true } })),
    forgetScores: () => {
      const print = oneOf(['none', ...prints.keys()]);
      return store.transaction((tx) => tx.erasure.forgetScores(TENANT, { prints: [print] }, new Set()));
    },
    deleteRecording: async () => {
      const [{ media = '' } = {}] = recordings.splice(Math.floor(recordings.length / 2), 1);
      await store.transaction(async (tx) => {
        await tx.processedAudios.deleteByMedia(TENANT, media);
        if (isSo(0.7)) await tx.media.delete(TENANT, media);
      });
    },
    deletePrint: async () => {
      const [print = ''] = prints.keys();
      prints.delete(print);
      await store.transaction((tx) => tx.profiles.delete(TENANT, print));
    },
    expire: async () => {
      const oldest = (await all()).at(-1);
      const beforeMs = (oldest?.lastActivityAtMs ?? 0) + 1;
      await store.transaction((tx) => tx.sessions.deleteOlder(TENANT, beforeMs, 2));
    },
    configure: async () => {
      const times = { createdAtMs: tick(), modifiedAtMs: tick() };
      const content = JSON.stringify({ authentication: { reliabilityMin: oneOf([50, 80, 95]) } });
      await store.transaction(async (tx) => {
        await tx.configsets.deleteAll(TENANT, 'CONFIGSET', CONFIGSET);
        await tx.configsets.insert({
          ...{ gkConfigsetRevisionId: newId('revision'), gkScopeId: TENANT, configClass: 'CONFIGSET' },
          ...{ configsetId: CONFIGSET, type: 'OPERATIONAL', state: 'ACTIVE', description: '' },
          ...{ content, createdBy: '', updatedBy: '' },
          ...times,
        });
      });
    },
  };

  /** What every filter finds, and what stands beside each session: stored, and worked out now. */
  async function compare(why: string): Promise<Set<MarkName>> {
    const sessions = await all();
    const told = await withMarks(
      deps,
      TENANT,
      sessions.map((session) => ({ session })),
    );
    const afresh = await workOutMarks(deps, TENANT, sessions);
    for (const { session, ...marks } of told)
      expect(marks, `${why}, ${session.gkSessionId}`).toEqual(afresh.get(session.gkSessionId));
    const isAllDone = await refreshAllMarks(deps, TENANT);
    const seen = new Set<MarkName>();
    for (const mark of allMarks) {
      const filter = { marks: [mark], orDue: !isAllDone };
      const meant = sessions.flatMap(({ gkSessionId }) =>
        markNames(afresh.get(gkSessionId) ?? {}).includes(mark) ? gkSessionId : [],
      );
      if (meant.length > 0) seen.add(mark);
      const found = await store.read.sessions.list(TENANT, { marked: filter }, { limit: 1000 });
      expect(
        found.sessions.map(({ gkSessionId }) => gkSessionId),
        `${why}, ${mark}`,
      ).toEqual(meant);
      expect([...(await store.read.marks.sessionsWith(TENANT, filter))].toSorted()).toEqual(meant.toSorted());
    }
    return seen;
  }
  const draw = async (): Promise<string> => {
    const rare = ['erase', 'forgetScores', 'deleteRecording', 'deletePrint', 'expire', 'configure'];
    const often = [
      'start',
      'check',
      'check',
      'check',
      'check',
      'check',
      'addPrint',
      'record',
      'claim',
      'stop',
      'stop',
    ];
    const door = oneOf(isSo(0.15) ? rare : often);
    await doors[door]?.();
    return door;
  };
  return { deps, store, all, compare, draw, database };
}
