"""When a call is retried, and how long it waits."""

from __future__ import annotations

import time
from email.utils import formatdate

import httpx2
import pytest

from beatmarket import (
    APIConnectionError,
    APIStatusError,
    APITimeoutError,
    InvalidRequestError,
    RateLimitError,
    ServerError,
)

from .conftest import BEAT, MakeApi, refusal, success

ORDER = success({"order": {"id": 1}})


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_temporary_failures_are_retried(make_api: MakeApi, waits: list[float], status: int) -> None:
    api = make_api(refusal(status, "server_error"), BEAT)
    assert api.get(api.client.beats.get(1)).id == 1
    assert len(waits) == 1
    assert 0.25 <= waits[0] <= 0.5


@pytest.mark.parametrize("status", [302, 400, 401, 403, 404, 409, 410, 501])
def test_permanent_failures_are_not_retried(make_api: MakeApi, waits: list[float], status: int) -> None:
    api = make_api(refusal(status, "invalid_request"), BEAT)
    with pytest.raises(APIStatusError) as raised:
        api.get(api.client.beats.get(1))
    assert raised.value.status == status
    assert (len(api.service.requests), waits) == (1, [])


def test_backoff_doubles_and_two_retries_are_the_default(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(503, "server_error"))
    with pytest.raises(ServerError):
        api.get(api.client.beats.get(1))
    assert len(api.service.requests) == 3
    assert [0.25 <= waits[0] <= 0.5, 0.5 <= waits[1] <= 1] == [True, True]


def test_backoff_is_at_most_eight_seconds(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(503, "server_error"), max_retries=9)
    with pytest.raises(ServerError):
        api.get(api.client.beats.get(1))
    assert all(4 <= wait <= 8 for wait in waits[5:])
    assert len(waits) == 9


@pytest.mark.parametrize("error", [httpx2.ConnectError("refused"), httpx2.RemoteProtocolError("dropped")])
def test_a_failed_connection_is_retried_then_raised_with_its_cause(
    make_api: MakeApi, error: httpx2.RequestError
) -> None:
    assert make_api(error, error, BEAT).service.requests == []
    api = make_api(error, error, BEAT)
    assert api.get(api.client.beats.get(1)).id == 1
    api = make_api(error)
    with pytest.raises(APIConnectionError, match=str(error)) as raised:
        api.get(api.client.beats.get(1))
    assert raised.value.__cause__ is error
    assert not isinstance(raised.value, APITimeoutError)
    assert len(api.service.requests) == 3


def test_a_timeout_is_retried_then_raised(make_api: MakeApi) -> None:
    api = make_api(httpx2.ReadTimeout("slow"), timeout=7)
    with pytest.raises(APITimeoutError, match="within 7 s"):
        api.get(api.client.beats.get(1))
    assert len(api.service.requests) == 3


def test_max_retries_zero_sends_one_request(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(httpx2.ConnectError("dropped"), max_retries=0)
    with pytest.raises(APIConnectionError):
        api.get(api.client.beats.get(1))
    assert (len(api.service.requests), waits) == (1, [])


def test_retry_after_sets_the_wait(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(429, "rate_limit_exceeded", {"retry-after": "17"}), BEAT)
    api.get(api.client.beats.get(1))
    assert waits == [17]


def test_retry_after_may_be_a_date(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(503, "server_error", {"retry-after": formatdate(time.time() + 20, usegmt=True)}), BEAT)
    api.get(api.client.beats.get(1))
    assert 15 < waits[0] <= 20


@pytest.mark.parametrize(
    "text", ["soon", "-5", "", "1.5", "٣", "Wed, 99 Foo 2026 00:00:00 GMT", formatdate(0, usegmt=True)]
)
def test_an_invalid_or_past_retry_after_falls_back_to_backoff(make_api: MakeApi, waits: list[float], text: str) -> None:
    api = make_api(refusal(429, "rate_limit_exceeded", httpx2.Headers([(b"retry-after", text.encode())])), BEAT)
    api.get(api.client.beats.get(1))
    assert 0.25 <= waits[0] <= 0.5


@pytest.mark.parametrize("text", ["61", "3600", "9" * 5000])
def test_a_retry_after_above_the_limit_raises_immediately(make_api: MakeApi, waits: list[float], text: str) -> None:
    api = make_api(refusal(429, "rate_limit_exceeded", {"retry-after": text}), BEAT)
    with pytest.raises(RateLimitError) as raised:
        api.get(api.client.beats.get(1))
    assert raised.value.retry_after == float(text)
    assert (len(api.service.requests), waits) == (1, [])


def test_max_retry_after_can_be_set(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(429, "rate_limit_exceeded", {"retry-after": "3600"}), BEAT, max_retry_after=3600)
    api.get(api.client.beats.get(1))
    assert waits == [3600]


def test_a_409_is_retried_only_with_a_valid_retry_after(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(refusal(409, "invalid_request", {"retry-after": "2"}), ORDER)
    assert api.get(api.client.orders.create(beat_id=1, payment_method="pm")).id == 1
    assert waits == [2]
    api = make_api(refusal(409, "invalid_request", {"retry-after": "soon"}), ORDER)
    with pytest.raises(InvalidRequestError):
        api.get(api.client.orders.create(beat_id=1, payment_method="pm"))


def test_all_attempts_and_the_error_share_the_idempotency_key(make_api: MakeApi) -> None:
    api = make_api(httpx2.ReadError("lost"), refusal(500, "server_error"))
    with pytest.raises(ServerError) as raised:
        api.get(api.client.orders.create(beat_id=1, payment_method="pm"))
    keys = {request.headers["idempotency-key"] for request in api.service.requests}
    assert len(api.service.requests) == 3
    assert keys == {raised.value.idempotency_key}
