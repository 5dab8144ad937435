# Made from _async by tools/make_sync.py; edit that, and run it.
"""The beats on sale, and those of the key's account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from .. import operations
from ..listings import BeatListing
from ..models import Beat, BeatDetail, BeatSort, FacetName, LicenseType, SimilarBeat
from ..not_given import NOT_GIVEN, NotGiven
from ..pages import BeatBatch, ItemList

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Literal

    from ..request import Query
    from .client import BeatMarket


class Beats:
    """Beats on sale, and your own."""

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

    def create(
        self,
        *,
        title: str,
        genre: int | str,
        audio: str,
        price: float,
        license_prices: Mapping[LicenseType, float] | None = None,
        bpm: float | None = None,
        key: str | None = None,
        description: str | None = None,
        tags: Sequence[str] | None = None,
        cover: str | None = None,
        stems: str | None = None,
        preview_tag: str | None = None,
        status: Literal["draft", "published"] | None = None,
        idempotency_key: str | None = None,
    ) -> BeatDetail:
        """Makes a beat of an upload.

        Args:
            title: what the beat is called.
            genre: the id or the name of a genre.
            audio: the id of an upload of kind audio.
            price: of the basic license, at most two decimals.
            license_prices: of the other licenses; those that are missing are derived from `price`.
            bpm: the tempo; else analysis tells it.
            key: the musical key, such as `A minor`, `Am` or `8A`; else analysis tells it.
            description: a text.
            tags: at most 20.
            cover: the id of an upload of kind cover.
            stems: the id of an upload of kind stems.
            preview_tag: what is mixed into the preview: default, none, or the id of an upload of kind audio.
            status: draft (default), or published: on sale once its files are processed.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours make one beat.
                Default: a random key, shared by the attempts of this call.

        Raises:
            InvalidRequestError: a field is invalid, such as one that names no upload of yours; `details` names it.
        """
        given = {
            "title": title,
            "genre": genre,
            "audio": audio,
            "price": price,
            "license_prices": license_prices,
            "bpm": bpm,
            "key": key,
            "description": description,
            "tags": tags,
            "cover": cover,
            "stems": stems,
            "preview_tag": preview_tag,
            "status": status,
        }
        body = {name: value for name, value in given.items() if value is not None}
        headers = None if idempotency_key is None else {"idempotency-key": idempotency_key}
        return self._client._call(operations.CREATE_BEAT, body=body, headers=headers)

    def update(
        self,
        beat_id: int | str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        genre: int | str | NotGiven = NOT_GIVEN,
        audio: str | NotGiven = NOT_GIVEN,
        price: float | NotGiven = NOT_GIVEN,
        license_prices: Mapping[LicenseType, float] | NotGiven | None = NOT_GIVEN,
        bpm: float | NotGiven | None = NOT_GIVEN,
        key: str | NotGiven | None = NOT_GIVEN,
        description: str | NotGiven | None = NOT_GIVEN,
        tags: Sequence[str] | NotGiven | None = NOT_GIVEN,
        cover: str | NotGiven | None = NOT_GIVEN,
        stems: str | NotGiven | None = NOT_GIVEN,
        preview_tag: str | NotGiven = NOT_GIVEN,
        status: Literal["draft", "published"] | NotGiven = NOT_GIVEN,
        if_match: str | None = None,
    ) -> BeatDetail:
        """Changes one of your beats. None clears a field; a field that is not passed is unchanged.

        Args:
            beat_id: one of your beats.
            title: as for `create`, and so are the others.
            genre: the id or the name of a genre.
            audio: the id of an upload of kind audio.
            price: of the basic license.
            license_prices: changes those that are named; None derives all of them from `price` again.
            bpm: the tempo; None takes what analysis tells.
            key: the musical key; None takes what analysis tells.
            description: a text.
            tags: at most 20.
            cover: the id of an upload of kind cover.
            stems: the id of an upload of kind stems.
            preview_tag: default, none, or the id of an upload of kind audio.
            status: published puts the beat on sale; draft stops the publishing of one that was never on sale.
            if_match: the `etag` of a response with the beat: change it only if it has not changed since.

        Raises:
            PreconditionFailedError: the beat has changed since `if_match`.
            InvalidRequestError: a field is invalid; with status 409, price and audio may not change while an exclusive
                license is sold or being bought.
        """
        given = {
            "title": title,
            "genre": genre,
            "audio": audio,
            "price": price,
            "license_prices": license_prices,
            "bpm": bpm,
            "key": key,
            "description": description,
            "tags": tags,
            "cover": cover,
            "stems": stems,
            "preview_tag": preview_tag,
            "status": status,
        }
        body = {name: value for name, value in given.items() if value is not NOT_GIVEN}
        headers = None if if_match is None else {"if-match": if_match}
        return self._client._call(operations.UPDATE_BEAT, ids={"beat_id": beat_id}, body=body, headers=headers)

    def withdraw(self, beat_id: int | str, *, if_match: str | None = None) -> BeatDetail:
        """Takes one of your beats off sale and returns it as it was left. One that was never on sale is deleted.

        Args:
            beat_id: one of your beats.
            if_match: the `etag` of a response with the beat: withdraw it only if it has not changed since.

        Raises:
            PreconditionFailedError: the beat has changed since `if_match`.
        """
        headers = None if if_match is None else {"if-match": if_match}
        return self._client._call(operations.WITHDRAW_BEAT, ids={"beat_id": beat_id}, headers=headers)
