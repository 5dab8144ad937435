"""Feeds and exports continue in spite of temporary failures."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from beatmarket import APIConnectionError, APIStatusError, BeatUpdatedEvent, Change, GoneError, RateLimitError

from .conftest import Api, MakeApi, refusal, success


def page(positions: list[int], next: int) -> httpx2.Response:
    changes: list[Any] = [{"position": number, "type": "sold", "beat_id": 1, "beat": None} for number in positions]
    return success({"changes": changes, "next": next})


LOST = httpx2.ConnectError("lost")
FULL = refusal(429, "rate_limit_exceeded", headers={"retry-after": "3600"})


def test_a_page_of_changes_has_the_position_of_the_next_page(make_api: MakeApi) -> None:
    api = make_api(page([4, 6], 7))
    found = api.get(api.client.changes.list(after=3, limit=2, wait=5))
    assert found.changes == [Change(position=number, type="sold", beat_id=1, beat=None) for number in (4, 6)]
    assert (found.next, found.response.status) == (7, 200)
    assert api.service.urls == ["/changes?after=3&limit=2&wait=5"]


def test_the_wait_of_a_call_is_added_to_its_timeout(make_api: MakeApi) -> None:
    api = make_api(httpx2.ReadTimeout("too late"), timeout=2, max_retries=0)
    with pytest.raises(APIConnectionError, match="within 32 s"):
        api.get(api.client.changes.list(wait=30))


def test_follow_continues_after_each_page_even_an_empty_one(make_api: MakeApi) -> None:
    api = make_api(page([4], 4), page([], 9), page([12], 12))
    pages = api.each(api.client.changes.follow(after=3))
    assert [(len(found.changes), found.next) for found in (next(pages) for _ in range(3))] == [(1, 4), (0, 9), (1, 12)]
    assert api.service.urls == [f"/changes?after={after}&limit=1000&wait=30" for after in (3, 4, 9)]


def test_a_follower_retries_temporary_errors_without_limit(make_api: MakeApi, waits: list[float]) -> None:
    api = make_api(page([4], 4), *[LOST, FULL] * 600, page([5], 5), max_retries=0)
    pages = api.each(api.client.changes.follow(after=3))
    assert [next(pages).next, next(pages).next] == [4, 5]
    assert set(api.service.urls[1:]) == {"/changes?after=4&limit=1000&wait=30"}
    assert (len(waits), waits.count(3600)) == (1200, 600)
    assert max(wait for wait in waits if wait != 3600) <= 8


def test_follow_raises_if_the_first_page_cannot_be_read(make_api: MakeApi) -> None:
    api = make_api(LOST, max_retries=0)
    with pytest.raises(APIConnectionError):
        next(api.each(api.client.changes.follow(after=3)))


def test_follow_raises_gone_error_if_the_changes_are_no_longer_kept(make_api: MakeApi) -> None:
    api = make_api(page([4], 4), refusal(410, "not_found"))
    pages = api.each(api.client.changes.follow(after=3))
    next(pages)
    with pytest.raises(GoneError):
        next(pages)


def test_list_obeys_the_retry_limits_of_the_client_unlike_follow(make_api: MakeApi) -> None:
    api = make_api(FULL)
    with pytest.raises(RateLimitError):
        api.get(api.client.changes.list())


EVENT = {"id": "evt_1", "created": 1, "type": "beat.updated", "data": {"id": 1, "changed": ["available"]}}


def test_events_are_objects_of_their_type(make_api: MakeApi) -> None:
    api = make_api(
        success({"events": [EVENT], "next": 7}), success({"event": EVENT}), success({"events": [], "next": 9})
    )
    listed = api.get(api.client.events.list(after=3, type="beat.updated"))
    assert isinstance(listed.events[0], BeatUpdatedEvent)
    assert api.get(api.client.events.get("evt_1")).data.changed == ["available"]
    assert next(api.each(api.client.events.follow(after=7))).next == 9
    urls = ["/events?after=3&type=beat.updated", "/events/evt_1", "/events?after=7&limit=1000&wait=30"]
    assert api.service.urls == urls


EXPORT = gzip.compress(b'{"id":1,"title":"One"}\n{"id":2,"title":"Zwei \xc3\xa4"}\n')
HEAD = {"etag": '"7-x"', "x-change-position": "7"}


class Broken(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A body that ends with a lost connection."""

    def __init__(self, part: bytes) -> None:
        self._part = part

    def __iter__(self) -> Iterator[bytes]:
        yield self._part
        raise LOST

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._part
        raise LOST


def part(status: int, content: bytes, headers: dict[str, str] | None = None, lost: bool = False) -> httpx2.Response:
    head = {**HEAD, **(headers or {})}
    return httpx2.Response(status, headers=head, stream=Broken(content) if lost else httpx2.ByteStream(content))


def rest(start: int, end: int | None = None) -> httpx2.Response:
    headers = {"content-range": f"bytes {start}-{len(EXPORT) - 1}/{len(EXPORT)}"}
    return part(206, EXPORT[start:end], headers, lost=end is not None)


@pytest.fixture
def cut_twice() -> list[httpx2.Response]:
    return [part(200, EXPORT[:20], lost=True), rest(19, 30), rest(29)]


def test_an_export_resumes_where_the_connection_broke(
    make_api: MakeApi, tmp_path: Path, cut_twice: list[httpx2.Response]
) -> None:
    api = make_api(*cut_twice)
    export = api.get(api.client.exports.beats(tmp_path / "beats.gz"))
    assert (tmp_path / "beats.gz").read_bytes() == EXPORT
    assert (export.position, [beat.title for beat in export]) == (7, ["One", "Zwei ä"])
    ranges = [(request.headers.get("range"), request.headers.get("if-range")) for request in api.service.requests]
    assert ranges == [(None, None), ("bytes=19-", '"7-x"'), ("bytes=29-", '"7-x"')]


def test_an_export_starts_again_if_there_is_a_newer_one(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(part(200, b"x" * 999, lost=True), part(200, EXPORT, {"x-change-position": "8"}))
    export = api.get(api.client.exports.beats(tmp_path / "beats.gz"))
    assert (export.position, [beat.id for beat in export]) == (8, [1, 2])


def test_a_refused_export_raises(make_api: MakeApi, tmp_path: Path) -> None:
    api = make_api(FULL)
    with pytest.raises(RateLimitError):
        api.get(api.client.exports.beats(tmp_path / "beats.gz"))


def beats(api: Api) -> tuple[Any, Iterator[Any]]:
    """The stream of an export, and a loop over it."""
    stream = api.client.exports.beats()
    return stream, api.each(stream)


def test_an_export_without_a_file_resumes_where_the_connection_broke(
    make_api: MakeApi, cut_twice: list[httpx2.Response]
) -> None:
    api = make_api(*cut_twice)
    stream, items = beats(api)
    assert stream.position is None
    assert next(items).title == "One"
    assert stream.position == 7
    assert [beat.title for beat in items] == ["Zwei ä"]
    ranges = [(request.headers.get("range"), request.headers.get("if-range")) for request in api.service.requests]
    assert ranges == [(None, None), ("bytes=19-", '"7-x"'), ("bytes=29-", '"7-x"')]


def test_beats_of_two_exports_do_not_mix(make_api: MakeApi) -> None:
    api = make_api(part(200, EXPORT[:-4], lost=True), part(200, EXPORT, {"etag": '"8-y"', "x-change-position": "8"}))
    _, items = beats(api)
    with pytest.raises(APIConnectionError, match="another export.*begin again"):
        list(items)
    assert len(api.service.requests) == 2


@pytest.mark.parametrize("content", [EXPORT[:-4], b"no gzip", gzip.compress(b"no JSON\n")])
def test_an_incomplete_or_damaged_export_raises(make_api: MakeApi, content: bytes) -> None:
    api = make_api(part(200, content))
    with pytest.raises(APIConnectionError, match="export"):
        list(beats(api)[1])


def test_an_export_without_a_position_raises(make_api: MakeApi) -> None:
    api = make_api(httpx2.Response(200, stream=httpx2.ByteStream(EXPORT)))
    with pytest.raises(APIStatusError, match="unknown form"):
        list(beats(api)[1])


def test_follow_raises_if_a_page_has_no_valid_next_position(make_api: MakeApi) -> None:
    api = make_api(success({"changes": [], "next": "7"}))
    with pytest.raises(APIStatusError, match="unknown form"):
        next(api.each(api.client.changes.follow(after=3)))
