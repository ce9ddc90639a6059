// Facts of the public wire contract, written down by hand from the specification and the contract facts and
// not derived from our proto files: field numbers, enum numbers and HTTP bindings that clients rely on.

const V = 'vendor.biosec.v1.voiceprint.';
const B = 'vendor.biosec.v1.';

/** Message -> `field=number` in order of declaration. Each list is complete. */
export const messageFacts: Readonly<Record<string, string>> = {
  'vendor.rpc.Status':
    'status_code=1 status_sub_code=2 http_trans_code=3 request_info=4 status_message=5 help_info=6 field_violations=7 retry_info=8 status_details=9 diagnostic_details=10',
  'vendor.rpc.FieldViolation': 'field=1 rel_field=2 user_message=3 message=4 invalid_value=5 violation=6',
  'vendor.rpc.DiagnosticDetail': 'code=1 extras=15',
  [`${B}Context`]: 'gk_engagement_id=1 gk_session_id=2 gk_scope_id=3 configset_id=4',
  [`${B}UniqueIdAndTag`]: 'unique_id=1 tag=2',
  [`${B}AudioDetails`]:
    'gk_media_segment_id=1 gk_processed_audio_id=2 gross_audio=3 net_audio=4 snr_db=5 speech_level=6 saturation_level=7 media_number_of_channels=8 media_sampling_rate_hz=9 selected_channel=10 processed_audio_number_of_channels=11 processed_audio_sampling_rate_hz=12 number_of_detected_speakers=13 segmentation_score=14',
  [`${B}Member`]: 'external_id=1 member_name=2 issuer=3 type=4 label=5 last_visit=6',
  [`${V}ProcessAudioRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 channel_selector=10 is_for_enrollment=11',
  [`${V}EnrollRequest`]: 'context=1 gk_voiceprint_profile_id=2 gk_processed_audio_id=3',
  [`${V}GetEnrollStatusRequest`]: 'context=1 gk_voiceprint_profile_id=2',
  [`${V}TrainRequest`]: 'context=1 gk_voiceprint_profile_id=2',
  [`${V}CheckWatchlistConsistencyRequest`]: 'context=1 gk_voiceprint_profile_ids=4 watchlist=5',
  [`${V}VerifyRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 gk_voiceprint_profile_id=4 channel_selector=10 ignore_checkpoints=11',
  [`${V}IdentifyRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 gk_voiceprint_profile_ids=4 group=5 channel_selector=10 ignore_checkpoints=11',
  [`${V}DetectKnownFraudstersRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 gk_voiceprint_profile_ids=4 watchlist=5 channel_selector=10 ignore_checkpoints=11',
  [`${V}AnalyzeAudioRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 gk_voiceprint_profile_ids=4 group=5 watchlist=6 channel_selector=10 ignore_checkpoints=11 syntheticSpeechDetectionParameters=21 channelPlaybackDetectionParameters=22',
  [`${V}GetEnrollStatusResponse`]: 'status=1 result=2 is_trained=3',
  [`${V}CheckWatchlistConsistencyResponse`]:
    'status=1 total_number_of_compatible_prints=2 total_number_of_incompatible_prints=3 incompatible_prints=4 required_calibration_model=5',
  [`${V}VoiceprintDetails`]:
    'gk_voiceprint_profile_id=1 gk_owner_id=2 owner_type=3 profile_tag=4 print_version=5',
  [`${V}VoiceprintResult`]: 'gk_voiceprint_profile_id=1 authentication_score=2 fraud_detection_score=3',
  [`${V}AudioProcessingResult`]:
    'gk_media_segment_id=1 gk_processed_audio_id=2 validity=3 audio_details=4 voice_class_score=5 gk_calibration_model_revision_id=6',
  [`${V}EnrollResult`]: 'enroll_status=1 voiceprint_details=2 enrolled=3 reason=4 audio_details=5',
  [`${V}EnrollmentSegmentDetails`]:
    'gk_media_segment_id=1 gk_processed_audio_id=2 consistency_decision=3 consistency_score=4 used_for_train=5 audio_details=6 voice_class_score=7 gk_calibration_model_revision_id=8',
  [`${V}TrainResult`]:
    'train_status=1 reason=2 status=3 voiceprint_details=4 gk_calibration_model_revision_id=5 total_segments=6 total_valid_segments=7 min_segments_required=8 total_net_audio=9 min_net_audio_required=10 enrollment_segments_details=11',
  [`${V}VerifyResult`]:
    'voiceprint_details=1 gk_media_segment_id=2 gk_processed_audio_id=3 decision=4 reason=5 authentication_score=6 voice_class_score=7 risk_engine_result=8 gk_calibration_model_revision_id=9 audio_details=10',
  [`${V}IdentifyResult`]:
    'voiceprint_details=1 gk_media_segment_id=2 gk_processed_audio_id=3 decision=4 reason=5 authentication_score=6 voice_class_score=7 risk_engine_result=8 gk_calibration_model_revision_id=9 audio_details=10 voiceprint_results=11',
  [`${V}DetectKnownFraudstersResult`]:
    'voiceprint_details=1 gk_media_segment_id=2 gk_processed_audio_id=3 decision=4 reason=5 fraud_detection_score=6 voice_class_score=7 risk_engine_result=8 gk_calibration_model_revision_id=9 audio_details=10 voiceprint_results=11 number_of_prints=12',
  [`${V}AnalyzeAudioResult`]:
    'gk_media_segment_id=2 gk_processed_audio_id=3 decision=4 reason=5 voice_class_score=6 risk_engine_global_result=7 validity=8 authentication_result=11 fraud_detection_result=12 synthetic_speech_result=13 channel_playback_result=14 gk_calibration_model_revision_id=21 audio_details=22 voiceprint_results=23 calibration_model_details=24',
  [`${V}AnalyzeAudioAuthenticationResult`]:
    'top_person_voiceprint_details=1 authentication_score=3 decision=4 reason=5 number_of_persons_prints=6 risk_engine_result=9',
  [`${V}OwnerAndTag`]: 'gk_person_id=1 gk_fraudster_id=2 person_id=3 fraudster_id=4 tag=5',
  [`${V}VoiceprintProfileLockInfo`]:
    'status=1 locked_by=2 reason=3 mismatch_counter=4 lock_timestamp=5 auto_unlock_timestamp=6 lock_reason=7',
  [`${B}audio.DetectAudioSpoofingRequest`]:
    'context=1 gk_media_segment_id=2 gk_processed_audio_id=3 gk_person_id=4 syntheticSpeechDetectionParameters=5 channelPlaybackDetectionParameters=6 footprintPlaybackDetectionParameters=7 channel_selector=10',
  [`${B}audio.AudioFormat`]: 'pcm=1 alaw=2 ulaw=3 mp3=4 g729=5 number_of_channels=100',
  [`${B}audio.GetUploadUrlRequest`]: 'context=1 format=2 container=3 call_parties=4',
  [`${B}audio.GetUploadUrlResponse`]: 'status=1 media_upload_url=2 gk_media_segment_id=3',
  [`${B}sessions.StartSessionRequest`]: 'context=1 session_type=2 details=3 field_mask=4 is_test=5',
  [`${B}sessions.StartSessionResponse`]: 'status=1 gk_session_id=2 gk_engagement_id=3',
  [`${B}sessions.GetSessionDecisionResponse`]: 'status=1 risk=2 reliability=3 decision=4 decision_reason=5',
  [`${B}sessions.SessionDetailsForUpdate`]:
    'session_id=1 is_suspicious=3 suspicious_reason=4 ani=5 dnis=6 call_type=7 claimed_gk_person_id=8 was_abandon=9 session_intent=10 business_type=11 datacenter=12 session_error=13 group_size=14 custom_data=999',
  [`${B}entities.UpdatePersonRequest`]: 'context=1 gk_person_id=2 details=4 field_mask=5',
  [`${B}entities.ListGroupPersonsResponse`]: 'status=1 gk_person_id=2',
  [`${B}scopes.CreateScopeRequest`]:
    'scope_id=1 details=2 field_mask=3 scope_profile=4 expected_persons_number=5',
  [`${B}configmanager.CreateConfigsetRequest`]:
    'context=1 configset_id=2 type=3 details=4 perform_validation=5 raw_content=6 configset_object=7 source_template_id=8 source_configset_id=9 field_mask=99',
  [`${B}tuning.CreateCalibrationModelResponse`]:
    'status=1 calibration_model_upload_url=2 gk_calibration_model_revision_id=3',
  [`${B}history.ExportRecordsWithPersonalDataRequest`]:
    'context=1 start_export=2 export_iterator_request=3 decrypt_personal_data=4',
  [`${B}history.ExportResponse`]: 'status=1 export_record=2 iterator=3 end_of_records=4',
};

/** Enum -> `VALUE=number`. Each list is complete. */
export const enumFacts: Readonly<Record<string, string>> = {
  'vendor.rpc.StatusCode':
    'UNSPECIFIED=0 OK=1 BAD_REQUEST=2 INVALID_REQUEST=3 CANCELLED_CLIENT=4 CANCELLED_SERVER=5 DEADLINE_EXCEEDED=6 NOT_AUTHORIZED=7 PERMISSION_DENIED=8 NOT_FOUND=9 ALREADY_EXISTS=10 NOT_IMPLEMENTED=11 UNKNOWN=15 TOO_LARGE=51 BUSY=52 OBSOLETE=53 RATE_EXCEEDED=54 QUOTA_EXCEEDED=55 INTERNAL_ERROR=56',
  'vendor.rpc.FieldViolation.ViolationType':
    'MANDATORY_FIELD_MISSING=0 FIELD_CONFLICT=1 OUT_OF_RANGE=2 INVALID_FORMAT=3 TOO_SHORT=4 TOO_LONG=5 OTHER=64 UNSPECIFIED=99',
  [`${B}Decision`]:
    'DECISION_UNSPECIFIED=0 DECISION_AUTHENTIC=1 DECISION_NO_MATCH=2 DECISION_FRAUD=3 DECISION_UNCERTAIN=4 DECISION_FAILED=5 DECISION_NO_RISK_DETECTED=6',
  [`${B}AudioValidity`]:
    'REASON_UNSPECIFIED=0 REASON_AUDIO_OK=1 REASON_NOT_ENOUGH_SEGMENTS=2 REASON_INVALID_AUDIO=3 REASON_AUDIO_TOO_SHORT=4 REASON_AUDIO_TOO_SOFT=5 REASON_AUDIO_TOO_LOUD=6 REASON_AUDIO_TOO_NOISY=7 REASON_MULTIPLE_SPEAKERS_DETECTED=8 REASON_INTERNAL_ERROR=999',
  [`${B}TrainReason`]:
    'TRAIN_REASON_UNSPECIFIED=0 TRAIN_REASON_TRAIN_OK=1 TRAIN_REASON_INCONSISTENCY=2 TRAIN_REASON_NOT_READY_TO_TRAIN=3 TRAIN_REASON_INTERNAL_ERROR=999',
  [`${B}LockReason`]: 'LOCK_REASON_UNSPECIFIED=0 LOCK_REASON_CONSECUTIVE_MISMATCHES=1 LOCK_REASON_OTHER=100',
  [`${B}SessionType`]:
    'SESSION_TYPE_UNSPECIFIED=0 SESSION_TYPE_CALL_CENTER=1 SESSION_TYPE_IVR=2 SESSION_TYPE_DIGITAL=3 SESSION_TYPE_FRAUD_ANALYST=500 SESSION_TYPE_ADMINISTRATION=501 SESSION_TYPE_OFFLINE_MEDIA_PROCESSING=502 SESSION_TYPE_WEB=503 SESSION_TYPE_POST_CALL=504 SESSION_TYPE_PRE_CALL=505 SESSION_TYPE_OTHER=999',
  [`${B}SessionIntent`]:
    'SESSION_INTENT_UNSPECIFIED=0 SESSION_INTENT_OPT_OUT=1 SESSION_INTENT_ENROLLMENT=2 SESSION_INTENT_ADAPTATION=3 SESSION_INTENT_VERIFICATION=4 SESSION_INTENT_FRAUD=5 SESSION_INTENT_FRAUD_DETECTION=6 SESSION_INTENT_ORPHAN=998 SESSION_INTENT_OTHER=999',
  [`${V}ConsistencyDecision`]:
    'CONSISTENCY_DECISION_UNSPECIFIED=0 CONSISTENCY_DECISION_CONSISTENT=1 CONSISTENCY_DECISION_INCONSISTENT=2',
  [`${V}EnrollReason`]:
    'ENROLL_REASON_UNSPECIFIED=0 ENROLL_REASON_INTERNAL_ERROR=1 ENROLL_REASON_ENROLL_OK=2 ENROLL_REASON_TOO_SHORT=3 ENROLL_REASON_MISSING_MODEL=4 ENROLL_REASON_ALREADY_ADDED=5 ENROLL_REASON_WRONG_PRINT_TYPE=6 ENROLL_REASON_PRINT_FULL=7',
  [`${V}EnrollStatus`]:
    'ENROLL_STATUS_UNSPECIFIED=0 ENROLL_STATUS_TRAIN_NOT_POSSIBLE=1 ENROLL_STATUS_TRAIN_POSSIBLE=2 ENROLL_STATUS_TRAIN_SUGGESTED=3 ENROLL_STATUS_FULL=4',
  [`${V}VoiceprintProfileStatus`]:
    'VOICEPRINT_PROFILE_STATUS_UNSPECIFIED=0 VOICEPRINT_PROFILE_STATUS_NOT_TRAINED=1 VOICEPRINT_PROFILE_STATUS_BASIC_TRAINED=2 VOICEPRINT_PROFILE_STATUS_OPTIMAL_TRAINED=3',
  [`${V}DecisionReason`]:
    'DECISION_REASON_UNSPECIFIED=0 DECISION_REASON_AUDIO_OK=1 DECISION_REASON_NOT_ENOUGH_SEGMENTS=2 DECISION_REASON_INVALID_AUDIO=3 DECISION_REASON_AUDIO_TOO_SHORT=4 DECISION_REASON_AUDIO_TOO_SOFT=5 DECISION_REASON_AUDIO_TOO_LOUD=6 DECISION_REASON_AUDIO_TOO_NOISY=7 DECISION_REASON_FRAUDSTER_INDICATION=8 DECISION_REASON_VOICEPRINT_MATCH=9 DECISION_REASON_VOICEPRINT_NO_MATCH=10 DECISION_REASON_LOW_RELIABILITY=11 DECISION_REASON_NO_RISK_DETECTED=12 DECISION_REASON_NO_SCORES=13 DECISION_REASON_INTERNAL_ERROR=999',
  [`${B}audio.DecisionReason`]:
    'DECISION_REASON_UNSPECIFIED=0 DECISION_REASON_AUDIO_OK=1 DECISION_REASON_NOT_ENOUGH_SEGMENTS=2 DECISION_REASON_INVALID_AUDIO=3 DECISION_REASON_AUDIO_TOO_SHORT=4 DECISION_REASON_AUDIO_TOO_SOFT=5 DECISION_REASON_AUDIO_TOO_LOUD=6 DECISION_REASON_AUDIO_TOO_NOISY=7 DECISION_REASON_SYNTHETIC_SPEECH_DETECTED=8 DECISION_REASON_PLAYBACK_INDICATION=9 DECISION_REASON_LOW_RELIABILITY=10 DECISION_REASON_INTERNAL_ERROR=999',
  [`${B}sessions.DecisionReason`]:
    'DECISION_REASON_UNSPECIFIED=0 DECISION_REASON_LOW_RELIABILITY=1 DECISION_REASON_NO_RISK_DETECTED=2 DECISION_REASON_AUTHENTIC=3 DECISION_REASON_FRAUD_RISK=4 DECISION_REASON_NO_MATCH=5 DECISION_REASON_NO_DATA=100 DECISION_REASON_BAD_CONFIGURATION=101 DECISION_REASON_NO_AVAILABLE_SCORES=102 DECISION_REASON_BAD_AUDIO=103 DECISION_REASON_BAD_TEXT=104 DECISION_REASON_INTERNAL_ERROR=999',
  [`${B}scopes.ScopeProfile`]:
    'SCOPE_PROFILE_UNSPECIFIED=0 SCOPE_PROFILE_SMALL=1 SCOPE_PROFILE_MEDIUM=2 SCOPE_PROFILE_LARGE=3 SCOPE_PROFILE_DEFAULT=4 SCOPE_PROFILE_0=10 SCOPE_PROFILE_100K=20 SCOPE_PROFILE_5M=30 SCOPE_PROFILE_10M=40 SCOPE_PROFILE_50M=50 SCOPE_PROFILE_100M=60 SCOPE_PROFILE_200M=70',
  [`${B}configmanager.State`]:
    'STATE_UNSPECIFIED=0 STATE_SAVED=1 STATE_VALIDATED=2 STATE_ACTIVE=3 STATE_INACTIVE=4 STATE_INVALID=5',
};

const L = '/vendor/biosec/v1';

/** gRPC method path -> HTTP bindings, the first one being the main one. Each list is complete. */
export const httpFacts: Readonly<Record<string, readonly string[]>> = {
  [`/${V}VoiceprintsProcessor/ProcessAudio`]: [
    'POST /v1/audios/process',
    `POST ${L}/voiceprints-profiles/process-audio`,
  ],
  [`/${V}VoiceprintsProcessor/Enroll`]: [
    'POST /v1/voiceprints/{gk_voiceprint_profile_id.value}/enrollment',
    `POST ${L}/voiceprints-profiles/{gk_voiceprint_profile_id.value}/enroll`,
  ],
  [`/${V}VoiceprintsProcessor/GetEnrollStatus`]: [
    'GET /v1/voiceprints/{gk_voiceprint_profile_id.value}/enrollment-status',
    `GET ${L}/voiceprints-profiles/{gk_voiceprint_profile_id.value}/enroll-status`,
  ],
  [`/${V}VoiceprintsProcessor/Train`]: [
    'POST /v1/voiceprints/{gk_voiceprint_profile_id.value}/training',
    `POST ${L}/voiceprints-profiles/{gk_voiceprint_profile_id.value}/train`,
  ],
  [`/${V}VoiceprintsProcessor/CheckWatchlistConsistency`]: [
    'POST /v1/voiceprints/watchlist:check-consistency',
  ],
  [`/${V}VoiceprintsProcessor/Verify`]: [
    'POST /v1/voiceprints/{gk_voiceprint_profile_id.value}/verification',
    `POST ${L}/voiceprints-profiles/{gk_voiceprint_profile_id.value}/verify`,
  ],
  [`/${V}VoiceprintsProcessor/Identify`]: [
    'POST /v1/voiceprints/identification',
    `POST ${L}/voiceprints-profiles/identify`,
  ],
  [`/${V}VoiceprintsProcessor/DetectKnownFraudsters`]: [
    'POST /v1/voiceprints/known-fraudsters-detection',
    `POST ${L}/voiceprints-profiles/detect-known-fraudsters`,
  ],
  [`/${V}VoiceprintsProcessor/AnalyzeAudio`]: ['POST /v1/voiceprints/audio-analysis'],
  [`/${V}VoiceprintsManager/UnlockVoiceprintProfile`]: [
    'DELETE /v1/voiceprints/profiles/{gk_voiceprint_profile_id.value}/attributes/lock',
    `PUT ${L}/voiceprint-profiles/{gk_voiceprint_profile_id.value}/unlock`,
  ],
  [`/${V}VoiceprintsManager/GetVoiceprintProfileDetails`]: [
    'GET /v1/voiceprints/profiles',
    `GET ${L}/voiceprint-profiles/details`,
  ],
  [`/${B}sessions.SessionsManager/StartEngagement`]: [
    'PUT /v1/engagements/start',
    'POST /v1/engagements/start',
    `PUT ${L}/engagements/start`,
  ],
  [`/${B}sessions.SessionsManager/StartSession`]: [
    'PUT /v1/sessions/start',
    'POST /v1/sessions/start',
    `PUT ${L}/sessions/start`,
  ],
  [`/${B}sessions.SessionsManager/GetSessionDecision`]: [
    'GET /v1/sessions/decision',
    `GET ${L}/sessions/decision`,
  ],
  [`/${B}audio.AudioManager/GetDownloadUrl`]: ['POST /v1/audios/download-url', `GET ${L}/audio/download-url`],
  [`/${B}audio.AudioManager/GetProcessedAudioDetails`]: [
    'GET /v1/audios/{gk_processed_audio_id.value}/process',
    `GET ${L}/audio/{gk_processed_audio_id.value}/audio-details`,
  ],
  [`/${B}audio.AudioProcessor/DetectAudioSpoofing`]: [
    'POST /v1/audios/spoofing',
    `POST ${L}/audio/detect-spoofing`,
  ],
  [`/${B}entities.EntitiesManager/UpdatePerson`]: [
    'PATCH /v1/persons/{gk_person_id.value}',
    'POST /v1/persons/{gk_person_id.value}/update',
    `PATCH ${L}/entities/persons/{gk_person_id.value}`,
    `POST ${L}/entities/persons/{gk_person_id.value}/update`,
  ],
  [`/${B}entities.EntitiesManager/RenameGroup`]: [
    'PATCH /v1/groups/{gk_group_id.value}/group_id',
    `PATCH ${L}/entities/groups/{gk_group_id.value}/rename`,
  ],
  [`/${B}entities.EntitiesManager/RemoveFraudstersFromWatchlist`]: [
    'POST /v1/watchlists/{gk_watchlist_id.value}/fraudsters:batchDelete',
    `POST ${L}/entities/watchlists/{gk_watchlist_id.value}/remove-fraudsters`,
  ],
  [`/${B}scopes.ScopesManager/RenameScope`]: [
    'PATCH /v1/scopes/{gk_scope_id.value}/scope_id',
    `PATCH ${L}/scopes/{gk_scope_id.value}/rename`,
  ],
  [`/${B}scopes.ScopesManager/UnMarkScopeForDeletion`]: [
    'DELETE /v1/scopes/{gk_scope_id.value}/attributes/deleted',
    `DELETE ${L}/scopes/{gk_scope_id.value}/attributes/deleted`,
  ],
  [`/${B}configmanager.ConfigurationManager/ActivateConfigsetRevision`]: [
    'PUT /v1/configsets/revisions/{gk_configset_revision_id.value}:activate',
    `PUT ${L}/configsets/revisions/{gk_configset_revision_id.value}/activate`,
  ],
  [`/${B}configmanager.ConfigurationManager/GenerateTemplate`]: [
    'POST /v1/factory-templates:generate',
    `POST ${L}/templates/generate`,
  ],
  [`/${B}tuning.TuningManager/DownloadCalibrationModelRevision`]: [
    'POST /v1/calibrations/revisions/{gk_calibration_model_revision_id.value}/download-url',
    `GET ${L}/calibrations/revisions/{gk_calibration_model_revision_id.value}/download-url`,
  ],
};
