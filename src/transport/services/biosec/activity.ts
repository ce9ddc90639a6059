// Activity: sessions, what happened in one, and the audit trail.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationMs, timestampMs } from '@bufbuild/protobuf/wkt';
import type { AuditContext, RecordType as TypeWord } from '../../../audit/model.js';
import { listAuditRecords, verifyAuditChain } from '../../../biometrics/activity/audit-trail.js';
import { recordOutcome, updateCase } from '../../../biometrics/activity/case-changes.js';
import {
  caseFactsOf,
  caseStateOf,
  type CaseFacts,
  type CaseState as CaseWord,
} from '../../../biometrics/activity/cases.js';
import { activityOverview } from '../../../biometrics/activity/overview.js';
import type { LaterCheck } from '../../../biometrics/activity/later-checks.js';
import { listSessions } from '../../../biometrics/activity/list-sessions.js';
import type { NamedFraudster, NamedPerson, NamedWatchlist } from '../../../biometrics/activity/named.js';
import type { OutcomeEffects } from '../../../biometrics/activity/outcome-effects.js';
import type { SessionEntry } from '../../../biometrics/activity/session-entries.js';
import { getSessionTimeline, type ActivityDeps } from '../../../biometrics/activity/session-timeline.js';
import { sessionsById } from '../../../biometrics/activity/sessions-by-id.js';
import type { TimelineEvent } from '../../../biometrics/activity/timeline-events.js';
import type { Caveat } from '../../../biometrics/assessment/caveats.js';
import type { Headline } from '../../../biometrics/assessment/model.js';
import type { Decision as DecisionWord } from '../../../biometrics/model/outcome.js';
import type {
  EngagementVerdict as VerdictWord,
  SessionType as SessionWord,
} from '../../../biometrics/model/sessions.js';
import { Decision, EngagementVerdict, SessionType } from '../../../gen/vendor/biosec/v1/common_pb.js';
import { RecordType } from '../../../gen/vendor/biosec/v1/history/history_pb.js';
import {
  Activity,
  CaseState,
  SessionPersonRole,
  type LaterCheckSchema,
  type SessionFraudsterSchema,
  type SessionPersonSchema,
  type TextChange,
  type TimelineEventSchema,
} from '../../../gen/voxgate/biosec/v1/activity_pb.js';
import { SessionCaveat, SessionHeadline } from '../../../gen/voxgate/biosec/v1/assessment_pb.js';
import { bindService, type ServiceBinding } from '../../service.js';
import { engagementDetails, sessionDetailsOf } from './sessions-manager.js';
import { assessmentOf } from './assessment.js';
import { orders } from './directory.js';
import {
  biosecAccess,
  contextOf,
  durationOf,
  memberOf,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

const entryOf = (entry: SessionEntry) => ({
  details: sessionDetailsOf(entry.session),
  claimedPersonId: entry.claimedPersonId,
  claimedPersonName: entry.claimedPersonName,
  persons: entry.persons.map(personOf),
  fraudsters: entry.fraudsters.map(fraudsterOf),
  enrolledFraudsters: entry.enrolledFraudsters.map(fraudsterOf),
  ...present('cutOffTime', entry.cutOffAtMs, timestampOf),
  refusedCount: entry.refused,
  caseNumber: entry.caseNumber,
  ...present('verdict', entry.verdict, ({ verdict }) => EngagementVerdict[verdict]),
  ...present('verdictTime', entry.verdict?.atMs, timestampOf),
  ...present('amount', entry.verdict?.amount, (amount) => amount),
  factorCount: entry.factors,
  ...(entry.effects && effectsOf(entry.effects)),
  ...present('assessment', entry.assessment, assessmentOf),
  ...caseIn(entry, entry),
});

const caseIn = (
  facts: CaseFacts,
  { assessment, session, caseOwnerName = '' }: Pick<SessionEntry, 'assessment' | 'session' | 'caseOwnerName'>,
) => ({
  ...present('caseState', caseStateOf(facts, assessment, session), (state) => CaseState[state]),
  ...present('assignedTo', facts.caseOwner, (subject) =>
    memberOf({ subject, issuer: '', name: caseOwnerName }),
  ),
});

const effectsOf = ({ isKeptAsFraud, keptWithFraudster, enrolledAs, recognized }: OutcomeEffects) => ({
  isKeptAsFraud,
  isKeptWithFraudster: keptWithFraudster.length > 0,
  enrolledAs: enrolledAs.map(({ fraudster, watchlists, hasOthers, gkSessionIds, isUntrained }) => ({
    fraudster: fraudsterOf(fraudster),
    watchlists: watchlists.map(listOf),
    hasOtherRecordings: hasOthers,
    gkSessionIds: gkSessionIds.map(unique),
    isUntrained,
  })),
  engagementFraudsters: recognized.map(({ fraudster, gkSessionIds }) => ({
    ...present('fraudster', fraudster, fraudsterOf),
    gkSessionIds: gkSessionIds.map(unique),
  })),
});

const listOf = ({ gkWatchlistId, watchlistId }: NamedWatchlist) => ({
  gkWatchlistId: unique(gkWatchlistId),
  watchlistId,
});

export function activityService(deps: ActivityDeps): ServiceBinding {
  return bindService(Activity, biosecAccess, {
    listSessions: async (call, request) => {
      const { gkSessionIds, withOutcomeEffects: withEffects } = request;
      if (gkSessionIds.length > 0) {
        const sought = { context: contextOf(request), gkSessionIds, withEffects };
        const named = await sessionsById(deps, call, sought);
        return { sessions: named.map(entryOf), nextPageToken: '' };
      }
      const { entries, next } = await listSessions(deps, call, {
        context: contextOf(request),
        pageSize: request.pageSize,
        pageToken: request.pageToken,
        query: request.query,
        caseNumber: request.caseNumber,
        assignedTo: request.assignedTo,
        caseStates: request.caseState.flatMap((state) => wordOf<CaseWord>(CaseState, state) ?? []),
        isIncomplete: request.isIncomplete,
        gkPersonId: valueOf(request.gkPersonId),
        gkFraudsterId: valueOf(request.gkFraudsterId),
        withoutUploads: request.withoutUploads,
        ...present('isTest', request.isTest, (isTest) => isTest),
        ...present('fromMs', request.startTime, timestampMs),
        ...present('toMs', request.endTime, timestampMs),
        ...present('active', request.isActive, (active) => active),
        types: request.sessionType.flatMap((type) => wordOf<SessionWord>(SessionType, type) ?? []),
        ...present('order', orders[request.order], (order) => order),
        caveats: request.caveat.flatMap((caveat) => wordOf<Caveat>(SessionCaveat, caveat) ?? []),
        headlines: request.headline.flatMap((one) => wordOf<Headline>(SessionHeadline, one) ?? []),
        decisions: request.decision.flatMap((decision) => wordOf<DecisionWord>(Decision, decision) ?? []),
      });
      return { sessions: entries.map(entryOf), nextPageToken: next ?? '' };
    },
    getSessionTimeline: async (call, request) => {
      const timeline = await getSessionTimeline(deps, call, {
        context: contextOf(request),
        gkSessionId: valueOf(request.gkSessionId),
      });
      return {
        session: sessionDetailsOf(timeline.session),
        engagement: engagementDetails(timeline.engagement, timeline.sessions),
        events: timeline.events.map(eventOf),
        persons: timeline.persons.map(personOf),
        fraudsters: timeline.fraudsters.map(fraudsterOf),
        enrolledFraudsters: timeline.enrolledFraudsters.map(fraudsterOf),
        laterChecks: timeline.later.map(laterOf),
        gkJobIds: timeline.gkJobIds,
        claimedPersonId: timeline.claimedPersonId,
        ...effectsOf(timeline),
        ...present('assessment', timeline.assessment, assessmentOf),
        ...caseIn(caseFactsOf(timeline.engagement), timeline),
        keptWithFraudsterSessionIds: timeline.keptWithFraudster.map(unique),
        heldRecordingCount: timeline.heldRecordings,
      };
    },
    updateCase: async (call, request) => {
      await updateCase(deps, call, {
        context: contextOf(request),
        gkEngagementId: valueOf(request.gkEngagementId),
        noted: {
          ...present('caseNumber', request.caseNumber, textChange),
          ...present('note', request.note, textChange),
          ...present('caseOwner', request.assignedTo, textChange),
        },
      });
      return {};
    },
    recordOutcome: async (call, request) => {
      const { verdict, description } = request;
      await recordOutcome(deps, call, {
        context: contextOf(request),
        gkEngagementId: valueOf(request.gkEngagementId),
        ...present('verdict', wordOf<VerdictWord>(EngagementVerdict, verdict), (word) => word),
        description,
        ...present('amount', request.amount, (amount) => amount),
        expected: { ...present('atMs', request.expectedTime, timestampMs) },
      });
      return {};
    },
    getActivityOverview: async (call, request) => {
      const buckets = await activityOverview(deps, call, {
        context: contextOf(request),
        ...present('fromMs', request.startTime, timestampMs),
        ...present('toMs', request.endTime, timestampMs),
        ...present('stepMs', request.step, durationMs),
      });
      return {
        buckets: buckets.map(({ fromMs, netSpeechMs, ...counts }) => ({
          ...counts,
          time: timestampOf(fromMs),
          netSpeechSeconds: netSpeechMs / 1000,
        })),
      };
    },
    listAuditRecords: async (call, request) => {
      const { entries, next } = await listAuditRecords(deps, call, {
        context: contextOf(request),
        pageSize: request.pageSize,
        pageToken: request.pageToken,
        query: request.query,
        ...present('fromMs', request.startTime, timestampMs),
        ...present('toMs', request.endTime, timestampMs),
        recordTypes: request.recordType.flatMap((type) => wordOf<TypeWord>(RecordType, type) ?? []),
        gkSessionId: valueOf(request.gkSessionId),
        gkEngagementId: valueOf(request.gkEngagementId),
        actor: request.actor,
        changesOnly: request.changesOnly,
      });
      const records = entries.map(({ record, json, hash, prevHash, actorName, ...about }) => ({
        sequence: BigInt(record.seq),
        createTime: timestampOf(record.atMs),
        recordType: RecordType[record.recordType],
        operation: record.operation,
        context: auditContextOf(record.context),
        member: memberOf({ ...record.actor, name: actorName }),
        objectName: about.objectName,
        isObjectErased: about.isObjectErased === true,
        ...present('gkSessionId', about.session?.gkSessionId, unique),
        sessionId: about.session?.sessionId ?? '',
        recordAsJson: json,
        hash,
        previousHash: prevHash,
        requestId: record.context.requestId ?? '',
      }));
      return { records, nextPageToken: next ?? '' };
    },
    verifyAuditChain: async (call, request) => {
      const { ok, records, head, broken } = await verifyAuditChain(deps, call, contextOf(request));
      return {
        intact: ok,
        recordsChecked: BigInt(records),
        ...present('firstBrokenSequence', broken?.seq, BigInt),
        message: broken?.message ?? '',
        headHash: head.hash,
      };
    },
  });
}

const textChange = ({ value, expected }: TextChange) => ({ value: value.trim(), expected });

function auditContextOf(context: AuditContext) {
  return {
    ...present('gkEngagementId', context.gkEngagementId, unique),
    ...present('gkSessionId', context.gkSessionId, unique),
    ...present('gkScopeId', context.gkScopeId, unique),
    ...present('configsetId', context.configsetId, String),
  };
}

function personOf({
  gkPersonId,
  personId,
  name,
  role,
  isMatch,
  isMismatch,
  isAgent,
  gkVoiceprintProfileIds = [],
}: NamedPerson): MessageInitShape<typeof SessionPersonSchema> {
  return {
    ...present('gkPersonId', gkPersonId || undefined, unique),
    personId,
    name,
    role: SessionPersonRole[role],
    isMatch: isMatch === true,
    isMismatch: isMismatch === true,
    isAgent: isAgent === true,
    gkVoiceprintProfileIds: gkVoiceprintProfileIds.map(unique),
  };
}

function fraudsterOf({
  gkFraudsterId,
  isDeleted,
  ...known
}: NamedFraudster): MessageInitShape<typeof SessionFraudsterSchema> {
  return { ...known, gkFraudsterId: unique(gkFraudsterId), isDeleted: isDeleted === true };
}

function laterOf({
  event,
  madeIn,
  fraudster,
  watchlist,
  listedOn = [],
}: LaterCheck): MessageInitShape<typeof LaterCheckSchema> {
  return {
    event: eventOf(event),
    ...present('gkSessionId', madeIn?.gkSessionId, unique),
    sessionId: madeIn?.sessionId ?? '',
    ...present('fraudster', fraudster, fraudsterOf),
    ...present('gkWatchlistId', watchlist?.gkWatchlistId, unique),
    watchlistId: watchlist?.watchlistId ?? '',
    listedOn: listedOn.map(listOf),
  };
}

function eventOf(event: TimelineEvent): MessageInitShape<typeof TimelineEventSchema> {
  return {
    time: timestampOf(event.atMs),
    operation: event.operation,
    recordType: RecordType[event.recordType],
    summary: event.summary,
    ...present('decision', event.decision, (word) => Decision[word]),
    reason: event.reason ?? '',
    ...present('score', event.score, Number),
    ...present('risk', event.risk, Number),
    ...present('reliability', event.reliability, Number),
    ...present('gkVoiceprintProfileId', event.gkVoiceprintProfileId, unique),
    ...present('gkProcessedAudioId', event.gkProcessedAudioId, unique),
    ...present('gkMediaSegmentId', event.gkMediaSegmentId, unique),
    ...present('gkConfigsetRevisionId', event.configsetRevisionId, unique),
    ...present('gkCalibrationModelRevisionId', event.calibrationRevisionId, unique),
    ...present('member', event.actor, memberOf),
    isFactor: event.isFactor,
    requestId: event.requestId ?? '',
    attributes: event.attributes,
    ...present('evidence', event.evidence, ({ spans, ...evidence }) => ({
      ...evidence,
      spans: spans.map(({ startMs, endMs, llr }) => ({
        start: durationOf(startMs),
        end: durationOf(endMs),
        score: llr,
      })),
    })),
  };
}
