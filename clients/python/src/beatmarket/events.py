"""The events that webhooks bring. Tell them apart with isinstance or match; their `type` is the wire's."""

from __future__ import annotations

from typing import Any

from .models import Beat, BeatUpdated, Model, Purchase, User, UserUpdated


class Event(Model):
    """Something that happened on the marketplace. An event of a type that this version does not know is just this."""

    id: str
    """One that you have dealt with is a repetition."""
    created: int
    """When it happened, Unix seconds."""
    type: str
    data: Any


class BeatCreatedEvent(Event):
    """`beat.created`: a beat was uploaded."""

    data: Beat


class BeatUpdatedEvent(Event):
    """`beat.updated`: a beat was changed."""

    data: BeatUpdated


class BeatPurchasedEvent(Event):
    """`beat.purchased`: a beat was paid for."""

    data: Purchase


class UserRegisteredEvent(Event):
    """`user.registered`: an account was made."""

    data: User


class UserUpdatedEvent(Event):
    """`user.updated`: a profile was changed."""

    data: UserUpdated


EVENTS: dict[str, type[Event]] = {
    "beat.created": BeatCreatedEvent,
    "beat.updated": BeatUpdatedEvent,
    "beat.purchased": BeatPurchasedEvent,
    "user.registered": UserRegisteredEvent,
    "user.updated": UserUpdatedEvent,
}
"""The class of each type of the contract (section 6.1)."""
