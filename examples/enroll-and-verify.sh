#!/usr/bin/env bash
# The two workflows of the voiceprint specification with curl: enroll a person with three recordings, then
# verify with a fourth.
#
#   examples/enroll-and-verify.sh bootstrap.json person-1 enroll-1.wav enroll-2.wav enroll-3.wav verify.wav
#
# bootstrap.json is what `bin/voxgate bootstrap --json` printed. Needs curl and node (to read JSON).
set -euo pipefail
[ $# -eq 6 ] || { echo "usage: $0 BOOTSTRAP.JSON PERSON-ID ENROLL ENROLL ENROLL VERIFY" >&2; exit 2; }
boot=$1 person=$2

field() { node -e 'let t="";process.stdin.on("data",d=>t+=d).on("end",()=>{const v=process.argv[1].split(".").reduce((o,k)=>o?.[k],JSON.parse(t));process.stdout.write(v===undefined?"":String(v))})' "$1"; }
setup() { field "$1" < "$boot"; }

http=$(setup urls.http)
# A refusal ends the script, with what the server said about it.
request() { local answer; answer=$(curl -sS --fail-with-body "$@") || { echo "$answer" >&2; return 1; }; printf %s "$answer"; }

client=$(setup application.client_id)
token=$(request -u "${client//:/%3A}:$(setup application.client_secret)" -d 'grant_type=client_credentials&scope=biosec' "$(setup urls.token)" | field access_token)
scope=$(setup scope.gk_scope_id)
configset=$(setup configset_id)

post() { request -X POST -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$2" "$http$1"; }
get() { request -G -H "Authorization: Bearer $token" "$http$1" "${@:2}"; }

# Every call carries its context: engagement, session, scope and config set.
start() {
  engagement=$(post /v1/engagements/start "{\"context\":{\"gkScopeId\":{\"value\":\"$scope\"}}}" | field gkEngagementId.value)
  session=$(post /v1/sessions/start "{\"context\":{\"gkScopeId\":{\"value\":\"$scope\"},\"gkEngagementId\":{\"value\":\"$engagement\"},\"configsetId\":\"$configset\"},\"sessionType\":\"SESSION_TYPE_IVR\"}" | field gkSessionId.value)
  context="\"context\":{\"gkEngagementId\":{\"value\":\"$engagement\"},\"gkSessionId\":{\"value\":\"$session\"},\"gkScopeId\":{\"value\":\"$scope\"},\"configsetId\":\"$configset\"}"
  query=(--data-urlencode "context.gk_engagement_id.value=$engagement" --data-urlencode "context.gk_session_id.value=$session"
    --data-urlencode "context.gk_scope_id.value=$scope" --data-urlencode "context.configset_id=$configset")
}
stop() { post /v1/sessions/stop "{$context}" >/dev/null; post /v1/engagements/stop "{$context}" >/dev/null; }

upload() {
  local answer; answer=$(post /v1/audios/upload-url "{$context,\"container\":\"CONTAINER_WAV\"}")
  curl -sS -f -X PUT -H 'Content-Type: audio/wave' --data-binary "@$1" "$(field mediaUploadUrl <<<"$answer")" >/dev/null
  field gkMediaSegmentId.value <<<"$answer"
}

start
post /v1/persons "{$context,\"personId\":\"$person\"}" >/dev/null 2>&1 || true # known already
profile=$(get /v1/voiceprints/profiles/gkid "${query[@]}" --data-urlencode "owner.person_id=$person" --data-urlencode owner.tag=main | field gkVoiceprintProfileId.value)
[ -n "$profile" ] || profile=$(post /v1/voiceprints/profiles "{$context,\"owner\":{\"personId\":\"$person\",\"tag\":\"main\"}}" | field gkVoiceprintProfileId.value)
for file in "$3" "$4" "$5"; do
  media=$(upload "$file")
  processed=$(post /v1/audios/process "{$context,\"gkMediaSegmentId\":{\"value\":\"$media\"},\"isForEnrollment\":true}")
  audio=$(field result.gkProcessedAudioId.value <<<"$processed")
  post "/v1/voiceprints/$profile/enrollment" "{$context,\"gkProcessedAudioId\":{\"value\":\"$audio\"}}" | field result.enrollStatus
  echo
done
post "/v1/voiceprints/$profile/training" "{$context}" | field result.reason
echo
stop

start
get "/v1/voiceprints/$profile/enrollment-status" "${query[@]}" | field isTrained >/dev/null
media=$(upload "$6")
decision=$(post "/v1/voiceprints/$profile/verification" "{$context,\"gkMediaSegmentId\":{\"value\":\"$media\"}}" | field result.decision)
echo "$decision"
get /v1/sessions/decision "${query[@]}" | field decision
echo
stop
[ "$decision" = DECISION_AUTHENTIC ] # the exit status tells whether it was the person
