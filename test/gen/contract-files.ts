// Every generated contract file, by hand: a new proto file must be added here, and the tests say so.
import type { DescFile } from '@bufbuild/protobuf';
import { file_vendor_biosec_v1_audio_manager } from '../../src/gen/vendor/biosec/v1/audio/manager_pb.js';
import { file_vendor_biosec_v1_audio_processor } from '../../src/gen/vendor/biosec/v1/audio/processor_pb.js';
import { file_vendor_biosec_v1_audio_types } from '../../src/gen/vendor/biosec/v1/audio/types_pb.js';
import { file_vendor_biosec_v1_common } from '../../src/gen/vendor/biosec/v1/common_pb.js';
import { file_vendor_biosec_v1_configmanager_configmanager } from '../../src/gen/vendor/biosec/v1/configmanager/configmanager_pb.js';
import { file_vendor_biosec_v1_entities_entities } from '../../src/gen/vendor/biosec/v1/entities/entities_pb.js';
import { file_vendor_biosec_v1_history_history } from '../../src/gen/vendor/biosec/v1/history/history_pb.js';
import { file_vendor_biosec_v1_scopes_scopes } from '../../src/gen/vendor/biosec/v1/scopes/scopes_pb.js';
import { file_vendor_biosec_v1_sessions_sessions } from '../../src/gen/vendor/biosec/v1/sessions/sessions_pb.js';
import { file_vendor_biosec_v1_tuning_tuning } from '../../src/gen/vendor/biosec/v1/tuning/tuning_pb.js';
import { file_vendor_biosec_v1_voiceprint_manager } from '../../src/gen/vendor/biosec/v1/voiceprint/manager_pb.js';
import { file_vendor_biosec_v1_voiceprint_processor } from '../../src/gen/vendor/biosec/v1/voiceprint/processor_pb.js';
import { file_vendor_biosec_v1_voiceprint_types } from '../../src/gen/vendor/biosec/v1/voiceprint/types_pb.js';
import { file_vendor_rpc_status } from '../../src/gen/vendor/rpc/status_pb.js';
import { file_voxgate_batch_v1_batch } from '../../src/gen/voxgate/batch/v1/batch_pb.js';
import { file_voxgate_biosec_v1_accuracy } from '../../src/gen/voxgate/biosec/v1/accuracy_pb.js';
import { file_voxgate_biosec_v1_activity } from '../../src/gen/voxgate/biosec/v1/activity_pb.js';
import { file_voxgate_biosec_v1_assessment } from '../../src/gen/voxgate/biosec/v1/assessment_pb.js';
import { file_voxgate_biosec_v1_directory } from '../../src/gen/voxgate/biosec/v1/directory_pb.js';
import { file_voxgate_biosec_v1_lab } from '../../src/gen/voxgate/biosec/v1/lab_pb.js';
import { file_voxgate_biosec_v1_voice_search } from '../../src/gen/voxgate/biosec/v1/voice_search_pb.js';
import { file_voxgate_biosec_v1_privacy } from '../../src/gen/voxgate/biosec/v1/privacy_pb.js';
import { file_voxgate_events_v1_events } from '../../src/gen/voxgate/events/v1/events_pb.js';
import { file_voxgate_events_v1_webhooks } from '../../src/gen/voxgate/events/v1/webhooks_pb.js';
import { file_voxgate_live_v1_live } from '../../src/gen/voxgate/live/v1/live_pb.js';
import { file_voxgate_management_v1_applications } from '../../src/gen/voxgate/management/v1/applications_pb.js';
import { file_voxgate_management_v1_engagement } from '../../src/gen/voxgate/management/v1/engagement_pb.js';
import { file_voxgate_management_v1_events } from '../../src/gen/voxgate/management/v1/events_pb.js';
import { file_voxgate_management_v1_factors } from '../../src/gen/voxgate/management/v1/factors_pb.js';
import { file_voxgate_management_v1_system } from '../../src/gen/voxgate/management/v1/system_pb.js';
import { file_voxgate_management_v1_tenants } from '../../src/gen/voxgate/management/v1/tenants_pb.js';
import { file_voxgate_management_v1_users } from '../../src/gen/voxgate/management/v1/users_pb.js';

export const contractFiles: readonly DescFile[] = [
  file_vendor_biosec_v1_audio_manager,
  file_vendor_biosec_v1_audio_processor,
  file_vendor_biosec_v1_audio_types,
  file_vendor_biosec_v1_common,
  file_vendor_biosec_v1_configmanager_configmanager,
  file_vendor_biosec_v1_entities_entities,
  file_vendor_biosec_v1_history_history,
  file_vendor_biosec_v1_scopes_scopes,
  file_vendor_biosec_v1_sessions_sessions,
  file_vendor_biosec_v1_tuning_tuning,
  file_vendor_biosec_v1_voiceprint_manager,
  file_vendor_biosec_v1_voiceprint_processor,
  file_vendor_biosec_v1_voiceprint_types,
  file_vendor_rpc_status,
  file_voxgate_batch_v1_batch,
  file_voxgate_biosec_v1_accuracy,
  file_voxgate_biosec_v1_activity,
  file_voxgate_biosec_v1_assessment,
  file_voxgate_biosec_v1_directory,
  file_voxgate_biosec_v1_lab,
  file_voxgate_biosec_v1_voice_search,
  file_voxgate_biosec_v1_privacy,
  file_voxgate_events_v1_events,
  file_voxgate_events_v1_webhooks,
  file_voxgate_live_v1_live,
  file_voxgate_management_v1_applications,
  file_voxgate_management_v1_engagement,
  file_voxgate_management_v1_events,
  file_voxgate_management_v1_factors,
  file_voxgate_management_v1_system,
  file_voxgate_management_v1_tenants,
  file_voxgate_management_v1_users,
];
