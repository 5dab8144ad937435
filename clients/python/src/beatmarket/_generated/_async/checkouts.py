# Generated from contract/openapi.json by npm run contract; do not edit.
"""Payments of one or more licenses, on a page of the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...not_given import present
from .. import operations
from ..models import Checkout, NewCheckoutItem

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncCheckouts:
    """Payments of one or more licenses, on a page of the service."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def create(
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

        Opens one payment of one or more licenses and returns its page, on which a person pays. If one of the licenses
        is not for sale, nothing is held or charged, and the error names the license. The payment creates the orders.

        Args:
            items: The licenses to buy with one payment.
            email: The e-mail address for the receipt. Default: the account's.
            success_url: The address to which the page sends the buyer after the payment. `{CHECKOUT_ID}` in it is
                replaced by the checkout's id. Default: the page itself, with the files.
            cancel_url: The address to which the page sends a buyer who does not pay. Default: the basket.
            discount_code: A discount code. Upper and lower case are equal. A code that cannot be used is refused with
                409.
            idempotency_key: 1 to 255 visible ASCII characters. Calls with the same key within 24 hours are carried out
                once. Default: a random key, shared by the attempts of this call and kept as `idempotency_key` of the
                error if all of them fail.
        """
        body = present(
            items=items, email=email, success_url=success_url, cancel_url=cancel_url, discount_code=discount_code
        )
        return await self._client._object(
            operations.CREATE_CHECKOUT, Checkout, "checkout", body=body, headers={"idempotency-key": idempotency_key}
        )

    async def get(self, checkout_id: int | str) -> Checkout:
        """Get one of your checkouts.

        Returns a checkout of the key's account, with its orders once it is paid. A checkout of another account is 404.

        Args:
            checkout_id: Identifier of the checkout.
        """
        return await self._client._object(
            operations.GET_CHECKOUT, Checkout, "checkout", path={"checkout_id": checkout_id}
        )
