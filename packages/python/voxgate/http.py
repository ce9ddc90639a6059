"""HTTP with patience: a request is sent again when the server is busy, away or asks to wait."""

import base64
import json
import random
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from .errors import VoxgateError, refusal_in

# Answers after which the same request may succeed.
_PASSING = {429, 502, 503, 504}
_FIRST_PAUSE = 0.25
_PAUSE_MAX = 8.0
# A server that is away for longer than a restart takes is not waited for.
_LOST_MAX = 4
_SPARE_SHARE = 0.1
_SPARE_MAX = 60.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A token is for one server, not for whoever it points to."""

    def redirect_request(self, *_arguments):
        return None


class Http:
    def __init__(self, timeout, sleep=time.sleep, opener=None):
        self._timeout = timeout
        self._sleep = sleep
        self._open = (opener or urllib.request.build_opener(_NoRedirects())).open

    def send(self, method, url, headers, body=None):
        """Status, headers and bytes of the last answer, refused or not."""
        end = time.monotonic() + self._timeout
        attempt = 0
        lost_count = 0
        while True:
            answer, lost = self._once(method, url, headers, body, max(0.001, end - time.monotonic()))
            wait = _asked_to_wait(answer) if answer else None
            if answer and wait is None:
                return answer
            lost_count += 0 if answer else 1
            backoff = min(_PAUSE_MAX, _FIRST_PAUSE * 2**attempt) * random.uniform(0.5, 1)
            pause = max(wait or 0, backoff)
            if lost_count > _LOST_MAX or time.monotonic() + pause >= end:
                if answer:
                    return answer
                raise VoxgateError(f"{_origin(url)} cannot be reached", "OFFLINE") from lost
            self._sleep(pause)
            attempt += 1

    def json(self, method, url, headers, body=None):
        """The parsed answer; raises what it refuses."""
        status, answer_headers, content = self.send(method, url, headers, body)
        parsed = _parse(content)
        refusal = refusal_in(status, answer_headers, parsed)
        if refusal is not None:
            raise refusal
        if parsed is None:
            raise VoxgateError("the response is not JSON", "BAD_ANSWER", http_status=status)
        return parsed

    def _once(self, method, url, headers, body, timeout):
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        try:
            with self._open(request, timeout=timeout) as answer:
                return (answer.status, _lower(answer.headers), answer.read()), None
        except urllib.error.HTTPError as refused:
            with refused:
                return (refused.code, _lower(refused.headers), refused.read()), None
        except (urllib.error.URLError, ConnectionError, socket.timeout, TimeoutError) as lost:
            return None, lost


class ClientTokens:
    """Fetched when one is needed, kept until shortly before it ends, and fetched once however many threads wait."""

    def __init__(self, http, url, client_id, client_secret, scope):
        self._http = http
        self._url = url
        pair = f"{urllib.parse.quote(client_id, safe='')}:{urllib.parse.quote(client_secret, safe='')}"
        self._authorization = "Basic " + base64.b64encode(pair.encode()).decode()
        self._form = urllib.parse.urlencode({"grant_type": "client_credentials", "scope": scope}).encode()
        self._lock = threading.Lock()
        self._token = None
        self._renew_at = 0.0

    def get(self):
        with self._lock:
            if self._token is None or time.monotonic() >= self._renew_at:
                self._fetch()
            return self._token

    def renew(self, stale):
        with self._lock:
            if self._token == stale:
                self._fetch()
            return self._token

    def _fetch(self):
        asked_at = time.monotonic()
        headers = {"authorization": self._authorization, "content-type": "application/x-www-form-urlencoded"}
        answer = self._http.json("POST", self._url, headers, self._form)
        lasts = float(answer.get("expires_in", 0))
        self._token = answer["access_token"]
        self._renew_at = asked_at + lasts - min(_SPARE_MAX, lasts * _SPARE_SHARE)


class GivenTokens:
    """A token, or a function that gives one; it is told which token the server refused, if that is why it is asked."""

    def __init__(self, token):
        self._token = token

    def get(self):
        return self._token() if callable(self._token) else self._token

    def renew(self, stale):
        return self._token(stale) if callable(self._token) else self._token


def _asked_to_wait(answer):
    status, headers, content = answer
    if status != 409 and status not in _PASSING:
        return None
    refusal = refusal_in(status, headers, _parse(content))
    if status == 409 and (refusal is None or refusal.reason != "IDEMPOTENCY_KEY_IN_USE"):
        return None
    return (refusal.retry_after if refusal else None) or 0.0


def _parse(content):
    try:
        return json.loads(content) if content else {}
    except ValueError:
        return None


def _lower(headers):
    return {name.lower(): value for name, value in headers.items()}


def _origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
