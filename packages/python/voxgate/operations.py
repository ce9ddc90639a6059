"""Every operation of the contract by name. Made by scripts/generate-texts.ts; do not edit."""


class Operations:
    """Requests and answers are dictionaries, as the JSON of the contract; see /docs of a server."""

    def __init__(self, call):
        self._call = call

    def activate_calibration_model_revision(self, request=None, idempotency_key=None):
        """Activates a revision, so that new prints use it."""
        return self._call("PUT", "/v1/calibrations/revisions/{gkCalibrationModelRevisionId.value}:activate", request, idempotency_key)

    def activate_configset_revision(self, request=None, idempotency_key=None):
        """Activates a revision."""
        return self._call("PUT", "/v1/configsets/revisions/{gkConfigsetRevisionId.value}:activate", request, idempotency_key)

    def add_fraudster_to_watchlist(self, request=None, idempotency_key=None):
        """Adds a fraudster to a watchlist."""
        return self._call("POST", "/v1/watchlists/{gkWatchlistId.value}/fraudsters", request, idempotency_key)

    def add_person_to_group(self, request=None, idempotency_key=None):
        """Adds a person to a group."""
        return self._call("POST", "/v1/groups/{gkGroupId.value}/persons", request, idempotency_key)

    def add_voice_to_watchlist(self, request=None, idempotency_key=None):
        """Puts the voice of some calls on a watchlist: creates a fraudster with a trained print, or adds the recordings to the print of an existing fraudster. All or nothing."""
        return self._call("POST", "/v1/x/voice-search/fraudsters", request, idempotency_key)

    def analyze_audio(self, request=None, idempotency_key=None):
        """Runs several checks on the same audio, including attack checks."""
        return self._call("POST", "/v1/voiceprints/audio-analysis", request, idempotency_key)

    def begin_authenticator(self, request=None, idempotency_key=None):
        """Begins to set up an authenticator app. Nothing changes until ConfirmAuthenticator."""
        return self._call("POST", "/v1/management/me/factors/authenticator:begin", request, idempotency_key)

    def begin_passkey(self, request=None, idempotency_key=None):
        """Begins to create a passkey. Nothing changes until CreatePasskey."""
        return self._call("POST", "/v1/management/me/factors/passkeys:begin", request, idempotency_key)

    def begin_second_factor_proof(self, request=None, idempotency_key=None):
        """Asks for one of the caller's passkeys, as the proof that a change of second factors needs. Refused if the caller has none."""
        return self._call("POST", "/v1/management/me/factors/proof:begin", request, idempotency_key)

    def build_urn(self, request=None, idempotency_key=None):
        """Builds a resource URN from its parts."""
        return self._call("POST", "/v1/management/urns/build", request, idempotency_key)

    def calibrate_from_callers(self, request=None, idempotency_key=None):
        """Sets thresholds from the tenant's own callers: compares one stored call of each with other people's prints. Requires `calibration.useCallers` in the config set SCOPE."""
        return self._call("POST", "/v1/x/accuracy/callers", request, idempotency_key)

    def cancel_batch(self, request=None, idempotency_key=None):
        """Cancels a batch. Finished lines keep their results; all others end as skipped (CANCELLED)."""
        return self._call("POST", "/v1/batches/{gkJobId}:cancel", request, idempotency_key)

    def change_password(self, request=None, idempotency_key=None):
        """Changes the caller's own password; every session and token of the caller ends, but for the session of the browser that the call came from."""
        return self._call("PUT", "/v1/management/me/password", request, idempotency_key)

    def check_watchlist_consistency(self, request=None, idempotency_key=None):
        """Finds the prints of a watchlist that are not compatible with the current detection settings."""
        return self._call("POST", "/v1/voiceprints/watchlist:check-consistency", request, idempotency_key)

    def clear_shadow_revision(self, request=None, idempotency_key=None):
        """Ends a shadow run. Its comparison can be read until another run of the config set begins."""
        return self._call("DELETE", "/v1/x/accuracy/shadow/{configsetId}", request, idempotency_key)

    def confirm_authenticator(self, request=None, idempotency_key=None):
        """Sets up the authenticator app with the first code that it shows. An earlier app stops working, as do earlier recovery codes."""
        return self._call("PUT", "/v1/management/me/factors/authenticator", request, idempotency_key)

    def create_agent_token(self, request=None, idempotency_key=None):
        """Returns a token for the widget on an agent's desktop. The widget follows one call, and lets the agent say whether the caller is the customer."""
        return self._call("POST", "/v1/live/calls/{liveCallId}:agent-token", request, idempotency_key)

    def create_application(self, request=None, idempotency_key=None):
        """Creates an application; the caller becomes its owner unless another one is named. Administrators, and people who own an application already if `applications.creators` allows it."""
        return self._call("POST", "/v1/management/applications", request, idempotency_key)

    def create_calibration_model(self, request=None, idempotency_key=None):
        """Creates a new revision and returns the URL to upload it to."""
        return self._call("POST", "/v1/calibrations", request, idempotency_key)

    def create_client(self, request=None, idempotency_key=None):
        """Creates a client; its secret is shown only in this response."""
        return self._call("POST", "/v1/management/environments/{appId}/clients", request, idempotency_key)

    def create_configset(self, request=None, idempotency_key=None):
        """Creates a new revision of a config set."""
        return self._call("POST", "/v1/configsets", request, idempotency_key)

    def create_environment(self, request=None, idempotency_key=None):
        """Creates an environment of an application, with a client named default in each of its geographies."""
        return self._call("POST", "/v1/management/applications/{applicationId}/environments", request, idempotency_key)

    def create_fraudster(self, request=None, idempotency_key=None):
        """Creates a fraudster."""
        return self._call("POST", "/v1/fraudsters", request, idempotency_key)

    def create_group(self, request=None, idempotency_key=None):
        """Creates a group of persons."""
        return self._call("POST", "/v1/groups", request, idempotency_key)

    def create_passkey(self, request=None, idempotency_key=None):
        """Stores the passkey that the browser has created. With it, the user can sign in without a password."""
        return self._call("POST", "/v1/management/me/factors/passkeys", request, idempotency_key)

    def create_person(self, request=None, idempotency_key=None):
        """Creates a person."""
        return self._call("POST", "/v1/persons", request, idempotency_key)

    def create_scope(self, request=None, idempotency_key=None):
        """Creates a tenant."""
        return self._call("POST", "/v1/scopes", request, idempotency_key)

    def create_template(self, request=None, idempotency_key=None):
        """Stores a template; it is checked and activated at once."""
        return self._call("POST", "/v1/templates", request, idempotency_key)

    def create_tooling_credential(self, request=None, idempotency_key=None):
        """Creates a credential for the tooling interface; a secret is shown only in this response. People without a password of this server need a sign-in of the last 10 minutes instead."""
        return self._call("POST", "/v1/management/me/credentials", request, idempotency_key)

    def create_user(self, request=None, idempotency_key=None):
        """Creates a user. Administrators only."""
        return self._call("POST", "/v1/management/users", request, idempotency_key)

    def create_voiceprint_profile(self, request=None, idempotency_key=None):
        """Creates a profile for a person or fraudster."""
        return self._call("POST", "/v1/voiceprints/profiles", request, idempotency_key)

    def create_watchlist(self, request=None, idempotency_key=None):
        """Creates a watchlist of fraudsters."""
        return self._call("POST", "/v1/watchlists", request, idempotency_key)

    def create_webhook(self, request=None, idempotency_key=None):
        """Adds a receiver. Its secret is shown only in this response."""
        return self._call("POST", "/v1/webhooks", request, idempotency_key)

    def deactivate_calibration_model_revision(self, request=None, idempotency_key=None):
        """Deactivates a revision."""
        return self._call("PUT", "/v1/calibrations/revisions/{gkCalibrationModelRevisionId.value}:deactivate", request, idempotency_key)

    def delete_agent(self, request=None, idempotency_key=None):
        """Deletes an agent."""
        return self._call("DELETE", "/v1/management/engagement/sites/{siteId}/agents/{agentId}", request, idempotency_key)

    def delete_agent_group(self, request=None, idempotency_key=None):
        """Deletes an agent group."""
        return self._call("DELETE", "/v1/management/engagement/sites/{siteId}/agent-groups/{agentGroupId}", request, idempotency_key)

    def delete_application(self, request=None, idempotency_key=None):
        """Deletes an application with its environments and clients; their tokens stop working."""
        return self._call("DELETE", "/v1/management/applications/{applicationId}", request, idempotency_key)

    def delete_business_unit(self, request=None, idempotency_key=None):
        """Deletes a business unit."""
        return self._call("DELETE", "/v1/management/engagement/sites/{siteId}/business-units/{businessUnitId}", request, idempotency_key)

    def delete_client(self, request=None, idempotency_key=None):
        """Deletes a client; the last one of an environment stays."""
        return self._call("DELETE", "/v1/management/clients/{clientId}", request, idempotency_key)

    def delete_client_keys(self, request=None, idempotency_key=None):
        """Removes the public keys or the certificate of a client, which then needs a new secret. Owners only."""
        return self._call("DELETE", "/v1/management/clients/{clientId}/keys", request, idempotency_key)

    def delete_configset(self, request=None, idempotency_key=None):
        """Deletes a config set with all its revisions, including the active one."""
        return self._call("DELETE", "/v1/configsets/{configsetId}", request, idempotency_key)

    def delete_configset_revision(self, request=None, idempotency_key=None):
        """Deletes one revision that is not active."""
        return self._call("DELETE", "/v1/configsets/revisions/{gkConfigsetRevisionId.value}", request, idempotency_key)

    def delete_engagement_client(self, request=None, idempotency_key=None):
        """Deletes an engagement client; its tokens stop working."""
        return self._call("DELETE", "/v1/management/engagement/clients/{clientId}", request, idempotency_key)

    def delete_environment(self, request=None, idempotency_key=None):
        """Deletes an environment with its clients; the last one can only be deleted with its application."""
        return self._call("DELETE", "/v1/management/environments/{appId}", request, idempotency_key)

    def delete_fraudster(self, request=None, idempotency_key=None):
        """Deletes a fraudster and their prints."""
        return self._call("DELETE", "/v1/fraudsters/{gkFraudsterId.value}", request, idempotency_key)

    def delete_group(self, request=None, idempotency_key=None):
        """Deletes a group; its members are kept."""
        return self._call("DELETE", "/v1/groups/{gkGroupId.value}", request, idempotency_key)

    def delete_hours_of_operation(self, request=None, idempotency_key=None):
        """Deletes hours of operation."""
        return self._call("DELETE", "/v1/management/engagement/sites/{siteId}/hours/{hoursId}", request, idempotency_key)

    def delete_media_segment(self, request=None, idempotency_key=None):
        """Deletes a recording and the processed audio made from it. Refused while the recording is live, used for enrollment or on legal hold."""
        return self._call("DELETE", "/v1/mediasegments/{gkMediaSegmentId.value}", request, idempotency_key)

    def delete_person(self, request=None, idempotency_key=None):
        """Deletes a person and their prints."""
        return self._call("DELETE", "/v1/persons/{gkPersonId.value}", request, idempotency_key)

    def delete_personal_data(self, request=None, idempotency_key=None):
        """Starts erasing a person's personal data: prints, recordings and everything computed from them, scores, details, and what batches say about the person. The audit trail keeps the decisions and their scores until its own retention period ends, under IDs that no longer lead to anyone in this service. A record there (PERSONAL_DATA_DELETED_EVENT) proves that the erasure was completed, and counts what was deleted and what was kept."""
        return self._call("DELETE", "/v1/persons/{gkPersonId.value}/personal-data", request, idempotency_key)

    def delete_site(self, request=None, idempotency_key=None):
        """Deletes a site with everything that belongs to it."""
        return self._call("DELETE", "/v1/management/engagement/sites/{siteId}", request, idempotency_key)

    def delete_template(self, request=None, idempotency_key=None):
        """Deletes a template."""
        return self._call("DELETE", "/v1/templates/{templateId}", request, idempotency_key)

    def delete_tooling_credential(self, request=None, idempotency_key=None):
        """Deletes a tooling credential; its tokens stop working."""
        return self._call("DELETE", "/v1/management/me/credentials/{clientId}", request, idempotency_key)

    def delete_user(self, request=None, idempotency_key=None):
        """Deletes a user. Administrators only; the last administrator stays."""
        return self._call("DELETE", "/v1/management/users/{userId}", request, idempotency_key)

    def delete_voiceprint_profile(self, request=None, idempotency_key=None):
        """Deletes a profile with all its data."""
        return self._call("DELETE", "/v1/voiceprints/profiles/{gkVoiceprintProfileId.value}", request, idempotency_key)

    def delete_voiceprint_template(self, request=None, idempotency_key=None):
        """Deletes the template; the profile and its segments are kept."""
        return self._call("DELETE", "/v1/voiceprints/templates/{gkVoiceprintProfileId.value}", request, idempotency_key)

    def delete_watchlist(self, request=None, idempotency_key=None):
        """Deletes a watchlist; its members are kept."""
        return self._call("DELETE", "/v1/watchlists/{gkWatchlistId.value}", request, idempotency_key)

    def delete_webhook(self, request=None, idempotency_key=None):
        """Removes a receiver and all events waiting for it."""
        return self._call("DELETE", "/v1/webhooks/{webhookId}", request, idempotency_key)

    def detect_audio_spoofing(self, request=None, idempotency_key=None):
        """Runs the requested attack checks: synthetic speech, replayed audio."""
        return self._call("POST", "/v1/audios/spoofing", request, idempotency_key)

    def detect_known_fraudsters(self, request=None, idempotency_key=None):
        """Checks whether the voice in the audio is that of a fraudster on a list or watchlist."""
        return self._call("POST", "/v1/voiceprints/known-fraudsters-detection", request, idempotency_key)

    def detect_liveness(self, request=None, idempotency_key=None):
        """Says whether answers to prompts were given by the voice of the reference recording, with the right words and in time."""
        return self._call("POST", "/v1/audios/liveness", request, idempotency_key)

    def disable_user(self, request=None, idempotency_key=None):
        """Stops a user from signing in and ends all sessions. Administrators only."""
        return self._call("PUT", "/v1/management/users/{userId}/disabled", request, idempotency_key)

    def download_calibration_model_revision(self, request=None, idempotency_key=None):
        """Returns a URL to download a revision from."""
        return self._call("POST", "/v1/calibrations/revisions/{gkCalibrationModelRevisionId.value}/download-url", request, idempotency_key)

    def enable_user(self, request=None, idempotency_key=None):
        """Lets a user sign in again and clears a lock-out. Administrators only."""
        return self._call("DELETE", "/v1/management/users/{userId}/disabled", request, idempotency_key)

    def end_call(self, request=None, idempotency_key=None):
        """Stops listening to a call; decisions already made stay. A call that was only prepared is canceled, and its token becomes invalid."""
        return self._call("POST", "/v1/live/calls/{liveCallId}:end", request, idempotency_key)

    def end_prompt(self, request=None, idempotency_key=None):
        """Says that the digits were read out: the caller answers from now on."""
        return self._call("POST", "/v1/live/{liveCallId}/prompt/end", request, idempotency_key)

    def enroll(self, request=None, idempotency_key=None):
        """Adds processed audio to the enrollment segments of a print."""
        return self._call("POST", "/v1/voiceprints/{gkVoiceprintProfileId.value}/enrollment", request, idempotency_key)

    def enroll_from_call(self, request=None, idempotency_key=None):
        """Adds the speech of an ended call to the print it was collected for, once the speaker is confirmed. Trains the print if there is enough."""
        return self._call("POST", "/v1/live/calls/{liveCallId}:enroll", request, idempotency_key)

    def evaluate_scores(self, request=None, idempotency_key=None):
        """Scores the tenant's own prints against one another and reports the error rates."""
        return self._call("POST", "/v1/x/accuracy/scores", request, idempotency_key)

    def evaluate_trials(self, request=None, idempotency_key=None):
        """Reports the error rates of an uploaded trial list."""
        return self._call("POST", "/v1/x/accuracy/trials", request, idempotency_key)

    def execute_voiceprint_profiles_status_job(self, request=None, idempotency_key=None):
        """Starts a job that writes the status of all profiles to a file."""
        return self._call("POST", "/v1/voiceprints/profiles/status", request, idempotency_key)

    def export_personal_data(self, request=None, idempotency_key=None):
        """Prepares an archive (ZIP) of everything held about a person: JSON and recordings, what was decided and when. Of calls in which they were not recognized, it has the decisions alone. The audit trail records it."""
        return self._call("POST", "/v1/x/persons/{gkPersonId.value}/export", request, idempotency_key)

    def find_calls(self, request=None, idempotency_key=None):
        """Finds recent calls in which a known fraudster speaks."""
        return self._call("POST", "/v1/x/voice-search/calls", request, idempotency_key)

    def find_recurring_voices(self, request=None, idempotency_key=None):
        """Finds voices that recently called under more than one identity."""
        return self._call("POST", "/v1/x/voice-search/voices", request, idempotency_key)

    def forget_speech(self, request=None, idempotency_key=None):
        """Discards the speech that a call has collected, because it is not the customer or there is no consent."""
        return self._call("POST", "/v1/live/calls/{liveCallId}:forget", request, idempotency_key)

    def generate_template(self, request=None, idempotency_key=None):
        """Creates a template from the built-in one of that name."""
        return self._call("POST", "/v1/factory-templates:generate", request, idempotency_key)

    def get_activity_overview(self, request=None, idempotency_key=None):
        """Counts checks and their outcomes over time."""
        return self._call("GET", "/v1/x/activity", request, idempotency_key)

    def get_application(self, request=None, idempotency_key=None):
        """Reads an application."""
        return self._call("GET", "/v1/management/applications/{applicationId}", request, idempotency_key)

    def get_batch(self, request=None, idempotency_key=None):
        """Reads a batch and its progress."""
        return self._call("GET", "/v1/batches/{gkJobId}", request, idempotency_key)

    def get_call(self, request=None, idempotency_key=None):
        """Reads a call that is prepared, running or just ended."""
        return self._call("GET", "/v1/live/calls/{liveCallId}", request, idempotency_key)

    def get_client(self, request=None, idempotency_key=None):
        """Reads a client."""
        return self._call("GET", "/v1/management/clients/{clientId}", request, idempotency_key)

    def get_client_config(self, request=None, idempotency_key=None):
        """Returns the credential blocks of an environment for download."""
        return self._call("GET", "/v1/management/environments/{appId}/config", request, idempotency_key)

    def get_configset(self, request=None, idempotency_key=None):
        """Reads the active revision of a config set."""
        return self._call("GET", "/v1/configsets/{configsetId}", request, idempotency_key)

    def get_configset_revision(self, request=None, idempotency_key=None):
        """Reads one revision."""
        return self._call("GET", "/v1/configsets/revisions/{gkConfigsetRevisionId.value}", request, idempotency_key)

    def get_download_url(self, request=None, idempotency_key=None):
        """Returns a signed URL for playing a recording."""
        return self._call("POST", "/v1/audios/download-url", request, idempotency_key)

    def get_engagement_client(self, request=None, idempotency_key=None):
        """Reads an engagement client."""
        return self._call("GET", "/v1/management/engagement/clients/{clientId}", request, idempotency_key)

    def get_engagement_details(self, request=None, idempotency_key=None):
        """Reads an engagement."""
        return self._call("GET", "/v1/engagements/details", request, idempotency_key)

    def get_enroll_status(self, request=None, idempotency_key=None):
        """Reports whether a print is trained, ready to be trained, or neither; changes nothing."""
        return self._call("GET", "/v1/voiceprints/{gkVoiceprintProfileId.value}/enrollment-status", request, idempotency_key)

    def get_environment(self, request=None, idempotency_key=None):
        """Reads an environment by its application ID."""
        return self._call("GET", "/v1/management/environments/{appId}", request, idempotency_key)

    def get_erasure(self, request=None, idempotency_key=None):
        """Reports what the erasure of a person (DeletePersonalData) deletes and what it keeps: before the erasure, as things stand now; afterwards, what is still kept."""
        return self._call("GET", "/v1/x/persons/{gkPersonId.value}/erasure", request, idempotency_key)

    def get_erasure_certificate(self, request=None, idempotency_key=None):
        """Certifies that a person was erased: what was deleted and kept, who asked for it, and where the audit chain proves it. Signed with the published keys of this installation."""
        return self._call("GET", "/v1/x/persons/{gkPersonId.value}/erasure/certificate", request, idempotency_key)

    def get_fraudster_details(self, request=None, idempotency_key=None):
        """Reads a fraudster."""
        return self._call("GET", "/v1/fraudsters/{gkFraudsterId.value}", request, idempotency_key)

    def get_gk_engagement_id(self, request=None, idempotency_key=None):
        """Finds an engagement by the caller's own reference."""
        return self._call("GET", "/v1/engagements/{engagementId}/gkid", request, idempotency_key)

    def get_gk_fraudster_id(self, request=None, idempotency_key=None):
        """Finds the system identifier of a fraudster."""
        return self._call("GET", "/v1/fraudsters/{fraudsterId}/gkid", request, idempotency_key)

    def get_gk_group_id(self, request=None, idempotency_key=None):
        """Finds the system identifier of a group of persons."""
        return self._call("GET", "/v1/groups/{groupId}/gkid", request, idempotency_key)

    def get_gk_person_id(self, request=None, idempotency_key=None):
        """Finds the system identifier of a person."""
        return self._call("GET", "/v1/persons/{personId}/gkid", request, idempotency_key)

    def get_gk_scope_id(self, request=None, idempotency_key=None):
        """Finds the system identifier of a tenant by its name."""
        return self._call("GET", "/v1/scopes/{scopeId}/gkid", request, idempotency_key)

    def get_gk_voiceprint_profile_id(self, request=None, idempotency_key=None):
        """Finds the profile of an owner."""
        return self._call("GET", "/v1/voiceprints/profiles/gkid", request, idempotency_key)

    def get_gk_watchlist_id(self, request=None, idempotency_key=None):
        """Finds the system identifier of a watchlist of fraudsters."""
        return self._call("GET", "/v1/watchlists/{watchlistId}/gkid", request, idempotency_key)

    def get_group_details(self, request=None, idempotency_key=None):
        """Reads a group of persons."""
        return self._call("GET", "/v1/groups/{gkGroupId.value}", request, idempotency_key)

    def get_liveness_prompt(self, request=None, idempotency_key=None):
        """Returns random digits for the caller to say. They can be answered once, within `promptedWords.answerSeconds`, and only in the session that was named."""
        return self._call("GET", "/v1/prompts/liveness", request, idempotency_key)

    def get_me(self, request=None, idempotency_key=None):
        """Reads the caller's own profile."""
        return self._call("GET", "/v1/management/me", request, idempotency_key)

    def get_media_segment_details(self, request=None, idempotency_key=None):
        """Reads the details of a recording."""
        return self._call("GET", "/v1/mediasegments/{gkMediaSegmentId.value}", request, idempotency_key)

    def get_metrics_history(self, request=None, idempotency_key=None):
        """Reads throughput and latency over time."""
        return self._call("GET", "/v1/management/system/metrics", request, idempotency_key)

    def get_person_details(self, request=None, idempotency_key=None):
        """Reads a person."""
        return self._call("GET", "/v1/persons/{gkPersonId.value}", request, idempotency_key)

    def get_processed_audio_details(self, request=None, idempotency_key=None):
        """Reads the details of processed audio."""
        return self._call("GET", "/v1/audios/{gkProcessedAudioId.value}/process", request, idempotency_key)

    def get_scope_details(self, request=None, idempotency_key=None):
        """Reads one tenant."""
        return self._call("GET", "/v1/scopes/{gkScopeId.value}", request, idempotency_key)

    def get_search(self, request=None, idempotency_key=None):
        """Returns what such a search found, without calls that have been erased since."""
        return self._call("GET", "/v1/x/voice-search/searches/{gkJobId}", request, idempotency_key)

    def get_second_factors(self, request=None, idempotency_key=None):
        """Reports which second factors the caller has."""
        return self._call("GET", "/v1/management/me/factors", request, idempotency_key)

    def get_session_decision(self, request=None, idempotency_key=None):
        """Returns the overall decision on everything checked in a session and in earlier sessions of its engagement."""
        return self._call("GET", "/v1/sessions/decision", request, idempotency_key)

    def get_session_details(self, request=None, idempotency_key=None):
        """Reads a session."""
        return self._call("GET", "/v1/sessions/details", request, idempotency_key)

    def get_session_timeline(self, request=None, idempotency_key=None):
        """Reports what happened in a session, in order, with every factor."""
        return self._call("GET", "/v1/x/sessions/{gkSessionId.value}/timeline", request, idempotency_key)

    def get_shadow_report(self, request=None, idempotency_key=None):
        """Compares the decisions of the active and the shadow revision, call by call."""
        return self._call("GET", "/v1/x/accuracy/shadow/{configsetId}", request, idempotency_key)

    def get_system_info(self, request=None, idempotency_key=None):
        """Reads versions, models, keys and the health of the parts."""
        return self._call("GET", "/v1/management/system", request, idempotency_key)

    def get_template(self, request=None, idempotency_key=None):
        """Reads a template."""
        return self._call("GET", "/v1/templates/{templateId}", request, idempotency_key)

    def get_upload_url(self, request=None, idempotency_key=None):
        """Returns a signed URL for one upload, and the identifier that the recording will have."""
        return self._call("POST", "/v1/audios/upload-url", request, idempotency_key)

    def get_user(self, request=None, idempotency_key=None):
        """Reads a user."""
        return self._call("GET", "/v1/management/users/{userId}", request, idempotency_key)

    def get_voiceprint_profile_details(self, request=None, idempotency_key=None):
        """Reads a profile."""
        return self._call("GET", "/v1/voiceprints/profiles", request, idempotency_key)

    def get_voiceprint_profiles_status_job_details(self, request=None, idempotency_key=None):
        """Reads the state of a profile status job."""
        return self._call("GET", "/v1/voiceprints/profiles/status/{gkJobId.value}", request, idempotency_key)

    def get_watchlist_details(self, request=None, idempotency_key=None):
        """Reads a watchlist of fraudsters."""
        return self._call("GET", "/v1/watchlists/{gkWatchlistId.value}", request, idempotency_key)

    def get_webhook(self, request=None, idempotency_key=None):
        """Reads one receiver and the state of its deliveries."""
        return self._call("GET", "/v1/webhooks/{webhookId}", request, idempotency_key)

    def grant_tenant(self, request=None, idempotency_key=None):
        """Lets the tokens of an environment reach a tenant. Administrators only."""
        return self._call("PUT", "/v1/management/environments/{appId}/tenants/{gkScopeId}", request, idempotency_key)

    def identify(self, request=None, idempotency_key=None):
        """Finds the print in a list or group that best matches the audio."""
        return self._call("POST", "/v1/voiceprints/identification", request, idempotency_key)

    def inspect_audio(self, request=None, idempotency_key=None):
        """Returns the envelope, speech, quality and spectrogram of a recording."""
        return self._call("GET", "/v1/x/audios/{gkMediaSegmentId.value}/inspection", request, idempotency_key)

    def is_fraudster_in_watchlist(self, request=None, idempotency_key=None):
        """Reports whether a fraudster is on a watchlist."""
        return self._call("GET", "/v1/watchlists/{gkWatchlistId.value}/fraudsters/{gkFraudsterId.value}/member", request, idempotency_key)

    def is_person_in_group(self, request=None, idempotency_key=None):
        """Reports whether a person is in a group."""
        return self._call("GET", "/v1/groups/{gkGroupId.value}/persons/{gkPersonId.value}/member", request, idempotency_key)

    def lift_hold(self, request=None, idempotency_key=None):
        """Lifts a hold. Recordings of persons who were erased meanwhile are deleted unless something else keeps them."""
        return self._call("POST", "/v1/x/holds/{gkHoldId.value}/lift", request, idempotency_key)

    def list_agent_groups(self, request=None, idempotency_key=None):
        """Lists the agent groups of a site."""
        return self._call("GET", "/v1/management/engagement/sites/{siteId}/agent-groups", request, idempotency_key)

    def list_agents(self, request=None, idempotency_key=None):
        """Lists the agents of a site."""
        return self._call("GET", "/v1/management/engagement/sites/{siteId}/agents", request, idempotency_key)

    def list_applications(self, request=None, idempotency_key=None):
        """Lists the applications that the caller may see."""
        return self._call("GET", "/v1/management/applications", request, idempotency_key)

    def list_audit_records(self, request=None, idempotency_key=None):
        """Searches the audit trail, newest first."""
        return self._call("GET", "/v1/x/audit/records", request, idempotency_key)

    def list_batch_results(self, request=None, idempotency_key=None):
        """Lists the results so far, in the order of their lines."""
        return self._call("GET", "/v1/batches/{gkJobId}/results", request, idempotency_key)

    def list_batches(self, request=None, idempotency_key=None):
        """Lists the batches of a tenant, newest first, at most 1000."""
        return self._call("GET", "/v1/batches", request, idempotency_key)

    def list_business_units(self, request=None, idempotency_key=None):
        """Lists the business units of a site."""
        return self._call("GET", "/v1/management/engagement/sites/{siteId}/business-units", request, idempotency_key)

    def list_calibration_model_revisions(self, request=None, idempotency_key=None):
        """Lists revisions, newest first."""
        return self._call("GET", "/v1/calibrations/revisions", request, idempotency_key)

    def list_calls(self, request=None, idempotency_key=None):
        """Lists the calls of a tenant that are running now."""
        return self._call("GET", "/v1/live/calls", request, idempotency_key)

    def list_clients(self, request=None, idempotency_key=None):
        """Lists the clients of an environment."""
        return self._call("GET", "/v1/management/environments/{appId}/clients", request, idempotency_key)

    def list_configset_revisions(self, request=None, idempotency_key=None):
        """Lists revisions, newest first."""
        return self._call("GET", "/v1/configsets/revisions", request, idempotency_key)

    def list_consents(self, request=None, idempotency_key=None):
        """Lists the applications that the caller has allowed to act for them."""
        return self._call("GET", "/v1/management/me/consents", request, idempotency_key)

    def list_correlated_engagements(self, request=None, idempotency_key=None):
        """Lists the newest engagements that share a correlation reference."""
        return self._call("GET", "/v1/engagements/correlations/{correlationId}", request, idempotency_key)

    def list_dead_letters(self, request=None, idempotency_key=None):
        """Lists the events that were given up after three days of attempts, oldest first."""
        return self._call("GET", "/v1/webhooks/{webhookId}/dead-letters", request, idempotency_key)

    def list_engagement_clients(self, request=None, idempotency_key=None):
        """Lists engagement clients."""
        return self._call("GET", "/v1/management/engagement/clients", request, idempotency_key)

    def list_enrollment_segments(self, request=None, idempotency_key=None):
        """Lists the enrollment segments of a print."""
        return self._call("GET", "/v1/voiceprints/profiles/{gkVoiceprintProfileId.value}/enrollment-segments", request, idempotency_key)

    def list_environments(self, request=None, idempotency_key=None):
        """Lists the environments of an application."""
        return self._call("GET", "/v1/management/applications/{applicationId}/environments", request, idempotency_key)

    def list_events(self, request=None, idempotency_key=None):
        """Lists the events of a period, oldest first, starting at a cursor."""
        return self._call("GET", "/v1/logs/events", request, idempotency_key)

    def list_fraudster_profiles(self, request=None, idempotency_key=None):
        """Lists the prints of a fraudster."""
        return self._call("GET", "/v1/fraudsters/{gkFraudsterId.value}/profiles", request, idempotency_key)

    def list_fraudsters(self, request=None, idempotency_key=None):
        """Lists fraudsters."""
        return self._call("GET", "/v1/x/fraudsters", request, idempotency_key)

    def list_group_persons(self, request=None, idempotency_key=None):
        """Lists the persons in a group."""
        return self._call("GET", "/v1/groups/{gkGroupId.value}/persons", request, idempotency_key)

    def list_groups(self, request=None, idempotency_key=None):
        """Lists groups."""
        return self._call("GET", "/v1/x/groups", request, idempotency_key)

    def list_holds(self, request=None, idempotency_key=None):
        """Lists the holds that apply now, newest first: those of a person and of their recordings, or all of the tenant."""
        return self._call("GET", "/v1/x/holds", request, idempotency_key)

    def list_hours_of_operation(self, request=None, idempotency_key=None):
        """Lists the hours of operation of a site."""
        return self._call("GET", "/v1/management/engagement/sites/{siteId}/hours", request, idempotency_key)

    def list_login_sessions(self, request=None, idempotency_key=None):
        """Lists where the caller is signed in."""
        return self._call("GET", "/v1/management/me/sessions", request, idempotency_key)

    def list_person_profiles(self, request=None, idempotency_key=None):
        """Lists the prints of a person."""
        return self._call("GET", "/v1/persons/{gkPersonId.value}/profiles", request, idempotency_key)

    def list_persons(self, request=None, idempotency_key=None):
        """Lists persons."""
        return self._call("GET", "/v1/x/persons", request, idempotency_key)

    def list_requests(self, request=None, idempotency_key=None):
        """Lists the requests of an application's clients, newest first: who called what, the outcome and how long it took. Requests for tokens are included, granted or refused. The contents of requests and answers are not included. Requests of the last second may be missing."""
        return self._call("GET", "/v1/logs/requests", request, idempotency_key)

    def list_same_persons(self, request=None, idempotency_key=None):
        """Lists the persons marked as one person under two names."""
        return self._call("GET", "/v1/x/accuracy/same-persons", request, idempotency_key)

    def list_scopes(self, request=None, idempotency_key=None):
        """Lists the tenants that the caller may see."""
        return self._call("GET", "/v1/scopes", request, idempotency_key)

    def list_searches(self, request=None, idempotency_key=None):
        """Lists the searches that were started automatically because a fraudster was added (`voiceSearch.searchForNewFraudsters`), newest first, at most 100. They are kept for 30 days."""
        return self._call("GET", "/v1/x/voice-search/searches", request, idempotency_key)

    def list_sessions(self, request=None, idempotency_key=None):
        """Lists sessions, newest first."""
        return self._call("GET", "/v1/x/sessions", request, idempotency_key)

    def list_sites(self, request=None, idempotency_key=None):
        """Lists sites."""
        return self._call("GET", "/v1/management/engagement/sites", request, idempotency_key)

    def list_system_audit_records(self, request=None, idempotency_key=None):
        """Searches the audit trail of the installation, newest first: users, applications, clients, keys, sign-ins."""
        return self._call("GET", "/v1/management/audit/records", request, idempotency_key)

    def list_templates(self, request=None, idempotency_key=None):
        """Lists templates."""
        return self._call("GET", "/v1/templates", request, idempotency_key)

    def list_tenant_deletions(self, request=None, idempotency_key=None):
        """Lists when tenants are, or would be, permanently deleted. For administrators."""
        return self._call("GET", "/v1/management/tenant-deletions", request, idempotency_key)

    def list_tenant_events(self, request=None, idempotency_key=None):
        """Lists events, oldest first, starting at a cursor. Continue with the returned cursor to miss none."""
        return self._call("GET", "/v1/events", request, idempotency_key)

    def list_tooling_credentials(self, request=None, idempotency_key=None):
        """Lists the caller's tooling credentials. Administrators and auditors may name another user."""
        return self._call("GET", "/v1/management/me/credentials", request, idempotency_key)

    def list_users(self, request=None, idempotency_key=None):
        """Lists users."""
        return self._call("GET", "/v1/management/users", request, idempotency_key)

    def list_voiceprint_profiles(self, request=None, idempotency_key=None):
        """Lists voiceprint profiles."""
        return self._call("GET", "/v1/x/voiceprint-profiles", request, idempotency_key)

    def list_watchlist_fraudsters(self, request=None, idempotency_key=None):
        """Lists the fraudsters on a watchlist."""
        return self._call("GET", "/v1/watchlists/{gkWatchlistId.value}/fraudsters", request, idempotency_key)

    def list_watchlists(self, request=None, idempotency_key=None):
        """Lists watchlists."""
        return self._call("GET", "/v1/x/watchlists", request, idempotency_key)

    def list_webhooks(self, request=None, idempotency_key=None):
        """Lists the receivers of a tenant, oldest first."""
        return self._call("GET", "/v1/webhooks", request, idempotency_key)

    def lock_client(self, request=None, idempotency_key=None):
        """Locks a client: secret and tokens stop working."""
        return self._call("PUT", "/v1/management/clients/{clientId}/lock", request, idempotency_key)

    def lock_engagement_client(self, request=None, idempotency_key=None):
        """Locks an engagement client: tokens stop working at once, and the secret for good."""
        return self._call("PUT", "/v1/management/engagement/clients/{clientId}/lock", request, idempotency_key)

    def lock_tooling_credential(self, request=None, idempotency_key=None):
        """Locks one tooling credential: secret and tokens stop working. Administrators only."""
        return self._call("PUT", "/v1/management/credentials/{clientId}/lock", request, idempotency_key)

    def lock_voiceprint_profile(self, request=None, idempotency_key=None):
        """Locks a print, so that it cannot be used for verification."""
        return self._call("PUT", "/v1/voiceprints/profiles/{gkVoiceprintProfileId.value}/attributes/lock", request, idempotency_key)

    def mark_same_person(self, request=None, idempotency_key=None):
        """Marks two persons as one person under two names: reports, suggested thresholds and thresholds from callers then do not treat them as strangers. They remain two persons. At most 1000 pairs."""
        return self._call("POST", "/v1/x/accuracy/same-persons", request, idempotency_key)

    def mark_scope_for_deletion(self, request=None, idempotency_key=None):
        """Deletes a tenant: at once if it was never ACTIVE, otherwise after a grace period."""
        return self._call("PUT", "/v1/scopes/{gkScopeId.value}/attributes/deleted", request, idempotency_key)

    def opt_person_in(self, request=None, idempotency_key=None):
        """Records a person's consent."""
        return self._call("PUT", "/v1/persons/{gkPersonId.value}/optin", request, idempotency_key)

    def opt_person_out(self, request=None, idempotency_key=None):
        """Records that a person opts out, and deletes their prints."""
        return self._call("PUT", "/v1/persons/{gkPersonId.value}/optout", request, idempotency_key)

    def parse_urn(self, request=None, idempotency_key=None):
        """Parses a resource URN, or says what is wrong with it."""
        return self._call("POST", "/v1/management/urns/parse", request, idempotency_key)

    def ping_webhook(self, request=None, idempotency_key=None):
        """Sends one test event now and reports how the receiver answered."""
        return self._call("POST", "/v1/webhooks/{webhookId}:ping", request, idempotency_key)

    def place_hold(self, request=None, idempotency_key=None):
        """Holds the recordings of a person, or one recording, as evidence: until the hold ends or is lifted, neither retention nor an erasure deletes them. A hold on a person includes recordings that come later."""
        return self._call("POST", "/v1/x/holds", request, idempotency_key)

    def prepare_call(self, request=None, idempotency_key=None):
        """Says what to listen for in a coming call, and returns a token that lets its audio in once, by any protocol."""
        return self._call("POST", "/v1/live/calls", request, idempotency_key)

    def preview_availability(self, request=None, idempotency_key=None):
        """Shows how the availability question would be answered, now or at another time."""
        return self._call("GET", "/v1/management/engagement/availability", request, idempotency_key)

    def process_audio(self, request=None, idempotency_key=None):
        """Measures audio and creates the audio model that Enroll and Verify use."""
        return self._call("POST", "/v1/audios/process", request, idempotency_key)

    def prompt_caller(self, request=None, idempotency_key=None):
        """Draws digits for the caller to repeat. Its answer is scored from the audio of the call once EndPrompt has said that the digits were read out; events tell the outcome."""
        return self._call("POST", "/v1/live/{liveCallId}/prompt", request, idempotency_key)

    def propose_alarm_thresholds(self, request=None, idempotency_key=None):
        """Proposes alarm thresholds for synthetic speech, based on what the check heard in stored calls of the tenant's own callers, and compares them with those in use. Changes nothing by itself. Requires `calibration.useCallers` in the config set SCOPE."""
        return self._call("POST", "/v1/x/accuracy/alarm-thresholds", request, idempotency_key)

    def record_consent(self, request=None, idempotency_key=None):
        """Records that a person has agreed to voice biometrics, as OptPersonIn does, together with the text that they agreed to. The audit trail keeps the text."""
        return self._call("POST", "/v1/x/persons/{gkPersonId.value}/consent", request, idempotency_key)

    def record_outcome(self, request=None, idempotency_key=None):
        """Records the outcome of an engagement, as SetEngagementVerdict does. Refused (CHANGED_MEANWHILE) if somebody else has recorded one since it was read."""
        return self._call("PUT", "/v1/x/engagements/{gkEngagementId.value}/outcome", request, idempotency_key)

    def regenerate_client_secret(self, request=None, idempotency_key=None):
        """Generates a new secret, shown only in this response; the old one may keep working for a while. Owners only."""
        return self._call("POST", "/v1/management/clients/{clientId}/secret", request, idempotency_key)

    def regenerate_engagement_client_secret(self, request=None, idempotency_key=None):
        """Generates a new secret, shown only in this response; the old one may keep working for a while."""
        return self._call("POST", "/v1/management/engagement/clients/{clientId}/secret", request, idempotency_key)

    def register_engagement_client(self, request=None, idempotency_key=None):
        """Registers a client of the engagement API; its secret is shown only in this response."""
        return self._call("POST", "/v1/management/engagement/clients", request, idempotency_key)

    def remove_application_member(self, request=None, idempotency_key=None):
        """Removes a user from an application; the last owner stays."""
        return self._call("DELETE", "/v1/management/applications/{applicationId}/members/{userId}", request, idempotency_key)

    def remove_authenticator(self, request=None, idempotency_key=None):
        """Removes the authenticator app; refused if the caller's role needs a second factor and there is no other."""
        return self._call("POST", "/v1/management/me/factors/authenticator:remove", request, idempotency_key)

    def remove_enrollment_segment(self, request=None, idempotency_key=None):
        """Removes one segment from a print."""
        return self._call("DELETE", "/v1/voiceprints/profiles/{gkVoiceprintProfileId.value}/enrollment-segments/{gkProcessedAudioId.value}", request, idempotency_key)

    def remove_fraudsters_from_watchlist(self, request=None, idempotency_key=None):
        """Removes several fraudsters from a watchlist."""
        return self._call("POST", "/v1/watchlists/{gkWatchlistId.value}/fraudsters:batchDelete", request, idempotency_key)

    def remove_passkey(self, request=None, idempotency_key=None):
        """Removes a passkey; refused if the caller's role needs a second factor and there is no other."""
        return self._call("POST", "/v1/management/me/factors/passkeys/{passkeyId}:remove", request, idempotency_key)

    def remove_persons_from_group(self, request=None, idempotency_key=None):
        """Removes several persons from a group."""
        return self._call("POST", "/v1/groups/{gkGroupId.value}/persons:batchDelete", request, idempotency_key)

    def rename_fraudster(self, request=None, idempotency_key=None):
        """Changes the caller's own identifier for a fraudster."""
        return self._call("PATCH", "/v1/fraudsters/{gkFraudsterId.value}/fraudster_id", request, idempotency_key)

    def rename_group(self, request=None, idempotency_key=None):
        """Changes the caller's own identifier for a group."""
        return self._call("PATCH", "/v1/groups/{gkGroupId.value}/group_id", request, idempotency_key)

    def rename_passkey(self, request=None, idempotency_key=None):
        """Gives a passkey another name."""
        return self._call("PATCH", "/v1/management/me/factors/passkeys/{passkeyId}", request, idempotency_key)

    def rename_person(self, request=None, idempotency_key=None):
        """Changes the caller's own identifier for a person."""
        return self._call("PATCH", "/v1/persons/{gkPersonId.value}/person_id", request, idempotency_key)

    def rename_scope(self, request=None, idempotency_key=None):
        """Renames a tenant."""
        return self._call("PATCH", "/v1/scopes/{gkScopeId.value}/scope_id", request, idempotency_key)

    def rename_watchlist(self, request=None, idempotency_key=None):
        """Changes the caller's own identifier for a watchlist."""
        return self._call("PATCH", "/v1/watchlists/{gkWatchlistId.value}/watchlist_id", request, idempotency_key)

    def renew_recovery_codes(self, request=None, idempotency_key=None):
        """Creates new recovery codes; earlier ones stop working."""
        return self._call("POST", "/v1/management/me/factors/recovery-codes", request, idempotency_key)

    def replace_active_revision(self, request=None, idempotency_key=None):
        """Activates a revision, as ActivateConfigsetRevision does. Refused (CHANGED_MEANWHILE) if the active revision is no longer the expected one."""
        return self._call("POST", "/v1/x/accuracy/revisions/{gkConfigsetRevisionId.value}/activate", request, idempotency_key)

    def replace_lock(self, request=None, idempotency_key=None):
        """Locks or unlocks a voiceprint, as LockVoiceprintProfile and UnlockVoiceprintProfile do. Refused (CHANGED_MEANWHILE) if somebody else has locked or unlocked it, or changed the reason, since it was read."""
        return self._call("PUT", "/v1/x/voiceprint-profiles/{gkVoiceprintProfileId.value}/lock", request, idempotency_key)

    def replay_webhook(self, request=None, idempotency_key=None):
        """Sends the events of a period again, or those that were given up."""
        return self._call("POST", "/v1/webhooks/{webhookId}:replay", request, idempotency_key)

    def reset_scope(self, request=None, idempotency_key=None):
        """Deletes everything in a tenant but keeps the tenant itself."""
        return self._call("PUT", "/v1/scopes/{gkScopeId.value}/reset", request, idempotency_key)

    def reset_second_factors(self, request=None, idempotency_key=None):
        """Removes every second factor of another user and ends their sessions and tokens. Administrators only."""
        return self._call("DELETE", "/v1/management/users/{userId}/factors", request, idempotency_key)

    def revoke_login_session(self, request=None, idempotency_key=None):
        """Signs the caller out of one browser; the console there asks for a new sign-in."""
        return self._call("DELETE", "/v1/management/me/sessions/{loginSessionId}", request, idempotency_key)

    def revoke_tenant(self, request=None, idempotency_key=None):
        """Revokes an environment's access to a tenant, for existing tokens too. Administrators only."""
        return self._call("DELETE", "/v1/management/environments/{appId}/tenants/{gkScopeId}", request, idempotency_key)

    def rotate_signing_key(self, request=None, idempotency_key=None):
        """Creates a new signing key for tokens; the old one stays valid for tokens already issued. If keys are compromised, the answer comes when every server of the installation has dropped them or has not been seen for ten seconds."""
        return self._call("POST", "/v1/management/system/signing-keys/rotate", request, idempotency_key)

    def rotate_webhook_secret(self, request=None, idempotency_key=None):
        """Creates a new secret. For a while, deliveries are signed with the old one as well."""
        return self._call("POST", "/v1/webhooks/{webhookId}:rotate-secret", request, idempotency_key)

    def set_agent_state(self, request=None, idempotency_key=None):
        """Changes only the state and the used slots of an agent."""
        return self._call("PUT", "/v1/management/engagement/sites/{siteId}/agents/{agentId}/state", request, idempotency_key)

    def set_application_member(self, request=None, idempotency_key=None):
        """Adds a user to an application, or changes the user's role in it."""
        return self._call("PUT", "/v1/management/applications/{applicationId}/members/{userId}", request, idempotency_key)

    def set_client_certificate(self, request=None, idempotency_key=None):
        """Registers the certificate with which a client authenticates (mutual TLS, RFC 8705). Its secret or keys stop working, and its tokens are bound to the certificate. Owners only."""
        return self._call("PUT", "/v1/management/clients/{clientId}/certificate", request, idempotency_key)

    def set_client_keys(self, request=None, idempotency_key=None):
        """Registers the public keys with which a client signs its own assertions (private_key_jwt); its secret stops working. Owners only."""
        return self._call("PUT", "/v1/management/clients/{clientId}/keys", request, idempotency_key)

    def set_engagement_verdict(self, request=None, idempotency_key=None):
        """Records what an analyst concluded about an engagement."""
        return self._call("PUT", "/v1/engagements/verdict", request, idempotency_key)

    def set_password(self, request=None, idempotency_key=None):
        """Sets the password of another user and ends their sessions and tokens; their next sign-in asks for a new one. Administrators only."""
        return self._call("PUT", "/v1/management/users/{userId}/password", request, idempotency_key)

    def set_scope_state(self, request=None, idempotency_key=None):
        """Moves a tenant to INITIALIZED or ACTIVE."""
        return self._call("PUT", "/v1/scopes/{gkScopeId.value}/state", request, idempotency_key)

    def set_shadow_revision(self, request=None, idempotency_key=None):
        """Runs a config-set revision alongside the active one, without effect on decisions."""
        return self._call("PUT", "/v1/x/accuracy/shadow/{configsetId}", request, idempotency_key)

    def sign_out_everywhere(self, request=None, idempotency_key=None):
        """Signs a user out everywhere: every session, refresh token, consent and token ends. Administrators may name another user."""
        return self._call("DELETE", "/v1/management/me/sessions", request, idempotency_key)

    def start_check_batch(self, request=None, idempotency_key=None):
        """Checks recordings for attacks and known fraudsters, and compares them with the persons that lines name."""
        return self._call("POST", "/v1/batches:check", request, idempotency_key)

    def start_engagement(self, request=None, idempotency_key=None):
        """Starts an engagement. A session belongs to the engagement named in its context."""
        return self._call("PUT", "/v1/engagements/start", request, idempotency_key)

    def start_enrollment_batch(self, request=None, idempotency_key=None):
        """Enrolls persons. Each line names a person, their consent and their recordings."""
        return self._call("POST", "/v1/batches:enroll", request, idempotency_key)

    def start_fraudster_batch(self, request=None, idempotency_key=None):
        """Registers fraudsters, and adds them to a watchlist if one is named."""
        return self._call("POST", "/v1/batches:register", request, idempotency_key)

    def start_session(self, request=None, idempotency_key=None):
        """Starts a session, and also an engagement if none is given."""
        return self._call("PUT", "/v1/sessions/start", request, idempotency_key)

    def stop_engagement(self, request=None, idempotency_key=None):
        """Stops an engagement."""
        return self._call("PUT", "/v1/engagements/stop", request, idempotency_key)

    def stop_session(self, request=None, idempotency_key=None):
        """Stops a session."""
        return self._call("PUT", "/v1/sessions/stop", request, idempotency_key)

    def suggest_threshold(self, request=None, idempotency_key=None):
        """Finds the threshold for a target false-accept rate, with its confidence interval."""
        return self._call("POST", "/v1/x/accuracy/threshold", request, idempotency_key)

    def train(self, request=None, idempotency_key=None):
        """Creates a new voice template from the enrollment segments."""
        return self._call("POST", "/v1/voiceprints/{gkVoiceprintProfileId.value}/training", request, idempotency_key)

    def un_mark_scope_for_deletion(self, request=None, idempotency_key=None):
        """Cancels a pending deletion."""
        return self._call("DELETE", "/v1/scopes/{gkScopeId.value}/attributes/deleted", request, idempotency_key)

    def unlock_client(self, request=None, idempotency_key=None):
        """Unlocks a client."""
        return self._call("DELETE", "/v1/management/clients/{clientId}/lock", request, idempotency_key)

    def unlock_engagement_client(self, request=None, idempotency_key=None):
        """Unlocks an engagement client, and gives it a new secret."""
        return self._call("DELETE", "/v1/management/engagement/clients/{clientId}/lock", request, idempotency_key)

    def unlock_tooling_credential(self, request=None, idempotency_key=None):
        """Unlocks a tooling credential. Administrators only."""
        return self._call("DELETE", "/v1/management/credentials/{clientId}/lock", request, idempotency_key)

    def unlock_voiceprint_profile(self, request=None, idempotency_key=None):
        """Unlocks a print and resets its mismatch counter."""
        return self._call("DELETE", "/v1/voiceprints/profiles/{gkVoiceprintProfileId.value}/attributes/lock", request, idempotency_key)

    def unmark_same_person(self, request=None, idempotency_key=None):
        """Removes that mark."""
        return self._call("DELETE", "/v1/x/accuracy/same-persons/{gkPersonId.value}/{gkOtherPersonId.value}", request, idempotency_key)

    def update_application(self, request=None, idempotency_key=None):
        """Changes the name of an application."""
        return self._call("PATCH", "/v1/management/applications/{applicationId}", request, idempotency_key)

    def update_calibration_model(self, request=None, idempotency_key=None):
        """Changes the description of a calibration model."""
        return self._call("PATCH", "/v1/calibrations/{calibrationModelId}", request, idempotency_key)

    def update_case(self, request=None, idempotency_key=None):
        """Changes the case number and the note of an engagement and whom it is assigned to, without touching the rest of its custom data. Refused (CHANGED_MEANWHILE) if somebody else has changed the same since it was read."""
        return self._call("PATCH", "/v1/x/engagements/{gkEngagementId.value}/case", request, idempotency_key)

    def update_client(self, request=None, idempotency_key=None):
        """Changes the allowed scopes or the token binding of a client."""
        return self._call("PATCH", "/v1/management/clients/{clientId}", request, idempotency_key)

    def update_configset_details(self, request=None, idempotency_key=None):
        """Changes the description of a config set."""
        return self._call("PATCH", "/v1/configsets/{configsetId}", request, idempotency_key)

    def update_engagement(self, request=None, idempotency_key=None):
        """Changes details of an engagement."""
        return self._call("PATCH", "/v1/engagements/details", request, idempotency_key)

    def update_engagement_client(self, request=None, idempotency_key=None):
        """Changes the sites and the actions of an engagement client. Tokens that have more than what is left stop working at once."""
        return self._call("PATCH", "/v1/management/engagement/clients/{clientId}", request, idempotency_key)

    def update_environment(self, request=None, idempotency_key=None):
        """Changes the name or context tag of an environment."""
        return self._call("PATCH", "/v1/management/environments/{appId}", request, idempotency_key)

    def update_fraudster(self, request=None, idempotency_key=None):
        """Changes details of a fraudster."""
        return self._call("PATCH", "/v1/fraudsters/{gkFraudsterId.value}", request, idempotency_key)

    def update_group(self, request=None, idempotency_key=None):
        """Changes details of a group of persons."""
        return self._call("PATCH", "/v1/groups/{gkGroupId.value}", request, idempotency_key)

    def update_me(self, request=None, idempotency_key=None):
        """Changes the caller's own profile."""
        return self._call("PATCH", "/v1/management/me", request, idempotency_key)

    def update_media_segment_details(self, request=None, idempotency_key=None):
        """Changes details of a recording, such as its legal hold."""
        return self._call("PATCH", "/v1/mediasegments/{gkMediaSegmentId.value}", request, idempotency_key)

    def update_person(self, request=None, idempotency_key=None):
        """Changes details of a person."""
        return self._call("PATCH", "/v1/persons/{gkPersonId.value}", request, idempotency_key)

    def update_processed_audio_details(self, request=None, idempotency_key=None):
        """Changes details of processed audio."""
        return self._call("PATCH", "/v1/audios/{gkProcessedAudioId.value}/process", request, idempotency_key)

    def update_scope_details(self, request=None, idempotency_key=None):
        """Changes descriptive details of a tenant."""
        return self._call("PATCH", "/v1/scopes/{gkScopeId.value}", request, idempotency_key)

    def update_session(self, request=None, idempotency_key=None):
        """Changes details of a session."""
        return self._call("PATCH", "/v1/sessions/details", request, idempotency_key)

    def update_tenant(self, request=None, idempotency_key=None):
        """Changes what a tenant is called and how it is described, as RenameScope and UpdateScopeDetails do, in one step. Refused (CHANGED_MEANWHILE) if somebody else has changed the same since it was read."""
        return self._call("PUT", "/v1/management/tenants/{gkScopeId}", request, idempotency_key)

    def update_user(self, request=None, idempotency_key=None):
        """Changes a user. Administrators only."""
        return self._call("PATCH", "/v1/management/users/{userId}", request, idempotency_key)

    def update_voiceprint_profile_details(self, request=None, idempotency_key=None):
        """Changes details of a profile."""
        return self._call("PATCH", "/v1/voiceprints/profiles", request, idempotency_key)

    def update_watchlist(self, request=None, idempotency_key=None):
        """Changes details of a watchlist of fraudsters."""
        return self._call("PATCH", "/v1/watchlists/{gkWatchlistId.value}", request, idempotency_key)

    def update_webhook(self, request=None, idempotency_key=None):
        """Replaces the address, description and filter, and switches the receiver on or off. When switched on again, it continues where it stopped."""
        return self._call("PUT", "/v1/webhooks/{webhookId}", request, idempotency_key)

    def upload_audio(self, request=None, idempotency_key=None):
        """Stores the audio in the request and returns the identifier of the recording."""
        return self._call("POST", "/v1/x/audios", request, idempotency_key)

    def upsert_agent(self, request=None, idempotency_key=None):
        """Creates or replaces an agent."""
        return self._call("PUT", "/v1/management/engagement/sites/{agent.siteId}/agents/{agent.agentId}", request, idempotency_key)

    def upsert_agent_group(self, request=None, idempotency_key=None):
        """Creates or replaces an agent group."""
        return self._call("PUT", "/v1/management/engagement/sites/{agentGroup.siteId}/agent-groups/{agentGroup.agentGroupId}", request, idempotency_key)

    def upsert_business_unit(self, request=None, idempotency_key=None):
        """Creates or replaces a business unit."""
        return self._call("PUT", "/v1/management/engagement/sites/{businessUnit.siteId}/business-units/{businessUnit.businessUnitId}", request, idempotency_key)

    def upsert_hours_of_operation(self, request=None, idempotency_key=None):
        """Creates or replaces hours of operation, of a whole site or of one agent group."""
        return self._call("PUT", "/v1/management/engagement/sites/{hours.siteId}/hours/{hours.hoursId}", request, idempotency_key)

    def upsert_site(self, request=None, idempotency_key=None):
        """Creates or replaces a site."""
        return self._call("PUT", "/v1/management/engagement/sites/{site.siteId}", request, idempotency_key)

    def validate_calibration_model_revision(self, request=None, idempotency_key=None):
        """Checks an uploaded revision."""
        return self._call("PUT", "/v1/calibrations/revisions/{gkCalibrationModelRevisionId.value}:validate", request, idempotency_key)

    def validate_configset_revision(self, request=None, idempotency_key=None):
        """Checks a revision and marks it VALIDATED or INVALID."""
        return self._call("PUT", "/v1/configsets/revisions/{gkConfigsetRevisionId.value}:validate", request, idempotency_key)

    def validate_text(self, request=None, idempotency_key=None):
        """Says whether exactly these words are said in a recording, in this order. If they are a prompt of the session, this is its answer."""
        return self._call("POST", "/v1/audios/text-validation", request, idempotency_key)

    def verify(self, request=None, idempotency_key=None):
        """Checks audio against one print."""
        return self._call("POST", "/v1/voiceprints/{gkVoiceprintProfileId.value}/verification", request, idempotency_key)

    def verify_audit_chain(self, request=None, idempotency_key=None):
        """Recomputes the hash chain of the audit trail."""
        return self._call("POST", "/v1/x/audit/verification", request, idempotency_key)

    def verify_system_audit(self, request=None, idempotency_key=None):
        """Recomputes the hash chain of the installation's audit trail."""
        return self._call("POST", "/v1/management/audit/verification", request, idempotency_key)

    def withdraw_consent(self, request=None, idempotency_key=None):
        """Withdraws a consent; the tokens that the application got with it stop working."""
        return self._call("DELETE", "/v1/management/me/consents/{clientId}", request, idempotency_key)
