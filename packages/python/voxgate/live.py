"""A call that is listened to while it runs."""

import json
import threading

from .errors import VoxgateError
from .websocket import WebSocket

_REFUSALS = {1013: "BUSY", 1002: "INVALID_REQUEST", 1008: "INVALID_REQUEST"}


def listen(url, timeout, stream_token, audio_format, audio):
    """Sends the audio from a thread of its own, and tells the events; the last is final."""
    connection = WebSocket(url, timeout)
    failed = []

    def send():
        try:
            for piece in audio:
                connection.send(bytes(piece))
            connection.send(json.dumps({"stop": {}}))
        except OSError:
            # The connection is gone: whoever reads from it says why.
            pass
        except BaseException as thrown:
            failed.append(thrown)
            connection.close()

    is_over = False
    try:
        connection.send(json.dumps({"start": {"streamToken": stream_token, "format": audio_format}}))
        threading.Thread(target=send, daemon=True).start()
        for text in connection.texts():
            event = json.loads(text).get("event")
            if event is None:
                continue
            is_over = event.get("final", False)
            yield event
            if is_over:
                return
    finally:
        connection.close()
        if failed:
            raise failed[0]
    if not is_over:
        code = connection.close_code
        text = connection.close_reason or f"the server closed the connection ({code})"
        raise VoxgateError(text, _REFUSALS.get(code, "CALL_LOST"))
