# Generated from contract/openapi.json by npm run contract; do not edit.
"""Pages and lists with fields in addition to their items."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from ..._sync.lists import ListOf, Page
from ...model import Model
from ..models import Beat, Facets, Interpretation, Producer, SearchTotals, StorageUse, Upload

B = TypeVar("B", bound=Beat)


class BeatPage(Page[B]):
    """One page of beats."""

    _extras: ClassVar[dict[str, type[Model]]] = {"facets": Facets}

    @property
    def facets(self) -> Facets | None:
        """The numbers of beats by value. Only with `facets`."""
        return self._extra("facets", Facets)

    @property
    def missing(self) -> list[int] | None:
        """With `ids`: the ids without a public beat."""
        return self._extra("missing", list[int])


class BeatListing(ListOf[B, BeatPage[B]]):
    """A list of beats. A loop iterates over all pages; the attributes belong to the first page."""

    @property
    def facets(self) -> Facets | None:
        """The numbers of beats by value. Only with `facets`."""
        return self.first_page.facets

    @property
    def missing(self) -> list[int] | None:
        """With `ids`: the ids without a public beat."""
        return self.first_page.missing


class SearchPage(Page[Beat | Producer]):
    """One page of beats and producers."""

    _extras: ClassVar[dict[str, type[Model]]] = {
        "totals": SearchTotals,
        "interpreted": Interpretation,
        "facets": Facets,
    }

    @property
    def beats(self) -> list[Beat]:
        """The beats of this page."""
        return self._lists["beats"]

    @property
    def producers(self) -> list[Producer]:
        """The producers of this page."""
        return self._lists["producers"]

    @property
    def totals(self) -> SearchTotals:
        """The number of results of each type."""
        return self._extra("totals", SearchTotals)

    @property
    def interpreted(self) -> Interpretation | None:
        """How the service read `q`: the words that it searched, and the filters that it recognised, named like the
        parameters.

        Absent with `interpret=False`.
        """
        return self._extra("interpreted", Interpretation)

    @property
    def facets(self) -> Facets | None:
        """The numbers of beats by value. Only with `facets`."""
        return self._extra("facets", Facets)


class SearchListing(ListOf[Beat | Producer, SearchPage]):
    """A list of beats and producers. A loop iterates over all pages; the attributes belong to the first page."""

    @property
    def beats(self) -> list[Beat]:
        """The beats of the first page."""
        return self.first_page.beats

    @property
    def producers(self) -> list[Producer]:
        """The producers of the first page."""
        return self.first_page.producers

    @property
    def totals(self) -> SearchTotals:
        """The number of results of each type."""
        return self.first_page.totals

    @property
    def interpreted(self) -> Interpretation | None:
        """How the service read `q`: the words that it searched, and the filters that it recognised, named like the
        parameters.

        Absent with `interpret=False`.
        """
        return self.first_page.interpreted

    @property
    def facets(self) -> Facets | None:
        """The numbers of beats by value. Only with `facets`."""
        return self.first_page.facets


class UploadPage(Page[Upload]):
    """One page of uploads."""

    _extras: ClassVar[dict[str, type[Model]]] = {"storage": StorageUse}

    @property
    def storage(self) -> StorageUse:
        """The storage that the account's files use, and the limit."""
        return self._extra("storage", StorageUse)


class UploadListing(ListOf[Upload, UploadPage]):
    """A list of uploads. A loop iterates over all pages; the attributes belong to the first page."""

    @property
    def storage(self) -> StorageUse:
        """The storage that the account's files use, and the limit."""
        return self.first_page.storage
