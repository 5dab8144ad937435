# Generated from contract/openapi.json by npm run contract; do not edit.
"""The beats on sale, and your own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, overload

from ...not_given import NOT_GIVEN, NotGiven, given, present
from ...operation import ItemList
from ...request import Query
from .. import operations
from ..enums import BeatSort, FacetName, LicenseType, NewBeatStatus
from ..models import Beat, BeatDetail, LicensePrices, NewLicenseSettings, SimilarBeat
from .pages import BeatListing, BeatPage

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Beats:
    """The beats on sale, and your own."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    @overload
    def list(
        self, *, ids: int | Sequence[int], fields: str | Sequence[str] | None = None, max_items: int | None = None
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
        ids: int | Sequence[int] | None = None,
        fields: str | Sequence[str] | None = None,
        max_items: int | None = None,
    ) -> BeatListing[Any]:
        """List beats.

        Returns the beats on sale that match every filter, one page at a time; or beats by their `ids`.

        Args:
            page: The number of the page, from 1. Default: 1.
            limit: The number of results on a page. From 1 to 100. Default: 20.
            genre: Only beats of the genres with these ids.
            producer: Only beats of the producers with these ids.
            bpm_min: Only beats of this `bpm` or faster. From 1 to 999.
            bpm_max: Only beats of this `bpm` or slower. From 1 to 999.
            bpm: Only beats of this `bpm`. Instead of `bpm_min` and `bpm_max`. From 1 to 999.
            bpm_tolerance: The percentage by which a beat may differ from `bpm`. Default: 0. From 0 to 50.
            half_double: Whether beats of half and of double the `bpm` match as well. Default: False.
            key: Only beats in these keys: `A minor`, `Am` or `8A` (Camelot); enharmonic spellings are the same key;
                `unknown` for beats without one.
            key_compatible: Only beats that mix with this key: itself, its relative and its neighbours on the circle of
                fifths. Spelled as in `key`.
            price_min: Only beats whose `price` is this or more.
            price_max: Only beats whose `price` is this or less.
            duration_min: Only beats of this many seconds or more.
            duration_max: Only beats of this many seconds or less.
            created_after: Only beats whose `created_at` is this time or later, ISO 8601. A date alone is its first
                second, UTC.
            created_before: Only beats whose `created_at` is this time or earlier, ISO 8601. A date alone is its last
                second, UTC.
            tag: Only beats with one of these tags. Accents and case are ignored.
            license: Only beats with one of these licenses available.
            sort: The order of the list. Every order ends with the id, so pages never overlap. Default: newest.
            facets: The properties to count beats by. Counts are exact and apply all filters except those on the same
                property.
            ids: Ids of beats. Returns these beats in this order, with all details, also sold ones. Can be combined with
                `fields` only.
            fields: The fields to return of each object, by their names in the response. Fields that only the response
                of a single beat has are allowed, too. All other fields are absent, although the schemas of responses
                describe whole objects.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        model = Beat if ids is None and fields is None else BeatDetail
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
        return BeatListing(self._client, operations.LIST_BEATS, BeatPage[Any], {"beats": model}, query, max_items)

    def create(
        self,
        *,
        title: str,
        genre: str | int,
        audio: str,
        price: float,
        license_prices: LicensePrices | None = None,
        license_settings: NewLicenseSettings | None = None,
        free_download: bool | None = None,
        bpm: float | None = None,
        key: str | None = None,
        description: str | None = None,
        tags: Sequence[str] | None = None,
        cover: str | None = None,
        stems: str | None = None,
        preview_tag: str | None = None,
        publish_at: datetime | str | None = None,
        status: NewBeatStatus | None = None,
        idempotency_key: str | None = None,
    ) -> BeatDetail:
        """Create a beat.

        Creates a beat from an upload. The beat is a draft that only you see; with `status` `published`, it goes on sale
        as soon as its files are processed. A repeated request with the same `Idempotency-Key` creates one beat.

        Args:
            title: The title of the beat.
            genre: A genre of `GET /genres`, by its id or its name.
            audio: The id of an upload of kind `audio`.
            price: The price of the basic license in the currency's main unit, with at most two decimals.
            license_prices: The prices of the other licenses. Default: twice, five and twenty times `price`, rounded up
                to end in 99 cents.
            license_settings: Which licenses are sold, and with which limits. A license that is not named keeps its
                settings; in a new beat, it has your default settings.
            free_download: Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial
                use.
            bpm: The tempo. Default: the result of the analysis.
            key: The musical key, such as `A minor`, `Am` or `8A`. Default: the result of the analysis.
            description: A text.
            tags: At most 20 tags, each with at most 50 characters and without a comma. Of tags that differ only in
                case, accents, spaces or punctuation, the first is stored.
            cover: The id of an upload of kind `cover`.
            stems: The id of an upload of kind `stems`.
            preview_tag: The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag,
                `none` is no tag, and the id of an upload of kind `audio` is your own tag.
            publish_at: The time at which to publish the beat: in the future, within two years. Not together with
                `status` `published`.
            status: `published` puts the beat on sale as soon as its files are processed. Default: draft.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(
            title=title,
            genre=genre,
            audio=audio,
            price=price,
            license_prices=license_prices,
            license_settings=license_settings,
            free_download=free_download,
            bpm=bpm,
            key=key,
            description=description,
            tags=tags,
            cover=cover,
            stems=stems,
            preview_tag=preview_tag,
            publish_at=publish_at,
            status=status,
        )
        return self._client._object(
            operations.CREATE_BEAT, BeatDetail, "beat", body=body, headers={"idempotency-key": idempotency_key}
        )

    def get(self, beat_id: int | str) -> BeatDetail:
        """Get one beat.

        Returns a beat with its description, tags and licenses. It also returns a beat whose exclusive license is sold,
        and your own beats in every state, with their `status`.

        Args:
            beat_id: Identifier of the beat.
        """
        return self._client._object(operations.GET_BEAT, BeatDetail, "beat", path={"beat_id": beat_id})

    def update(
        self,
        beat_id: int | str,
        *,
        title: str | NotGiven = NOT_GIVEN,
        genre: str | int | NotGiven = NOT_GIVEN,
        audio: str | NotGiven = NOT_GIVEN,
        price: float | NotGiven = NOT_GIVEN,
        license_prices: LicensePrices | NotGiven | None = NOT_GIVEN,
        license_settings: NewLicenseSettings | NotGiven = NOT_GIVEN,
        free_download: bool | NotGiven = NOT_GIVEN,
        bpm: float | NotGiven | None = NOT_GIVEN,
        key: str | NotGiven | None = NOT_GIVEN,
        description: str | NotGiven | None = NOT_GIVEN,
        tags: Sequence[str] | NotGiven | None = NOT_GIVEN,
        cover: str | NotGiven | None = NOT_GIVEN,
        stems: str | NotGiven | None = NOT_GIVEN,
        preview_tag: str | NotGiven = NOT_GIVEN,
        publish_at: datetime | str | NotGiven | None = NOT_GIVEN,
        status: NewBeatStatus | NotGiven = NOT_GIVEN,
        idempotency_key: str | None = None,
        if_match: str | None = None,
    ) -> BeatDetail:
        """Change one of your beats.

        Changes one of your beats, on sale or not. An omitted field stays as it is; None clears it. New files replace
        the old ones once they are processed. With `If-Match`, the beat changes only if it has not changed since. A
        repeated request with the same `Idempotency-Key` gets the first response.

        Args:
            beat_id: Identifier of the beat.
            title: The title of the beat.
            genre: A genre of `GET /genres`, by its id or its name.
            audio: The id of an upload of kind `audio`.
            price: The price of the basic license in the currency's main unit, with at most two decimals.
            license_prices: The prices to change. None derives all three from `price` again.
            license_settings: Which licenses are sold, and with which limits. A license that is not named keeps its
                settings; in a new beat, it has your default settings.
            free_download: Whether people who confirm an e-mail address get the tagged MP3 for free, for non-commercial
                use.
            bpm: The tempo. None takes the result of the analysis.
            key: The musical key. None takes the result of the analysis.
            description: A text.
            tags: A text.
            cover: A text.
            stems: A text.
            preview_tag: The tag that is mixed into the preview every 15 seconds: `default` is the service's own tag,
                `none` is no tag, and the id of an upload of kind `audio` is your own tag.
            publish_at: The time at which to publish a draft or a withdrawn beat: in the future, within two years. None
                cancels it.
            status: `published` puts a draft or a withdrawn beat on sale; `draft` stops the publishing of a beat that
                was never on sale.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
            if_match: The `etag` of a response with the object. If it has changed since then, nothing happens, and a
                PreconditionFailedError is raised.
        """
        body = given(
            title=title,
            genre=genre,
            audio=audio,
            price=price,
            license_prices=license_prices,
            license_settings=license_settings,
            free_download=free_download,
            bpm=bpm,
            key=key,
            description=description,
            tags=tags,
            cover=cover,
            stems=stems,
            preview_tag=preview_tag,
            publish_at=publish_at,
            status=status,
        )
        return self._client._object(
            operations.UPDATE_BEAT,
            BeatDetail,
            "beat",
            path={"beat_id": beat_id},
            body=body,
            headers={"idempotency-key": idempotency_key, "if-match": if_match},
        )

    def withdraw(
        self, beat_id: int | str, *, idempotency_key: str | None = None, if_match: str | None = None
    ) -> BeatDetail:
        """Withdraw one of your beats.

        Takes one of your beats off sale and returns it. Buyers keep their licenses. `updateBeat` with `status`
        `published` puts it on sale again. A beat that was never on sale is deleted.

        Args:
            beat_id: Identifier of the beat.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
            if_match: The `etag` of a response with the object. If it has changed since then, nothing happens, and a
                PreconditionFailedError is raised.
        """
        return self._client._object(
            operations.WITHDRAW_BEAT,
            BeatDetail,
            "beat",
            path={"beat_id": beat_id},
            headers={"idempotency-key": idempotency_key, "if-match": if_match},
        )

    def similar(self, beat_id: int | str, *, limit: int | None = None) -> ItemList[SimilarBeat]:
        """List similar beats.

        Returns the beats most similar to the given one, the most similar first. They are compared by genre, tempo (half
        and double are near), key on the circle of fifths, and lesser factors. `similarity` explains each choice.

        Args:
            beat_id: Identifier of the beat.
            limit: The number of similar beats. From 1 to 20. Default: 5.
        """
        query: Query = {"limit": limit}
        return self._client._array(
            operations.LIST_SIMILAR_BEATS, SimilarBeat, "beats", path={"beat_id": beat_id}, query=query
        )
