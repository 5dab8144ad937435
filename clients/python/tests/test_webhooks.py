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
    UserRegisteredEvent,
    UserUpdatedEvent,
    webhooks,
)

from .conftest import REPOSITORY

VECTORS: list[dict[str, Any]] = json.loads(
    (REPOSITORY / "contract/vectors/client-signature-vectors.json").read_text("utf-8")
)
SECRET = "whsec_a"
BODY = b'{"id":"evt_1","created":1,"type":"beat.purchased","data":{"title":"One","amount":29.9,"new":1},"more":2}'


def sign(body: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


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
    event = webhooks.unwrap(BODY, {"X-Webhook-Signature": sign(BODY)}, SECRET)
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
    event = webhooks.unwrap(body, {"x-webhook-signature": sign(body)}, SECRET)
    assert type(event) is kind
    assert isinstance(event.data, Model)
    assert event.to_dict() == json.loads(body)


def test_an_unknown_type_is_a_base_event() -> None:
    body = b'{"id":"evt_1","created":1,"type":"beat.liked","data":{"id":7}}'
    event = webhooks.unwrap(body, {"x-webhook-signature": sign(body)}, SECRET)
    assert (type(event), event.type, event.data) == (Event, "beat.liked", {"id": 7})


def test_headers_are_accepted_in_any_case_and_mapping() -> None:
    message = Message()
    message["X-WEBHOOK-SIGNATURE"] = sign(BODY)
    for headers in (message, {"x-webhook-signature": sign(BODY)}, {"X-Webhook-SIGNATURE": sign(BODY), "Other": "1"}):
        assert webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"


def test_the_previous_signature_is_accepted_during_a_rotation() -> None:
    headers = {"x-webhook-signature": sign(BODY, "whsec_new"), "x-webhook-signature-previous": sign(BODY)}
    assert webhooks.unwrap(BODY, headers, SECRET).id == "evt_1"
    assert webhooks.unwrap(BODY, headers, ["whsec_new", "whsec_newer"]).id == "evt_1"
    with pytest.raises(SignatureVerificationError):
        webhooks.unwrap(BODY, headers, "whsec_other")


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
        webhooks.unwrap(BODY, headers, SECRET)


@pytest.mark.parametrize("body", [json.loads(BODY), BODY.decode(), None])
def test_a_parsed_or_decoded_body_is_refused_with_an_explanation(body: Any) -> None:
    with pytest.raises(BeatMarketError, match="raw bytes") as raised:
        webhooks.unwrap(body, {"X-Webhook-Signature": sign(BODY)}, SECRET)
    assert not isinstance(raised.value, SignatureVerificationError)


@pytest.mark.parametrize("secrets", ["", [], ["whsec_a", ""], None, [None]])
def test_an_empty_secret_is_refused(secrets: Any) -> None:
    with pytest.raises(BeatMarketError, match="secret is empty") as raised:
        webhooks.unwrap(BODY, {"X-Webhook-Signature": sign(BODY, "")}, secrets)
    assert not isinstance(raised.value, SignatureVerificationError)


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b'{"type":1,"data":{}}', b"\xff", b"[" * 100_000])
def test_a_signed_body_that_is_not_an_event_raises(body: bytes) -> None:
    with pytest.raises(BeatMarketError, match="not an event") as raised:
        webhooks.unwrap(body, {"X-Webhook-Signature": sign(body)}, SECRET)
    assert not isinstance(raised.value, SignatureVerificationError)


def test_the_client_has_the_same_webhooks(tmp_path: Path) -> None:
    with BeatMarket("bm_key") as client:
        assert client.webhooks is webhooks
    webhooks.verify(bytearray(BODY), sign(BODY), SECRET)
