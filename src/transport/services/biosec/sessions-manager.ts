// SessionsManager: engagements and sessions.
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import type { BiometricsDeps } from '../../../biometrics/ports/deps.js';
import { getSessionDecision } from '../../../biometrics/operations/get-session-decision.js';
import type {
  CallType as CallWord,
  DecisionSummary,
  Engagement,
  EngagementVerdict as VerdictWord,
  Session,
  SessionDetails,
  SessionIntent as IntentWord,
  SessionType as TypeWord,
} from '../../../biometrics/model/sessions.js';
import {
  getEngagementDetails,
  getGkEngagementId,
  listCorrelatedEngagements,
} from '../../../biometrics/sessions/read-engagement.js';
import { getSessionDetails } from '../../../biometrics/sessions/read-session.js';
import { setEngagementVerdict } from '../../../biometrics/sessions/set-engagement-verdict.js';
import { startEngagement } from '../../../biometrics/sessions/start-engagement.js';
import { startSession } from '../../../biometrics/sessions/start-session.js';
import { stopEngagement } from '../../../biometrics/sessions/stop-engagement.js';
import { stopSession } from '../../../biometrics/sessions/stop-session.js';
import { updateEngagement } from '../../../biometrics/sessions/update-engagement.js';
import { updateSession } from '../../../biometrics/sessions/update-session.js';
import {
  CallType,
  Decision,
  EngagementVerdict,
  SessionIntent,
  SessionType,
} from '../../../gen/vendor/biosec/v1/common_pb.js';
import {
  DecisionReason,
  EngagementDetailsForCreateSchema,
  EngagementDetailsForReadSchema,
  EngagementDetailsForUpdateSchema,
  SessionDetailsForCreateSchema,
  SessionDetailsForReadSchema,
  SessionDetailsForUpdateSchema,
  SessionsManager,
  type SessionDetailsForCreate,
  type SessionDetailsForUpdate,
} from '../../../gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { assessmentDiagnostics, okWith } from './diagnostics.js';
import { bindService, type ServiceBinding } from '../../service.js';
import {
  biosecAccess,
  changeContextOf,
  contextOf,
  defined,
  maskedRead,
  maskedWrite,
  present,
  timestampOf,
  unique,
  valueOf,
  wordOf,
} from './shared.js';

export function sessionsManagerService(deps: BiometricsDeps): ServiceBinding {
  return bindService(SessionsManager, biosecAccess, {
    startEngagement: async (call, request) => {
      const details = maskedWrite(EngagementDetailsForCreateSchema, request, 'optional');
      const id = await startEngagement(deps, call, {
        context: contextOf(request),
        ...engagementPatch(details),
      });
      return { gkEngagementId: unique(id) };
    },
    stopEngagement: async (call, request) => {
      await stopEngagement(deps, call, contextOf(request));
      return {};
    },
    updateEngagement: async (call, request) => {
      const details = maskedWrite(EngagementDetailsForUpdateSchema, request, 'mandatory');
      await updateEngagement(deps, call, {
        context: changeContextOf(request),
        gkEngagementId: valueOf(request.gkEngagementId),
        details: engagementPatch(details),
      });
      return {};
    },
    getEngagementDetails: async (call, request) => {
      const { engagement, sessions } = await getEngagementDetails(deps, call, {
        context: contextOf(request),
        gkEngagementId: valueOf(request.gkEngagementId),
      });
      return {
        details: maskedRead(
          EngagementDetailsForReadSchema,
          engagementDetails(engagement, sessions),
          request.fieldMask,
        ),
      };
    },
    setEngagementVerdict: async (call, request) => {
      await setEngagementVerdict(deps, call, {
        context: contextOf(request),
        gkEngagementId: valueOf(request.gkEngagementId),
        ...present('verdict', wordOf<VerdictWord>(EngagementVerdict, request.verdict), (word) => word),
        description: request.description,
        ...present('amount', request.amount, (amount) => amount),
        resetEnrollmentOnFraud: request.resetEnrollAttributesOnFraud,
      });
      return {};
    },
    getGkEngagementId: async (call, request) => ({
      gkEngagementId: unique(
        await getGkEngagementId(deps, call, {
          context: contextOf(request),
          engagementId: request.engagementId,
        }),
      ),
    }),
    listCorrelatedEngagements: async (call, request) => {
      const engagements = await listCorrelatedEngagements(deps, call, {
        context: contextOf(request),
        correlationId: request.correlationId,
      });
      return {
        engagements: engagements.map((engagement) => ({
          gkEngagementId: unique(engagement.gkEngagementId),
          engagementId: engagement.engagementId,
          isActive: engagement.isActive,
          creationTimestamp: timestampOf(engagement.createdAtMs),
        })),
      };
    },
    startSession: async (call, request) => {
      const details = maskedWrite(SessionDetailsForCreateSchema, request, 'optional');
      const started = await startSession(deps, call, {
        context: contextOf(request),
        ...present('sessionType', wordOf<TypeWord>(SessionType, request.sessionType), (word) => word),
        isTest: request.isTest,
        ...sessionPatch(details),
      });
      return { gkSessionId: unique(started.gkSessionId), gkEngagementId: unique(started.gkEngagementId) };
    },
    stopSession: async (call, request) => {
      await stopSession(deps, call, contextOf(request));
      return {};
    },
    updateSession: async (call, request) => {
      const details = maskedWrite(SessionDetailsForUpdateSchema, request, 'mandatory');
      await updateSession(deps, call, {
        context: changeContextOf(request),
        gkSessionId: valueOf(request.gkSessionId),
        ...sessionPatch(details),
      });
      return {};
    },
    getSessionDetails: async (call, request) => {
      const session = await getSessionDetails(deps, call, {
        context: contextOf(request),
        gkSessionId: valueOf(request.gkSessionId),
      });
      return {
        details: maskedRead(SessionDetailsForReadSchema, sessionDetailsOf(session), request.fieldMask),
      };
    },
    getSessionDecision: async (call, request) => {
      const { assessment, ...summary } = await getSessionDecision(deps, call, {
        context: contextOf(request),
        gkSessionId: valueOf(request.gkSessionId),
      });
      return { ...decisionOf(summary), ...okWith(...assessmentDiagnostics(assessment)) };
    },
  });
}

function engagementPatch(details: {
  engagementId?: string;
  correlationId?: string;
  analystId?: string;
  customData?: Record<string, string>;
}) {
  return defined<{
    engagementId: string;
    correlationId: string;
    analystId: string;
    customData: Record<string, string>;
  }>(details as never);
}

type Plain<T> = Partial<Omit<T, '$typeName' | '$unknown'>>;

function sessionPatch(details: Plain<SessionDetailsForCreate> & Plain<SessionDetailsForUpdate>) {
  const error = details.sessionError;
  const patch = defined<SessionDetails>({
    sessionId: details.sessionId,
    ani: details.ani,
    dnis: details.dnis,
    callType: details.callType === undefined ? undefined : wordOf<CallWord>(CallType, details.callType),
    isSuspicious: details.isSuspicious,
    suspiciousReason: details.suspiciousReason,
    wasAbandon: details.wasAbandon,
    businessType: details.businessType,
    datacenter: details.datacenter,
    groupSize: details.groupSize,
    customData: details.customData,
    error: error && {
      statusCode: error.statusCode,
      message: error.errorMessage,
      context: error.errorContext,
      diagnostics: error.diagnosticDetails.map(({ code, extras }) => ({ code, extras })),
      ...present('atMs', error.errorTimestamp, timestampMs),
    },
  });
  return {
    details: patch,
    ...present('claimedGkPersonId', details.claimedGkPersonId?.value, (id) => id),
    ...present(
      'intent',
      details.sessionIntent === undefined
        ? undefined
        : wordOf<IntentWord>(SessionIntent, details.sessionIntent),
      (word) => word,
    ),
  };
}

function decisionOf(summary: DecisionSummary) {
  return {
    ...present('risk', summary.risk, Number),
    ...present('reliability', summary.reliability, Number),
    decision: Decision[summary.decision],
    decisionReason: DecisionReason[summary.reason],
  };
}

export function engagementDetails(
  engagement: Engagement,
  sessions: readonly Session[],
): MessageInitShape<typeof EngagementDetailsForReadSchema> {
  const { verdict, decision } = engagement;
  const latest = decision ?? sessions.at(-1)?.decision;
  return {
    gkEngagementId: unique(engagement.gkEngagementId),
    gkSessionIds: sessions.map((session) => unique(session.gkSessionId)),
    isActive: engagement.isActive,
    engagementId: engagement.engagementId,
    analystId: engagement.analystId,
    ...present('verdictInfo', verdict, (given) => ({
      verdict: EngagementVerdict[given.verdict],
      description: given.description,
      ...present('amount', given.amount, (amount) => amount),
      verdictTimestamp: timestampOf(given.atMs),
      analystId: given.analystId,
    })),
    ...present('riskInfo', latest, decisionOf),
    correlationId: engagement.correlationId,
    creationTimestamp: timestampOf(engagement.createdAtMs),
    ...present('completionTimestamp', engagement.completedAtMs, timestampOf),
    modificationTimestamp: timestampOf(engagement.modifiedAtMs),
    customData: engagement.customData,
  };
}

export function sessionDetailsOf(session: Session): MessageInitShape<typeof SessionDetailsForReadSchema> {
  const { details } = session;
  return {
    gkSessionId: unique(session.gkSessionId),
    sessionType: SessionType[session.sessionType],
    gkEngagementId: unique(session.gkEngagementId),
    isTest: session.isTest,
    isActive: session.isActive,
    sessionId: details.sessionId,
    isSuspicious: details.isSuspicious,
    suspiciousReason: details.suspiciousReason,
    ani: details.ani,
    dnis: details.dnis,
    agentId: details.agentId,
    agentExtension: details.agentExtension,
    ...present('callType', details.callType, (word) => CallType[word]),
    ...present('claimedGkPersonId', session.claimedGkPersonId, unique),
    wasAbandon: details.wasAbandon,
    ...present('riskInfo', session.decision, decisionOf),
    ...present('sessionIntent', session.intent, (word) => SessionIntent[word]),
    businessType: details.businessType,
    datacenter: details.datacenter,
    ...present('sessionError', details.error, (error) => ({
      statusCode: error.statusCode,
      errorMessage: error.message,
      errorContext: error.context,
      diagnosticDetails: error.diagnostics.map(({ code, extras }) => ({ code, extras: { ...extras } })),
      ...present('errorTimestamp', error.atMs, timestampOf),
    })),
    ...present('groupSize', details.groupSize, Number),
    creationTimestamp: timestampOf(session.createdAtMs),
    ...present('completionTimestamp', session.completedAtMs, timestampOf),
    modificationTimestamp: timestampOf(session.modifiedAtMs),
    customData: details.customData,
  };
}
