"""What the Python client does on a real server, as JSON lines for the test that runs this."""

import json
import os
import sys

from voxgate import Voxgate, VoxgateError
from voxgate.errors import refusal_in
from voxgate.http import Http

server, tenant = os.environ["VOXGATE_SERVER"], os.environ["VOXGATE_TENANT"]
client_id, client_secret = os.environ["VOXGATE_CLIENT_ID"], os.environ["VOXGATE_CLIENT_SECRET"]
voxgate = Voxgate(server, tenant, client_id, client_secret)


def tell(name, value):
    print(json.dumps([name, value]))


def refusal(work):
    try:
        work()
    except VoxgateError as refused:
        return [refused.code, refused.reason, [each["field"] for each in refused.fields]]
    return None


own, other, raw = sys.argv[1:]
context = voxgate.context
tell("impostor", voxgate.verify("dora-python", other, whole_recording=True)["decision"])

with voxgate.session(type="IVR") as session:
    group = voxgate.operations.create_group({"context": session.context, "groupId": "python"})
    found = voxgate.operations.get_gk_person_id({"context": context, "personId": "dora-python"})
    member = {"context": session.context, "gkGroupId": group["gkGroupId"], "gkPersonId": found["gkPersonId"]}
    voxgate.operations.add_person_to_group(member)
    with open(own, "rb") as file:
        identified = session.identify("python", file.read())
    tell("identified", [identified["decision"], identified["owner_id"] == found["gkPersonId"]["value"]])
    tell("all compared", identified["not_compared"])
    silent = voxgate.operations.create_person({"context": session.context, "personId": "never-enrolled"})
    voxgate.operations.add_person_to_group({**member, "gkPersonId": silent["gkPersonId"]})
    tell("one left out", session.identify("python", own)["not_compared"])
    tell("session", session.decision())

listed = voxgate.operations.list_sessions({"context": context, "gkSessionIds": [identified["gk_session_id"]]})["sessions"]
assessment = listed[0]["assessment"]
tell("assessment", [
    "SESSION_CAVEAT_ATTACK_CHECK_MISSING" in assessment["caveats"],
    listed[0]["persons"][0]["isMatch"],
    "inheritedFrom" in assessment,
])

key = "the-same"
with voxgate.session() as session:
    request = {"context": session.context, "personId": "twice"}
    first = voxgate.operations.create_person(request, idempotency_key=key)
    again = voxgate.operations.create_person(request, idempotency_key=key)
    tell("done once", first["gkPersonId"] == again["gkPersonId"])

persons = voxgate.each(voxgate.operations.list_persons, {"context": context, "pageSize": 1})
tell("persons", sorted(each["details"]["personId"] for each in persons))

feed = voxgate.events(types=["voxgate.v1.CreateGroup"])
tell("events", sorted({each["type"] for each in feed}))
tell("no more events", list(voxgate.events(cursor=feed.cursor, types=["voxgate.v1.CreateGroup"])))

with open(raw, "rb") as file:
    audio = file.read()
pieces = [audio[at : at + 3200] for at in range(0, len(audio), 3200)]
audio_format = {"encoding": "LINEAR16", "sampleRateHz": 8000}
heard = list(voxgate.live(pieces, audio_format, person="dora-python"))
tell("live", [heard[-1]["state"], heard[-1]["final"], [each.get("final", False) for each in heard[:-1]].count(True)])
tell("live without a target", refusal(lambda: list(voxgate.live(pieces, audio_format))))
tell("live in no format", refusal(lambda: list(voxgate.live(pieces, {}, person="dora-python"))))

tell("no such person", refusal(lambda: voxgate.verify("unheard-of", own)))
tell("missing field", refusal(lambda: voxgate.operations.list_persons({})))
tell("wrong secret", refusal(lambda: Voxgate(server, tenant, client_id, "wrong").verify("dora-python", own)))
given = []


def give(refused=None):
    given.append(refused)
    return "not a token"


tell("refused token", refusal(lambda: Voxgate(server, tenant, token=give).operations.list_scopes({})))
tell("asked for tokens", given)

pauses = []
away = Http(60, sleep=pauses.append)
tell("offline", refusal(lambda: away.json("GET", "http://127.0.0.1:1/", {})))
tell("pauses", len(pauses))
busy = refusal_in(503, {"retry-after": "7"}, {"status": {"statusCode": "BUSY"}})
tell("busy", [busy.code, busy.retry_after])
