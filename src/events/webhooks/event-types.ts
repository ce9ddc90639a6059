// The acts that a tenant's trail tells of, and so the events there are. A name that is missing here cannot be asked for by a webhook:
// a test reads the sources and finds it.
import { nearestOf, type FieldFault } from '../../errors.js';
import { isWanted, TYPE_PREFIX } from '../feed/cloud-event.js';
import { isTypePattern } from '../feed/read-feed.js';
import { say } from '../../words/server/say.js';
import type { AuditAct } from '../../words/audit/english.js';

export const tenantActs = [
  'ActivateCalibrationModelRevision',
  'ActivateConfigsetRevision',
  'AddFraudsterToWatchlist',
  'AddPersonToGroup',
  'AddVoiceToWatchlist',
  'AnalyzeAudio',
  'AutomaticLock',
  'CalibrateFromCallers',
  'CancelBatch',
  'ClearShadowRevision',
  'ConfirmOrDenyCaller',
  'CreateCalibrationModel',
  'CreateConfigset',
  'CreateFraudster',
  'CreateGroup',
  'CreatePerson',
  'CreateScope',
  'CreateTemplate',
  'CreateVoiceprintProfile',
  'CreateWatchlist',
  'CreateWebhook',
  'CutAuditTrail',
  'CutOffCall',
  'DeactivateCalibrationModelRevision',
  'DeleteConfigset',
  'DeleteConfigsetRevision',
  'DeleteFraudster',
  'DeleteGroup',
  'DeleteMediaSegment',
  'DeletePerson',
  'DeletePersonalData',
  'DeleteScope',
  'DelayCall',
  'DeleteTemplate',
  'DeleteVoiceprintProfile',
  'DeleteVoiceprintTemplate',
  'DeleteWatchlist',
  'DeleteWebhook',
  'DetectAudioSpoofing',
  'DetectKnownFraudsters',
  'DetectLiveness',
  'DisableWebhook',
  'EndBatch',
  'EndCall',
  'Enroll',
  'ErasePersonalData',
  'ExecuteVoiceprintProfilesStatusJob',
  'ExpireMediaSegment',
  'ExpireSessions',
  'FindCalls',
  'FindRecurringVoices',
  'GetDownloadUrl',
  'GetLivenessPrompt',
  'GetUploadUrl',
  'Identify',
  'LiveAudio',
  'LockVoiceprintProfile',
  'LoseCall',
  'MarkSamePerson',
  'MarkScopeForDeletion',
  'OptPersonIn',
  'OptPersonOut',
  'ExportPersonalData',
  'PlaceHold',
  'LiftHold',
  'EndHold',
  'ProcessAudio',
  'RemakeTemplate',
  'RemoveEnrollmentSegment',
  'RemoveFraudstersFromWatchlist',
  'RemovePersonsFromGroup',
  'RenameFraudster',
  'RenameGroup',
  'RenamePerson',
  'RenameScope',
  'RenameWatchlist',
  'ReplayWebhook',
  'ResetScope',
  'ResumeCall',
  'RotateWebhookSecret',
  'SetEngagementVerdict',
  'SetScopeState',
  'SetShadowRevision',
  'StartBatch',
  'StartEngagement',
  'StartSession',
  'StopEngagement',
  'StopSession',
  'Train',
  'UnMarkScopeForDeletion',
  'UnlockVoiceprintProfile',
  'UnmarkSamePerson',
  'UpdateCalibrationModel',
  'UpdateConfigsetDetails',
  'UpdateEngagement',
  'UpdateFraudster',
  'UpdateGroup',
  'UpdateMediaSegmentDetails',
  'UpdatePerson',
  'UpdateProcessedAudioDetails',
  'UpdateScopeDetails',
  'UpdateSession',
  'UpdateVoiceprintProfileDetails',
  'UpdateWatchlist',
  'UpdateWebhook',
  'ValidateCalibrationModelRevision',
  'ValidateConfigsetRevision',
  'ValidateText',
  'Verify',
] as const satisfies readonly AuditAct[];

/** With the test event, which people name to be on the safe side. */
const eventTypes = [...tenantActs, 'ping'].map((act) => TYPE_PREFIX + act);

/** Types that no event can have; a webhook keeps those that it had before. */
export function unknownTypeFaults(
  types: readonly string[],
  kept: readonly string[] = [],
): (FieldFault | undefined)[] {
  return types.map((type, index) => {
    // What is no type at all is refused as such.
    if (!isTypePattern(type) || kept.includes(type) || eventTypes.some((known) => isWanted(known, [type])))
      return undefined;
    const nearest = nearestOf(type.replace(/\*$/, ''), eventTypes, (name) => name.replace(TYPE_PREFIX, ''));
    return {
      field: `types[${index}]`,
      violation: 'OTHER',
      ...(nearest === undefined
        ? say('NO_SUCH_EVENT', { type })
        : say('NO_SUCH_EVENT_BUT', { type, nearest })),
    };
  });
}
