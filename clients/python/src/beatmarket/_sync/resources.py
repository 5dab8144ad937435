# Made from _async by tools/make_sync.py; edit that, and run it.
"""The resources of the API, one class each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .. import operations
from ..listings import BeatListing, Listing
from ..models import (
    Beat,
    BeatDetail,
    BeatSort,
    FacetName,
    Genre,
    LicenseType,
    Order,
    OrderStatus,
    Producer,
    ProducerSort,
    SimilarBeat,
    User,
)
from ..not_given import NOT_GIVEN, NotGiven
from ..pages import BeatBatch, ItemList

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from ..request import Query
    from .client import BeatMarket


class Beats:
    """Beats on sale."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    @overload
    def list(
        self,
        *,
        ids: Sequence[int],
        fields: str | Sequence[str] | None = None,
        max_items: int | None = None,
    ) -> BeatListing[BeatDetail]: ...
    @overload
    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        genre: int | Sequence[int] | None = None,
        producer: int | Sequence[int] | None = None,
        bpm_min: int | None = None,
        bpm_max: int | None = None,
        bpm: int | None = None,
        bpm_tolerance: float | None = None,
        half_double: bool | None = None,
        key: str | Sequence[str] | None = None,
        key_compatible: str | None = None,
        price_min: float | None = None,
        price_max: float | None = None,
        duration_min: int | None = None,
        duration_max: int | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        tag: str | Sequence[str] | None = None,
        license: LicenseType | Sequence[LicenseType] | None = None,
        sort: BeatSort | None = None,
        facets: FacetName | Sequence[FacetName] | None = None,
        fields: str | Sequence[str],
        max_items: int | None = None,
    ) -> BeatListing[BeatDetail]: ...
    @overload
    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        genre: int | Sequence[int] | None = None,
        producer: int | Sequence[int] | None = None,
        bpm_min: int | None = None,
        bpm_max: int | None = None,
        bpm: int | None = None,
        bpm_tolerance: float | None = None,
        half_double: bool | None = None,
        key: str | Sequence[str] | None = None,
        key_compatible: str | None = None,
        price_min: float | None = None,
        price_max: float | None = None,
        duration_min: int | None = None,
        duration_max: int | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        tag: str | Sequence[str] | None = None,
        license: LicenseType | Sequence[LicenseType] | None = None,
        sort: BeatSort | None = None,
        facets: FacetName | Sequence[FacetName] | None = None,
        max_items: int | None = None,
    ) -> BeatListing[Beat]: ...
    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        genre: int | Sequence[int] | None = None,
        producer: int | Sequence[int] | None = None,
        bpm_min: int | None = None,
        bpm_max: int | None = None,
        bpm: int | None = None,
        bpm_tolerance: float | None = None,
        half_double: bool | None = None,
        key: str | Sequence[str] | None = None,
        key_compatible: str | None = None,
        price_min: float | None = None,
        price_max: float | None = None,
        duration_min: int | None = None,
        duration_max: int | None = None,
        created_after: datetime | str | None = None,
        created_before: datetime | str | None = None,
        tag: str | Sequence[str] | None = None,
        license: LicenseType | Sequence[LicenseType] | None = None,
        sort: BeatSort | None = None,
        facets: FacetName | Sequence[FacetName] | None = None,
        ids: Sequence[int] | None = None,
        fields: str | Sequence[str] | None = None,
        max_items: int | None = None,
    ) -> BeatListing[Any]:
        """Lists beats.

        Args:
            page: the first page, from 1.
            limit: beats per page, 1 to 100; 20 by default.
            genre: only beats of these genre ids.
            producer: only beats of these producer ids.
            bpm_min: only beats of this tempo or faster.
            bpm_max: only beats of this tempo or slower.
            bpm: only beats of this tempo, instead of `bpm_min` and `bpm_max`.
            bpm_tolerance: percent by which a beat may differ from `bpm`.
            half_double: whether beats of half and of double the `bpm` match as well.
            key: only beats in these keys: `A minor`, `Am` or `8A`.
            key_compatible: only beats that mix with this key.
            price_min: only beats of this price or more.
            price_max: only beats of this price or less.
            duration_min: only beats of this many seconds or more.
            duration_max: only beats of this many seconds or less.
            created_after: only beats of this time or later.
            created_before: only beats of this time or earlier.
            tag: only beats with one of these tags.
            license: only beats of which one of these licenses is available.
            sort: newest (default), popular, price_asc, price_desc, bpm_asc or bpm_desc.
            facets: what to count all found beats by: genre, key, bpm, price, tag.
            ids: these beats, at most 100, in that order and with all details; no other filter goes with it.
            fields: the fields that beats are reduced to; reading another one raises AttributeError.
            max_items: maximum number of items in a loop; all by default.
        """
        query: Query = {
            "page": page,
            "limit": limit,
            "genre": genre,
            "producer": producer,
            "bpm_min": bpm_min,
            "bpm_max": bpm_max,
            "bpm": bpm,
            "bpm_tolerance": bpm_tolerance,
            "half_double": half_double,
            "key": key,
            "key_compatible": key_compatible,
            "price_min": price_min,
            "price_max": price_max,
            "duration_min": duration_min,
            "duration_max": duration_max,
            "created_after": created_after,
            "created_before": created_before,
            "tag": tag,
            "license": license,
            "sort": sort,
            "facets": facets,
            "ids": ids,
            "fields": fields,
        }
        operation = operations.LIST_BEATS if ids is None and fields is None else operations.LIST_DETAILED_BEATS
        return self._client._list_beats(operation, query, max_items)

    def get_many(self, beat_ids: Sequence[int]) -> BeatBatch:
        """Gets beats by their ids, in that order and with all details, with a request for every 100."""
        beats: list[BeatDetail] = []
        missing: list[int] = []
        for start in range(0, len(beat_ids), 100):
            page = self._client._call(
                operations.LIST_DETAILED_BEATS, query={"ids": beat_ids[start : start + 100]}
            )
            beats += page.data
            missing += page.missing or []
        return BeatBatch(beats, missing)

    def get(self, beat_id: int | str) -> BeatDetail:
        """Gets a beat with its description, tags and licenses. Raises NotFoundError if it does not exist."""
        return self._client._call(operations.GET_BEAT, ids={"beat_id": beat_id})

    def similar(self, beat_id: int | str, *, limit: int | None = None) -> ItemList[SimilarBeat]:
        """Lists the beats most similar in genre, tempo and key, best first.

        Args:
            beat_id: the beat to compare with.
            limit: number of beats, 1 to 20; 5 by default.

        Raises:
            NotFoundError: the beat does not exist.
        """
        return self._client._call(operations.LIST_SIMILAR_BEATS, ids={"beat_id": beat_id}, query={"limit": limit})


class Users:
    """Public profiles and your own."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def get(self, user_id: int | str) -> User:
        """Gets the public profile of a user. Raises NotFoundError if it does not exist."""
        return self._client._call(operations.GET_USER, ids={"user_id": user_id})

    def update_profile(
        self,
        *,
        display_name: str | NotGiven = NOT_GIVEN,
        bio: str | NotGiven | None = NOT_GIVEN,
        location: str | NotGiven | None = NOT_GIVEN,
        website: str | NotGiven | None = NOT_GIVEN,
        avatar_url: str | NotGiven | None = NOT_GIVEN,
    ) -> User:
        """Updates the profile of the key's account. None clears a field; a field that is not passed is unchanged.

        Args:
            display_name: the public name, 1 to 100 characters.
            bio: 1 to 2000 characters.
            location: 1 to 100 characters.
            website: a URL, at most 2000 characters.
            avatar_url: URL of an image, at most 2000 characters.

        Raises:
            InvalidRequestError: a field is invalid; `details` names it.
        """
        given = {
            "display_name": display_name,
            "bio": bio,
            "location": location,
            "website": website,
            "avatar_url": avatar_url,
        }
        body = {name: value for name, value in given.items() if value is not NOT_GIVEN}
        return self._client._call(operations.UPDATE_PROFILE, body=body)


class Producers:
    """Users who sell beats."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        sort: ProducerSort | None = None,
        max_items: int | None = None,
    ) -> Listing[Producer]:
        """Lists producers.

        Args:
            page: the first page, from 1.
            limit: producers per page, 1 to 100; 20 by default.
            sort: popular (default), newest or name.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "sort": sort}
        return self._client._list(operations.LIST_PRODUCERS, query, max_items)


class Genres:
    """The genres of the catalogue."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(self) -> ItemList[Genre]:
        """Lists all genres."""
        return self._client._call(operations.LIST_GENRES)


class Orders:
    """Orders of your account."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def list(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: OrderStatus | None = None,
        max_items: int | None = None,
    ) -> Listing[Order]:
        """Lists the orders of the key's account, newest first.

        Args:
            page: the first page, from 1.
            limit: orders per page, 1 to 100; 20 by default.
            status: only orders with this status: completed, pending or failed.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "status": status}
        return self._client._list(operations.LIST_ORDERS, query, max_items)

    def get(self, order_id: int | str) -> Order:
        """Gets an order of the key's account. Raises NotFoundError if the account has none with this id."""
        return self._client._call(operations.GET_ORDER, ids={"order_id": order_id})

    def create(
        self,
        *,
        beat_id: int,
        payment_method: str,
        license_type: LicenseType | None = None,
        idempotency_key: str | None = None,
    ) -> Order:
        """Buys a license of a beat. A declined payment returns an order with the status failed.

        Args:
            beat_id: the beat to buy.
            payment_method: the payment provider's identifier, such as `pm_card_visa`; never a card number.
            license_type: basic (default), premium, unlimited or exclusive.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours place one
                order. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of
                the error if all of them fail.

        Raises:
            InvalidRequestError: with status 409, the beat is sold, being bought or your own, or the key belongs to
                another order.
            NotFoundError: the beat does not exist.
        """
        body: dict[str, int | str] = {"beat_id": beat_id, "payment_method": payment_method}
        if license_type is not None:
            body["license_type"] = license_type
        headers = None if idempotency_key is None else {"idempotency-key": idempotency_key}
        return self._client._call(operations.CREATE_ORDER, body=body, headers=headers)
