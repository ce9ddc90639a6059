// Sessions, checks, recordings, prints and whatever else assessments depend on, written at random by every writer of the store.
import { expect } from 'vitest';
import { caveatNames } from '../../../src/biometrics/assessment/caveats.js';
import { assessSessions } from '../../../src/biometrics/assessment/gather.js';
import { headlines } from '../../../src/biometrics/assessment/model.js';
import { ConfigsetCache } from '../../../src/biometrics/configsets/cache.js';
import { defaultParameters } from '../../../src/biometrics/model/parameters.js';
import type { MediaSegment } from '../../../src/biometrics/model/media.js';
import type { Decision } from '../../../src/biometrics/model/outcome.js';
import {
  LIVE_OPERATION,
  SPEAKER_CHANGED,
  type Engagement,
  type Factor,
  type FactorKind,
  type Session,
} from '../../../src/biometrics/model/sessions.js';
import type { Assessment } from '../../../src/biometrics/assessment/model.js';
import type { AssessmentFilter } from '../../../src/biometrics/ports/assessments.js';
import type { BiometricsDeps } from '../../../src/biometrics/ports/deps.js';
import { decideSession } from '../../../src/biometrics/rules/session-decision.js';
import { systemIds } from '../../../src/platform.js';
import { createBiometricsStore } from '../../../src/storage/biometrics/store.js';
import type { Database } from '../../../src/storage/database.js';
import { dice } from '../../support/dice.js';
import { testClock, testStorage } from '../../support/storage.js';

export const TENANT = 'tenant-1';
const persons = ['anna', 'bruno'];
const CONFIGSET = 'calls';
const fraudsters = ['fritz'];

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

const engagementOf = ({ gkEngagementId, createdAtMs }: Session): Engagement => ({
  ...{
    gkEngagementId,
    gkScopeId: TENANT,
    isActive: true,
    engagementId: '',
    correlationId: '',
    analystId: '',
  },
  ...{
    configsetId: '',
    customData: {},
    createdAtMs,
    modifiedAtMs: createdAtMs,
    lastActivityAtMs: createdAtMs,
  },
});

const mediaOf = (of: {
  media: string;
  gkEngagementId: string;
  gkSessionId: string;
  atMs: number;
}): MediaSegment =>
  ({
    ...{
      gkMediaSegmentId: of.media,
      gkScopeId: TENANT,
      gkEngagementId: of.gkEngagementId,
      gkSessionId: of.gkSessionId,
    },
    ...{ legalHold: false, container: 'WAV', callParties: [], customData: {} },
    ...{ createdAtMs: of.atMs, modifiedAtMs: of.atMs },
  }) as unknown as MediaSegment;

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
    const owner = isSo(0.8) ? oneOf(persons) : oneOf(fraudsters);
    prints.set(print, owner);
    await database.db
      .insertInto('voiceprint_profiles')
      .values({
        ...{ gk_voiceprint_profile_id: print, gk_scope_id: TENANT, gk_owner_id: owner },
        owner_type: fraudsters.includes(owner) ? 'FRAUDSTER' : 'PERSON',
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
    await store.transaction((tx) =>
      tx.media.insert(mediaOf({ media, gkEngagementId, gkSessionId, atMs: times.created_at })),
    );
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
    await store.transaction(async (tx) => {
      if (!earlier) await tx.engagements.insert(engagementOf(session));
      await tx.sessions.insert(session);
    });
    if (isSo(0.8)) await addRecording(session);
  }

  function drawn(): Pick<Factor, 'kind' | 'operation' | 'decision' | 'reason' | 'gkCollectionId'> {
    const kinds = ['AUTHENTICATION', 'AUTHENTICATION', 'SYNTHETIC_SPEECH', 'CHANNEL_PLAYBACK'] as const;
    const kind: FactorKind = oneOf([...kinds, 'FRAUD_DETECTION', 'LIVENESS', 'ENROLLMENT']);
    const operation = isSo(0.2) ? LIVE_OPERATION : 'Verify';
    if (kind === 'ENROLLMENT') return { kind, operation: 'Enroll', decision: 'UNCERTAIN', reason: '' };
    if (kind === 'LIVENESS') {
      const decision: Decision = oneOf(['AUTHENTIC', 'NO_MATCH', 'UNCERTAIN']);
      return { kind, operation: 'DetectLiveness', decision, reason: '' };
    }
    if (kind === 'AUTHENTICATION') {
      const decision: Decision = oneOf(['AUTHENTIC', 'AUTHENTIC', 'AUTHENTIC', 'NO_MATCH', 'UNCERTAIN']);
      return {
        kind,
        operation,
        decision,
        reason: decision === 'UNCERTAIN' && isSo(0.5) ? SPEAKER_CHANGED : '',
      };
    }
    const decision: Decision = oneOf([
      'NO_RISK_DETECTED',
      'NO_RISK_DETECTED',
      'NO_RISK_DETECTED',
      'UNCERTAIN',
      'FRAUD',
    ]);
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
    const isCompared = made.kind !== 'ENROLLMENT' && made.kind !== 'LIVENESS';
    const print = isCompared && prints.size > 0 ? oneOf([...prints.keys()]) : undefined;
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
        ...(isCompared && isSo(0.3) && { wantsPrompt: true as const }),
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
  const writers: Readonly<Record<string, () => Promise<unknown>>> = {
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
    erase: () => change(async () => ({ isErased: true, retained: { missingChecks: ['SYNTHETIC_SPEECH'] } })),
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
    judge: async () => {
      const session = await anySession();
      const engagement = session && (await store.read.engagements.find(TENANT, session.gkEngagementId));
      if (!engagement) return;
      const verdict = {
        verdict: oneOf(['FRAUD', 'AUTHENTIC', 'SOMEONE_ELSE'] as const),
        description: '',
        atMs: tick(),
        analystId: '',
      };
      await store.transaction((tx) => tx.engagements.update({ ...engagement, verdict }));
    },
    cutOff: async () => {
      const session = await anySession();
      if (session)
        await store.transaction((tx) =>
          tx.sessions.markCutOff(TENANT, session.gkSessionId, { atMs: tick(), alsoIfOver: true }),
        );
    },
    hearAgain: async () => {
      const session = await anySession();
      if (session) await store.transaction((tx) => tx.sessions.unmarkCutOff(TENANT, session.gkSessionId));
    },
    find: async () => {
      const session = await anySession();
      const { audios: [audio = ''] = [], media } = recordings.at(-1) ?? {};
      if (!session || !media) return;
      const finding = {
        ...{
          gkScopeId: TENANT,
          gkSessionId: session.gkSessionId,
          gkFraudsterId: 'fritz',
          gkVoiceprintProfileId: '',
        },
        ...{ operation: oneOf(['FindCalls', 'AddVoiceToWatchlist'] as const), gkProcessedAudioId: audio },
        ...{ gkMediaSegmentId: media, actor: { subject: 'me', issuer: '' }, createdAtMs: tick() },
      };
      await store.transaction((tx) => tx.findings.note([finding]));
    },
    enroll: async () => {
      const { audios: [audio = ''] = [], media = '' } = recordings.at(-1) ?? {};
      const print = oneOf(['', ...prints.keys()]);
      if (!print || !audio) return;
      await store.transaction(async (tx) => {
        await tx.profiles.find(TENANT, print);
        await tx.enrollment.remove(print, audio);
        await tx.enrollment.insert({
          ...{
            gkVoiceprintProfileId: print,
            gkProcessedAudioId: audio,
            gkMediaSegmentId: media,
            gkEngagementId: '',
          },
          ...{ usedForTrain: true, addedAtMs: tick() },
        });
      });
    },
    takeBack: async () => {
      const print = oneOf(['', ...prints.keys()]);
      const [segment] = await store.read.enrollment.list(print);
      if (segment) await store.transaction((tx) => tx.enrollment.remove(print, segment.gkProcessedAudioId));
    },
    expire: async () => {
      const oldest = (await all()).at(-1);
      const beforeMs = (oldest?.lastActivityAtMs ?? 0) + 1;
      await store.transaction((tx) => tx.sessions.deleteOlder(TENANT, beforeMs, 1));
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

  /** What every filter finds, and what is stored of each session, is what is worked out now. */
  async function compare(why: string): Promise<Set<string>> {
    const orUnassessed = await store.read.assessments.hasUnassessed(TENANT);
    const sessions = await all();
    const seen = new Set<string>();
    const afresh = await assessSessions(deps, TENANT, sessions);
    const found = async (filter: Partial<AssessmentFilter>): Promise<string[]> => {
      const assessed = { caveats: [], headlines: [], decisions: [], orUnassessed, ...filter };
      const listed = await store.read.sessions.list(TENANT, { assessed }, { limit: 1000 });
      const ids = listed.sessions.map(({ gkSessionId }) => gkSessionId);
      expect([...(await store.read.assessments.sessionsWith(TENANT, assessed))].toSorted()).toEqual(
        ids.toSorted(),
      );
      return ids;
    };
    const isStored = async (
      name: string,
      filter: Partial<AssessmentFilter>,
      fits: (of: Assessment) => boolean,
    ) => {
      const meant = sessions.flatMap(({ gkSessionId }) => {
        const assessment = afresh.get(gkSessionId);
        return assessment && fits(assessment) ? gkSessionId : [];
      });
      if (meant.length > 0) seen.add(name);
      const ids = await found(filter);
      // What is not assessed yet is offered, and looked at one by one.
      const told = orUnassessed ? ids.filter((id) => meant.includes(id)) : ids;
      expect(told, `${why}, ${name}`).toEqual(meant);
    };
    for (const caveat of caveatNames) {
      await isStored(caveat, { caveats: [[caveat]] }, ({ caveats }) => caveats.includes(caveat));
    }
    for (const headline of headlines)
      await isStored(headline, { headlines: [headline] }, (of) => of.headline === headline);
    return seen;
  }
  const draw = async (): Promise<string> => {
    const rare = [
      'erase',
      'forgetScores',
      'deleteRecording',
      'deletePrint',
      'expire',
      'configure',
      'takeBack',
    ];
    const often = [
      'start',
      'start',
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
      'judge',
      'cutOff',
      'hearAgain',
      'find',
      'enroll',
    ];
    const writer = oneOf(isSo(0.15) ? rare : often);
    await writers[writer]?.();
    return writer;
  };
  const assessAll = async (): Promise<void> => {
    for (;;) {
      const next = await store.read.assessments.unassessed(20);
      if (!next) return;
      await store.transaction((tx) => tx.assessments.assess(next.gkScopeId, next.gkSessionIds));
    }
  };
  return { deps, store, compare, draw, assessAll };
}
