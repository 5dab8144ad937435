# Generated from contract/openapi.json by npm run contract; do not edit.
"""Events of the account. Distinguish them with isinstance, match, or `type`."""

from __future__ import annotations

from typing import Any

from ..model import Model
from .enums import EventType
from .models import Beat, BeatUpdated, Purchase, User, UserUpdated

__all__ = [
    "BeatCreatedEvent",
    "BeatPurchasedEvent",
    "BeatUpdatedEvent",
    "Event",
    "EventPage",
    "UserRegisteredEvent",
    "UserUpdatedEvent",
]


class Event(Model):
    """An event of the account, as webhooks carry it. Those of unknown types are instances of this base class."""

    id: str
    """The event's identifier; the same as in a webhook delivery."""
    created: int
    """When it happened, Unix seconds."""
    type: EventType | str
    """Types may be added."""
    data: Any
    """By type: the `data` of the webhook of that name."""

    @classmethod
    def _kind(cls, fields: dict[str, Any]) -> Any:
        return EVENTS.get(str(fields.get("type")), cls)


class BeatCreatedEvent(Event):
    """`beat.created`: a new beat was uploaded."""

    data: Beat


class BeatUpdatedEvent(Event):
    """`beat.updated`: a beat was updated, or its exclusive license was sold."""

    data: BeatUpdated


class BeatPurchasedEvent(Event):
    """`beat.purchased`: a beat was purchased."""

    data: Purchase


class UserRegisteredEvent(Event):
    """`user.registered`: a new user registered."""

    data: User


class UserUpdatedEvent(Event):
    """`user.updated`: a user's profile was updated."""

    data: UserUpdated


class EventPage(Model):
    """A page of events, in the order of commits."""

    events: list[Event]
    next: int
    """The position to go on from."""


EVENTS: dict[str, type[Event]] = {
    "beat.created": BeatCreatedEvent,
    "beat.updated": BeatUpdatedEvent,
    "beat.purchased": BeatPurchasedEvent,
    "user.registered": UserRegisteredEvent,
    "user.updated": UserUpdatedEvent,
}
"""The class of each event type."""
