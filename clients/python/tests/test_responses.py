"""Responses become typed objects or errors."""

from __future__ import annotations

import copy
import pickle
import traceback
from typing import Any

import httpx2
import pytest

from beatmarket import (
    APIStatusError,
    APITimeoutError,
    AuthenticationError,
    Beat,
    BeatDetail,
    BeatMarketError,
    InvalidRequestError,
    License,
    Model,
    NotFoundError,
    PermissionDeniedError,
    RateLimit,
    RateLimitError,
    ServerError,
)

from .conftest import BEAT, MakeApi, examples, refusal, success

LIMITS = {"x-ratelimit-limit": "100", "x-ratelimit-remaining": "99", "x-ratelimit-reset": "1795176000"}
CALLS: dict[str, Any] = {
    "listBeats": lambda client: client.beats.list(),
    "getBeat": lambda client: client.beats.get(1),
    "listSimilarBeats": lambda client: client.beats.similar(1),
    "createBeat": lambda client: client.beats.create(title="x", genre=1, audio="upl", price=1),
    "updateBeat": lambda client: client.beats.update(1, title="x"),
    "withdrawBeat": lambda client: client.beats.withdraw(1),
    "listOwnBeats": lambda client: client.users.my_beats(),
    "listUploads": lambda client: client.uploads.list(),
    "getUpload": lambda client: client.uploads.get("upl"),
    "retryUpload": lambda client: client.uploads.retry("upl"),
    "getUser": lambda client: client.users.get(1),
    "updateProfile": lambda client: client.users.update_profile(bio="x"),
    "listProducers": lambda client: client.producers.list(),
    "listGenres": lambda client: client.genres.list(),
    "search": lambda client: client.search("x"),
    "listOrders": lambda client: client.orders.list(),
    "getOrder": lambda client: client.orders.get(1),
    "createOrder": lambda client: client.orders.create(beat_id=1, payment_method="pm"),
    "createCheckout": lambda client: client.checkouts.create(items=[{"beat_id": 1}]),
    "createQuote": lambda client: client.quotes.create(items=[{"beat_id": 1}]),
    "getCheckout": lambda client: client.checkouts.get(1),
    "listFavorites": lambda client: client.favorites.list(),
    "addFavorite": lambda client: client.favorites.add(1),
    "removeFavorite": lambda client: client.favorites.remove(1),
    "listFollowing": lambda client: client.users.following(),
    "followUser": lambda client: client.users.follow(1),
    "unfollowUser": lambda client: client.users.unfollow(1),
    "listPlaylists": lambda client: client.playlists.list(),
    "createPlaylist": lambda client: client.playlists.create(title="Drives"),
    "getPlaylist": lambda client: client.playlists.get("pl_1"),
    "updatePlaylist": lambda client: client.playlists.update("pl_1", title="Later"),
    "deletePlaylist": lambda client: client.playlists.delete("pl_1"),
    "addPlaylistBeat": lambda client: client.playlists.add_beat("pl_1", 1),
    "removePlaylistBeat": lambda client: client.playlists.remove_beat("pl_1", 1),
    "listOrderFiles": lambda client: client.orders.files(1),
    "listOrderInvoices": lambda client: client.orders.invoices(1),
    "createSandbox": lambda client: client.sandboxes.create(seed="checkout-flow", catalogue="empty"),
    "listSandboxes": lambda client: client.sandboxes.list(),
    "getSandbox": lambda client: client.sandboxes.get("3n0vk7d2m9q4xw1c"),
    "deleteSandbox": lambda client: client.sandboxes.delete("3n0vk7d2m9q4xw1c"),
    "advanceSandbox": lambda client: client.sandboxes.advance("3n0vk7d2m9q4xw1c", by="P90D"),
    "forkSandbox": lambda client: client.sandboxes.fork("3n0vk7d2m9q4xw1c"),
    "triggerEvent": lambda client: client.events.trigger(type="order.refunded"),
    "listLicenseUsage": lambda client: client.licenses.usage("7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60"),
    "reportLicenseUsage": lambda client: client.licenses.report_usage(
        "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60", use="streams", quantity=82_000, period="2026-11", source="Distributor"
    ),
    "upgradeLicense": lambda client: client.licenses.upgrade(
        "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60", license_type="premium", payment_method="pm_card_visa"
    ),
    "askLicense": lambda client: client.licenses.may("7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60", use="streams"),
    "listSales": lambda client: client.sales.list(),
    "listChanges": lambda client: client.changes.list(),
    "listEvents": lambda client: client.events.list(),
    "listRequests": lambda client: client.requests.list(),
    "getRequest": lambda client: client.requests.get("01a1f3ad-8e00-7000-8000-000000000001"),
    "getEvent": lambda client: client.events.get("evt_1"),
}


WRITES = (
    "createBeat",
    "updateBeat",
    "withdrawBeat",
    "retryUpload",
    "updateProfile",
    "createOrder",
    "createCheckout",
    "createQuote",
    "askLicense",
    "reportLicenseUsage",
    "upgradeLicense",
    "addFavorite",
    "removeFavorite",
    "followUser",
    "unfollowUser",
    "createPlaylist",
    "updatePlaylist",
    "deletePlaylist",
    "addPlaylistBeat",
    "removePlaylistBeat",
    "createSandbox",
    "deleteSandbox",
    "advanceSandbox",
    "forkSandbox",
    "triggerEvent",
)


def test_every_operation_has_a_call() -> None:
    files = {"exportBeats", "exportSales", "downloadOrderArchive"}
    without_envelope = {*files, "createUpload", "getUploadOffset", "appendToUpload", "deleteUpload"}
    assert set(CALLS) == set(examples()) - without_envelope


@pytest.mark.parametrize("operation", CALLS)
def test_each_example_response_round_trips(make_api: MakeApi, operation: str) -> None:
    data = examples()[operation]["reference"]["data"]
    api = make_api(success(data, LIMITS))
    result = api.get(CALLS[operation](api.client))
    if operation in ("listOrderFiles", "listChanges", "listEvents", "listRequests"):
        assert result.to_dict() == data
    elif isinstance(result, Model):
        assert [result.to_dict()] == list(data.values())
    elif operation == "search":
        assert [item.to_dict() for item in result.beats] == data["beats"]
        assert [item.to_dict() for item in result.producers] == data["producers"]
        assert result.pagination.to_dict() == data["pagination"]
    elif isinstance(result, list):
        assert [item.to_dict() for item in result] == next(iter(data.values()))
    else:
        assert [item.to_dict() for item in result.data] == next(iter(data.values()))
        assert result.pagination.to_dict() == data["pagination"]
    assert result.response.rate_limit == RateLimit(limit=100, remaining=99, reset=1795176000)


@pytest.mark.parametrize("operation", CALLS)
@pytest.mark.parametrize("data", [{}, {"beats": None, "beat": []}, {"beats": [], "pagination": 3}, None, []])
def test_a_success_of_an_unknown_form_raises_for_a_read_but_not_for_a_write(
    make_api: MakeApi, operation: str, data: Any
) -> None:
    api = make_api(success(data))
    if operation == "listSimilarBeats" and data and data["beats"] is not None:
        return
    if operation in WRITES and isinstance(data, dict):
        # An error would wrongly say that a paid order failed.
        assert api.get(CALLS[operation](api.client)).to_dict() == {}
        return
    with pytest.raises(APIStatusError, match="form") as raised:
        api.get(CALLS[operation](api.client)).data  # noqa: B018 - reading the attribute sends the request
    assert (raised.value.status, raised.value.code) == (200, None)


@pytest.mark.parametrize(
    "content",
    [
        b"<html>",
        b"null",
        b"",
        b"[]",
        b"1",
        b'{"status":"error","error":{"code":"not_found","message":"m","details":"d"}}',
        b"\xff",
        b"[" * 100_000,
        b'{"status":"success","data":{"beat":' + b"9" * 5000 + b"}}",
    ],
)
def test_a_success_without_the_envelope_raises_without_retry(make_api: MakeApi, content: bytes) -> None:
    calls: list[Any] = [lambda client: client.beats.get(1), lambda client: client.request("GET", "/beats")]
    for call in calls:
        api = make_api(httpx2.Response(200, content=content))
        with pytest.raises(APIStatusError) as raised:
            api.get(call(api.client))
        assert (type(raised.value), raised.value.status, len(api.service.requests)) == (APIStatusError, 200, 1)
        assert raised.value.response.content == content


def test_a_raw_request_can_have_the_console_form(make_api: MakeApi) -> None:
    api = make_api(httpx2.Response(200, json={"success": True, "data": []}))
    assert api.get(api.client.request("GET", "/beats")).body == {"success": True, "data": []}


def test_a_head_has_no_body(make_api: MakeApi) -> None:
    api = make_api(httpx2.Response(200))
    assert api.get(api.client.request("HEAD", "/beats")).body is None


def test_the_rate_limit_is_none_if_its_headers_are_absent_or_invalid(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    assert api.get(api.client.beats.get(1)).response.rate_limit is None
    api = make_api(success({"beat": {}}, {**LIMITS, "x-ratelimit-reset": "soon"}))
    assert api.get(api.client.beats.get(1)).response.rate_limit is None


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, "invalid_request", InvalidRequestError),
        (401, "unauthorized", AuthenticationError),
        (403, "forbidden", PermissionDeniedError),
        (404, "not_found", NotFoundError),
        (409, "invalid_request", InvalidRequestError),
        (418, "teapot", APIStatusError),
        (418, "not_found", NotFoundError),
        (429, "rate_limit_exceeded", RateLimitError),
        (500, "server_error", ServerError),
        (599, "else", ServerError),
        (302, "else", APIStatusError),
    ],
)
def test_an_error_has_its_class_and_all_fields(
    make_api: MakeApi, status: int, code: str, kind: type[APIStatusError]
) -> None:
    headers = {**LIMITS, "x-request-id": "r-1", "retry-after": "61"}
    api = make_api(refusal(status, code, headers))
    with pytest.raises(APIStatusError) as raised:
        api.get(api.client.beats.get(1))
    error = raised.value
    assert type(error) is kind
    assert (error.status, error.code, error.message, error.details) == (status, code, "Short text", "What exactly.")
    assert (error.request_id, error.retry_after) == ("r-1", 61)
    assert error.rate_limit == RateLimit(100, 99, 1795176000)
    assert str(error) == f"{status} {code}: Short text: What exactly. (request r-1)"


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"", b"{}", b'{"error":"x"}', b'{"error":{"code":7}}'])
def test_an_error_without_the_envelope_has_a_message(make_api: MakeApi, body: bytes) -> None:
    api = make_api(httpx2.Response(502, content=body), max_retries=0)
    with pytest.raises(ServerError) as raised:
        api.get(api.client.beats.get(1))
    error = raised.value
    assert (error.code, error.details, error.request_id, error.rate_limit) == (None, None, None, None)
    text = body.decode() or "no body"
    assert str(error) == f"502: The response is not the API's: no content type: {text}"


def test_an_error_of_another_server_shows_its_content_type_and_body(make_api: MakeApi) -> None:
    body = b"<h1>Bad\n gateway</h1>\xff" + "é".encode() * 300
    headers = {"content-type": "Text/HTML; charset=utf-8"}
    api = make_api(httpx2.Response(502, content=body, headers=headers), httpx2.Response(502), max_retries=0)
    with pytest.raises(ServerError) as raised:
        api.get(api.client.beats.get(1))
    excerpt = "<h1>Bad gateway</h1>\ufffd" + "é" * 179 + "…"
    assert (raised.value.content_type, raised.value.excerpt) == ("text/html", excerpt)
    with pytest.raises(ServerError) as raised:
        api.get(api.client.beats.get(1))
    assert (raised.value.content_type, raised.value.excerpt) == (None, "")


def test_a_redirect_is_not_followed(make_api: MakeApi) -> None:
    api = make_api(httpx2.Response(302, headers={"location": "https://evil.example.com/"}), BEAT)
    with pytest.raises(APIStatusError) as raised:
        api.get(api.client.beats.get(1))
    assert (raised.value.status, len(api.service.requests)) == (302, 1)
    assert raised.value.message == "The response is a redirect, which is not followed: is base_url right?"


def test_errors_can_be_pickled(make_api: MakeApi) -> None:
    api = make_api(refusal(404, "not_found", {"x-request-id": "r-1"}))
    with pytest.raises(NotFoundError) as raised:
        api.get(api.client.orders.create(beat_id=1, payment_method="pm", idempotency_key="k"))
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is NotFoundError
    assert (str(again), again.details, again.idempotency_key) == (str(raised.value), "What exactly.", "k")
    assert again.response.content == raised.value.response.content
    assert str(pickle.loads(pickle.dumps(APITimeoutError("late")))) == "late"


def test_unknown_fields_and_values_are_kept(make_api: MakeApi) -> None:
    fields = {
        "id": 1,
        "new": {"deep": [1]},
        "self": 2,
        "licenses": [{"type": "rental", "rate": 3}, None],
        "genre": None,
    }
    api = make_api(success({"beat": fields}))
    beat = api.get(api.client.beats.get(1))
    assert isinstance(beat, BeatDetail)
    assert beat.to_dict() == fields
    assert getattr(beat, "new") == {"deep": [1]}  # noqa: B009
    assert beat.licenses[0].type == "rental"
    assert isinstance(beat.licenses[0], License)


def test_a_field_cannot_hide_the_response(make_api: MakeApi) -> None:
    api = make_api(success({"beat": {"id": 1, "response": "x", "_response": "y"}}))
    beat = api.get(api.client.beats.get(1))
    assert beat.response.status == 200
    assert beat.to_dict()["response"] == "x"


def test_known_fields_that_are_null_missing_or_of_another_type_do_not_raise(make_api: MakeApi) -> None:
    fields = {
        "id": "7",
        "genre": "Techno",
        "price": "29.90",
        "bpm": None,
        "tags": [1, None, "warm"],
        "licenses": {"type": "basic"},
        "analysis": [],
        "to_dict": 3,
        "_fields": 4,
    }
    api = make_api(success({"beat": fields}))
    beat = api.get(api.client.beats.get(1))
    assert (beat.id, beat.genre, beat.price, beat.bpm) == ("7", "Techno", "29.90", None)
    assert (beat.tags, beat.licenses, beat.analysis) == ([1, None, "warm"], {"type": "basic"}, [])
    assert (beat.title, beat.waveform_url, beat.status) == (None, None, None)
    assert beat.to_dict() == fields
    assert copy.deepcopy(pickle.loads(pickle.dumps(beat))) == beat
    with pytest.raises(AttributeError, match="BeatDetail has no field tempo"):
        _ = beat.tempo
    order = {"id": 3, "amount": "29.90", "beat": None, "next_action": "go"}
    api = make_api(success({"order": order}))
    assert api.get(api.client.orders.create(beat_id=1, payment_method="pm")).to_dict() == order


def test_items_and_page_fields_of_another_type_do_not_raise(make_api: MakeApi) -> None:
    items = [None, 7, "text", [1], {"id": "7"}]
    pagination = {"total": "45", "last_page": None}
    api = make_api(success({"beats": items, "pagination": pagination, "facets": "none", "missing": {"1": 2}}))
    page = api.get(api.client.beats.list())
    assert page.data[:4] == items[:4]
    assert (page.data[4].id, page.total, page.pagination.next_page_url) == ("7", "45", None)
    assert (page.facets, page.missing) == ("none", {"1": 2})
    assert len(list(api.each(api.client.beats.list()))) == 5


def test_an_error_with_fields_of_another_type_has_the_class_of_its_status(make_api: MakeApi) -> None:
    odd: list[Any] = [{"code": 7, "message": ["x"]}, {}, "text", None, [], 7]
    for error in odd:
        api = make_api(httpx2.Response(404, json={"status": "error", "error": error}))
        with pytest.raises(NotFoundError) as raised:
            api.get(api.client.beats.get(1))
        assert (raised.value.code, str(raised.value)) == (
            None,
            f"404: The response is not the API's: application/json: {raised.value.response.content.decode()}",
        )


def test_a_204_has_no_body(make_api: MakeApi) -> None:
    api = make_api(httpx2.Response(204))
    response = api.get(api.client.request("DELETE", "/uploads/upl_1"))
    assert (response.status, response.body) == (204, None)


def test_a_success_without_the_envelope_raises_with_the_idempotency_key(make_api: MakeApi) -> None:
    for content in (b"{}", b'{"status":"success"}', b'{"status":"success","data":[]}'):
        api = make_api(httpx2.Response(201, content=content))
        with pytest.raises(APIStatusError) as raised:
            api.get(api.client.orders.create(beat_id=1, payment_method="pm"))
        assert raised.value.idempotency_key == api.service.requests[0].headers["idempotency-key"]


def test_objects_are_read_only_and_can_be_compared_copied_and_pickled(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    beat = api.get(api.client.beats.get(1))
    with pytest.raises(AttributeError, match="read-only"):
        beat.title = "x"
    with pytest.raises(AttributeError, match="read-only"):
        del beat.title
    assert beat == copy.deepcopy(beat) == pickle.loads(pickle.dumps(beat)) == BeatDetail(**beat.to_dict())
    assert beat != Beat(**beat.to_dict())
    assert repr(beat) == "BeatDetail(id=1, title='One', genre=GenreName(id=3, name='Ambient'))"
    with pytest.raises(TypeError):
        hash(beat)


def test_a_nested_object_says_which_object_has_the_response(make_api: MakeApi) -> None:
    api = make_api(BEAT)
    beat = api.get(api.client.beats.get(1))
    with pytest.raises(AttributeError, match="larger object"):
        beat.genre.response  # noqa: B018


def test_the_traceback_of_an_error_names_its_cause(make_api: MakeApi) -> None:
    api = make_api(httpx2.ConnectError("no route"), max_retries=0)
    with pytest.raises(BeatMarketError) as raised:
        api.get(api.client.beats.get(1))
    assert "httpx2.ConnectError: no route" in "".join(traceback.format_exception(raised.value))


def test_completion_finds_the_fields_of_a_model() -> None:
    assert {"title", "genre", "to_dict", "new_field"} <= set(dir(Beat(id=1, new_field=2)))  # type: ignore[call-arg]
