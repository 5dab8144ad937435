"""Typed use of the package. Never run: mypy and pyright check it in strict mode."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

from beatmarket import (
    Analysis,
    AsyncBeatMarket,
    AsyncBeatPage,
    AsyncPage,
    AsyncSearchPage,
    Beat,
    BeatBatch,
    BeatDetail,
    BeatExport,
    BeatListing,
    BeatMarket,
    BeatPage,
    BeatPurchasedEvent,
    ChangePage,
    Checkout,
    DownloadedFile,
    Event,
    Facets,
    Genre,
    GenreName,
    ItemList,
    License,
    NotFoundError,
    Order,
    OrderFile,
    Producer,
    Purchase,
    RateLimit,
    ReadyUpload,
    Sale,
    SearchListing,
    SimilarBeat,
    UnknownEvent,
    Upload,
    User,
    UserUpdated,
    UserUpdatedEvent,
    webhooks,
)


def synchronous(client: BeatMarket) -> None:
    assert_type(client.beats.list(sort="popular", genre=[1, 2], key="8A"), BeatListing[Beat])
    assert_type(client.beats.list(ids=[1, 2]).data, list[BeatDetail])
    assert_type(client.beats.list(fields="title"), BeatListing[BeatDetail])
    facets = client.beats.list(facets=["genre", "bpm", "tag"]).facets
    assert_type(facets, Facets | None)
    if facets is not None:
        assert_type([count.value for count in facets.genre or []], list[GenreName])
        assert_type([count.value for count in facets.bpm or []], list[float])
        assert_type([count.value for count in facets.tag or []], list[str])
    assert_type(client.beats.get_many([1]), BeatBatch)
    assert_type(client.search("x").totals.beats, int)
    assert_type([beat.genre.name for beat in client.beats.list()], list[str])
    assert_type(client.beats.list().data, list[Beat])
    beat = client.beats.get(1)
    assert_type(beat, BeatDetail)
    assert_type(beat.licenses, list[License])
    assert_type(beat.price, float)
    assert_type(beat.response.rate_limit, RateLimit | None)
    assert_type(client.beats.similar(1), ItemList[SimilarBeat])
    assert_type(client.search("x"), SearchListing)
    assert_type([hit for hit in client.search("x")], list[Beat | Producer])
    assert_type(client.genres.list(), ItemList[Genre])
    assert_type(next(client.events.stream(after=1)), Event)
    assert_type(client.events.stream().position, int | None)
    assert_type(client.with_options(headers={"x": "y"}, query={"a": [1, 2]}, body={"b": {}}), BeatMarket)
    assert_type(client.users.update_profile(bio=None).bio, str | None)
    assert_type(client.orders.create(beat_id=1, payment_method="pm"), Order)
    assert_type(client.checkouts.create(items=[{"beat_id": 1, "license_type": "premium"}]), Checkout)
    assert_type(client.checkouts.get(1).orders, list[Order])
    assert_type(client.orders.files(1).files, list[OrderFile])
    assert_type(client.orders.download_all(1, "x", progress=lambda reached: reached.received), list[DownloadedFile])
    assert_type(client.sales.list(from_="2026-11-01").data, list[Sale])
    assert_type(client.changes.list(after=1), ChangePage)
    assert_type([page for page in client.changes.follow(after=1)], list[ChangePage])
    assert_type([change.beat for change in client.changes.list().changes], list[BeatDetail | None])
    upload = client.uploads.upload(b"x", kind="audio", progress=lambda reached: assert_type(reached.sent, int))
    ready = client.uploads.wait(upload.id)
    assert_type(ready, ReadyUpload)
    assert_type(ready.sha256, str)
    assert_type(ready.analysis, Analysis | None)
    assert_type(client.beats.create(title="x", genre=1, audio=upload.id, price=9), BeatDetail)
    assert_type(client.beats.update(1, bpm=None, if_match=beat.response.etag).description, str)
    assert_type(client.users.my_beats(status="draft").data, list[BeatDetail])
    page = client.beats.list(limit=5).first_page
    assert_type(page, BeatPage[Beat])
    assert_type([beat for beat in page], list[Beat])
    assert_type(page.next_page(), BeatPage[Beat] | None)
    assert_type([beat for beat in client.exports.beats()], list[BeatDetail])
    assert_type(client.exports.beats("x"), BeatExport)
    assert_type(client.with_options(timeout=5).beats.get(1), BeatDetail)
    client.beats.list(sort="oldest")  # type: ignore[call-overload]  # pyright: ignore[reportArgumentType, reportCallIssue]
    client.users.update_profile(display_name=None)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    beat.title = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]


async def asynchronous(client: AsyncBeatMarket) -> None:
    assert_type([beat async for beat in client.beats.list()], list[Beat])
    assert_type(await client.beats.list(), AsyncBeatPage[Beat])
    assert_type(await client.search("x"), AsyncSearchPage)
    assert_type(await (await client.orders.list()).next_page(), AsyncPage[Order] | None)
    assert_type([beat async for beat in client.exports.beats()], list[BeatDetail])
    assert_type(await client.exports.beats("x"), BeatExport)
    assert_type(await client.users.get(1), User)
    assert_type(await client.changes.list(), ChangePage)
    assert_type([page async for page in client.changes.follow()], list[ChangePage])
    assert_type([event async for event in client.events.stream()], list[Event])


def refused(error: NotFoundError) -> None:
    assert_type(error.details, str | None)
    assert_type(error.retry_after, float | None)


def receive(body: bytes, headers: dict[str, str]) -> None:
    event = webhooks.unwrap(body, headers, ["new", "old"])
    assert_type(event, Event)
    if event.type == "beat.purchased":
        assert_type(event, BeatPurchasedEvent)
        assert_type(event.data, Purchase)
    elif event.type == "upload.ready":
        assert_type(event.data, Upload)
    match event:
        case UserUpdatedEvent(data=user):
            assert_type(user, UserUpdated)
        case UnknownEvent(data=anything):
            assert_type(anything, Any)
        case _:
            pass
    if isinstance(event, BeatPurchasedEvent):
        assert_type(event.data, Purchase)
    webhooks.verify("text", None, "secret")
