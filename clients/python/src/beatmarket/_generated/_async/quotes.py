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

        Returns the amount that a checkout of the items would charge, and every discount that was considered, with the
        reason why it applies or not. Nothing is held, charged or stored.

        Args:
            items: The licenses to buy with one payment.
            discount_code: A discount code. Upper and lower case are equal. If it does not apply, `rules` says why.
            email: The buyer's e-mail address, for discounts with a limit for each buyer. Default: the account's.
        """
        body = present(items=items, discount_code=discount_code, email=email)
        return await self._client._object(operations.CREATE_QUOTE, Quote, "quote", body=body)
