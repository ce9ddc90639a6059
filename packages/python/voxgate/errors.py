"""One error for everything that can go wrong between a program and the server."""

import email.utils
import re
import time

_CODES = {
    400: "BAD_REQUEST",
    401: "UNAUTHENTICATED",
    403: "NOT_AUTHORIZED",
    404: "NOT_FOUND",
    409: "BUSY",
    410: "OBSOLETE",
    413: "TOO_LARGE",
    429: "RATE_EXCEEDED",
    501: "NOT_IMPLEMENTED",
    503: "BUSY",
    504: "DEADLINE_EXCEEDED",
}


class VoxgateError(Exception):
    """A call that was refused, or that got no answer.

    code: what kind of failure, such as NOT_FOUND, BUSY or OFFLINE.
    reason: what exactly, where the server says so, such as PROFILE_LOCKED or invalid_client.
    fields: every field of the request that is wrong, as dictionaries with field, message and violation.
    details: everything that the server says to programs.
    retry_after: seconds that the server asks to wait before the same call is sent again.
    """

    def __init__(
        self,
        message,
        code,
        reason=None,
        fields=(),
        details=(),
        http_status=0,
        request_id=None,
        retry_after=None,
    ):
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.fields = list(fields)
        self.details = list(details)
        self.http_status = http_status
        self.request_id = request_id
        self.retry_after = retry_after


def refusal_in(http_status, headers, body):
    """What an answer refuses; None where it refuses nothing."""
    body = body if isinstance(body, dict) else {}
    status = body.get("status")
    if not isinstance(status, dict) or "statusCode" not in status:
        status = None
    facts = {
        "http_status": http_status,
        "request_id": ((status or {}).get("requestInfo") or {}).get("requestId") or headers.get("x-request-id"),
        "retry_after": _wait_of(headers, status),
    }
    if status is not None:
        if status["statusCode"] == "OK":
            return None
        fields = [
            {
                "field": path_in_request(each.get("field", "")),
                "message": each.get("message", ""),
                "violation": each.get("violation", "MANDATORY_FIELD_MISSING"),
            }
            for each in status.get("fieldViolations", [])
        ]
        details = status.get("diagnosticDetails", [])
        text = (status.get("statusMessage") or {}).get("message") or status["statusCode"]
        if fields:
            text = "; ".join(f"{each['field']} {each['message']}".strip() for each in fields)
        reason = details[0].get("code") if details else None
        return VoxgateError(text, status["statusCode"], reason, fields, details, **facts)
    if 200 <= http_status < 300:
        return None
    text = body.get("error_message") or body.get("error_description") or body.get("error") or f"HTTP {http_status}"
    code = _CODES.get(http_status, "INTERNAL_ERROR" if http_status >= 500 else "UNKNOWN")
    fields = []
    if "field" in body:
        fields = [{"field": path_in_request(body["field"]), "message": text, "violation": "OTHER"}]
    return VoxgateError(text, code, body.get("error"), fields, **facts)


def path_in_request(field):
    """The path of a violation, which begins with the name of the request, as a path into its JSON."""
    parts = field.split(".")
    types = [index for index, part in enumerate(parts) if part[:1].isupper()]
    rest = parts[types[-1] + 1 :] if types else parts
    return ".".join(re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), part) for part in rest)


def _wait_of(headers, status):
    """Retry-After in seconds or as a date, or what the body says."""
    said = headers.get("retry-after")
    if said is not None and said.isdigit():
        return float(said)
    if said is not None:
        try:
            return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
        except ValueError:
            pass
    delay_ms = ((status or {}).get("retryInfo") or {}).get("retryDelayMs")
    return None if delay_ms is None else delay_ms / 1000
