"""Lists iterate over all pages without repetition and resume after a failure."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest

from beatmarket import APIConnectionError, APIStatusError, BeatMarketError

from .conftest import BASE_URL, Api, MakeApi, Service, refusal, success


def page(ids: range | list[int], next_url: str | None) -> httpx2.Response:
    pagination = {"total": 45, "per_page": 10, "current_page": 1, "last_page": 5, "next_page_url": next_url}
    return success({"beats": [{"id": number} for number in ids], "pagination": {**pagination, "prev_page_url": None}})


def next_url(number: int) -> str:
    return f"{BASE_URL}/beats?genre=3&limit=10&page={number}&after=x%2By"


FIVE_PAGES = [
    *(page(range(first, first + 10), next_url(first // 10 + 2)) for first in range(0, 40, 10)),
    page(range(40, 45), None),
]


def ids(items: Any) -> list[int]:
    return [item.id for item in items]


def test_a_loop_follows_next_page_urls(make_api: MakeApi) -> None:
    api = make_api(*FIVE_PAGES)
    listing = api.client.beats.list(genre=3, limit=10)
    assert ids(api.each(listing)) == list(range(45))
    assert api.service.urls == [
        "/beats?limit=10&genre=3",
        *(next_url(number).removeprefix(BASE_URL) for number in range(2, 6)),
    ]


def test_a_list_can_be_iterated_again(make_api: MakeApi) -> None:
    api = make_api(page([1], None))
    listing = api.client.beats.list()
    assert ids(api.each(listing)) == ids(api.each(listing)) == [1]


def test_max_items_limits_the_requested_pages(make_api: MakeApi) -> None:
    api = make_api(*FIVE_PAGES)
    assert ids(api.each(api.client.beats.list(limit=10, max_items=25))) == list(range(25))
    assert len(api.service.requests) == 3
    api = make_api(*FIVE_PAGES)
    assert ids(api.each(api.client.beats.list(limit=10, max_items=20))) == list(range(20))
    assert len(api.service.requests) == 2


def test_max_items_zero_sends_no_request(make_api: MakeApi) -> None:
    api = make_api(*FIVE_PAGES)
    assert ids(api.each(api.client.beats.list(max_items=0))) == []
    assert api.service.requests == []


@pytest.mark.parametrize("max_items", [-1, "3", 2.5, True])
def test_an_invalid_max_items_raises(make_api: MakeApi, max_items: Any) -> None:
    with pytest.raises(BeatMarketError, match="max_items must be an integer from 0, or None for all items, not"):
        make_api().client.search("x", max_items=max_items)


def test_an_empty_list_ends_but_an_empty_page_does_not_end_a_list(make_api: MakeApi) -> None:
    api = make_api(page([], None))
    assert ids(api.each(api.client.beats.list())) == []
    api = make_api(page([1], next_url(2)), page([], next_url(3)), page([2], None))
    assert ids(api.each(api.client.beats.list())) == [1, 2]


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example.com/v1/beats?page=2",
        "http://api.example.com/v1/beats?page=2",
        "https://api.example.com:444/v1/beats?page=2",
        "https://api.example.com@evil.example.com/v1/beats",
        "/v1/beats?page=2",
        "https://[",
        "",
    ],
)
def test_a_next_page_without_the_origin_of_the_base_url_raises_when_requested(make_api: MakeApi, url: str) -> None:
    api = make_api(page([1, 2], url))
    items = api.each(api.client.beats.list())
    assert [next(items).id, next(items).id] == [1, 2]
    for _ in range(2):
        with pytest.raises(APIStatusError, match="base_url") as raised:
            next(items)
        assert raised.value.status == 200
    assert len(api.service.requests) == 1


@pytest.mark.parametrize(
    "again",
    [f"{BASE_URL}/beats?limit=2", f"{BASE_URL}/beats?page=1&limit=2", "https://API.example.com:443/v1/beats?limit=2"],
)
def test_a_next_page_that_is_the_same_page_ends_the_list(make_api: MakeApi, again: str) -> None:
    api = make_api(page([1, 2], again))
    assert ids(api.each(api.client.beats.list(limit=2))) == [1, 2]
    assert len(api.service.requests) == 1


def test_a_cycle_of_pages_ends_the_list(make_api: MakeApi) -> None:
    api = make_api(page([1], next_url(2)), page([2], next_url(3)), page([3], next_url(2)))
    assert ids(api.each(api.client.beats.list())) == [1, 2, 3]


@pytest.mark.parametrize(
    "failure", [httpx2.ReadError("lost"), refusal(500, "server_error"), httpx2.Response(200, text="")]
)
def test_the_same_iterator_resumes_after_a_failure(make_api: MakeApi, failure: httpx2.Response | Exception) -> None:
    api = make_api(*FIVE_PAGES[:2], failure, *FIVE_PAGES[2:], max_retries=0)
    items = api.each(api.client.beats.list(genre=3, limit=10))
    seen: list[int] = []
    with pytest.raises(BeatMarketError):
        seen.extend(iter(lambda: next(items).id, None))
    assert len(seen) == 20
    seen += ids(items)
    assert seen == list(range(45))


def test_data_and_total_request_only_the_first_page(make_api: MakeApi) -> None:
    api = make_api(*FIVE_PAGES)
    first = api.get(api.client.beats.list(limit=10))
    assert (ids(first.data), first.total, first.pagination.last_page) == (list(range(10)), 45, 5)
    assert first.response.status == 200
    assert len(api.service.requests) == 1


def test_a_loop_after_data_requests_the_first_page_once() -> None:
    api = Api("sync", Service(list(FIVE_PAGES)))
    listing = api.client.beats.list(genre=3, limit=10)
    assert (listing.total, listing.pagination.per_page, listing.response.status) == (45, 10, 200)
    assert ids(listing) == list(range(45))
    assert len(api.service.requests) == 5


def test_a_search_yields_each_pages_beats_then_its_producers(make_api: MakeApi) -> None:
    url = f"{BASE_URL}/search?q=x&page=2"
    api = make_api(
        *(
            success(
                {
                    "beats": [{"id": number}],
                    "producers": [{"id": number + 1}],
                    "pagination": {"total": 4, "next_page_url": next_page_url},
                    "totals": {"beats": 2, "producers": 2},
                }
            )
            for number, next_page_url in ((1, url), (3, None))
        ),
    )
    listing = api.client.search("x")
    first = api.get(listing)
    assert (ids(first.beats), ids(first.producers), first.total) == ([1], [2], 4)
    api.service.requests.clear()
    assert ids(api.each(api.client.search("x"))) == [1, 2, 3, 4]


def test_a_page_has_the_fields_about_all_results_that_the_response_has(make_api: MakeApi) -> None:
    pagination = {"total": 2, "next_page_url": None}
    genres = [{"value": {"id": 3, "name": "Trap"}, "count": 2}]
    api = make_api(
        success({"beats": [], "pagination": pagination, "facets": {"genre": genres}}),
        success(
            {
                "beats": [],
                "producers": [],
                "pagination": pagination,
                "totals": {"beats": 2, "producers": 0},
                "interpreted": {"q": "trap", "bpm_min": 140, "bpm_max": 140},
            }
        ),
    )
    page = api.get(api.client.beats.list(facets="genre"))
    assert page.facets.genre[0].value.name == "Trap"
    assert (page.facets.key, page.missing) == (None, None)
    found = api.get(api.client.search("trap 140 bpm"))
    assert (found.totals.beats, found.interpreted.bpm_min, found.interpreted.key, found.facets) == (2, 140, None, None)


def test_a_page_iterates_over_its_own_items_and_has_the_next_one(make_api: MakeApi) -> None:
    api = make_api(*FIVE_PAGES)
    listing = api.client.beats.list(genre=3, limit=10)
    pages = [api.get(listing) if api.loop else listing.first_page]
    while (following := api.get(pages[-1].next_page())) is not None:
        pages.append(following)
    assert [ids(found) for found in pages] == [list(range(first, min(first + 10, 45))) for first in range(0, 50, 10)]
    assert [len(found) for found in pages] == [10, 10, 10, 10, 5]
    assert type(pages[-1]) is type(pages[0])
    assert pages[1].facets is None
    assert len(api.service.requests) == 5


def test_next_page_can_be_called_again_after_a_failure(make_api: MakeApi) -> None:
    api = make_api(FIVE_PAGES[0], httpx2.ReadError("lost"), FIVE_PAGES[1], FIVE_PAGES[1], max_retries=0)
    listing = api.client.beats.list(limit=10)
    first = api.get(listing) if api.loop else listing.first_page
    with pytest.raises(APIConnectionError):
        api.get(first.next_page())
    assert ids(api.get(first.next_page())) == ids(api.get(first.next_page())) == list(range(10, 20))


def test_max_items_limits_the_data_of_pages_and_keeps_the_total(make_api: MakeApi) -> None:
    for max_items, sizes in ((25, [10, 10, 5]), (20, [10, 10]), (7, [7]), (0, [0])):
        api = make_api(*FIVE_PAGES)
        listing = api.client.beats.list(limit=10, max_items=max_items)
        page = api.get(listing) if api.loop else listing.first_page
        found: list[int] = []
        while page is not None:
            found.append(len(page.data))
            assert page.total == 45
            page = api.get(page.next_page())
        assert found == sizes


def test_max_items_counts_beats_then_producers_of_a_search(make_api: MakeApi) -> None:
    found = {"beats": [{"id": 1}, {"id": 2}], "producers": [{"id": 3}], "pagination": {"total": 3}, "totals": {}}
    api = make_api(success(found))
    page = api.get(api.client.search("x", max_items=1))
    assert (ids(page.beats), ids(page.producers), page.total) == ([1], [], 3)
    page = api.get(api.client.search("x", max_items=5))
    assert (ids(page.beats), ids(page.producers)) == ([1, 2], [3])
