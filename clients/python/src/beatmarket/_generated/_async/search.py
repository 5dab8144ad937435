# Generated from contract/openapi.json by npm run contract; do not edit.
"""The methods of the client itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from ...request import Query
from .. import operations
from ..enums import FacetName, LicenseType, SearchSort, SearchType
from ..models import Beat, Producer
from .pages import AsyncSearchListing, AsyncSearchPage

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncSearch:
    """The methods of the client itself."""

    _client: AsyncBeatMarket

    def search(
        self,
        q: str,
        *,
        type: SearchType | None = None,
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
        sort: SearchSort | None = None,
        facets: FacetName | Sequence[FacetName] | None = None,
        fields: str | Sequence[str] | None = None,
        interpret: bool | None = None,
        max_items: int | None = None,
    ) -> AsyncSearchListing:
        """Search beats and producers.

        Returns the best matching beats and producers, up to `limit` of each. Tempos, keys and prices in the text become
        filters; `interpreted` names them. Totals are exact; `last_page` is the last page of the longer list.

        Args:
            q: The search text: words of titles, producers, genres and tags, tempos (`140 bpm`, `138-142`, `trap 140`),
                keys (`a minor`, `8A`) and prices (`under $20`). The last word may be incomplete. Accents, case and
                typing errors are ignored.
            type: The types to search. Default: all.
            page: The number of the page, from 1. Default: 1.
            limit: The largest number of beats, and of producers, on a page. From 1 to 50. Default: 20.
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
            sort: The order of the beats. Default: relevance.
            facets: The properties to count beats by. Counts are exact and apply all filters except those on the same
                property.
            fields: The fields to return of each object, by their names in the response. Fields that only the response
                of a single beat has are allowed, too. All other fields are absent, although the schemas of responses
                describe whole objects.
            interpret: Whether tempos, keys and prices in `q` become filters. With false, they are words like any other.
                Default: True.
            max_items: Maximum number of items, on all pages together. All by default.
        """
        query: Query = {
            "q": q,
            "type": type,
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
            "fields": fields,
            "interpret": interpret,
        }
        return AsyncSearchListing(
            self._client, operations.SEARCH, AsyncSearchPage, {"beats": Beat, "producers": Producer}, query, max_items
        )
