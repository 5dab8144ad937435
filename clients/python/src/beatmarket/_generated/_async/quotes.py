# Generated from contract/openapi.json by npm run contract; do not edit.
"""What purchases would cost, with discounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...not_given import present
from .. import operations
from ..models import NewQuoteItem, Quote

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncQuotes:
    """What purchases would cost, with discounts."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def create(
        self, *, items: Sequence[NewQuoteItem], discount_code: str | None = None, email: str | None = None
    ) -> Quote:
        """Ask for a quote.

        The amount that a checkout of the items would charge, and every discount that was tried, with the reason why it
        applied or not. Nothing is held, charged or stored.

        Args:
            items: The licenses to buy by one payment.
            discount_code: A discount code; upper and lower case are the same. `rules` says why it does not apply.
            email: The buyer's address, for discounts that are limited for each buyer. Default: the account's.
        """
        body = present(items=items, discount_code=discount_code, email=email)
        return await self._client._object(operations.CREATE_QUOTE, Quote, "quote", body=body)
