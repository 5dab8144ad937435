"""Only requests signed with the secret are accepted."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from beatmarket import (
    BeatCreatedEvent,
    BeatMarket,
    BeatMarketError,
    BeatPurchasedEvent,
    BeatUpdatedEvent,
    Event,
    Model,
    SignatureVerificationError,
    UnknownEvent,
    UserRegisteredEvent,
    UserUpdatedEvent,
    webhooks,
)

from .conftest import REPOSITORY

VECTORS: list[dict[str, Any]] = json.loads(
    (REPOSITORY / "contract/vectors/client-signature-vectors.json").read_text("utf-8")
)
SECRET = "whsec_dGVzdHM="
NOW = 1_795_176_000
BODY = b'{"id":"evt_1","created":1,"type":"beat.purchased","data":{"title":"One","amount":29.9,"new":1},"more":2}'


@pytest.fixture(autouse=True)
def _now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: NOW + 0.5)


def sign(body: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def signed(body: bytes, at: int = NOW, *secrets: str, event_id: str = "evt_1") -> dict[str, str]:
    """The headers of Standard Webhooks."""
    entries = [
        base64.b64encode(
            hmac.digest(base64.b64decode(secret[6:]), f"{event_id}.{at}.".encode() + body, "sha256")
        ).decode()
        for secret in secrets or (SECRET,)
    ]
    signature = " ".join(f"v1,{entry}" for entry in entries)
    return {"webhook-id": event_id, "webhook-timestamp": str(at), "webhook-signature": signature}


def verdict(vector: dict[str, Any]) -> str:
    try:
        webhooks.verify(base64.b64decode(vector["body_base64"]), vector["header"], vector["secrets"])
    except SignatureVerificationError:
        return "invalid"
    except BeatMarketError:
        return "config_error"
    return "valid"


def test_there_are_27_vectors() -> None:
    assert len(VECTORS) == 27


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_shared_signature_vectors(vector: dict[str, Any]) -> None:
    assert verdict(vector) == vector["expect"]


def test_a_verified_webhook_becomes_a_typed_event() -> None:
    event = webhooks.unwrap(BODY, signed(BODY), SECRET)
    assert isinstance(event, BeatPurchasedEvent)
    assert (event.id, event.created, event.data.title, event.data.amount) == ("evt_1", 1, "One", 29.9)
    assert event.to_dict() == json.loads(BODY)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("beat.created", BeatCreatedEvent),
        ("beat.updated", BeatUpdatedEvent),
        ("user.registered", UserRegisteredEvent),
        ("user.updated", UserUpdatedEvent),
    ],
)
def test_each_type_has_its_class(name: str, kind: type[Event]) -> None:
    body = json.dumps({"id": "evt_1", "created": 1, "type": name, "data": {"id": 7, "changed": ["bio"]}}).encode()
    event = webhooks.unwrap(body, signed(body), SECRET)
    assert type(event) is kind
    assert isinstance(event.data, Model)
    assert event.to_dict() == json.loads(body)


def test_an_unknown_type_is_an_unknown_event() -> None:
    body = b'{"id":"evt_1","created":1,"type":"beat.liked","data":{"id":7}}'
    event = webhooks.unwrap(body, signed(body), SECRET)
    assert (type(event), event.type, event.data) == (UnknownEvent, "beat.liked", {"id": 7})


def test_a_text_is_taken_as_utf_8() -> None:
    body = BODY.decode().replace("One", "Größe")
    headers = webhooks.sign(body, SECRET)
    assert headers == webhooks.sign(body.encode(), SECRET, at=float(headers["webhook-timestamp"]))
    assert webhooks.unwrap(body, headers, SECRET).to_dict() == json.loads(body)
    webhooks.verify(body, headers["x-webhook-signature"], SECRET)
    with pytest.raises(SignatureVerificationError):
        webhooks.verify("\ud800", headers["x-webhook-signature"], SECRET)


def test_headers_are_accepted_in_any_case_and_mapping() -> None:
    message = Message()
    message["X-WEBHOOK-SIGNATURE"] = sign(BODY)
    for headers in (message, {"x-webhook-signature": sign(BODY)}, {"X-Webhook-SIGNATURE": sign(BODY), "Other": "1"}):
        assert webhooks.unwrap(BODY, headers, SECRET, None).id == "evt_1"


def test_a_delivery_is_accepted_within_the_tolerance_and_by_any_secret() -> None:
    for at in (NOW - 300 + 1, NOW, NOW + 300):
        assert webhooks.unwrap(BODY, signed(BODY, at), SECRET).id == "evt_1"
    assert webhooks.unwrap(BODY, signed(BODY, NOW - 400), SECRET, 401).id == "evt_1"
    other = "whsec_b3RoZXI="
    upper = {name.upper(): value for name, value in signed(BODY, NOW, other, SECRET).items()}
    assert webhooks.unwrap(BODY, upper, [SECRET]).id == "evt_1"
    assert webhooks.unwrap(BODY, signed(BODY, NOW, other), [SECRET, other]).id == "evt_1"
    assert webhooks.unwrap(BODY, signed(BODY), SECRET.removeprefix("whsec_")).id == "evt_1"


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (signed(BODY, NOW - 301), "webhook-timestamp is 30[12] s in the past.*300 s.*replay"),
        (signed(BODY, NOW + 302), "s in the future"),
        ({"webhook-timestamp": str(NOW - 1)}, "does not match"),
        ({"webhook-timestamp": "soon"}, "webhook-timestamp is not"),
        ({"webhook-timestamp": "9" * 400}, "webhook-timestamp is not"),
        ({"webhook-timestamp": "\u0663"}, "webhook-timestamp is not"),
        ({"webhook-id": "evt_2"}, "does not match"),
        (signed(BODY, event_id="evt_2"), "webhook-id is not the id of the event"),
        ({"webhook-signature": "v2,abc"}, "no entry v1"),
        ({"webhook-signature": "v1,"}, "does not match"),
        ({"webhook-signature": "v1,\u00e9"}, "no entry v1"),
        ({"webhook-signature": sign(BODY)}, "no entry v1"),
        ({"webhook-id": None}, "no header webhook-id"),
        ({"webhook-timestamp": ""}, "no header webhook-timestamp"),
        ({"webhook-signature": None}, "no header webhook-signature"),
    ],
)
def test_a_replay_and_a_forgery_are_refused_with_the_reason(changed: dict[str, Any], reason: str) -> None:
    headers = {**signed(BODY), "X-Webhook-Signature": sign(BODY), **changed}
    with pytest.raises(SignatureVerificationError, match=reason):
        webhooks.unwrap(BODY, headers, SECRET)
    assert webhooks.unwrap(BODY, headers, SECRET, None).id == "evt_1"


@pytest.mark.parametrize("tolerance", [0, -1, float("nan"), float("inf"), "300", True])
def test_an_invalid_tolerance_is_refused(tolerance: Any) -> None:
    with pytest.raises(BeatMarketError, match="tolerance must be") as raised:
        webhooks.unwrap(BODY, signed(BODY), SECRET, tolerance)
    assert not isinstance(raised.value, SignatureVerificationError)


@pytest.mark.parametrize("secret", ["whsec_a", "whsec_", "whsec_Zm9v\n", "whsec_Zm_v", "whsec_\u00e9"])
def test_a_secret_that_is_not_base64_is_refused(secret: str) -> None:
    with pytest.raises(BeatMarketError, match="not whsec_ and base64") as raised:
        webhooks.unwrap(BODY, signed(BODY), secret)
    assert not isinstance(raised.value, SignatureVerificationError)


def test_the_previous_signature_is_accepted_during_a_rotation() -> None:
    headers = {"x-webhook-signature": sign(BODY, "whsec_new"), "x-webhook-signature-previous": sign(BODY)}
    assert webhooks.unwrap(BODY, headers, SECRET, None).id == "evt_1"
    assert webhooks.unwrap(BODY, headers, ["whsec_new", "whsec_newer"], None).id == "evt_1"
    with pytest.raises(SignatureVerificationError):
        webhooks.unwrap(BODY, headers, "whsec_other", None)


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ({}, "no header X-Webhook-Signature"),
        ({"X-Webhook-Signature": "0" * 64}, "raw bytes.* The portal's signature doctor"),
        ({"X-Webhook-Signature": "0" * 63}, "64 lower-case hexadecimal"),
        ({"X-Webhook-Signature": sign(BODY) + "\n"}, "64 lower-case hexadecimal"),
        ({"X-Webhook-Signature": ["0"]}, "64 lower-case hexadecimal"),
        ({"Webhook-Signature": sign(BODY)}, "no header X-Webhook-Signature"),
    ],
)
def test_an_invalid_signature_is_refused_with_the_reason(headers: dict[str, Any], reason: str) -> None:
    with pytest.raises(SignatureVerificationError, match=reason):
        webhooks.unwrap(BODY, headers, SECRET, None)


@pytest.mark.parametrize("body", [json.loads(BODY), None])
def test_a_parsed_body_is_refused_with_an_explanation(body: Any) -> None:
    with pytest.raises(BeatMarketError, match="raw bytes") as raised:
        webhooks.unwrap(body, {"X-Webhook-Signature": sign(BODY)}, SECRET)
    assert not isinstance(raised.value, SignatureVerificationError)


@pytest.mark.parametrize("secrets", ["", [], ["whsec_dGVzdHM=", ""], None, [None], 5, b"whsec_dGVzdHM="])
def test_an_empty_secret_or_one_of_another_type_is_refused(secrets: Any) -> None:
    with pytest.raises(BeatMarketError, match="secret is empty") as raised:
        webhooks.unwrap(BODY, signed(BODY), secrets)
    assert not isinstance(raised.value, SignatureVerificationError)


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b'{"type":1,"data":{}}', b"\xff", b"[" * 100_000])
def test_a_signed_body_that_is_not_an_event_raises(body: bytes) -> None:
    with pytest.raises(BeatMarketError, match="not an event") as raised:
        webhooks.unwrap(body, signed(body), SECRET)
    assert not isinstance(raised.value, SignatureVerificationError)


def test_the_client_has_the_same_webhooks(tmp_path: Path) -> None:
    with BeatMarket("bm_key") as client:
        assert client.webhooks is webhooks
    webhooks.verify(bytearray(BODY), sign(BODY), SECRET)


def test_headers_may_have_lists_of_one_value() -> None:
    headers = {name: [value] for name, value in signed(BODY).items()}
    assert webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"


@pytest.mark.parametrize("headers", [None, [(b"webhook-id", b"evt_1")], "webhook-id: evt_1"])
def test_headers_that_are_not_a_mapping_are_refused(headers: Any) -> None:
    with pytest.raises(BeatMarketError, match="headers must be"):
        webhooks.unwrap(BODY, headers, SECRET)


def test_unwrap_accepts_the_headers_that_sign_returns() -> None:
    headers = webhooks.sign(BODY, SECRET)
    assert webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"
    assert webhooks.unwrap(BODY, headers, SECRET, tolerance=None).id == "evt_1"
    old = webhooks.sign(bytearray(BODY), SECRET, at=NOW - 301)
    with pytest.raises(SignatureVerificationError, match="more than the tolerance of 300 s"):
        webhooks.unwrap(BODY, old, SECRET)


@pytest.mark.parametrize(
    ("body", "secret"), [(b"{}", SECRET), (b"x", SECRET), ("{}", SECRET), (BODY, ""), (BODY, "whsec_!"), (BODY, None)]
)
def test_sign_refuses_an_invalid_body_or_secret(body: Any, secret: Any) -> None:
    with pytest.raises(BeatMarketError):
        webhooks.sign(body, secret)
