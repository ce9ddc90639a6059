"""The client: one object for a server and a tenant."""

import json
import os
import time
import urllib.parse
import uuid
from contextlib import contextmanager

from .errors import VoxgateError, refusal_in
from .http import ClientTokens, GivenTokens, Http
from .live import listen
from .operations import Operations


class Voxgate:
    """Knows who calls, has every operation of the contract under `operations`, and short words for what most programs do.

    server: address such as https://voxgate.example.com; tenant: its gk_scope_id.
    client_id, client_secret: credentials of a client; or token: a token, or a function that gives one.
    configset: config set that steers decisions; the server's own defaults if absent.
    timeout: seconds that a call may take with all its repetitions.
    """

    def __init__(
        self,
        server,
        tenant,
        client_id=None,
        client_secret=None,
        token=None,
        configset="SYSTEM",
        scope="biosec",
        timeout=60.0,
    ):
        if not server.lower().startswith(("http://", "https://")):
            raise VoxgateError(
                f"the server must be a URL such as https://voxgate.example.com, not {server}",
                "INVALID_REQUEST",
            )
        self._server = server.rstrip("/")
        self._http = Http(timeout)
        self._timeout = timeout
        self.tenant = tenant
        self.configset = configset
        if token is not None:
            self._tokens = GivenTokens(token)
        elif client_id is not None and client_secret is not None:
            url = f"{self._server}/oauth2/token"
            self._tokens = ClientTokens(self._http, url, client_id, client_secret, scope)
        else:
            raise VoxgateError("pass client_id and client_secret, or token", "UNAUTHENTICATED")
        self.operations = Operations(self._call)

    @property
    def context(self):
        """The tenant as requests of the contract name it."""
        return {"gkScopeId": {"value": self.tenant}}

    def each(self, operation, request=None):
        """Everything in a list, page by page: each(voxgate.operations.list_persons, {"context": voxgate.context})."""
        asked = dict(request or {})
        while True:
            page = operation(asked)
            yield from next((member for member in page.values() if isinstance(member, list)), [])
            token = page.get("nextPageToken")
            if not token:
                return
            asked["pageToken"] = token

    def events(self, cursor=None, start_time=None, types=(), follow=False, poll=1.0):
        """The events of the tenant, oldest first; with follow also those to come."""
        return EventFeed(self, cursor, {"startTime": start_time, "types": list(types)}, poll if follow else None)

    @contextmanager
    def session(self, type="DIGITAL", gk_engagement_id=None):
        """A session for a `with` block, which ends it."""
        context = {**self.context, "configsetId": self.configset}
        if gk_engagement_id is not None:
            context["gkEngagementId"] = {"value": gk_engagement_id}
        request = {"context": context, "sessionType": f"SESSION_TYPE_{type}"}
        started = self.operations.start_session(request)
        session = Session(
            self,
            {**context, "gkEngagementId": started["gkEngagementId"], "gkSessionId": started["gkSessionId"]},
        )
        try:
            yield session
        finally:
            try:
                session.stop()
            except VoxgateError:
                # It ends by itself, too; what went wrong in it is more important.
                pass

    def enroll(self, person, recordings, consent=False, tag="main", train=True):
        """Makes a voiceprint of a person from recordings: bytes, or paths of files."""
        with self.session() as session:
            return session.enroll(person, recordings, consent, tag, train)

    def verify(self, person, recording, tag="main", whole_recording=False, channel=None):
        """Whether a recording is the voice of a person."""
        with self.session() as session:
            return session.verify(person, recording, tag, whole_recording, channel)

    def identify(self, group, recording, whole_recording=False, channel=None):
        """Whose voice it is, among the persons of a group (by your own ID)."""
        with self.session() as session:
            return session.identify(group, recording, whole_recording, channel)

    def check_watchlist(self, watchlist, recording, whole_recording=False, channel=None):
        """Whether it is the voice of somebody on a watchlist (by your own ID)."""
        with self.session() as session:
            return session.check_watchlist(watchlist, recording, whole_recording, channel)

    def live(self, audio, format, person=None, group=None, watchlist=None, synthetic_speech=False, playback=False):
        """Has a call listened to while it runs: sends pieces of audio as they come, tells each change of what is known.

        format: such as {"encoding": "MULAW", "sampleRateHz": 8000}. The last event is final; leaving the loop ends the call.
        """
        target = {"syntheticSpeech": synthetic_speech, "playback": playback}
        with self.session() as session:
            if person is not None:
                target["gkVoiceprintProfileIds"] = {"uniqueIds": [{"value": session.profile_of(person)}]}
            if group is not None:
                found = self.operations.get_gk_group_id({"context": self.context, "groupId": group})
                target["group"] = {"uniqueId": found["gkGroupId"]}
            if watchlist is not None:
                found = self.operations.get_gk_watchlist_id({"context": self.context, "watchlistId": watchlist})
                target["watchlist"] = {"uniqueId": found["gkWatchlistId"]}
            prepared = self.operations.prepare_call({"context": session.context, "target": target})
            url = f"{self._server}/v1/live"
            yield from listen(url, self._timeout, prepared["streamToken"], format, audio)

    def _call(self, verb, template, request=None, idempotency_key=None):
        path, body = _bind(verb, template, request or {})
        headers = {"accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
            headers["idempotency-key"] = idempotency_key or uuid.uuid4().hex
        token = self._tokens.get()
        try:
            return self._send(verb, path, headers, body, token)
        except VoxgateError as refused:
            renewed = self._tokens.renew(token) if refused.http_status == 401 else token
            if renewed == token:
                raise
        return self._send(verb, path, headers, body, renewed)

    def _send(self, verb, path, headers, body, token):
        authorized = {**headers, "authorization": f"Bearer {token}"}
        return self._http.json(verb, self._server + path, authorized, body)

    def _put(self, url, content):
        headers = {"content-type": "application/octet-stream"}
        status, answer_headers, answer = self._http.send("PUT", url, headers, content)
        refusal = refusal_in(status, answer_headers, None)
        if refusal is not None:
            try:
                refusal = refusal_in(status, answer_headers, json.loads(answer))
            except ValueError:
                pass
            raise refusal


class EventFeed:
    """Iterate over it for the events; `cursor` is where another feed goes on."""

    def __init__(self, voxgate, cursor, request, poll):
        self._voxgate = voxgate
        self._request = request
        self._poll = poll
        self.cursor = cursor

    def __iter__(self):
        while True:
            request = {**self._request, "context": self._voxgate.context, "cursor": self.cursor}
            page = self._voxgate.operations.list_tenant_events(request)
            yield from page.get("events", [])
            self.cursor = page.get("nextCursor")
            if not page.get("endOfEvents"):
                continue
            if self._poll is None:
                return
            time.sleep(self._poll)


class Session:
    """An open session; Voxgate.session makes one."""

    def __init__(self, voxgate, context):
        self._voxgate = voxgate
        self._operations = voxgate.operations
        self.context = context

    def upload(self, recording):
        """Sends a recording; its ID is what operations of the contract call a media segment."""
        content = _bytes_of(recording)
        request = {"context": self.context, "container": _container_of(content)}
        answer = self._operations.get_upload_url(request)
        self._voxgate._put(answer["mediaUploadUrl"], content)
        return answer["gkMediaSegmentId"]["value"]

    def find_profile(self, owner, tag="main"):
        """The ID of a print; None where the owner has none under this tag."""
        request = {"context": self._voxgate.context, "owner": {**_owner(owner), "tag": tag}}
        try:
            answer = self._operations.get_gk_voiceprint_profile_id(request)
        except VoxgateError as refused:
            if refused.code != "NOT_FOUND":
                raise
            return None
        return (answer.get("gkVoiceprintProfileId") or {}).get("value") or None

    def profile_of(self, owner, tag="main"):
        """The ID of a print, which must be there."""
        profile = self.find_profile(owner, tag)
        if profile is None:
            name = next(iter(_owner(owner).values()))
            raise VoxgateError(f"{name} has no voiceprint with the tag {tag}", "NOT_FOUND")
        return profile

    def enroll(self, owner, recordings, consent=False, tag="main", train=True):
        """Adds recordings to a print, which is made where there is none, and trains it when there are enough."""
        profile = self.find_profile(owner, tag) or self._make_profile(owner, tag)
        if consent and "personId" in _owner(owner):
            found = self._operations.get_gk_person_id({"context": self._voxgate.context, **_owner(owner)})
            self._operations.opt_person_in({"context": self.context, "gkPersonId": found["gkPersonId"]})
        done = []
        status = "TRAIN_NOT_POSSIBLE"
        for recording in recordings:
            added, said = self._add(profile, recording)
            done.append(added)
            status = said or status
        result = {"profile_id": profile, "recordings": done, "status": status, "trained": False}
        if status != "TRAIN_NOT_POSSIBLE" and train:
            request = {"context": self.context, "gkVoiceprintProfileId": {"value": profile}}
            trained = self._operations.train(request).get("result", {})
            result["trained"] = trained.get("trainStatus") == "TRAIN_STATUS_TRAINED"
            result["train_reason"] = _bare(trained.get("reason"), "TRAIN_REASON_")
        return result

    def verify(self, owner, recording, tag="main", whole_recording=False, channel=None):
        """Compares a recording with the print of a person."""
        profile = self.profile_of(owner, tag)
        request = {**self._audio(recording, whole_recording, channel), "gkVoiceprintProfileId": {"value": profile}}
        return self._result(self._operations.verify(request), "authenticationScore")

    def identify(self, group, recording, whole_recording=False, channel=None):
        """Finds whose voice it is among the prints of a group (by your own ID)."""
        found = self._operations.get_gk_group_id({"context": self._voxgate.context, "groupId": group})
        request = {**self._audio(recording, whole_recording, channel), "group": {"uniqueId": found["gkGroupId"]}}
        return self._result(self._operations.identify(request), "authenticationScore")

    def check_watchlist(self, watchlist, recording, whole_recording=False, channel=None):
        """Looks for the voices of a watchlist (by your own ID)."""
        request = {"context": self._voxgate.context, "watchlistId": watchlist}
        found = self._operations.get_gk_watchlist_id(request)
        request = {
            **self._audio(recording, whole_recording, channel),
            "watchlist": {"uniqueId": found["gkWatchlistId"]},
        }
        return self._result(self._operations.detect_known_fraudsters(request), "fraudDetectionScore")

    def decision(self):
        """What all checks of the session come to together."""
        return _bare(self._operations.get_session_decision({"context": self.context}).get("decision"), "DECISION_")

    def stop(self):
        """Ends the session and its engagement."""
        self._operations.stop_session({"context": self.context})
        self._operations.stop_engagement({"context": self.context})

    def _make_profile(self, owner, tag):
        """The contract makes a person with the print, and a fraudster only when asked to."""
        request = {"context": self.context, "owner": {**_owner(owner), "tag": tag}}
        try:
            made = self._operations.create_voiceprint_profile(request)
        except VoxgateError as refused:
            if refused.code != "NOT_FOUND" or "fraudsterId" not in _owner(owner):
                raise
            self._operations.create_fraudster({"context": self.context, **_owner(owner)})
            made = self._operations.create_voiceprint_profile(request)
        return made["gkVoiceprintProfileId"]["value"]

    def _add(self, profile, recording):
        media = {"value": self.upload(recording)}
        request = {"context": self.context, "gkMediaSegmentId": media, "isForEnrollment": True}
        processed = self._operations.process_audio(request)["result"]
        request = {
            "context": self.context,
            "gkVoiceprintProfileId": {"value": profile},
            "gkProcessedAudioId": processed["gkProcessedAudioId"],
        }
        result = self._operations.enroll(request).get("result", {})
        added = {
            "enrolled": result.get("enrolled", False),
            "reason": _bare(result.get("reason"), "ENROLL_REASON_"),
            "validity": _bare(processed.get("validity"), "REASON_"),
            "net_speech_seconds": _seconds((processed.get("audioDetails") or {}).get("netAudio")),
        }
        return added, _bare(result.get("enrollStatus"), "ENROLL_STATUS_") if "enrollStatus" in result else None

    def _audio(self, recording, whole_recording, channel):
        request = {
            "context": self.context,
            "gkMediaSegmentId": {"value": self.upload(recording)},
            "ignoreCheckpoints": whole_recording,
        }
        if channel is not None:
            request["channelSelector"] = {"channel": channel}
        return request

    def _result(self, answer, score):
        result = answer.get("result", {})
        risk = result.get("riskEngineResult") or {}
        details = result.get("voiceprintDetails") or {}
        return {
            "decision": _bare(result.get("decision"), "DECISION_"),
            "reason": _bare(result.get("reason"), "DECISION_REASON_"),
            "score": (result.get(score) or {}).get("biometricScore"),
            "risk": risk.get("risk"),
            "reliability": risk.get("reliability"),
            "net_speech_seconds": _seconds((result.get("audioDetails") or {}).get("netAudio")),
            "profile_id": (details.get("gkVoiceprintProfileId") or {}).get("value"),
            "owner_id": (details.get("gkOwnerId") or {}).get("value"),
            "not_compared": _not_compared(answer),
            "gk_engagement_id": self.context["gkEngagementId"]["value"],
            "gk_session_id": self.context["gkSessionId"]["value"],
        }


def _bind(verb, template, request):
    """Puts a request into GET /v1/x/{gkPersonId.value}: path first, then query or body as the verb has it."""
    in_path = set()
    pieces = template.replace("{", "}").split("}")
    for index in range(1, len(pieces), 2):
        in_path.add(pieces[index])
        value = request
        for part in pieces[index].split("."):
            value = (value or {}).get(part)
        pieces[index] = urllib.parse.quote(str("" if value is None else value), safe="")
    path = "".join(pieces)
    if verb in ("GET", "DELETE"):
        pairs = [pair for pair in _pairs("", request) if pair[0] not in in_path]
        return path + (f"?{urllib.parse.urlencode(pairs)}" if pairs else ""), None
    rest = {name: value for name, value in request.items() if name not in in_path and value is not None}
    return path, json.dumps(rest).encode()


def _pairs(name, value):
    """Nested members become dotted query parameters."""
    if value is None or value == "":
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _pairs(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _pairs(name, item)
    else:
        yield name, str(value).lower() if isinstance(value, bool) else str(value)


def _owner(owner):
    """A person by your own ID, or a dictionary with personId or fraudsterId."""
    return dict(owner) if isinstance(owner, dict) else {"personId": owner}


def _bytes_of(recording):
    if isinstance(recording, (str, os.PathLike)):
        with open(recording, "rb") as file:
            recording = file.read()
    if len(recording) == 0:
        raise VoxgateError("the recording is empty", "INVALID_REQUEST")
    return bytes(recording)


def _container_of(content):
    """The server looks into the bytes; the contract only asks whether they are MP3."""
    is_frame = len(content) > 1 and content[0] == 0xFF and content[1] & 0xE6 == 0xE2
    return "CONTAINER_MP3" if content.startswith(b"ID3") or is_frame else "CONTAINER_WAV"


def _not_compared(answer):
    """Members of the group or watchlist who have no voiceprint to compare with, of how many; None where all were compared."""
    for said in (answer.get("status") or {}).get("diagnosticDetails", []):
        if said.get("code") == "MEMBERS_NOT_COMPARED":
            extras = said.get("extras", {})
            return {"count": int(extras.get("not_compared", 0)), "members": int(extras.get("members", 0))}
    return None


def _bare(name, prefix):
    name = name or "UNSPECIFIED"
    return name[len(prefix) :] if name.startswith(prefix) else name


def _seconds(duration):
    return None if duration is None else float(duration.rstrip("s"))
