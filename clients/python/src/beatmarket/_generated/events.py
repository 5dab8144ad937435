# Generated from contract/openapi.json by npm run contract; do not edit.
"""Events of the account. Distinguish them with isinstance, match, or `type`."""

from __future__ import annotations

from typing import Any

from ..model import Model
from .enums import EventType
from .models import (
    Beat,
    BeatTakedown,
    BeatUpdated,
    BeatWithdrawal,
    ExclusiveSale,
    LicenseUpgrade,
    LicenseUsageReached,
    OrderFailure,
    OrderRefund,
    Payout,
    PublishingFailure,
    Purchase,
    Upload,
    User,
    UserUpdated,
)

__all__ = [
    "BeatCreatedEvent",
    "BeatPublishingFailedEvent",
    "BeatPurchasedEvent",
    "BeatSoldExclusivelyEvent",
    "BeatTakenDownEvent",
    "BeatUpdatedEvent",
    "BeatWithdrawnEvent",
    "Event",
    "EventPage",
    "LicenseUpgradedEvent",
    "LicenseUsageEvent",
    "OrderFailedEvent",
    "OrderRefundedEvent",
    "PayoutFailedEvent",
    "PayoutPaidEvent",
    "PayoutSentEvent",
    "UploadReadyEvent",
    "UploadRejectedEvent",
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


class BeatWithdrawnEvent(Event):
    """`beat.withdrawn`: a beat is withdrawn: its producer took it off sale, or an operator took it down."""

    data: BeatWithdrawal


class BeatTakenDownEvent(Event):
    """`beat.taken_down`: an operator took a beat down."""

    data: BeatTakedown


class BeatSoldExclusivelyEvent(Event):
    """`beat.sold_exclusively`: the exclusive license of a beat was sold."""

    data: ExclusiveSale


class BeatPurchasedEvent(Event):
    """`beat.purchased`: a beat was purchased."""

    data: Purchase


class OrderRefundedEvent(Event):
    """`order.refunded`: money of an order was paid back, or a refund was returned."""

    data: OrderRefund


class OrderFailedEvent(Event):
    """`order.failed`: the payment of a pending order failed after the order was placed."""

    data: OrderFailure


class LicenseUpgradedEvent(Event):
    """`license.upgraded`: a license was upgraded or renewed."""

    data: LicenseUpgrade


class LicenseUsageEvent(Event):
    """`license.usage`: the reported usage of a license reached 80 or 100 percent of a limit."""

    data: LicenseUsageReached


class UploadReadyEvent(Event):
    """`upload.ready`: an upload was analysed and can be used."""

    data: Upload


class UploadRejectedEvent(Event):
    """`upload.rejected`: an upload cannot be used."""

    data: Upload


class BeatPublishingFailedEvent(Event):
    """`beat.publishing_failed`: a beat could not be published, or not with its new files."""

    data: PublishingFailure


class PayoutSentEvent(Event):
    """`payout.sent`: a payout is on its way to a bank account."""

    data: Payout


class PayoutPaidEvent(Event):
    """`payout.paid`: a payout arrived."""

    data: Payout


class PayoutFailedEvent(Event):
    """`payout.failed`: a payout failed or came back; its money is in the balance again."""

    data: Payout


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
    """The position to continue from."""


EVENTS: dict[str, type[Event]] = {
    "beat.created": BeatCreatedEvent,
    "beat.updated": BeatUpdatedEvent,
    "beat.withdrawn": BeatWithdrawnEvent,
    "beat.taken_down": BeatTakenDownEvent,
    "beat.sold_exclusively": BeatSoldExclusivelyEvent,
    "beat.purchased": BeatPurchasedEvent,
    "order.refunded": OrderRefundedEvent,
    "order.failed": OrderFailedEvent,
    "license.upgraded": LicenseUpgradedEvent,
    "license.usage": LicenseUsageEvent,
    "upload.ready": UploadReadyEvent,
    "upload.rejected": UploadRejectedEvent,
    "beat.publishing_failed": BeatPublishingFailedEvent,
    "payout.sent": PayoutSentEvent,
    "payout.paid": PayoutPaidEvent,
    "payout.failed": PayoutFailedEvent,
    "user.registered": UserRegisteredEvent,
    "user.updated": UserUpdatedEvent,
}
"""The class of each event type."""
