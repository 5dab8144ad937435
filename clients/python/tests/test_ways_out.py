"""Headers and fields that a caller adds to calls, and the reports of attempts."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from beatmarket import (
    APIConnectionError,
    APITimeoutError,
    AsyncBeatMarket,
    BeatMarket,
    BeatMarketError,
    RequestInfo,
    ResponseInfo,
    ServerError,
)

from .conftest import BASE_URL, BEAT, KEY, MakeApi, refusal, success

ORDER = success({"order": {"id": 1, "status": "completed"}})
OWN = ["Accept", "authorization", "Content-Type", "idempotency-key", "If-Match", "Range", "upload-offset", "User-Agent"]


def page_of(next_page_url: str | None) -> httpx2.Response:
    pagination = {"page": 1, "limit": 1, "total": 2, "total_pages": 2, "next_page_url": next_page_url}
    return success({"beats": [{"id": 1}], "pagination": pagination})


def test_default_headers_and_the_suffix_are_in_every_attempt(make_api: MakeApi) -> None:
    api = make_api(refusal(503, "server_error"), BEAT, headers={"X-Tenant": "a"}, user_agent_suffix="my-shop/1.2 (x)")
    api.get(api.client.beats.get(1))
    for request in api.service.requests:
        assert request.headers["x-tenant"] == "a"
        assert request.headers["user-agent"].startswith("beatmarket-python/")
        assert request.headers["user-agent"].endswith(" my-shop/1.2 (x)")


def test_a_raw_request_overrides_default_headers(make_api: MakeApi) -> None:
    api = make_api(BEAT, headers={"X-Tenant": "a"})
    api.get(api.client.request("GET", "/beats/1", headers={"x-tenant": "b"}))
    assert api.service.requests[0].headers.get_list("x-tenant") == ["b"]


@pytest.mark.parametrize("name", OWN)
def test_a_header_that_the_client_sets_itself_is_refused(make_api: MakeApi, name: str) -> None:
    with pytest.raises(BeatMarketError, match=f"The client sets the header {name} itself"):
        make_api(BEAT, headers={name: "x"})
    with pytest.raises(BeatMarketError, match=f"The client sets the header {name} itself"):
        make_api(BEAT).client.with_options(headers={name: "x"})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"headers": {"x y": "1"}}, "'x y' is not the name of a header"),
        ({"headers": {"x-y": "1\r\nx-z: 2"}}, "'x-y' has a line break"),
        ({"headers": {"x-y": 1}}, "x-y takes text, not 1"),
        ({"headers": [("x-y", "1")]}, "headers must be a dict, not list"),
        ({"user_agent_suffix": "a\nb"}, "user_agent_suffix must be like my-shop/1.2"),
        ({"user_agent_suffix": " "}, "user_agent_suffix must be like my-shop/1.2"),
        ({"allow_http": "yes"}, "allow_http must be True or False, not 'yes'"),
        ({"on_request": 1}, "on_request must be a function, not 1"),
        ({"on_response": "print"}, "on_response must be a function, not 'print'"),
    ],
)
def test_an_invalid_option_raises_with_the_reason(make_api: MakeApi, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BeatMarketError, match=sentence):
        make_api(BEAT, **options)


def test_a_call_can_add_headers_query_and_body_fields(make_api: MakeApi) -> None:
    api = make_api(ORDER, headers={"x-tenant": "a", "x-region": "eu"})
    options = {"headers": {"X-Tenant": "b"}, "query": {"preview": True}, "body": {"note": "for Ana"}}
    api.get(api.client.with_options(**options).orders.create(beat_id=2, payment_method="pm"))
    sent = api.service.requests[0]
    assert (sent.headers["x-tenant"], sent.headers["x-region"]) == ("b", "eu")
    assert api.service.urls == ["/orders?preview=true"]
    assert json.loads(sent.content) == {"beat_id": 2, "payment_method": "pm", "note": "for Ana"}
    api.get(api.client.orders.get(1))
    assert (api.service.urls[1], api.service.requests[1].headers["x-tenant"]) == ("/orders/1", "a")


def test_a_field_of_an_argument_that_is_not_passed_can_be_added(make_api: MakeApi) -> None:
    api = make_api(page_of(None), ORDER)
    assert api.get(api.client.with_options(query={"sort": "popular"}).beats.list(limit=2)).total == 2
    api.get(api.client.with_options(body={"currency": "USD"}).orders.create(beat_id=1, payment_method="pm"))
    assert api.service.urls == ["/beats?limit=2&sort=popular", "/orders"]
    assert json.loads(api.service.requests[1].content)["currency"] == "USD"


def test_options_of_several_copies_are_merged(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    api.get(api.client.with_options(query={"a": 1, "b": 1}).with_options(query={"b": 2}, timeout=5).beats.get(1))
    assert api.service.urls == ["/beats/1?a=1&b=2"]


def test_all_pages_of_a_list_have_the_added_headers_and_query(make_api: MakeApi) -> None:
    api = make_api(page_of(f"{BASE_URL}/beats?page=2&b=9"), page_of(None))
    copy = api.client.with_options(headers={"x-tenant": "a"}, query={"a": "x,y", "b": 9})
    assert len(list(api.each(copy.beats.list(limit=1)))) == 2
    assert [sorted(dict(request.url.params).items()) for request in api.service.requests] == [
        [("a", "x,y"), ("b", "9"), ("limit", "1")] if first else [("a", "x,y"), ("b", "9"), ("page", "2")]
        for first in (True, False)
    ]
    assert [request.headers["x-tenant"] for request in api.service.requests] == ["a", "a"]


REFUSED: list[tuple[dict[str, Any], Callable[[Any], Any], str]] = [
    ({"query": {"limit": 5}}, lambda client: client.beats.list(limit=4), "This call sends limit itself.*in query"),
    ({"query": {"a": 1}}, lambda client: client.request("GET", "/beats?a=2"), "This call sends a itself"),
    (
        {"body": {"beat_id": 2}},
        lambda client: client.orders.create(beat_id=1, payment_method="pm"),
        "This call sends beat_id itself.*in body",
    ),
    ({"body": {"a": 1}}, lambda client: client.beats.get(1), "This call has no JSON object to add a to"),
    ({"body": {"a": 1}}, lambda client: client.uploads.upload(b"x", kind="cover"), "no JSON object to add a to"),
    ({"query": {"a": None, "b": b"x"}}, lambda client: client.beats.get(1), "b must be a value or a list of values"),
]


@pytest.mark.parametrize(("options", "call", "sentence"), REFUSED)
def test_a_field_that_a_call_cannot_have_is_refused_before_any_request(
    make_api: MakeApi, options: dict[str, Any], call: Callable[[Any], Any], sentence: str
) -> None:
    api = make_api(BEAT)
    with pytest.raises(BeatMarketError, match=sentence):
        api.get(call(api.client.with_options(**options)))
    assert api.service.requests == []


@pytest.mark.parametrize("kind", [BeatMarket, AsyncBeatMarket])
def test_plain_http_is_accepted_only_if_allowed(kind: Any) -> None:
    with pytest.raises(BeatMarketError, match="https://.*allow_http=True"):
        kind(KEY, base_url="http://prism:4010/v1")
    assert "http://prism:4010/v1" in repr(kind(KEY, base_url="http://prism:4010/v1", allow_http=True))
    with pytest.raises(BeatMarketError, match="base_url must be like"):
        kind(KEY, base_url="ftp://prism/v1", allow_http=True)


def test_hooks_see_each_attempt_without_the_key(make_api: MakeApi) -> None:
    reports: list[RequestInfo] = []
    lost = httpx2.ConnectError("lost")
    answer = httpx2.Response(200, json=BEAT.json(), headers={"x-request-id": "req_1"})
    api = make_api(lost, refusal(503, "server_error"), answer, on_request=reports.append, on_response=reports.append)
    api.get(api.client.with_options(query={"secret": "s"}).beats.get(7))
    assert [type(info) for info in reports] == [RequestInfo, ResponseInfo] * 3
    assert {(info.method, info.path, info.operation) for info in reports} == {("GET", "/v1/beats/7", "getBeat")}
    assert [info.attempt for info in reports] == [1, 1, 2, 2, 3, 3]
    ends = [info for info in reports if isinstance(info, ResponseInfo)]
    assert [(info.status, info.request_id) for info in ends] == [(None, None), (503, None), (200, "req_1")]
    assert [type(info.error) for info in ends] == [APIConnectionError, ServerError, type(None)]
    assert all(info.duration_ms >= 0 for info in ends)
    assert reports[0].request_headers["authorization"] == f"Bearer bm_…{KEY[-4:]}"
    assert KEY not in repr(reports)


def test_a_short_key_is_masked_completely(make_api: MakeApi) -> None:
    reports: list[RequestInfo] = []
    api = make_api(BEAT, api_key="bm_test", on_request=reports.append)
    api.get(api.client.request("GET", "/beats/1"))
    assert (reports[0].request_headers["authorization"], reports[0].operation) == ("Bearer bm_…", None)


@pytest.mark.parametrize("hook", ["on_request", "on_response"])
@pytest.mark.parametrize("error", [ValueError("own"), APITimeoutError("own"), httpx2.ReadTimeout("own")])
def test_a_call_raises_the_error_of_a_hook(make_api: MakeApi, hook: str, error: Exception, waits: list[float]) -> None:
    def raising(_: object) -> None:
        raise error

    api = make_api(BEAT, **{hook: raising})
    with pytest.raises(type(error), match="own") as raised:
        api.get(api.client.beats.get(1))
    assert raised.value is error
    assert (waits, len(api.service.requests)) == ([], hook == "on_response")


def test_the_log_has_a_line_for_each_attempt(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BEATMARKET_LOG", "info")
    answer = httpx2.Response(200, json=BEAT.json(), headers={"x-request-id": "req_1"})
    api = make_api(httpx2.ConnectError("lost"), refusal(503, "server_error"), answer)
    api.get(api.client.beats.get(1))
    lines = [line.split(" ") for line in capsys.readouterr().err.splitlines()]
    assert [line[:4] for line in lines] == [
        ["beatmarket", "GET", "/v1/beats/1", outcome] for outcome in ("APIConnectionError", "503", "200")
    ]
    assert all(line[4].isdigit() and line[5] == "ms" for line in lines)
    ends = [" ".join(line[6:]) for line in lines]
    assert ends == ["- attempt 1", "- attempt 2", "req_1 attempt 3"]


def test_the_debug_log_has_headers_but_no_secret(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BEATMARKET_LOG", " DEBUG\n")
    answer = httpx2.Response(200, json=BEAT.json(), headers={"set-cookie": "session=s3cret"})
    api = make_api(answer, headers={"cookie": "a=s3cret", "x-tenant": "a"})
    api.get(api.client.beats.get(1))
    lines = capsys.readouterr().err.splitlines()
    for line in ("> x-tenant: a", "> cookie: …", f"> authorization: Bearer bm_…{KEY[-4:]}", "< set-cookie: …"):
        assert f"beatmarket {line}" in lines
    assert "s3cret" not in "".join(lines)


def test_nothing_is_logged_without_the_variable(make_api: MakeApi, capsys: pytest.CaptureFixture[str]) -> None:
    api = make_api(refusal(503, "server_error"))
    with pytest.raises(ServerError):
        api.get(api.client.beats.get(1))
    assert capsys.readouterr() == ("", "")


def test_an_unknown_log_level_is_reported_once(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("beatmarket.observers._warned", set[str]())
    monkeypatch.setenv("BEATMARKET_LOG", "verbose")
    for _ in range(2):
        api = make_api(BEAT)
        api.get(api.client.beats.get(1))
    [line] = capsys.readouterr().err.splitlines()
    assert line == "beatmarket BEATMARKET_LOG is 'verbose', which is not known: it takes info or debug."
