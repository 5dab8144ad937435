"""Events as they happen, over connections that end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx2
import pytest

from beatmarket import (
    APIConnectionError,
    APIStatusError,
    AuthenticationError,
    BeatPurchasedEvent,
    GoneError,
    RateLimitError,
)
from beatmarket.server_sent import ServerSentEvents

from .conftest import MakeApi, refusal, success

LOST = httpx2.ConnectError("lost")
SSE = {"content-type": "text/event-stream; charset=utf-8"}
BEGIN = b"retry: 2000\n\n"


def event(position: int) -> bytes:
    body = f'{{"id":"evt_{position}","created":1,"type":"beat.purchased","data":{{"title":"Caf\u00e9"}}}}'
    return f"id: {position}\nevent: beat.purchased\ndata: {body}\n\n:\n\n".encode()


class Chunks(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body in these chunks."""

    def __init__(self, *chunks: bytes | Exception) -> None:
        self._chunks = chunks
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def stream(*chunks: bytes | Exception) -> httpx2.Response:
    return httpx2.Response(200, headers=SSE, stream=Chunks(*chunks))


def test_events_come_one_by_one_with_their_position(make_api: MakeApi) -> None:
    api = make_api(stream(BEGIN + event(7)[:20], event(7)[20:] + event(8)))
    events = api.client.events.stream(after=3, type="beat.purchased")
    loop = api.each(events)
    first = next(loop)
    assert isinstance(first, BeatPurchasedEvent)
    assert (first.id, first.data.title, events.position) == ("evt_7", "Café", 7)
    assert (next(loop).id, events.position) == ("evt_8", 8)
    sent = api.service.requests[0].headers
    assert (sent["accept"], sent.get("last-event-id")) == ("text/event-stream", None)
    assert api.service.urls == ["/events?after=3&type=beat.purchased"]


def test_a_stream_reconnects_after_its_last_event(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(stream(BEGIN, event(7)), stream(event(8), LOST), LOST, stream(event(9)), max_retries=0)
    events = api.client.events.stream()
    loop = api.each(events)
    assert [next(loop).id for _ in range(3)] == ["evt_7", "evt_8", "evt_9"]
    assert [request.headers.get("last-event-id") for request in api.service.requests] == [None, "7", "8", "8"]
    assert waits[0] == 2
    assert [0.25 <= waits[1] <= 0.5, 0.5 <= waits[2] <= 1] == [True, True]


def test_a_stream_retries_temporary_errors_without_limit(make_api: MakeApi, waits: list[float]) -> None:
    full = refusal(429, "rate_limit_exceeded", headers={"retry-after": "3600"})
    api = make_api(stream(event(7)), *[LOST, full, refusal(503, "server_error")] * 50, stream(event(8)), max_retries=0)
    loop = api.each(api.client.events.stream())
    assert [next(loop).id, next(loop).id] == ["evt_7", "evt_8"]
    assert (len(waits), waits.count(3600)) == (151, 50)
    assert max(wait for wait in waits if wait != 3600) <= 8


def test_a_quiet_connection_is_lost_after_45_seconds(make_api: MakeApi) -> None:
    reports: list[Any] = []
    quiet = stream(httpx2.ReadTimeout("quiet"))
    api = make_api(quiet, stream(event(7)), timeout=2, max_retries=0, on_response=reports.append)
    assert next(api.each(api.client.events.stream())).id == "evt_7"
    assert "within 45 s" in str(reports[0].error)


def test_the_first_connection_is_retried_like_any_call(make_api: MakeApi) -> None:
    api = make_api(LOST, max_retries=1)
    with pytest.raises(APIConnectionError):
        next(api.each(api.client.events.stream()))
    assert len(api.service.requests) == 2
    api = make_api(refusal(429, "rate_limit_exceeded", headers={"retry-after": "3600"}))
    with pytest.raises(RateLimitError):
        next(api.each(api.client.events.stream()))


@pytest.mark.parametrize(("status", "kind"), [(401, AuthenticationError), (410, GoneError)])
def test_a_401_or_410_ends_the_loop_and_a_new_loop_continues_after_the_last_event(
    make_api: MakeApi, status: int, kind: type[Exception]
) -> None:
    api = make_api(stream(event(7)), refusal(status, "not_found"), stream(event(8)))
    loop = api.each(api.client.events.stream())
    next(loop)
    with pytest.raises(kind):
        next(loop)
    assert next(loop).id == "evt_8"
    assert api.service.requests[-1].headers["last-event-id"] == "7"


@pytest.mark.parametrize("answer", [success({"events": [], "next": 1}), b"data: no JSON\n\n"])
def test_a_response_that_is_not_a_stream_of_events_raises_an_api_status_error(
    make_api: MakeApi, answer: httpx2.Response | bytes
) -> None:
    api = make_api(stream(answer) if isinstance(answer, bytes) else answer, max_retries=0)
    with pytest.raises(APIStatusError, match="unknown form"):
        next(api.each(api.client.events.stream()))


def test_a_closed_stream_ends_and_closes_its_connection(make_api: MakeApi) -> None:
    body = Chunks(event(7), event(8))
    api = make_api(httpx2.Response(200, headers=SSE, stream=body))
    events = api.client.events.stream()
    loop = api.each(events)
    next(loop)
    api.get(events.close())
    assert body.is_closed
    assert list(loop) == []
    assert len(api.service.requests) == 1


def test_leaving_a_loop_keeps_the_connection_until_the_stream_is_closed(make_api: MakeApi) -> None:
    body = Chunks(event(7), event(8))
    api = make_api(httpx2.Response(200, headers=SSE, stream=body))
    events = api.client.events.stream()
    for first in api.each(events):
        assert first.id == "evt_7"
        break
    assert not body.is_closed
    assert next(api.each(events)).id == "evt_8"
    assert len(api.service.requests) == 1
    api.get(events.close())
    assert body.is_closed


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_events_are_read_from_chunks_of_any_size(size: int, end: str) -> None:
    lines = [
        "\ufeffretry: 9",
        ": comment",
        "id: 7",
        "data: ä",
        "data:  b",
        "",
        "id: 8\0",
        "retry: x",
        "data",
        "",
        "event: x",
        "",
    ]
    content = end.join([*lines, "data: cut off"]).encode()
    reader = ServerSentEvents()
    found = [sent for at in range(0, len(content), size) for sent in reader.read(content[at : at + size])]
    assert [(sent.id, sent.data) for sent in found] == [("7", "ä\n b"), ("7", "")]
    assert reader.retry_s == 0.009
