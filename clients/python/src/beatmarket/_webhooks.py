"""Verifies webhook requests and parses their events."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

from ._generated.events import BaseEvent, Event
from .arguments import is_a
from .errors import BeatMarketError, SignatureVerificationError
from .wire import is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNATURES = ("x-webhook-signature", "x-webhook-signature-previous")
_MISMATCH = (
    "The webhook's signature does not match. Verify the raw bytes of the body, as they came before anything "
    "parsed them, and use the whole secret, whsec_ included. The portal's signature doctor finds the cause."
)


class Headers(Protocol):
    """Request headers: a dict or the mapping of any framework."""

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names, in any case, and values of the headers."""
        ...


class Webhooks:
    """Verifies webhooks. Needs no API key: `from beatmarket import webhooks`."""

    def verify(self, body: bytes | bytearray | str, signature: str | None, secrets: str | Sequence[str]) -> None:
        """Verifies an `X-Webhook-Signature`; raises if it is invalid. The signature has no time, so anyone can send an
        old request again; `unwrap` refuses such replays.

        Args:
            body: the raw bytes of the request body, unparsed; a `str` is taken as UTF-8.
            signature: the header `X-Webhook-Signature`; None if it is absent.
            secrets: the endpoint's whole secret, `whsec_` included, or several during a rotation.

        Raises:
            SignatureVerificationError: the signature is invalid; the message says why and what to do.
            BeatMarketError: the secret is missing or empty, or the body is neither bytes nor a text.
        """
        _verify(_raw(body), [signature], _checked(secrets))

    def unwrap(
        self,
        body: bytes | bytearray | str,
        headers: Headers,
        secrets: str | Sequence[str],
        tolerance: float | None = 300,
    ) -> Event:
        """Verifies a webhook request and returns its event. Ignore an event whose id you have processed before.

        Args:
            body: the raw bytes of the request body, unparsed; a `str` is taken as UTF-8.
            headers: the request headers. Those of Standard Webhooks are verified: `webhook-id`, `webhook-timestamp` and
                `webhook-signature`.
            secrets: the endpoint's whole secret, `whsec_` included, or several during a rotation.
            tolerance: seconds by which the time of the request may differ from this machine's, so that replays are
                refused. None accepts requests of any age, by `X-Webhook-Signature` or, during a rotation,
                `X-Webhook-Signature-Previous`.

        Raises:
            SignatureVerificationError: the signature is absent or invalid, the time is outside the tolerance, or the id
                is not the event's; the message says why and what to do.
            BeatMarketError: the secret, tolerance or headers are invalid, or the body is not bytes, a text or an event.
        """
        raw = _raw(body)
        keys = _checked(secrets)
        found = _lower(headers)
        if tolerance is None:
            _verify(raw, [value for name, value in found if name in _SIGNATURES], keys)
            event_id = None
        else:
            event_id = _verify_standard(raw, dict(found), keys, tolerance)
        try:
            event = json.loads(raw)
        except (ValueError, RecursionError):
            event = None
        if not is_object(event) or not isinstance(event.get("type"), str) or "data" not in event:
            raise BeatMarketError("The signature is valid, but the body is not an event.")
        if event_id is not None and event.get("id") != event_id:
            raise SignatureVerificationError("The header webhook-id is not the id of the event: ignore the request.")
        return cast("Event", BaseEvent._of(event))

    def sign(self, body: bytes | bytearray | str, secret: str, at: float | None = None) -> dict[str, str]:
        """The headers that a delivery of this event has, for tests of a receiver.

        Args:
            body: the event as JSON, with its `id`.
            secret: the endpoint's whole secret, `whsec_` included.
            at: the Unix time of the delivery, now by default.

        Raises:
            BeatMarketError: the body is not an event, or the secret is invalid.
        """
        raw = _raw(body)
        try:
            event = json.loads(raw)
        except (ValueError, RecursionError):
            event = None
        event_id = event.get("id") if is_object(event) else None
        if not isinstance(event_id, str) or not event_id:
            raise BeatMarketError(
                'The body must be an event as JSON, such as {"id": "evt_1", "type": "beat.created", "data": {}}.'
            )
        [whole] = _checked(secret)
        timestamp = str(int(time.time() if at is None else at))
        signed = f"{event_id}.{timestamp}.".encode() + raw
        return {
            "content-type": "application/json",
            "webhook-id": event_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": "v1," + base64.b64encode(hmac.digest(_decoded(whole), signed, "sha256")).decode(),
            "x-webhook-signature": hmac.new(whole.encode(), raw, hashlib.sha256).hexdigest(),
        }


webhooks = Webhooks()


def _lower(headers: Headers) -> list[tuple[str, Any]]:
    """The headers with lower-case names. A list with one value, as API gateways send it, becomes that value."""
    if not hasattr(headers, "items"):
        raise BeatMarketError(f"headers must be the headers of the request, a mapping, not {type(headers).__name__}.")
    return [(str(name).lower(), _only(value)) for name, value in headers.items()]


def _only(value: Any) -> Any:
    return value[0] if is_array(value) and len(value) == 1 else value


def _raw(body: object) -> bytes:
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    if isinstance(body, str):  # Half of a surrogate pair cannot be sent as UTF-8, so no signature matches it.
        return body.encode("utf-8", "surrogatepass")
    raise BeatMarketError(
        f"The body must be the raw bytes as they came, not {type(body).__name__}: what was parsed before "
        "cannot be verified. Flask: request.get_data(); Django: request.body; FastAPI: await request.body()."
    )


def _checked(secrets: str | Sequence[str]) -> list[str]:
    given: list[Any] = [*secrets] if is_a(secrets, Iterable) and not isinstance(secrets, str) else [secrets]
    if not given or not all(is_a(secret, str) and secret for secret in given):
        raise BeatMarketError(
            "The webhook secret is empty: is its variable set? Nothing is verified without one, "
            "because anyone could sign with an empty secret."
        )
    return given


def _verify(body: bytes, signatures: Sequence[Any], secrets: Sequence[str]) -> None:
    """Verifies the service's own form: hexadecimal digits, keyed with the whole secret."""
    expected = [
        hmac.new(secret.encode("utf-8", "surrogateescape"), body, hashlib.sha256).hexdigest() for secret in secrets
    ]
    well_formed = [one for one in signatures if isinstance(one, str) and re.fullmatch("[0-9a-f]{64}", one)]
    if _matches(expected, well_formed):
        return
    if well_formed:
        raise SignatureVerificationError(_MISMATCH)
    if any(signature is not None for signature in signatures):
        raise SignatureVerificationError(
            "The webhook's signature is not 64 lower-case hexadecimal digits: it must be the header's exact value."
        )
    raise _absent("X-Webhook-Signature")


def _verify_standard(body: bytes, headers: dict[str, Any], secrets: Sequence[str], tolerance: object) -> str:
    """Verifies the form of Standard Webhooks, keyed with the base64-decoded secret. Returns the id of the event."""
    if isinstance(tolerance, bool) or not isinstance(tolerance, (int, float)) or not 0 < tolerance < math.inf:
        raise BeatMarketError(f"tolerance must be a number of seconds above 0, or None, not {tolerance!r}.")
    keys = [_decoded(secret) for secret in secrets]
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    for name in names:
        if not headers.get(name):
            raise _absent(name)
    event_id, timestamp, signature = (str(headers[name]) for name in names)
    if not re.fullmatch(r"[0-9]{1,15}", timestamp, re.ASCII):
        raise SignatureVerificationError(
            "The header webhook-timestamp is not Unix time in seconds: ignore the request."
        )
    signed = f"{event_id}.{timestamp}.".encode("utf-8", "surrogateescape") + body
    expected = [base64.b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys]
    given = [entry[3:] for entry in signature.split(" ") if entry.startswith("v1,") and entry.isascii()]
    if not _matches(expected, given):
        raise SignatureVerificationError(f"{_MISMATCH} (header webhook-signature)" if given else _NO_ENTRY)
    age_s = time.time() - int(timestamp)
    if abs(age_s) > tolerance:
        raise SignatureVerificationError(
            f"The header webhook-timestamp is {abs(age_s):.0f} s in the {'past' if age_s > 0 else 'future'}, more than "
            f"the tolerance of {tolerance:g} s: the request is a replay, or this machine's clock is wrong."
        )
    return event_id


_NO_ENTRY = "The header webhook-signature has no entry v1,<base64>: it must be the header's exact value."


def _matches(expected: Sequence[str], given: Sequence[str]) -> bool:
    """Compares all with all, so that the run time does not reveal which one matched."""
    return any([hmac.compare_digest(ours, theirs) for ours in expected for theirs in given])


def _decoded(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if not key:
        raise BeatMarketError("The webhook secret is not whsec_ and base64: copy the whole secret from the portal.")
    return key


def _absent(name: str) -> SignatureVerificationError:
    return SignatureVerificationError(
        f"The request has no header {name}: it does not come from the service, or a proxy removed it."
    )
