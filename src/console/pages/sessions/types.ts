// Sessions, their timelines and audit records as the pages read them.
import { words } from '../../format/text.js';
import type { Id, Member } from '../biosec/types.js';

export interface SessionDetails {
  gkSessionId?: Id;
  sessionType?: string;
  gkEngagementId?: Id;
  isTest?: boolean;
  isActive?: boolean;
  sessionId?: string;
  isSuspicious?: boolean;
  ani?: string;
  dnis?: string;
  agentId?: string;
  claimedGkPersonId?: Id;
  riskInfo?: { risk?: number; reliability?: number; decision?: string; decisionReason?: string };
  sessionIntent?: string;
  creationTimestamp?: string;
  completionTimestamp?: string;
}

export interface SessionEntry {
  details?: SessionDetails;
  claimedPersonId?: string;
  verdict?: string;
  factorCount?: number;
}

export interface TimelineEvent {
  time?: string;
  operation?: string;
  recordType?: string;
  summary?: string;
  decision?: string;
  reason?: string;
  score?: number;
  risk?: number;
  reliability?: number;
  gkVoiceprintProfileId?: Id;
  gkMediaSegmentId?: Id;
  gkConfigsetRevisionId?: Id;
  gkCalibrationModelRevisionId?: Id;
  member?: Member;
  isFactor?: boolean;
  requestId?: string;
  attributes?: Record<string, string>;
}

export interface Engagement {
  gkEngagementId?: Id;
  gkSessionIds?: Id[];
  isActive?: boolean;
  engagementId?: string;
  verdictInfo?: {
    verdict?: string;
    description?: string;
    amount?: string;
    verdictTimestamp?: string;
    analystId?: string;
  };
  riskInfo?: { risk?: number; reliability?: number; decision?: string; decisionReason?: string };
  creationTimestamp?: string;
}

export interface Timeline {
  session?: SessionDetails;
  engagement?: Engagement;
  events?: TimelineEvent[];
}

export interface AuditRecord {
  sequence?: string;
  createTime?: string;
  recordType?: string;
  operation?: string;
  context?: { gkSessionId?: Id; gkEngagementId?: Id };
  member?: Member;
  recordAsJson?: string;
  hash?: string;
  previousHash?: string;
  requestId?: string;
}

export const verdicts = [
  { value: 'ENGAGEMENT_VERDICT_AUTHENTIC', label: 'Authentic: it was the person' },
  { value: 'ENGAGEMENT_VERDICT_FRAUD', label: 'Fraud' },
  { value: 'ENGAGEMENT_VERDICT_SOMEONE_ELSE', label: 'Somebody else, without bad intent' },
  { value: 'ENGAGEMENT_VERDICT_UNCERTAIN', label: 'Uncertain' },
] as const;

export function verdictWord(verdict: string | undefined): string {
  if (!verdict || verdict.endsWith('_UNSPECIFIED')) return '-';
  return verdicts.find(({ value }) => value === verdict)?.label.split(':')[0] ?? verdict;
}

const channels: Readonly<Record<string, string>> = {
  SESSION_TYPE_CALL_CENTER: 'Call with an agent',
  SESSION_TYPE_IVR: 'Telephone self-service',
  SESSION_TYPE_DIGITAL: 'Web or app',
};

export function channelWords(type: string | undefined): string {
  return channels[type ?? ''] ?? words(type, 'SESSION_TYPE');
}
