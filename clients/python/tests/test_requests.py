"""The requests that the client sends."""

from __future__ import annotations

import io
import json
import platform
from datetime import datetime, timedelta, timezone
from typing import Any

import httpx2
import pytest

from beatmarket import AsyncBeatMarket, BeatMarket, BeatMarketError, ServerError, __version__

from .conftest import BASE_URL, BEAT, KEY, MakeApi, success

PAGE = success({"beats": [], "pagination": {"total": 0, "next_page_url": None}})
ORDER = success({"order": {"id": 1}})
USER = success({"user": {"id": 1}})


def test_filters_are_sent_except_those_that_are_none(make_api: MakeApi) -> None:
    api = make_api(PAGE)
    list(api.each(api.client.beats.list(limit=5, sort="popular", genre=3, producer=None)))
    assert api.service.urls == ["/beats?limit=5&genre=3&sort=popular"]


def test_lists_times_and_booleans_are_sent_as_text(make_api: MakeApi) -> None:
    api = make_api(PAGE)
    listing = api.client.beats.list(
        genre=[3, 4],
        tag=("lo-fi", "dark"),
        bpm_tolerance=2.5,
        half_double=True,
        created_after=datetime(2026, 11, 1, tzinfo=timezone(timedelta(hours=1))),
        created_before="2026-11-22",
    )
    list(api.each(listing))
    assert dict(api.service.requests[0].url.params) == {
        "genre": "3,4",
        "tag": "lo-fi,dark",
        "bpm_tolerance": "2.5",
        "half_double": "true",
        "created_after": "2026-10-31T23:00:00Z",
        "created_before": "2026-11-22",
    }


def test_many_beats_are_requested_in_groups_of_100(make_api: MakeApi) -> None:
    def found(ids: list[int], missing: list[int]) -> Any:
        beats = [{"id": number, "licenses": [{"type": "basic"}]} for number in ids]
        return success({"beats": beats, "pagination": {"total": len(ids), "next_page_url": None}, "missing": missing})

    ids = list(range(1, 102))
    api = make_api(found(ids[:99], [100]), found([], [101]))
    batch = api.get(api.client.beats.get_many([1, *ids, 101, 2]))
    assert [request.url.params["ids"] for request in api.service.requests] == [",".join(map(str, ids[:100])), "101"]
    assert [beat.id for beat in batch.beats] == ids[:99]
    assert batch.beats[0].licenses[0].type == "basic"
    assert batch.missing == [100, 101]


def test_each_request_has_key_user_agent_and_accept(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    api.get(api.client.beats.get(1))
    headers = api.service.requests[0].headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["accept"] == "application/json"
    assert headers["user-agent"] == f"beatmarket-python/{__version__} python/{platform.python_version()}"
    assert "content-type" not in headers
    assert "idempotency-key" not in headers


@pytest.mark.parametrize(
    ("beat_id", "sent"), [("a/../b", "a%2F..%2Fb"), ("é 😀", "%C3%A9%20%F0%9F%98%80"), (-1, "-1"), ("?#%", "%3F%23%25")]
)
def test_an_id_is_one_path_segment(make_api: MakeApi, beat_id: Any, sent: str) -> None:
    api = make_api(BEAT)
    api.get(api.client.beats.get(beat_id))
    assert api.service.requests[0].url.raw_path == f"/v1/beats/{sent}".encode()


@pytest.mark.parametrize("beat_id", ["", ".", "..", None])
def test_an_invalid_id_raises_before_any_request(make_api: MakeApi, beat_id: Any) -> None:
    api = make_api(BEAT)
    with pytest.raises(BeatMarketError, match="beat_id"):
        api.get(api.client.beats.similar(beat_id))
    assert api.service.requests == []


def test_search_text_is_encoded(make_api: MakeApi) -> None:
    api = make_api(success({"beats": [], "producers": [], "pagination": {}, "totals": {}}))
    list(api.each(api.client.search("a&b=c +#", type="beats")))
    assert api.service.requests[0].url.params["q"] == "a&b=c +#"
    assert api.service.requests[0].url.params["type"] == "beats"


def test_a_profile_update_sends_fields_that_are_none_and_omits_absent_ones(make_api: MakeApi) -> None:
    api = make_api(USER)
    api.get(api.client.users.update_profile(bio=None, location="Köln"))
    request = api.service.requests[0]
    assert (request.method, request.url.path) == ("PUT", "/v1/users/profile")
    assert json.loads(request.content) == {"bio": None, "location": "Köln"}
    assert request.headers["content-type"] == "application/json"


def test_an_order_sends_its_arguments(make_api: MakeApi) -> None:
    api = make_api(ORDER)
    api.get(api.client.orders.create(beat_id=1, payment_method="pm"))
    api.get(api.client.orders.create(beat_id=1, payment_method="pm", license_type="premium", idempotency_key="mine"))
    first, second = api.service.requests
    assert json.loads(first.content) == {"beat_id": 1, "payment_method": "pm"}
    assert json.loads(second.content) == {"beat_id": 1, "payment_method": "pm", "license_type": "premium"}
    assert second.headers["idempotency-key"] == "mine"


def test_each_order_has_its_own_idempotency_key(make_api: MakeApi) -> None:
    api = make_api(ORDER)
    for _ in range(2):
        api.get(api.client.orders.create(beat_id=1, payment_method="pm"))
    keys = [request.headers["idempotency-key"] for request in api.service.requests]
    assert len(set(keys)) == 2
    assert all(len(key) == 36 for key in keys)


@pytest.mark.parametrize("key", ["", "a b", "é", "x" * 256, "a\nb"])
def test_an_invalid_idempotency_key_raises_before_any_request(make_api: MakeApi, key: str) -> None:
    api = make_api(ORDER)
    with pytest.raises(BeatMarketError, match="idempotency_key"):
        api.get(api.client.orders.create(beat_id=1, payment_method="pm", idempotency_key=key))
    assert api.service.requests == []


def test_a_raw_request_returns_the_raw_response(make_api: MakeApi) -> None:
    api = make_api(success({"anything": 1}, {"x-request-id": "r-1", "X-Other": "o"}))
    response = api.get(
        api.client.request(
            "post", "/new?a=1", query={"b": True, "c": None, "d": 2.5}, headers={"Accept": "text/x"}, body=[1, "é"]
        )
    )
    request = api.service.requests[0]
    assert (request.method, api.service.urls[0]) == ("POST", "/new?a=1&b=true&d=2.5")
    assert request.headers["accept"] == "text/x"
    assert len(request.headers["idempotency-key"]) == 36
    assert json.loads(request.content) == [1, "é"]
    assert (response.status, response.request_id, response.headers["x-other"]) == (200, "r-1", "o")
    assert response.body == {"status": "success", "data": {"anything": 1}}


@pytest.mark.parametrize("path", ["https://evil.example.com/", "beats", "//evil.example.com/"])
def test_a_raw_request_stays_below_the_base_url(make_api: MakeApi, path: str) -> None:
    api = make_api(BEAT)
    try:
        api.get(api.client.request("GET", path))
    except BeatMarketError:
        assert api.service.requests == []
    else:
        assert all(str(request.url).startswith(BASE_URL + "/") for request in api.service.requests)


@pytest.mark.parametrize("path", ["/../users", "/a/./b", "/a/..", "/%2E%2e/x", "/..?a=1", "/a#b", "/a\\b"])
def test_a_path_that_url_parsing_would_change_raises_before_any_request(make_api: MakeApi, path: str) -> None:
    api = make_api(BEAT)
    with pytest.raises(BeatMarketError, match="dot segments"):
        api.get(api.client.request("GET", path))
    assert api.service.requests == []


def test_an_invalid_header_raises(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    with pytest.raises(BeatMarketError, match="cannot be sent"):
        api.get(api.client.request("GET", "/beats", headers={"X-Name": "é😀"}))


@pytest.mark.parametrize("kind", [BeatMarket, AsyncBeatMarket])
class TestConstruction:
    @pytest.mark.parametrize("key", [None, "", " \n"])
    def test_a_missing_key_raises(self, kind: Any, key: str | None) -> None:
        with pytest.raises(BeatMarketError, match="BEATMARKET_API_KEY"):
            kind(key)

    def test_an_invalid_key_raises_without_showing_it(self, kind: Any) -> None:
        with pytest.raises(BeatMarketError) as raised:
            kind("bm_one bm_two")
        assert "bm_one" not in str(raised.value)

    def test_reads_key_and_base_url_from_the_environment(self, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("BEATMARKET_API_KEY", f" {KEY}\n")
        monkeypatch.setenv("BEATMARKET_BASE_URL", "http://localhost:9/v1/")
        assert repr(kind()).endswith(" of http://localhost:9/v1>")

    def test_the_default_base_url_is_the_local_service(self, kind: Any) -> None:
        assert repr(kind(KEY)).endswith(" of https://localhost:8443/v1>")

    @pytest.mark.parametrize(
        "base_url",
        [
            "http://api.example.com/v1",
            "ftp://localhost/v1",
            "localhost:8443/v1",
            "https://user:word@api.example.com/v1",
            "https://api.example.com/v1?a=1",
            "https://api.example.com/v1#a",
            "https://[",
            "https://localhost:1:2/v1",
        ],
    )
    def test_refuses_insecure_and_invalid_base_urls(self, kind: Any, base_url: str) -> None:
        with pytest.raises(BeatMarketError, match="base_url") as raised:
            kind(KEY, base_url=base_url)
        assert "word" not in str(raised.value).replace("password", "")

    @pytest.mark.parametrize("options", [{"timeout": 0}, {"max_retries": -1}, {"max_retry_after": -1}])
    def test_refuses_invalid_limits(self, kind: Any, options: dict[str, Any]) -> None:
        with pytest.raises(BeatMarketError, match=next(iter(options))):
            kind(KEY, **options)

    def test_an_unreadable_ca_file_raises(self, kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(BeatMarketError, match=r"absent\.pem"):
            kind(KEY, ca_file="absent.pem")
        monkeypatch.setenv("BEATMARKET_CA_FILE", "absent-too.pem")
        with pytest.raises(BeatMarketError, match=r"absent-too\.pem"):
            kind(KEY)

    def test_a_ca_file_with_a_custom_http_client_is_refused(self, kind: Any) -> None:
        with pytest.raises(BeatMarketError, match="http_client"):
            kind(KEY, ca_file="ca.pem", http_client=object())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"timeout": None}, "timeout must be a number of seconds, more than 0, not None."),
        ({"timeout": "3"}, "timeout must be a number of seconds, more than 0, not '3'."),
        ({"timeout": 0}, "timeout must be a number of seconds, more than 0, not 0."),
        ({"timeout": float("nan")}, "timeout must be a number of seconds, more than 0, not nan."),
        ({"max_retries": "3"}, "max_retries must be an integer from 0, not '3'."),
        ({"max_retries": 1.5}, "max_retries must be an integer from 0, not 1.5."),
        ({"max_retry_after": None}, "max_retry_after must be a number of seconds, more than 0, not None."),
    ],
)
def test_an_invalid_option_is_named(make_api: MakeApi, options: dict[str, Any], sentence: str) -> None:
    for kind in (BeatMarket, AsyncBeatMarket):
        with pytest.raises(BeatMarketError) as raised:
            kind(KEY, **options)
        assert str(raised.value) == sentence
    with pytest.raises(BeatMarketError) as raised:
        make_api(BEAT).client.with_options(**options)
    assert str(raised.value) == sentence


def test_wrong_arguments_of_calls_are_named_before_any_request(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    client = api.client
    calls: list[tuple[str, Any]] = [
        (
            "part_bytes must be an integer from 1, not '3'",
            lambda: client.uploads.upload(b"x", kind="audio", part_bytes="3"),
        ),
        ("part_bytes must be", lambda: client.uploads.resume("upl_1", b"x", part_bytes=0)),
        ("timeout must be", lambda: client.uploads.wait("upl_1", timeout=None)),
        ("idempotency_key must be", lambda: client.orders.create(beat_id=1, payment_method="pm", idempotency_key=7)),
        ("if_match must be", lambda: client.beats.update(1, title="x", if_match=7)),
        ("if_match must be", lambda: client.beats.update(1, title="x", if_match='"v1"\r\nX-Evil: 1')),
        ("The header 'X-A' has a line break", lambda: client.request("GET", "/beats", headers={"X-A": "b\n"})),
        ("The header X-A takes text", lambda: client.request("GET", "/beats", headers={"X-A": 7})),
        ("cannot be sent as JSON", lambda: client.request("POST", "/orders", body={1, 2})),
        ("cannot be sent as JSON", lambda: client.beats.update(1, price=float("nan"))),
    ]
    for sentence, call in calls:
        with pytest.raises(BeatMarketError, match=sentence):
            api.get(call())
    assert api.service.requests == []


def test_a_copy_has_its_own_limits_and_shares_the_connections(make_api: MakeApi, waits: list[float]) -> None:
    busy = httpx2.Response(503, json={})
    api = make_api(busy, busy, BEAT)
    copy = api.client.with_options(max_retries=0, timeout=5)
    with pytest.raises(ServerError):
        api.get(copy.beats.get(1))
    assert waits == []
    assert api.get(api.client.beats.get(1)).id == 1
    assert len(waits) == 1
    assert (
        api.service.requests[0].extensions["timeout"]["connect"]
        <= 5
        < api.service.requests[1].extensions["timeout"]["connect"]
    )
    api.get(copy.close())
    assert api.get(copy.beats.get(1)).id == 1


def test_a_call_of_a_closed_client_raises_with_the_reason(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    api.get(api.client.close())
    with pytest.raises(BeatMarketError, match="closed"):
        api.get(api.client.beats.get(1))


MISTAKES: dict[str, Any] = {
    "an id that is a list": lambda client: client.beats.get([]),
    "an id that is a boolean": lambda client: client.beats.get(True),
    "ids that are None": lambda client: client.beats.get_many(None),
    "ids that are a text": lambda client: client.beats.get_many("abc"),
    "an empty etag": lambda client: client.beats.update(1, title="x", if_match=""),
    "a method that is None": lambda client: client.request(None, "/beats"),
    "a path that is None": lambda client: client.request("GET", None),
    "a query that is a list": lambda client: client.request("GET", "/beats", query=[1]),
    "headers that are a list": lambda client: client.request("GET", "/beats", headers=["a"]),
    "no file": lambda client: client.uploads.upload(None, kind="audio"),
    "a file that is a number": lambda client: client.uploads.upload(5, kind="audio"),
    "a file of text": lambda client: client.uploads.upload(io.StringIO("x"), kind="audio"),
    "no kind": lambda client: client.uploads.upload(b"x", kind=None),
    "a filename that is a number": lambda client: client.uploads.upload(b"x", kind="audio", filename=5),
    "no path for sales": lambda client: client.sales.export("2026-11", None),
    "a path that is a number": lambda client: client.exports.beats(5),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_in_an_argument_is_refused_before_anything_is_sent(make_api: MakeApi, mistake: Any) -> None:
    api = make_api()
    with pytest.raises(BeatMarketError) as caught:
        api.get(mistake(api.client))
    assert type(caught.value) is BeatMarketError
    assert api.service.requests == []


@pytest.mark.parametrize("genre", [{}, {1, 2}, [1, None], iter([1]), b"1"])
def test_an_invalid_filter_is_refused_by_name(make_api: MakeApi, genre: Any) -> None:
    api = make_api()
    with pytest.raises(BeatMarketError, match="genre must be"):
        list(api.each(api.client.beats.list(genre=genre)))


def test_ids_may_come_from_any_iterable(make_api: MakeApi) -> None:
    api = make_api(PAGE)
    api.get(api.client.beats.get_many(number for number in (3, 4)))
    assert api.service.urls == ["/beats?ids=3%2C4"]


@pytest.mark.parametrize("name", ["api_key", "base_url", "ca_file", "timeout"])
def test_a_setting_of_another_type_or_an_infinite_timeout_is_refused(name: str) -> None:
    odd = {"timeout": float("inf")}.get(name, 5)
    with pytest.raises(BeatMarketError):
        BeatMarket(**{"api_key": KEY, name: odd})  # type: ignore[arg-type]


@pytest.mark.parametrize("proxy", ["::bad::", "ftp://proxy.example.com"])
def test_an_invalid_proxy_is_named(monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    with pytest.raises(BeatMarketError, match="HTTPS_PROXY"):
        BeatMarket(KEY, base_url=BASE_URL).genres.list()
