"""Makes a voiceprint of a person from recordings and checks another recording against it.

python3 enroll_and_verify.py PERSON VERIFY.WAV ENROLL.WAV ENROLL.WAV ENROLL.WAV

VOXGATE_SERVER, VOXGATE_CLIENT_ID, VOXGATE_CLIENT_SECRET and VOXGATE_TENANT say where and as whom.
"""

import os
import sys

from voxgate import Voxgate, VoxgateError

person, verification, *enrollment = sys.argv[1:]
voxgate = Voxgate(
    server=os.environ["VOXGATE_SERVER"],
    tenant=os.environ["VOXGATE_TENANT"],
    client_id=os.environ["VOXGATE_CLIENT_ID"],
    client_secret=os.environ["VOXGATE_CLIENT_SECRET"],
)

try:
    print_made = voxgate.enroll(person, enrollment, consent=True)
    for recording in print_made["recordings"]:
        print(recording["reason"], recording["net_speech_seconds"])
    if not print_made["trained"]:
        sys.exit(f"more recordings are needed: {print_made['status']}")
    result = voxgate.verify(person, verification)
    print(result["decision"], result["reason"], "risk", result["risk"])
except VoxgateError as refused:
    sys.exit(f"{refused.code} {refused.reason or ''} {refused}")
