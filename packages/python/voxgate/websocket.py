"""As much of RFC 6455 as a client needs that sends audio and reads texts."""

import base64
import hashlib
import os
import socket
import ssl
import struct
import threading
import urllib.parse

from .errors import VoxgateError

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
_MESSAGE_MAX = 1024 * 1024
_HEAD_MAX = 64 * 1024


class WebSocket:
    """One connection. Several threads may send; one reads."""

    def __init__(self, url, timeout):
        parts = urllib.parse.urlsplit(url)
        is_tls = parts.scheme in ("https", "wss")
        port = parts.port or (443 if is_tls else 80)
        try:
            connection = socket.create_connection((parts.hostname, port), timeout)
            if is_tls:
                connection = ssl.create_default_context().wrap_socket(connection, server_hostname=parts.hostname)
        except OSError as lost:
            raise VoxgateError(f"{parts.netloc} cannot be reached", "OFFLINE") from lost
        self._connection = connection
        self._reader = connection.makefile("rb")
        self._lock = threading.Lock()
        self.close_code = None
        self.close_reason = ""
        self._open(parts)
        # A call may be silent for long.
        connection.settimeout(None)

    def send(self, message):
        """A text (str) or audio (bytes)."""
        if isinstance(message, str):
            self._frame(_TEXT, message.encode())
        else:
            self._frame(_BINARY, message)

    def texts(self):
        """The messages of the other side, until it closes."""
        parts = []
        while True:
            try:
                is_last, kind, content = self._read_frame()
            except (OSError, EOFError):
                self.close_code = self.close_code or 1006
                return
            if kind == _CLOSE:
                self.close_code = struct.unpack("!H", content[:2])[0] if len(content) > 1 else 1005
                self.close_reason = content[2:].decode(errors="replace")
                return
            if kind == _PING:
                self._frame(_PONG, content)
            elif kind != _PONG:
                parts.append(content)
                if is_last:
                    yield b"".join(parts).decode()
                    parts = []

    def close(self):
        try:
            self._frame(_CLOSE, struct.pack("!H", 1000))
        except OSError:
            pass
        self._reader.close()
        self._connection.close()

    def _open(self, parts):
        key = base64.b64encode(os.urandom(16))
        request = (
            f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        self._connection.sendall(request.encode())
        status = self._reader.readline(_HEAD_MAX).split(b" ")
        headers = {}
        while True:
            line = self._reader.readline(_HEAD_MAX).rstrip()
            if not line:
                break
            name, _, value = line.partition(b":")
            headers[name.strip().lower()] = value.strip()
        if len(status) < 2 or status[1] != b"101":
            code = status[1].decode(errors="replace") if len(status) > 1 else "no answer"
            raise VoxgateError(f"the server refused the connection: HTTP {code}", "NOT_AUTHORIZED")
        expected = base64.b64encode(hashlib.sha1(key + _GUID).digest())
        if headers.get(b"sec-websocket-accept") != expected:
            raise VoxgateError("the response is not that of a WebSocket", "BAD_ANSWER")

    def _frame(self, kind, content):
        mask = os.urandom(4)
        length = len(content)
        if length < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, length)
        # One large number is far quicker to mask than many bytes.
        pattern = (mask * (length // 4 + 1))[:length]
        masked = (int.from_bytes(content, "big") ^ int.from_bytes(pattern, "big")).to_bytes(length, "big")
        with self._lock:
            self._connection.sendall(head + mask + masked)

    def _read_frame(self):
        first, second = self._exactly(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack("!H", self._exactly(2))[0]
        elif length == 127:
            length = struct.unpack("!Q", self._exactly(8))[0]
        if length > _MESSAGE_MAX:
            raise EOFError
        return bool(first & 0x80), first & 0x0F, self._exactly(length)

    def _exactly(self, count):
        content = self._reader.read(count)
        if len(content) < count:
            raise EOFError
        return content
