"""Webhook events. Distinguish them with isinstance, match, or `type`."""

from __future__ import annotations

from typing import Any

from .models import Beat, BeatUpdated, Model, Purchase, User, UserUpdated


class Event(Model):
    """A webhook event. Events of unknown types are instances of this base class."""

    id: str
    """Ignore an id that you have processed: events can be delivered more than once."""
    created: int
    """Unix time in seconds."""
    type: str
    data: Any


class BeatCreatedEvent(Event):
    """`beat.created`: a beat was created."""

    data: Beat


class BeatUpdatedEvent(Event):
    """`beat.updated`: a beat was changed."""

    data: BeatUpdated


class BeatPurchasedEvent(Event):
    """`beat.purchased`: a license of a beat was paid for."""

    data: Purchase


class UserRegisteredEvent(Event):
    """`user.registered`: an account was created."""

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
"""The class of each event type."""
