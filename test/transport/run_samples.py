"""Runs the Python samples of the API page: variables and samples as JSON on standard input, the HTTP status of each out."""

import contextlib
import io
import json
import sys

from voxgate import Voxgate, VoxgateError

asked = json.load(sys.stdin)
variables = asked["variables"]
voxgate = Voxgate(asked["server"], variables["GK_SCOPE_ID"], token=asked["token"])
ran = []
for sample in asked["samples"]:
    status, body = 200, ""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(sample["source"], {**variables, "voxgate": voxgate})
    except VoxgateError as refused:
        status, body = refused.http_status, str(refused)
    ran.append({"id": sample["id"], "status": status, "body": body})
json.dump(ran, sys.stdout)
