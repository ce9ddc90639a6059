// Which permission every operation on voice data requires. A program has permissions through the scopes of its token, a person
// through their roles (src/auth/roles.ts). An operation that is missing here requires the highest permission;
// test/auth/roles.test.ts fails until it has a line.
import type { DescMethod } from '@bufbuild/protobuf';
import { scopePermissions, type Permission } from '../auth/roles.js';
import { installationAccess, type InstallationRule } from './installation-access.js';
import type { Access } from './service.js';

export interface OperationAccess {
  /** OAuth scopes of which the token must hold one. */
  scopes: readonly string[];
  /** Of which the caller must hold one in the tenant; undefined where the domain decides by itself. */
  permissions: readonly Permission[] | undefined;
  /** Who else is refused, in operations on the installation. */
  installationRule: InstallationRule | undefined;
}

type Table = Readonly<Record<string, readonly Permission[]>>;

const read: readonly Permission[] = ['voice.read'];
const listen: readonly Permission[] = ['voice.listen'];
const enroll: readonly Permission[] = ['voice.enroll'];
const verify: readonly Permission[] = ['voice.verify'];
const sessions: readonly Permission[] = ['voice.sessions'];
const fraud: readonly Permission[] = ['voice.fraud'];
const manage: readonly Permission[] = ['voice.manage'];
const configure: readonly Permission[] = ['voice.configure'];
const audit: readonly Permission[] = ['voice.audit'];
const tenants: readonly Permission[] = ['tenants.read'];
const enrollOrVerify: readonly Permission[] = ['voice.enroll', 'voice.verify'];
const enrollOrManage: readonly Permission[] = ['voice.enroll', 'voice.manage'];
const fraudOrManage: readonly Permission[] = ['voice.fraud', 'voice.manage'];
const privacy: readonly Permission[] = ['voice.privacy'];
const manageOrPrivacy: readonly Permission[] = ['voice.manage', 'voice.privacy'];
const manageOrAudit: readonly Permission[] = ['voice.manage', 'voice.audit'];

const VOICEPRINT = 'vendor.biosec.v1.voiceprint';

export const operationPermissions: Readonly<Record<string, Table>> = {
  [`${VOICEPRINT}.VoiceprintsProcessor`]: {
    ProcessAudio: enrollOrVerify,
    Enroll: enroll,
    GetEnrollStatus: read,
    Train: enroll,
    CheckWatchlistConsistency: fraud,
    Verify: verify,
    Identify: verify,
    DetectKnownFraudsters: ['voice.verify', 'voice.fraud'],
    AnalyzeAudio: verify,
  },
  [`${VOICEPRINT}.VoiceprintsManager`]: {
    CreateVoiceprintProfile: enrollOrManage,
    GetGkVoiceprintProfileId: read,
    GetVoiceprintProfileDetails: read,
    UpdateVoiceprintProfileDetails: enrollOrManage,
    ExecuteVoiceprintProfilesStatusJob: manageOrAudit,
    GetVoiceprintProfilesStatusJobDetails: manageOrAudit,
    LockVoiceprintProfile: fraudOrManage,
    UnlockVoiceprintProfile: fraudOrManage,
    DeleteVoiceprintTemplate: manage,
    DeleteVoiceprintProfile: manage,
    ListEnrollmentSegments: read,
    RemoveEnrollmentSegment: enrollOrManage,
  },
  'vendor.biosec.v1.sessions.SessionsManager': {
    StartEngagement: sessions,
    StopEngagement: sessions,
    UpdateEngagement: sessions,
    GetEngagementDetails: read,
    SetEngagementVerdict: fraud,
    GetGkEngagementId: read,
    ListCorrelatedEngagements: read,
    StartSession: sessions,
    StopSession: sessions,
    UpdateSession: sessions,
    GetSessionDetails: read,
    GetSessionDecision: read,
  },
  'vendor.biosec.v1.entities.EntitiesManager': {
    CreatePerson: enrollOrManage,
    RenamePerson: manage,
    UpdatePerson: enrollOrManage,
    GetPersonDetails: read,
    GetGkPersonId: read,
    DeletePerson: manage,
    CreateFraudster: fraud,
    RenameFraudster: fraud,
    UpdateFraudster: fraud,
    GetFraudsterDetails: read,
    GetGkFraudsterId: read,
    DeleteFraudster: fraud,
    CreateGroup: manage,
    RenameGroup: manage,
    UpdateGroup: manage,
    GetGroupDetails: read,
    GetGkGroupId: read,
    DeleteGroup: manage,
    CreateWatchlist: fraud,
    RenameWatchlist: fraud,
    UpdateWatchlist: fraud,
    GetWatchlistDetails: read,
    GetGkWatchlistId: read,
    DeleteWatchlist: fraud,
    OptPersonIn: enrollOrManage,
    OptPersonOut: enrollOrManage,
    DeletePersonalData: manageOrPrivacy,
    ListPersonProfiles: read,
    ListFraudsterProfiles: read,
    AddPersonToGroup: enrollOrManage,
    RemovePersonsFromGroup: enrollOrManage,
    ListGroupPersons: read,
    IsPersonInGroup: read,
    AddFraudsterToWatchlist: fraud,
    RemoveFraudstersFromWatchlist: fraud,
    ListWatchlistFraudsters: read,
    IsFraudsterInWatchlist: read,
  },
  'vendor.biosec.v1.configmanager.ConfigurationManager': {
    CreateConfigset: configure,
    ValidateConfigsetRevision: configure,
    ActivateConfigsetRevision: configure,
    ListConfigsetRevisions: read,
    GetConfigset: read,
    GetConfigsetRevision: read,
    UpdateConfigsetDetails: configure,
    DeleteConfigset: configure,
    DeleteConfigsetRevision: configure,
    CreateTemplate: configure,
    ListTemplates: read,
    GetTemplate: read,
    DeleteTemplate: configure,
    GenerateTemplate: configure,
  },
  'vendor.biosec.v1.audio.AudioManager': {
    GetUploadUrl: enrollOrVerify,
    GetDownloadUrl: listen,
    GetProcessedAudioDetails: read,
    UpdateProcessedAudioDetails: ['voice.enroll', 'voice.verify', 'voice.manage'],
    GetMediaSegmentDetails: read,
    UpdateMediaSegmentDetails: fraudOrManage,
    DeleteMediaSegment: manage,
  },
  'vendor.biosec.v1.audio.AudioProcessor': {
    DetectAudioSpoofing: verify,
    GetLivenessPrompt: verify,
    ValidateText: verify,
    DetectLiveness: verify,
  },
  'vendor.biosec.v1.tuning.TuningManager': {
    CreateCalibrationModel: configure,
    UpdateCalibrationModel: configure,
    ValidateCalibrationModelRevision: configure,
    ActivateCalibrationModelRevision: configure,
    DeactivateCalibrationModelRevision: configure,
    ListCalibrationModelRevisions: read,
    DownloadCalibrationModelRevision: configure,
  },
  'vendor.biosec.v1.history.AuditDataExporter': {
    ExportRecords: audit,
    ExportRecordsWithPersonalData: audit,
  },
  'vendor.biosec.v1.scopes.ScopesManager': {
    CreateScope: tenants,
    GetGkScopeId: tenants,
    GetScopeDetails: tenants,
    ListScopes: tenants,
    UpdateScopeDetails: tenants,
    RenameScope: tenants,
    SetScopeState: tenants,
    MarkScopeForDeletion: tenants,
    UnMarkScopeForDeletion: tenants,
    ResetScope: tenants,
  },
  'voxgate.biosec.v1.LabAudio': { UploadAudio: enrollOrVerify, InspectAudio: enrollOrVerify },
  'voxgate.live.v1.LiveAudio': {
    Listen: verify,
    WatchCall: read,
    PrepareCall: verify,
    GetCall: read,
    ListCalls: read,
    EndCall: verify,
    PromptCaller: verify,
    EndPrompt: verify,
    EnrollFromCall: enroll,
    ForgetSpeech: enrollOrVerify,
    CreateAgentToken: enrollOrVerify,
  },
  'voxgate.events.v1.Events': { ListTenantEvents: manageOrAudit, WatchTenantEvents: manageOrAudit },
  'voxgate.events.v1.Webhooks': {
    CreateWebhook: manage,
    ListWebhooks: manageOrAudit,
    GetWebhook: manageOrAudit,
    UpdateWebhook: manage,
    DeleteWebhook: manage,
    RotateWebhookSecret: manage,
    PingWebhook: manage,
    ReplayWebhook: manage,
    ListDeadLetters: manageOrAudit,
  },
  'voxgate.biosec.v1.VoiceSearch': {
    FindCalls: fraud,
    FindRecurringVoices: fraud,
    ListSearches: fraud,
    GetSearch: fraud,
    AddVoiceToWatchlist: fraud,
  },
  'voxgate.batch.v1.Batches': {
    StartEnrollmentBatch: enroll,
    StartFraudsterBatch: fraud,
    StartCheckBatch: verify,
    GetBatch: read,
    ListBatches: read,
    ListBatchResults: read,
    CancelBatch: ['voice.enroll', 'voice.verify', 'voice.fraud', 'voice.manage'],
  },
  'voxgate.biosec.v1.Accuracy': {
    CalibrateFromCallers: configure,
    ProposeAlarmThresholds: configure,
    EvaluateScores: configure,
    EvaluateTrials: configure,
    SuggestThreshold: configure,
    MarkSamePerson: configure,
    UnmarkSamePerson: configure,
    ListSamePersons: configure,
    ReplaceActiveRevision: configure,
    SetShadowRevision: configure,
    ClearShadowRevision: configure,
    GetShadowReport: configure,
  },
  'voxgate.biosec.v1.Directory': {
    ListPersons: read,
    ListFraudsters: read,
    ListGroups: read,
    ListWatchlists: read,
    ListVoiceprintProfiles: read,
    RecordConsent: enrollOrManage,
    GetErasure: manageOrPrivacy,
    ReplaceLock: fraudOrManage,
  },
  'voxgate.biosec.v1.Privacy': {
    ExportPersonalData: privacy,
    PlaceHold: privacy,
    LiftHold: privacy,
    ListHolds: manageOrPrivacy,
    GetErasureCertificate: manageOrPrivacy,
  },
  'voxgate.biosec.v1.Activity': {
    ListSessions: read,
    GetSessionTimeline: read,
    UpdateCase: sessions,
    RecordOutcome: fraud,
    GetActivityOverview: read,
    ListAuditRecords: audit,
    VerifyAuditChain: audit,
  },
};

const VOICE_SCOPE = 'biosec';
const unlisted: readonly Permission[] = ['voice.manage'];

/** What a token needs for this method. */
export function accessOf(access: Access, method: DescMethod): OperationAccess {
  const named = access.methods?.[method.localName] ?? access.anyOf;
  const installationRule = installationAccess[method.parent.typeName]?.[method.name];
  if (!named.includes(VOICE_SCOPE)) return { scopes: named, permissions: undefined, installationRule };
  const asked = operationPermissions[method.parent.typeName]?.[method.name] ?? unlisted;
  const granting = Object.entries(scopePermissions)
    .filter(([, held]) => asked.some((permission) => held.has(permission)))
    .map(([scope]) => scope);
  return {
    scopes: [...granting, ...named.filter((scope) => scope !== VOICE_SCOPE)],
    permissions: asked,
    installationRule,
  };
}
