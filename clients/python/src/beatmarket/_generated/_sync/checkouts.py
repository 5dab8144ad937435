# Generated from contract/openapi.json by npm run contract; do not edit.
"""Payments of one or more licenses, on a page of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...not_given import present
from .. import operations
from ..models import Checkout, NewCheckoutItem

if TYPE_CHECKING:
    from ..._sync.client import BeatMarket


class Checkouts:
    """Payments of one or more licenses, on a page of their own."""

    def __init__(self, client: BeatMarket) -> None:
        self._client = client

    def create(
        self,
        *,
        items: Sequence[NewCheckoutItem],
        email: str | None = None,
        success_url: str | None = None,
        cancel_url: str | None = None,
        discount_code: str | None = None,
        idempotency_key: str | None = None,
    ) -> Checkout:
        """Open a checkout.

        Opens one payment of one or more licenses and returns its page, on which a person pays. All or nothing: if one
        of the licenses cannot be had, nothing is held or charged, and the error names it. The orders come into being
        with the payment.

        Args:
            items: The licenses to buy by one payment.
            email: The address for the receipt. Default: the account's.
            success_url: Where the page sends the buyer after the payment. `{CHECKOUT_ID}` in it becomes the checkout's
                id. Default: the page itself, with the files.
            cancel_url: Where the page sends a buyer who does not pay. Default: the basket.
            discount_code: A discount code; upper and lower case are the same. A code that cannot be used is refused
                with 409.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are done once.
                Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the error if
                all of them fail.
        """
        body = present(
            items=items, email=email, success_url=success_url, cancel_url=cancel_url, discount_code=discount_code
        )
        return self._client._object(
            operations.CREATE_CHECKOUT, Checkout, "checkout", body=body, headers={"idempotency-key": idempotency_key}
        )

    def get(self, checkout_id: int | str) -> Checkout:
        """Get one of your checkouts.

        A checkout of the key's account, with its orders once it is paid. Checkouts of other accounts are 404.

        Args:
            checkout_id: Identifier of the checkout.
        """
        return self._client._object(operations.GET_CHECKOUT, Checkout, "checkout", path={"checkout_id": checkout_id})
