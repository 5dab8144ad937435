# Made from _async by tools/make_sync.py; edit that, and run it.
"""The resources of the API that are small, one class each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import operations
from ..listings import Listing
from ..models import BeatDetail, BeatStatus, Genre, LicenseType, Order, OrderStatus, Producer, ProducerSort, User
from ..not_given import NOT_GIVEN, NotGiven
from ..pages import ItemList

if TYPE_CHECKING:
    from .client import BeatMarket


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

    def my_beats(
        self,
        *,
        page: int | None = None,
        limit: int | None = None,
        status: BeatStatus | None = None,
        max_items: int | None = None,
    ) -> Listing[BeatDetail]:
        """Lists the beats of the key's account in every state, newest first.

        Args:
            page: the first page, from 1.
            limit: beats per page, 1 to 100; 20 by default.
            status: only beats with this status: draft, processing, published or withdrawn.
            max_items: maximum number of items in a loop; all by default.
        """
        query = {"page": page, "limit": limit, "status": status}
        return self._client._list(operations.LIST_OWN_BEATS, query, max_items)


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
