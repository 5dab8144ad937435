"""Verifies webhook requests and parses their events."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from typing import TYPE_CHECKING, Any, Protocol

from .errors import BeatMarketError, SignatureVerificationError
from .events import EVENTS, Event
from .wire import is_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SIGNATURE = "x-webhook-signature"
PREVIOUS_SIGNATURE = "x-webhook-signature-previous"


class Headers(Protocol):
    """Request headers: a dict or the mapping of any framework."""

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names, in any case, and values of the headers."""
        ...


class Webhooks:
    """Verifies webhooks. Needs no API key: `from beatmarket import webhooks`."""

    def verify(self, body: bytes | bytearray, signature: str | None, secrets: str | Sequence[str]) -> None:
        """Verifies a signature; raises if it is invalid.

        Args:
            body: the raw bytes of the request body, unparsed.
            signature: the header `X-Webhook-Signature`; None if it is absent.
            secrets: the endpoint's whole secret, `whsec_` included, or several during a rotation.

        Raises:
            SignatureVerificationError: the signature is invalid; the message says why and what to do.
            BeatMarketError: the secret is missing or empty, or the body is not bytes.
        """
        _verify(_raw(body), [signature], secrets)

    def unwrap(self, body: bytes | bytearray, headers: Headers, secrets: str | Sequence[str]) -> Event:
        """Verifies a webhook request and returns its event.

        Accepts `X-Webhook-Signature` or, during a rotation, `X-Webhook-Signature-Previous`.

        Args:
            body: the raw bytes of the request body, unparsed.
            headers: the request headers.
            secrets: the endpoint's whole secret, `whsec_` included, or several during a rotation.

        Raises:
            SignatureVerificationError: the signature is absent or invalid; the message says why and what to do.
            BeatMarketError: the secret is missing or empty, or the body is not bytes or not an event.
        """
        raw = _raw(body)
        found = [(name.lower(), value) for name, value in headers.items()]
        wanted = (SIGNATURE, PREVIOUS_SIGNATURE)
        _verify(raw, [value for name, value in found if name in wanted], secrets)
        try:
            event = json.loads(raw)
        except (ValueError, RecursionError):
            event = None
        if not is_object(event) or not isinstance(event.get("type"), str) or "data" not in event:
            raise BeatMarketError("The signature is good, but the body is not an event.")
        return EVENTS.get(event["type"], Event)(**event)


webhooks = Webhooks()


def _raw(body: object) -> bytes:
    if isinstance(body, (bytes, bytearray)):
        return bytes(body)
    raise BeatMarketError(
        f"The body must be the raw bytes as they came, not {type(body).__name__}: what was parsed or decoded before "
        "cannot be verified. Flask: request.get_data(); Django: request.body; FastAPI: await request.body()."
    )


def _verify(body: bytes | bytearray, signatures: Sequence[Any], secrets: str | Sequence[str]) -> None:
    given = [secrets] if isinstance(secrets, str) else list(secrets or [])
    if not given or not all(given):
        raise BeatMarketError(
            "The webhook secret is empty: is its variable set? Nothing is verified without one, "
            "because anyone could sign with an empty secret."
        )
    # Compares all secrets with all signatures, so that the run time does not reveal which one matched.
    keys = [secret.encode("utf-8", "surrogateescape") for secret in given]
    expected = [hmac.new(key, body, hashlib.sha256).hexdigest() for key in keys]
    well_formed = [signature for signature in signatures if _is_well_formed(signature)]
    if not any([hmac.compare_digest(ours, theirs) for ours in expected for theirs in well_formed]):
        raise SignatureVerificationError(_reason(signatures, well_formed))


def _is_well_formed(signature: Any) -> bool:
    return isinstance(signature, str) and re.fullmatch("[0-9a-f]{64}", signature) is not None


def _reason(signatures: Sequence[Any], well_formed: Sequence[str]) -> str:
    if well_formed:
        return (
            "The webhook's signature does not match. Verify the raw bytes of the body, as they came before anything "
            "parsed them, and use the whole secret, whsec_ included. The portal's signature doctor finds the cause."
        )
    if any(signature is not None for signature in signatures):
        return "The webhook's signature is not 64 lower-case hexadecimal digits: it must be the header's exact value."
    return "The request has no header X-Webhook-Signature: it does not come from the service, or a proxy removed it."
