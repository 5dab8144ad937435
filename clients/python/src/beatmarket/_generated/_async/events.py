# Generated from contract/openapi.json by npm run contract; do not edit.
"""The events that webhooks deliver, for programs without a public address."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...not_given import present
from ...request import Query
from .. import operations
from ..enums import EventType
from ..events import BaseEvent, Event, EventPage
from ..models import TestEvent

if TYPE_CHECKING:
    from ..._async.client import AsyncBeatMarket


class AsyncEvents:
    """The events that webhooks deliver, for programs without a public address."""

    def __init__(self, client: AsyncBeatMarket) -> None:
        self._client = client

    async def list(
        self, *, after: int | None = None, type: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> EventPage:
        """List your events.

        Returns the events of the last 30 days that a webhook endpoint of the account would receive, with the same
        bodies, in the order of commits, without gaps and repetitions. Programs without a public address use it instead
        of webhooks. Pass `next` as `after` of the next request; with `wait`, the response is sent as soon as there is
        an event.

        Args:
            after: Only events after this position: the `next` of the previous response. Default: from the oldest stored
                event.
            type: Only events of these types, separated by commas: beat.created, beat.updated, beat.withdrawn,
                beat.taken_down, beat.sold_exclusively, beat.purchased, order.refunded, order.failed, license.upgraded,
                license.usage, upload.ready, upload.rejected, beat.publishing_failed, payout.sent, payout.paid,
                payout.failed, user.registered, user.updated. Default: all types, including later ones.
            limit: The maximum number of events in a response. From 1 to 1000. Default: 100.
            wait: The number of seconds to wait for an event if there is none yet. The response is sent as soon as there
                is one. From 0 to 30. Default: 0.
        """
        query: Query = {"after": after, "type": type, "limit": limit, "wait": wait}
        return await self._client._object(operations.LIST_EVENTS, EventPage, None, query=query)

    async def get(self, event_id: str) -> Event:
        """Get an event.

        Returns one of the account's events of the last 30 days, with the body that webhooks have.

        Args:
            event_id: The `id` of the event: `evt_` and 26 letters and digits.
        """
        event = await self._client._object(operations.GET_EVENT, BaseEvent, "event", path={"event_id": event_id})
        return cast("Event", event)

    async def trigger(self, *, type: EventType) -> TestEvent:
        """Cause an event.

        Creates in test mode what the event describes, such as an order and its refund. The event and its deliveries
        follow.

        Args:
            type: The type of the event to cause.
        """
        body = present(type=type)
        return await self._client._object(operations.TRIGGER_EVENT, TestEvent, "test_event", body=body)
